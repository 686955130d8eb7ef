"""Many people who ask at the same time: latency, errors, and whether memory stays flat.

    python -m benchmarks.askers KB QUESTIONS [--askers 200] [--seconds 60] [--policy P] [--strategy S] [--json FILE]

Each asker is a thread that asks one question after another, each from a place of its own in the file. Memory is that of
this process, looked at every second from the first answer of each asker on. The exit code is 1 where a question failed.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import psutil

from clew.knowledge_base import KnowledgeBase
from clew.types import Json


@dataclass(slots=True)
class Heard:
    """What the askers met: seconds and success of each answer, failures by message, and who has been served."""

    seconds: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    answered: list[bool] = field(default_factory=list)
    served: set[int] = field(default_factory=set)
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
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    if not options.questions.is_file():
        sys.exit(f"There are no questions at {options.questions}: name a jsonl with a question a line.")
    questions = [json.loads(line)["question"] for line in options.questions.read_text().splitlines()]
    with KnowledgeBase.open(options.kb) as base:
        base.ask(questions[0], policy=options.policy, strategy=options.strategy, store=False)
        found = crowd(base, questions, options.askers, options.seconds, options.policy, options.strategy)
    for name, value in found.items():
        print(f"{name:>24}  {value}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")
    return 1 if found["errors"] else 0


def crowd(
    base: KnowledgeBase,
    questions: Sequence[str],
    askers: int,
    seconds: float,
    policy: str | None = None,
    strategy: str | None = None,
) -> Json:
    """Let ``askers`` threads ask for ``seconds``, and tell how it went; memory in MB, latency in seconds."""
    heard = Heard()

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

    threads = [threading.Thread(target=ask, args=(asker,)) for asker in range(askers)]
    for thread in threads:
        thread.start()
    memory = watch(heard, askers, seconds)
    for thread in threads:
        thread.join()
    latency = np.percentile(heard.seconds, [50, 95, 99])
    return {
        "askers": askers,
        "questions": len(heard.seconds),
        "questions_a_second": round(len(heard.seconds) / seconds, 1),
        "errors": dict(heard.errors),
        "answered": round(sum(heard.answered) / max(1, len(heard.seconds)), 3),
        **{f"p{p}_seconds": round(float(value), 2) for p, value in zip((50, 95, 99), latency, strict=True)},
        "memory_mb": [round(memory[i]) for i in np.linspace(0, len(memory) - 1, 9).astype(int)],
        "memory_mb_a_minute": round(float(np.polyfit(np.arange(len(memory)), memory, 1)[0]) * 60, 1),
    }


def watch(heard: Heard, askers: int, seconds: float) -> list[float]:
    """MB of this process, once a second, from when everyone has had an answer until the time is over."""
    process = psutil.Process()
    ends = time.monotonic() + seconds
    memory: list[float] = []
    while time.monotonic() < ends or len(memory) < 2:
        time.sleep(1)
        if len(heard.served) == askers or time.monotonic() > ends - seconds / 2:
            memory.append(process.memory_info().rss / 1e6)
    heard.over.set()
    return memory


if __name__ == "__main__":
    sys.exit(main())
