"""Reading examples from files: lines of JSON of this project's shape, or JSON of SQuAD's shape, plain or gzipped."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clew.errors import InputError

YES_NO = {"yes": 1, "no": 2}


@dataclass(frozen=True, slots=True)
class Item:
    """A question over a passage with the spans that answer it (characters of ``context``, end exclusive).

    ``spans`` is empty where the passage does not answer. ``verdict`` is 0 but for a question of yes (1) or no (2),
    whose spans are not told. ``complete`` says that all spans together are the answer, as for a list; else any is.
    """

    id: str
    question: str
    title: str
    context: str
    spans: tuple[tuple[int, int], ...]
    verdict: int = 0
    complete: bool = False
    domain: str = ""
    licence: str = ""
    source: str = ""

    @property
    def answers(self) -> tuple[str, ...]:
        """The texts of the spans."""
        return tuple(self.context[start:end] for start, end in self.spans)


def read_items(paths: Sequence[Path], leave_out: frozenset[str] = frozenset()) -> list[Item]:
    """The examples of files, in order, without those whose id is in ``leave_out``.

    Raises InputError for a file that cannot be read, or holds something else, naming the place.
    """
    items = []
    for path in paths:
        try:
            data = path.read_bytes()
            text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
        except (OSError, EOFError, UnicodeDecodeError) as error:
            raise InputError(f"{path} cannot be read as examples: {error}.") from error
        try:
            items += [item for item in _items(text, path) if item.id not in leave_out]
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"{path} holds no reading examples ({type(error).__name__}: {error}): wanted are lines of JSON with "
                "question, context and answers, or a file of SQuAD's shape."
            ) from error
    return items


def held_out(item: Item, share: float) -> bool:
    """Whether an example belongs to the development part: a passage is on one side with all its questions."""
    return int(hashlib.sha256(item.context.encode()).hexdigest()[:8], 16) < share * 0x1_0000_0000


def parted(items: Sequence[Item], share: float) -> tuple[list[Item], list[Item]]:
    """The examples to train on, and those of ``share`` of the passages, which are held out."""
    parts: tuple[list[Item], list[Item]] = [], []
    for item in items:
        parts[held_out(item, share)].append(item)
    return parts


def _items(text: str, path: Path) -> Iterator[Item]:
    stripped = text.lstrip()
    if stripped.startswith("{") and "\n{" not in stripped.rstrip() and '"data"' in stripped[:2000]:
        yield from _squad(json.loads(text), path.stem)
        return
    for line in text.splitlines():
        if line.strip():
            yield _item(json.loads(line), path.stem)


def _item(row: dict[str, Any], source: str) -> Item:
    context, answers = row["context"], row.get("answers") or []
    texts = {str(answer["text"]).strip().casefold() for answer in answers}
    yes_no = len(texts) == 1 and all(int(answer["start"]) < 0 for answer in answers)
    verdict = YES_NO.get(next(iter(texts)), 0) if yes_no else 0
    located = [(int(a["start"]), int(a["start"]) + len(a["text"])) for a in answers if int(a["start"]) >= 0]
    return Item(
        str(row.get("id", "")),
        row["question"],
        row.get("title") or "",
        context,
        tuple(sorted(set(located))),
        verdict,
        row.get("type") == "list",
        row.get("domain") or source,
        row.get("licence") or "",
        row.get("source") or source,
    )


def _squad(data: dict[str, Any], source: str) -> Iterator[Item]:
    for article in data["data"]:
        for paragraph in article["paragraphs"]:
            for row in paragraph["qas"]:
                answers = [] if row.get("is_impossible") else row["answers"]
                spans = {(a["answer_start"], a["answer_start"] + len(a["text"])) for a in answers}
                yield Item(
                    str(row["id"]), row["question"], article.get("title") or "", paragraph["context"],
                    tuple(sorted(spans)), domain=source, source=source,
                )  # fmt: skip
