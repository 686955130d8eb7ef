"""Rollouts for tests, put together by hand."""

from __future__ import annotations

from clew.agent.episode import Episode, Stopped, Turn
from clew.trainer.algorithm.rollout import Rollout, Segment
from clew.types import Fact

QUERY = "<think>t</think><query>q</query>"
FOUND = (Fact("f", "a fact", (), 1.0),)


def asking(
    thought: str = "t", query: str = "q", error: str = "", raw: str = QUERY, facts: tuple[Fact, ...] = FOUND
) -> Turn:
    """A turn that queries; without facts it showed nothing."""
    return Turn(thought, query, None, error, facts, raw=raw)


def answering(answer: str, error: str = "") -> Turn:
    """A turn that answers."""
    return Turn("t", "", answer, error, raw=f"<think>t</think><answer>{answer}</answer>")


def make_rollout(*turns: Turn, question: str = "Q", answers: tuple[str, ...] = ("x",)) -> Rollout:
    """A rollout of these turns, each of three tokens of the policy, and two of the environment after a query."""
    segments = []
    for i, turn in enumerate(turns):
        segments.append(Segment("policy", i, (1, 2, 3)))
        if turn.query:
            segments.append(Segment("environment", i, (8, 9)))
    stopped: Stopped = "answer" if turns[-1].answer is not None else "turns"
    return Rollout("id", question, answers, (0,), tuple(segments), Episode(turns=turns, stopped=stopped))
