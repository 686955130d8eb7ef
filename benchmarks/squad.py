"""Makes questions for the policy without a model out of SQuAD's files, XQuAD's English one included.

    python -m benchmarks.squad OUT FILE... [--most N]

Writes OUT/corpus.jsonl, a passage a paragraph, and the questions in two parts: OUT/worked_on.jsonl, of two thirds of
the articles, whose errors may be looked at, and OUT/counted.jsonl, of the others. Of an article come at most N
questions, so that none outweighs the rest. Then:

    clew ingest OUT/corpus.jsonl --kb squad
    python -m benchmarks.answers squad OUT/counted.jsonl
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from clew.text.names import key
from clew.types import Json

PARTS = 3
"""One article in so many is only counted."""
SAME = 120
"""Characters of a paragraph by which it is known to be the same one in another file."""


def main() -> None:
    """Write the passages and both parts of the questions, and say how many there are."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("out", type=Path)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--most", type=int, default=90, metavar="N")
    options = parser.parse_args()
    try:
        questions = list(read(options.files))
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"These are no files of SQuAD, with data, paragraphs and qas: {error}")
    passages = {key(q["text"])[:SAME]: {"title": q["title"], "text": q["text"]} for q in reversed(questions)}
    parts: dict[str, list[Json]] = {"worked_on": [], "counted": []}
    for question in at_most(questions, options.most):
        counted = zlib.crc32(question["title"].encode()) % PARTS == 0
        parts["counted" if counted else "worked_on"].append(question)
    options.out.mkdir(parents=True, exist_ok=True)
    write(options.out / "corpus.jsonl", reversed(passages.values()))
    for name, chosen in parts.items():
        write(options.out / f"{name}.jsonl", ({n: q[n] for n in ("id", "question", "answers")} for q in chosen))
    print(f"{len(passages)} passages, {len(parts['worked_on'])} questions to work on, {len(parts['counted'])} to count")


def read(files: Iterable[Path]) -> Iterator[Json]:
    """The questions that have an answer, each once, with the title and the text of their paragraph."""
    seen: set[tuple[str, str]] = set()
    for file in files:
        for article in json.loads(file.read_text(encoding="utf-8"))["data"]:
            title = article["title"].replace("_", " ")
            for paragraph in article["paragraphs"]:
                for asked in paragraph["qas"]:
                    question = asked["question"].strip()
                    same = key(question), key(paragraph["context"])[:SAME]
                    answers = sorted({answer["text"] for answer in asked["answers"]})
                    if answers and same not in seen:
                        seen.add(same)
                        yield {
                            "id": str(asked["id"]),
                            "question": question,
                            "answers": answers,
                            "title": title,
                            "text": paragraph["context"],
                        }


def at_most(questions: Iterable[Json], most: int) -> list[Json]:
    """``most`` questions of each article, chosen by their checksums, so that another run takes the same ones."""
    by_title: dict[str, list[Json]] = {}
    for question in questions:
        by_title.setdefault(question["title"], []).append(question)

    def checksum(question: Json) -> int:
        return zlib.crc32((question["id"] + question["question"]).encode())

    return [question for asked in by_title.values() for question in sorted(asked, key=checksum)[:most]]


def write(path: Path, lines: Iterable[Json]) -> None:
    """One JSON object a line."""
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
