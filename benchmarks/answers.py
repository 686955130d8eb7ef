"""How well the policy without a model answers, and what it costs beyond retrieval.

    python -m benchmarks.answers KB QUESTIONS [--half a|b] [--guess] [--typed HOW] [--strategy S] [-k N] [--json FILE]

Half a are the questions at even places of the file, on which rules and weights are chosen; half b are the others, kept
aside for the final figure. An abstention counts as a wrong answer in ``em`` and ``f1``; ``answered`` is the share that
is answered, and ``f1_answered`` the F1 of that share. ``--guess`` asks ``extractive-guess``, which answers where
``extractive`` says that it does not know. ``ms`` is processor time, so that other work on the machine does not count.
``--typed`` asks as people type: in lower case, with a capital on every word, or with two letters of a name exchanged.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, median

from benchmarks.squad import write
from clew.agent.extractive import ExtractivePolicy
from clew.agent.loop import run
from clew.agent.policy import Turn
from clew.agent.protocol import DIALECTS
from clew.errors import InputError
from clew.evaluation.datasets import load_questions
from clew.evaluation.formats import Question
from clew.evaluation.metrics import exact_match, f1
from clew.knowledge_base import KnowledgeBase
from clew.retrieval.strategy import Strategy
from clew.types import Json, Step


@dataclass(frozen=True, slots=True)
class Result:
    """One question's answer with its scores, and the milliseconds of processor time of all the policy's turns."""

    question: Question
    answer: str
    answered: bool
    em: float
    f1: float
    turns: int
    ms: float


class Timed:
    """The policy, with the seconds of processor time that its turns took."""

    def __init__(self, guess: bool = False) -> None:
        self.policy = ExtractivePolicy(guess=guess)
        self.name = self.policy.name
        self.seconds = 0.0

    def warm_up(self) -> None:
        """Have the word lists read, which a process does once, before anything is measured."""
        self.policy.act("Where was the founder of Torp born?", [Step("", "founder of Torp", (), ())])

    def act(
        self,
        question: str,
        steps: Sequence[Step],
        *,
        final: bool = False,
        correction: str = "",
        emit: Callable[[str], None] | None = None,
    ) -> Turn:
        """The policy's own turn."""
        began = time.thread_time()
        try:
            return self.policy.act(question, steps, final=final, correction=correction, emit=emit)
        finally:
            self.seconds += time.thread_time() - began


def main() -> None:
    """Ask every question of the half, print a line a figure, and write them all where ``--json`` says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kb")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--half", choices=("a", "b"))
    parser.add_argument("--guess", action="store_true")
    parser.add_argument("--typed", choices=sorted(TYPED))
    parser.add_argument("--strategy")
    parser.add_argument("-k", type=int)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--answers", type=Path, metavar="FILE", help="write each answer there, a line each")
    options = parser.parse_args()
    try:
        questions = load_questions(options.questions)
    except InputError as error:
        sys.exit(str(error))
    Timed().warm_up()
    with KnowledgeBase.open(options.kb) as base:
        k = options.k or base.settings.top_k
        strategy = base.strategy(options.strategy)
        asked = [
            replace(one, question=TYPED[options.typed](one.question)) if options.typed else one for one in questions
        ]
        results = [answer(one, strategy, k, options.kb, options.guess) for one in half(asked, options.half)]
    found: Json = {"kb": options.kb, "strategy": strategy.name, "k": k, "half": options.half or "both"}
    found |= {"guess": options.guess, "typed": options.typed or "as written"}
    found |= figures(results)
    for name, value in found.items():
        print(f"{name:>14}  {value}")
    if options.answers:
        write(options.answers, (told(result) for result in results))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def told(result: Result) -> Json:
    """An answer with its question and scores."""
    asked = result.question
    own = {"id": asked.id, "question": asked.question, "answers": list(asked.answers)}
    return own | {"answer": result.answer, "answered": result.answered, "em": result.em, "f1": result.f1}


def misspelt(question: str) -> str:
    """The question with two letters exchanged in one of its capitalised words of six letters and more, if it has any.

    Which one, and where, follows from the question alone.
    """
    words = question.split()
    names = [i for i, word in enumerate(words) if i and word[0].isupper() and len(word) > 5]
    if not names:
        return question
    chance = random.Random(question)
    at = chance.choice(names)
    word = words[at]
    i = chance.randrange(2, len(word) - 2)
    words[at] = word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    return " ".join(words)


TYPED: dict[str, Callable[[str], str]] = {"lower": str.lower, "title": str.title, "misspelt": misspelt}
"""Ways in which people type a question."""


def half(questions: Sequence[Question], which: str | None) -> Sequence[Question]:
    """The questions at even places (a), at odd ones (b), or all of them."""
    return questions[{"a": 0, "b": 1}[which] :: 2] if which else questions


def answer(question: Question, strategy: Strategy, k: int, kb: str, guess: bool = False) -> Result:
    """Ask one question through the agent's own loop."""
    policy = Timed(guess)
    trajectory = run(
        question.question, policy=policy, strategy=strategy, kb=kb, dialect=DIALECTS["graph-r1"], k=k, max_turns=8
    )
    given = trajectory.answer if trajectory.answered else ""
    golds = question.answers
    scores = exact_match(given, golds), f1(given, golds)
    return Result(question, given, trajectory.answered, *scores, len(trajectory.steps), policy.seconds * 1000)


def figures(results: Sequence[Result]) -> Json:
    """The means over all questions, and by the number of hops where ids name it (*2hop…*)."""
    found = _means(results)
    hops = {r.question.id: re.match(r"(\d)hop", r.question.id) for r in results}
    for n in sorted({match.group(1) for match in hops.values() if match}):
        found[f"{n} hops"] = _means([r for r in results if (m := hops[r.question.id]) and m.group(1) == n])
    return found


def _means(results: Sequence[Result]) -> Json:
    answered = [r for r in results if r.answered]
    return {
        "questions": len(results),
        "em": round(fmean(r.em for r in results), 4),
        "f1": round(fmean(r.f1 for r in results), 4),
        "answered": round(len(answered) / len(results), 4),
        "f1_answered": round(fmean([r.f1 for r in answered] or [0.0]), 4),
        "turns": round(fmean(r.turns for r in results), 2),
        "ms": round(fmean(r.ms for r in results), 1),
        "ms_median": round(median(r.ms for r in results), 1),
    }


if __name__ == "__main__":
    main()
