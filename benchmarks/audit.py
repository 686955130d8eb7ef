"""Do the sentences that are cited state the answer? Answers with citations, drawn at random over the reading data.

    python -m benchmarks.audit KB FOLDER [--of N] [--sheet FILE] [--seed N]

FOLDER holds the reading data's test files, KB a knowledge base of their passages, which is made where it is missing
(see ``benchmarks.reading``). Questions are asked in random order until N are answered with citations. Shown: the share
whose citations state the answer by the check: all words and numbers of the answer stand in one cited sentence, or for
yes and no, the sentence says so in the question's words. ``--sheet`` writes each answer as a line, to look at.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from pathlib import Path

from benchmarks.reading import FILES, chosen, ingest
from clew.agent.evidence import LIST
from clew.agent.policies.reader.verdict import agree
from clew.evaluation.metrics import RIGHT, right
from clew.knowledge_base import KnowledgeBase
from clew.reader.confidence import denies
from clew.text.names import key
from clew.trainer.reader.items import Item, read_items
from clew.types import Json, Trajectory

OF_EACH = 18
"""Questions of each domain that may be drawn, and as many without an answer."""


def main() -> None:
    """Ask, and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kb")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--of", type=int, default=200, metavar="N")
    parser.add_argument("--each", type=int, default=OF_EACH, metavar="N", help="questions of each domain")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--sheet", type=Path, metavar="FILE")
    options = parser.parse_args()
    items = chosen(read_items([options.folder / name for name in FILES]), options.each)
    with KnowledgeBase.open(options.kb) as base:
        if not base.exists():
            ingest(base, items)
        random.Random(options.seed).shuffle(items)
        rows: list[Json] = []
        for item in items:
            trajectory = base.ask(item.question, policy="reader", store=False)
            if trajectory.answered and trajectory.citations:
                rows.append(audited(item, trajectory))
                if options.sheet:
                    with options.sheet.open("a", encoding="utf-8") as sheet:
                        sheet.write(json.dumps(rows[-1], ensure_ascii=False) + "\n")
            if len(rows) == options.of:
                break
    for name, value in figures(rows).items():
        print(f"{name:>28}  {value}")


def audited(item: Item, trajectory: Trajectory) -> Json:
    """An answer with what it cites, and what the check says of it."""
    return {
        "domain": item.domain,
        "question": item.question,
        "gold": list(item.answers),
        "answer": trajectory.answer,
        "verdict": trajectory.verdict.kind,
        "cited": [citation.quote for citation in trajectory.citations],
        "states": states(trajectory),
        "right": right(trajectory.answer, item.answers) >= RIGHT,
    }


def states(trajectory: Trajectory) -> bool:
    """Whether one cited sentence states the answer, or of a list every item stands in one."""
    answer = trajectory.answer
    if answer in ("yes", "no"):
        denied = any(denies(trajectory.question, citation.quote) for citation in trajectory.citations)
        return bool(trajectory.citations) and denied == (answer == "no")
    parts = answer.split(LIST)
    return all(
        any(f" {key(part)} " in f" {key(c.quote)} " or agree(part, c.quote, whole=True) for c in trajectory.citations)
        for part in parts
    )


def figures(rows: list[Json]) -> Json:
    """The shares, over all and of each verdict."""
    found: Json = {"answers with citations": len(rows)}
    for kind in ("sure", "probable"):
        own = [row for row in rows if row["verdict"] == kind]
        counts = Counter((row["states"], row["right"]) for row in own)
        found_in_text = counts[True, True] + counts[True, False]
        found[kind] = f"{len(own)}, stated {found_in_text}, right {counts[True, True] + counts[False, True]}"
    found["stated by the check"] = round(sum(row["states"] for row in rows) / max(len(rows), 1), 3)
    return found


if __name__ == "__main__":
    main()
