"""Answers without a language model over documents of many kinds: each passage of the reading data is a document.

    python -m benchmarks.reading KB FOLDER [--of N] [--json FILE]

FOLDER holds the reading data's test files. At most N questions of each domain, drawn with a fixed seed, are asked of a
knowledge base of their passages, which is made where it is missing: as many of those that no passage answers as of
others. Shown are F1 by domain with a value given every time, and the verdicts against right and wrong without guessing.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from benchmarks.answers import Result, ask, verdicts
from clew.evaluation.formats import Question
from clew.knowledge_base import KnowledgeBase
from clew.trainer.reader.items import Item, read_items

FILES = ("test_span.jsonl.gz", "test_unanswerable.jsonl.gz")
SEED = 7


def main() -> None:
    """Ask, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kb")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--of", type=int, default=18, metavar="N")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    files = [options.folder / name for name in FILES]
    if missing := [str(file) for file in files if not file.is_file()]:
        sys.exit(f"{missing[0]} is missing: name the folder of the reading data.")
    items = chosen(read_items(files), options.of)
    asked = [Question(item.id, item.question, item.answers) for item in items]
    with KnowledgeBase.open(options.kb) as base:
        if not base.exists():
            ingest(base, items)
        strategy = base.strategy(None)
        k = base.settings.top_k
        guessed = [r for r in ask(asked, strategy, k, base.name, guess=True) if r.question.answers]
        results = ask(asked, strategy, k, base.name)
    found = figures(items, guessed, results)
    for name, value in found.items():
        print(f"{name:>38}  {value}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def figures(items: Sequence[Item], guessed: Sequence[Result], results: Sequence[Result]) -> dict[str, object]:
    """F1 where a value is ``guessed`` every time, and the verdicts of the ``results`` without guessing."""
    domain = {item.id: item.domain for item in items}
    by_domain: dict[str, list[Result]] = defaultdict(list)
    for result in guessed:
        by_domain[domain[result.question.id]].append(result)
    rows = {name: round(100 * fmean(r.f1 for r in own), 1) for name, own in sorted(by_domain.items())}
    return {
        "F1 by domain": rows,
        "F1, all questions": round(100 * fmean(r.f1 for r in guessed), 1),
        "F1, mean of domains": round(fmean(rows.values()), 1),
        "verdicts [right, wrong], answerable": verdicts([r for r in results if r.question.answers]),
        "verdicts [right, wrong], unanswerable": verdicts([r for r in results if not r.question.answers]),
        "ms": round(fmean(r.ms for r in results), 1),
    }


def chosen(items: Sequence[Item], most: int) -> list[Item]:
    """At most ``most`` answerable and as many unanswerable questions of each domain."""
    rng = random.Random(SEED)
    groups: dict[tuple[str, bool], list[Item]] = defaultdict(list)
    for item in items:
        groups[item.domain, bool(item.spans)].append(item)
    return [item for key in sorted(groups) for item in rng.sample(groups[key], min(most, len(groups[key])))]


def ingest(base: KnowledgeBase, items: Sequence[Item]) -> None:
    """Each passage once, as a document with its title, or its first words for one."""
    titles = {item.context: item.title or " ".join(item.context.split()[:6]) for item in items}
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "passages.jsonl"
        corpus.write_text(
            "\n".join(json.dumps({"title": title, "text": text}) for text, title in titles.items()), encoding="utf-8"
        )
        base.ingest(str(corpus))


if __name__ == "__main__":
    main()
