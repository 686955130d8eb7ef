"""How well questions are answered without a language model, how sure it says it is, and what that costs.

    python -m benchmarks.answers KB QUESTIONS [--guess] [--strategy S] [-k N] [--json FILE] [--answers FILE]

An abstention counts as a wrong answer in ``em`` and ``f1``; ``answered`` is the share that is answered, and
``f1_answered`` the F1 of that share. ``verdicts`` sets sure, probable, found and nothing against right (F1 of
``RIGHT`` or more) and wrong; a question without answers is right where no value is given. ``--guess`` asks
``reader-guess``, which names a value every time. ``ms`` is the time of a question without its retrievals.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

from clew.agent.loop import run
from clew.agent.policies.reader.policy import ReaderPolicy
from clew.agent.protocol import DIALECTS
from clew.errors import InputError
from clew.evaluation.datasets import load_questions
from clew.evaluation.formats import Question
from clew.evaluation.metrics import exact_match, f1
from clew.knowledge_base import KnowledgeBase
from clew.reporting.verdict import WORDS
from clew.retrieval.strategy import Strategy
from clew.types import Json, Retrieved

RIGHT = 0.6
"""F1 from which an answer counts as right in the table of verdicts."""


@dataclass(frozen=True, slots=True)
class Result:
    """One question's answer with its verdict and scores, and the milliseconds that it took beyond retrieval."""

    question: Question
    answer: str
    answered: bool
    verdict: str
    em: float
    f1: float
    turns: int
    ms: float

    @property
    def right(self) -> bool:
        """Whether the answer is right, or rightly none."""
        return self.f1 >= RIGHT if self.question.answers else not self.answered


class Timed:
    """A strategy, with the seconds that its retrievals took."""

    def __init__(self, strategy: Strategy) -> None:
        self.name, self._strategy, self.seconds = strategy.name, strategy, 0.0

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        """The strategy's own results."""
        began = time.perf_counter()
        try:
            return self._strategy.retrieve(queries, k)
        finally:
            self.seconds += time.perf_counter() - began


def main() -> None:
    """Ask every question, print a line a figure, and write them all where ``--json`` says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kb")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--guess", action="store_true")
    parser.add_argument("--strategy")
    parser.add_argument("-k", type=int)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--answers", type=Path, metavar="FILE", help="write each answer there, a line each")
    options = parser.parse_args()
    try:
        questions = load_questions(options.questions)
    except InputError as error:
        sys.exit(str(error))
    with KnowledgeBase.open(options.kb) as base:
        k = options.k or base.settings.top_k
        strategy = base.strategy(options.strategy)
        results = ask(questions, strategy, k, options.kb, guess=options.guess)
    found: Json = {"kb": options.kb, "strategy": strategy.name, "k": k, "guess": options.guess} | figures(results)
    for name, value in found.items():
        print(f"{name:>14}  {value}")
    if options.answers:
        lines = (json.dumps(record_of(result), ensure_ascii=False) for result in results)
        options.answers.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def ask(questions: Sequence[Question], strategy: Strategy, k: int, kb: str, *, guess: bool = False) -> list[Result]:
    """Ask each question through the agent's own loop, the first one once more for nothing, to warm up."""
    policy = ReaderPolicy(guess=guess)
    return [answer(one, policy, strategy, k, kb) for one in (*questions[:1], *questions)][1:]


def answer(question: Question, policy: ReaderPolicy, strategy: Strategy, k: int, kb: str) -> Result:
    """Ask one question."""
    timed = Timed(strategy)
    trajectory = run(
        question.question, policy=policy, strategy=timed, kb=kb, dialect=DIALECTS["graph-r1"], k=k, max_turns=8
    )
    given, golds = trajectory.answer if trajectory.answered else "", question.answers
    scores = (exact_match(given, golds), f1(given, golds)) if golds else (0.0, 0.0)
    ms = (trajectory.seconds - timed.seconds) * 1000
    kind = trajectory.verdict.kind
    return Result(question, given, trajectory.answered, kind, *scores, len(trajectory.steps), ms)


def record_of(result: Result) -> Json:
    """An answer with its question and scores."""
    asked = result.question
    own = {"id": asked.id, "question": asked.question, "answers": list(asked.answers), "answer": result.answer}
    return own | {"verdict": result.verdict, "right": result.right, "em": result.em, "f1": result.f1}


def figures(results: Sequence[Result]) -> Json:
    """The means over all questions, the table of verdicts, and the means by hops where ids name them (*2hop…*)."""
    found = _means(results) | {"verdicts": verdicts(results)}
    hops = {r.question.id: re.match(r"(\d)hop", r.question.id) for r in results}
    for n in sorted({match.group(1) for match in hops.values() if match}):
        found[f"{n} hops"] = _means([r for r in results if (m := hops[r.question.id]) and m.group(1) == n])
    return found


def verdicts(results: Sequence[Result]) -> dict[str, list[int]]:
    """How many answers of each verdict are right, and how many are wrong."""
    counts = Counter((r.verdict, r.right) for r in results)
    return {kind: [counts[kind, True], counts[kind, False]] for kind in WORDS}


def _means(results: Sequence[Result]) -> Json:
    asked = [r for r in results if r.question.answers]
    answered = [r for r in asked if r.answered]
    return {
        "questions": len(results),
        "em": round(fmean([r.em for r in asked] or [0.0]), 4),
        "f1": round(fmean([r.f1 for r in asked] or [0.0]), 4),
        "answered": round(len(answered) / max(len(asked), 1), 4),
        "f1_answered": round(fmean([r.f1 for r in answered] or [0.0]), 4),
        "turns": round(fmean(r.turns for r in results), 2),
        "ms": round(fmean(r.ms for r in results), 1),
        "ms_median": round(median(r.ms for r in results), 1),
    }


if __name__ == "__main__":
    main()
