"""Documents as people have them, with questions that they answer and near misses that they do not.

Passages of public data sets are asked what stands in them, or of something else altogether. What a person asks of their
own documents is often neither: the height where the length is told, the year before, a name that differs in a number.
The documents and questions were written for this purpose; no figure counts them. Two thirds of the documents are
trained on, and the confidence is fitted to the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clew.agent.evidence import LIST
from clew.trainer.reader.items import YES_NO, Item

HERE = Path(__file__).parent
ASIDE = 1 / 3
"""The share of documents whose questions are held out of training, for calibration."""


def documents(folder: Path = HERE) -> list[dict[str, str]]:
    """The documents: ``name`` and ``text`` of each."""
    return list(_rows(folder / "documents.jsonl"))


def near_misses(folder: Path = HERE) -> list[Item]:
    """The questions over those documents, a document as the context of each; one without spans has no answer.

    Raises ValueError where an answer does not stand in its document.
    """
    texts = {one["name"]: one["text"] for one in documents(folder)}
    return [_item(row, texts[row["document"]]) for row in _rows(folder / "questions.jsonl")]


def _item(row: dict[str, Any], text: str) -> Item:
    verdict = YES_NO.get(row["answer"], 0)
    parts = [] if verdict or not row["answer"] else row["answer"].split(LIST)
    starts = [text.index(part) for part in parts]
    spans = tuple((start, start + len(part)) for start, part in zip(starts, parts, strict=True))
    title = text.strip().split("\n", 1)[0].strip("# ")
    return Item(
        row["question"], row["question"], title, text, spans, verdict, len(parts) > 1, "documents", "", "near_misses"
    )


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
