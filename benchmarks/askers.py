"""Many people who ask at the same time: latency, errors, and whether memory stays flat.

    python -m benchmarks.askers KB QUESTIONS [--askers 200] [--seconds 60] [--policy P] [--strategy S] [--writer]
                                [--json FILE] [--svg FILE]

Each asker is a thread that asks one question after another, each from a place of its own in the file. With ``--writer``
one more thread writes copies of ten documents under other titles, and deletes them, over and over. Memory is that of
this process, looked at every second from the first answer of each asker on. The exit code is 1 where a question or the
writer failed.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import psutil

from benchmarks.plot import alone
from clew.ids import digest, document_id
from clew.knowledge_base import KnowledgeBase
from clew.reporting.svg import Mark, curve
from clew.types import Document, Json


@dataclass(slots=True)
class Heard:
    """What the askers met: seconds and success of each answer, failures by message, and who has been served.

    ``memory`` is in MB, a second each; ``written`` counts the documents that were written and deleted meanwhile.
    """

    seconds: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    answered: list[bool] = field(default_factory=list)
    served: set[int] = field(default_factory=set)
    memory: list[float] = field(default_factory=list)
    written: int = 0
    over: threading.Event = field(default_factory=threading.Event)


def main() -> int:
    """Run the benchmark, and print a line a figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kb")
    parser.add_argument("questions", type=Path, help="a jsonl with a question a line")
    parser.add_argument("--askers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--policy")
    parser.add_argument("--strategy")
    parser.add_argument("--writer", action="store_true", help="write and delete documents meanwhile")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="memory over the minutes")
    options = parser.parse_args()
    if not options.questions.is_file():
        sys.exit(f"There are no questions at {options.questions}: name a jsonl with a question a line.")
    questions = [json.loads(line)["question"] for line in options.questions.read_text().splitlines()]
    with KnowledgeBase.open(options.kb) as base:
        base.ask(questions[0], policy=options.policy, strategy=options.strategy, store=False)
        heard = Heard()
        with writing(base, heard) if options.writer else nullcontext():
            found = crowd(base, questions, options.askers, options.seconds, options.policy, options.strategy, heard)
    for name, value in found.items():
        print(f"{name:>24}  {value}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")
    if options.svg:
        options.svg.write_text(plot(heard.memory))
    return 1 if found["errors"] else 0


def crowd(
    base: KnowledgeBase,
    questions: Sequence[str],
    askers: int,
    seconds: float,
    policy: str | None = None,
    strategy: str | None = None,
    heard: Heard | None = None,
) -> Json:
    """Let ``askers`` threads ask for ``seconds``, and tell how it went; memory in MB, latency in seconds."""
    heard = heard or Heard()

    def ask(asker: int) -> None:
        at = asker * len(questions) // askers
        while not heard.over.is_set():
            started = time.perf_counter()
            try:
                trajectory = base.ask(questions[at % len(questions)], policy=policy, strategy=strategy, store=False)
                heard.answered.append(trajectory.answered)
            except Exception as error:
                heard.errors[f"{type(error).__name__}: {error}"[:200]] += 1
            heard.seconds.append(time.perf_counter() - started)
            heard.served.add(asker)
            at += 1

    began = time.monotonic()
    threads = [threading.Thread(target=ask, args=(asker,)) for asker in range(askers)]
    for thread in threads:
        thread.start()
    watch(heard, askers, seconds)
    memory, passed = heard.memory, time.monotonic() - began
    for thread in threads:
        thread.join()
    latency = np.percentile(heard.seconds, [50, 95, 99])
    return {
        "askers": askers,
        "questions": len(heard.seconds),
        "questions_a_second": round(len(heard.seconds) / passed, 1),
        "errors": dict(heard.errors),
        "documents_written": heard.written,
        "answered": round(sum(heard.answered) / max(1, len(heard.seconds)), 3),
        **{f"p{p}_seconds": round(float(value), 2) for p, value in zip((50, 95, 99), latency, strict=True)},
        "longest_seconds": round(max(heard.seconds), 2),
        "memory_mb": [round(memory[i]) for i in np.linspace(0, len(memory) - 1, 9).astype(int)],
        "memory_mb_a_minute": round(float(np.polyfit(np.arange(len(memory)), memory, 1)[0]) * 60, 1),
    }


@contextmanager
def writing(base: KnowledgeBase, heard: Heard) -> Iterator[None]:
    """Meanwhile, write copies of ten documents under other titles, and delete them, until all is heard."""

    def write() -> None:
        while not heard.over.is_set():
            try:
                copies = [_copy(base.document(row["id"]), base.name) for row in base.documents(limit=10)]
                base.ingest_documents(iter(copies))
                base.delete_documents(*(copy.id for copy in copies))
            except Exception as error:
                heard.errors[f"writer: {type(error).__name__}: {error}"[:200]] += 1
            else:
                heard.written += len(copies)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        heard.over.set()
        thread.join()


def _copy(row: Json, kb: str) -> Document:
    source, title = f"upload:copy of {row['source']}", f"Copy of {row['title']}"
    return Document(document_id(kb, source), kb, title, source, row["text"], digest(f"{title}\n{row['text']}"))


def watch(heard: Heard, askers: int, seconds: float) -> None:
    """Note the MB of this process, once a second, from when everyone has had an answer until the time is over."""
    process = psutil.Process()
    ends = time.monotonic() + seconds
    while not heard.over.is_set() and (time.monotonic() < ends or len(heard.memory) < 2):
        time.sleep(1)
        if len(heard.served) == askers or time.monotonic() > ends - seconds / 2:
            heard.memory.append(process.memory_info().rss / 1e6)
    heard.over.set()


def plot(memory: Sequence[float]) -> str:
    """Memory over the minutes, each with its least and most, as an SVG that stands alone."""
    minutes = [memory[at : at + 60] for at in range(0, len(memory), 60)]
    marks = [Mark(number, sum(some) / len(some), min(some), max(some)) for number, some in enumerate(minutes)]
    drawn = curve(marks, "MB of the process over the minutes", width=560, height=260)
    return alone(drawn, "MB of the process: mean, least and most of each minute", "minutes")


if __name__ == "__main__":
    sys.exit(main())
