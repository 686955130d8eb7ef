"""What an encoder finds in which language, and how long an ingest with it takes.

    python -m benchmarks.encoders QUESTIONS... --encoder NAME [--encoder NAME] [--of 60] [--passages 120]
        [--languages en,de,zh] [--cross de:es,zh:de] [--json FILE]

QUESTIONS are lines of JSON (also gzipped) with ``question``, ``context`` and ``lang``, English where that is missing.
For each encoder, a name or a folder as in CLEW_EMBEDDER, one knowledge base is made of passages of all languages, asked
and deleted. Its documents are named by their first words, so that no title gives them away in another language. A
question hits where its own passage is the first, or among the first five, by the walk (``clew``) and by vectors alone
(``chunks``). ``--cross de:es`` asks in German with a filter that leaves the Spanish documents: which passage is the
same is known from questions of one ``id`` (behind its source and a colon) in both languages.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.ids import digest, document_id
from clew.knowledge_base import KnowledgeBase
from clew.settings import load_settings
from clew.types import Document, Json

STRATEGIES = ("clew", "chunks")
DEPTHS = (1, 5)
TITLE = 40
"""Characters of a passage that name its document."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the passage that answers it, and their language; ``id`` is that of its translations too."""

    id: str
    language: str
    question: str
    context: str


def main() -> None:
    """Measure each encoder, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--encoder", action="append", required=True, help="a name or a folder; may be repeated")
    parser.add_argument("--of", type=int, default=60, metavar="N", help="questions of each language, at most")
    parser.add_argument("--passages", type=int, default=120, metavar="N", help="passages of each language, at most")
    parser.add_argument("--languages", help="such as en,de,zh; all of the files where none are named")
    parser.add_argument("--cross", default="", help="such as de:es,zh:de")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    if missing := [str(file) for file in options.questions if not file.is_file()]:
        sys.exit(f"{missing[0]} is missing: name files of questions with their passages.")
    rows = read(options.questions, set(options.languages.split(",")) if options.languages else set())
    asked = {language: own[: options.of] for language, own in rows.items()}
    # The passages of the questions that are asked come first, and others after them.
    contexts = {lang: list(dict.fromkeys(row.context for row in own))[: options.passages] for lang, own in rows.items()}
    pairs = [tuple(pair.split(":")) for pair in options.cross.split(",") if pair]
    crossing = {f"{a} → {b}": (b, translated(rows, asked[a], b, contexts[b])) for a, b in pairs}
    found = {name: measure(name, asked, contexts, crossing) for name in options.encoder}
    print(table(found, asked, crossing, sum(map(len, contexts.values()))))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read(files: Iterable[Path], languages: set[str]) -> dict[str, list[Asked]]:
    """The questions by language, in an order by chance that is the same for translations of one question."""
    rows: dict[str, list[Asked]] = defaultdict(list)
    for file in files:
        for line in (gzip.open if file.suffix == ".gz" else open)(file, "rt", encoding="utf-8"):
            row = json.loads(line)
            language = row.get("lang", "en")
            if not languages or language in languages:
                rows[language].append(Asked(row["id"].split(":")[-1], language, row["question"], row["context"]))
    return {language: sorted(rows[language], key=lambda row: digest(row.id)) for language in sorted(rows)}


def translated(rows: dict[str, list[Asked]], asked: Sequence[Asked], into: str, there: Sequence[str]) -> list[Asked]:
    """The questions whose passage has one that says the same in another language among those that are ``there``."""
    passage_of = {row.id: row.context for row in rows[into] if row.context in set(there)}
    same = {row.context: passage_of[row.id] for row in rows[asked[0].language] if row.id in passage_of}
    return [Asked(row.id, into, row.question, same[row.context]) for row in asked if row.context in same]


def measure(
    name: str,
    asked: dict[str, list[Asked]],
    contexts: dict[str, list[str]],
    crossing: dict[str, tuple[str, list[Asked]]],
) -> Json:
    """Hits in per cent by row of the table, strategy and depth, and the seconds of the ingest."""
    settings = load_settings(embedder=name)
    with KnowledgeBase.open(f"encoders-{digest(name)[:8]}", settings=settings) as base:
        if base.exists():
            base.delete()
        _ = base.embedder.dimensions  # converted and loaded before time counts
        try:
            began = time.perf_counter()
            base.ingest_documents(documents(base.name, contexts))
            seconds = round(time.perf_counter() - began)
            hits = {language: hit(base, own) for language, own in asked.items()}
            hits |= {pair: hit(base, own, f"lang={into}") for pair, (into, own) in crossing.items()}
            return {"seconds": seconds, "facts": base.stats()["nodes"]["Hyperedge"], "hits": hits}
        finally:
            base.delete()


def documents(kb: str, contexts: dict[str, list[str]]) -> Iterator[Document]:
    """Each passage as a document, named by its first words."""
    for language, own in contexts.items():
        for text in own:
            source = f"upload:{digest(text)}"
            about = {"lang": language}
            yield Document(document_id(kb, source), kb, text[:TITLE], source, text, digest(text), metadata=about)


def hit(base: KnowledgeBase, asked: Sequence[Asked], filter: str | None = None) -> Json:
    """By strategy, the per cent of questions whose passage is among the first 1, and the first 5."""
    wanted = [document_id(base.name, f"upload:{digest(row.context)}") for row in asked]
    result = {}
    for strategy in STRATEGIES:
        found = base.retrieve([row.question for row in asked], max(DEPTHS), strategy, filter)
        ranked = [list(dict.fromkeys(passage.document for passage in one.passages)) for one in found]
        at = [sum(id in ids[:depth] for id, ids in zip(wanted, ranked, strict=True)) for depth in DEPTHS]
        result[strategy] = [round(100 * count / max(1, len(asked))) for count in at]
    return result


def table(
    found: dict[str, Json], asked: dict[str, list[Asked]], crossing: dict[str, tuple[str, list[Asked]]], passages: int
) -> str:
    """The hits as Markdown, first / first five in a cell, and a line for the ingests."""
    counts = {language: len(own) for language, own in asked.items()}
    counts |= {pair: len(own) for pair, (_, own) in crossing.items()}
    heads = [f"{Path(name).name}, `{strategy}`" for name in found for strategy in STRATEGIES]
    lines = [f"{passages:,} passages", "", f"| language | questions | {' | '.join(heads)} |"]
    lines.append("|---|--:|" + "--:|" * len(heads))
    for row, count in counts.items():
        cells = [" / ".join(map(str, one["hits"][row][strategy])) for one in found.values() for strategy in STRATEGIES]
        lines.append(f"| {row} | {count} | {' | '.join(cells)} |")
    for name, one in found.items():
        lines.append(f"\n{Path(name).name}: {one['facts']:,} facts, ingested in {one['seconds']:,} s")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
