"""Answers without a language model over documents as people have them, half of the questions being near misses.

    python -m benchmarks.own_documents KB [--json FILE] [--answers FILE]

KB is made of the fourteen documents in ``benchmarks/documents`` where it is missing: a policy, a guide, a leaflet, a
manual and others. Of their questions about half have an answer there; the others ask for another attribute, year, role
or model. They were written for this by someone who did not know the reader, and nothing is fitted to them. Shown: the
verdicts against right and wrong, and how often a sentence that is shown where no value is given holds the answer.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.answers import RIGHT
from clew.agent.evidence import LIST
from clew.evaluation.metrics import f1
from clew.knowledge_base import KnowledgeBase
from clew.reporting.verdict import KEPT
from clew.text.names import key
from clew.types import Json, Trajectory

HERE = Path(__file__).with_name("documents")
_LONG = 3
"""Letters from which an answer that is part of the expected one counts."""


def main() -> None:
    """Ask every question and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kb")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--answers", type=Path, metavar="FILE", help="write each answer there, a line each")
    options = parser.parse_args()
    questions = _rows("questions.jsonl")
    with KnowledgeBase.open(options.kb) as base:
        if not base.exists():
            _ingest(base)
        answers = [_record(row, base.ask(row["question"], policy="reader", store=False)) for row in questions]
    found = {
        "answerable [right, wrong]": _table([one for one in answers if one["expected"]]),
        "near misses [right, wrong]": _table([one for one in answers if not one["expected"]]),
        "no value, but a cited sentence holds the answer": _shown(answers, "shown"),
        "no value, but a span of the first three is it": _shown(answers, "marked"),
    }
    for name, value in found.items():
        print(f"{name:>48}  {value}")
    if options.answers:
        options.answers.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in answers) + "\n", "utf-8")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def _ingest(base: KnowledgeBase) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for one in _rows("documents.jsonl"):
            Path(folder, one["name"]).write_text(one["text"], encoding="utf-8")
        base.ingest(folder)


def _record(row: dict[str, Any], asked: Trajectory) -> Json:
    expected = [row["answer"], *row.get("also", ())] if row["answer"] else []
    value = asked.answer if asked.answered else ""
    right = bool(value) and any(_agrees(value, one) for one in expected) if expected else not value
    shown = key(" ".join(citation.quote for citation in asked.citations))
    spans = [c.quote[a - c.start : b - c.start] for c in asked.citations[:3] for a, b in c.spans]
    marked = any(_agrees(span, one) for span in spans for one in expected)
    holds = any(all(f" {key(part)} " in f" {shown} " for part in one.split(LIST)) for one in expected)
    return {
        "question": row["question"], "kind": row["kind"], "expected": expected, "answer": value,
        "verdict": asked.verdict.kind, "probability": asked.verdict.probability, "right": right, "shown": holds,
        "marked": marked,
    }  # fmt: skip


def _agrees(value: str, expected: str) -> bool:
    """Whether two values are one, or one is a part of the other ("Fourteen" of "fourteen coats")."""
    a, b = f" {key(value)} ", f" {key(expected)} "
    return f1(value, [expected]) >= RIGHT or b in a or (len(a) > _LONG + 2 and a in b)


def _table(answers: Sequence[Json]) -> dict[str, list[int]]:
    counts = {kind: [one["right"] for one in answers if one["verdict"] == kind] for kind in KEPT}
    return {kind: [sum(rights), len(rights) - sum(rights)] for kind, rights in counts.items()}


def _shown(answers: Sequence[Json], how: str) -> str:
    without = [one for one in answers if one["expected"] and not one["answer"] and one["kind"] != "yesno"]
    return f"{sum(bool(one[how]) for one in without)} of {len(without)}"


if __name__ == "__main__":
    main()
