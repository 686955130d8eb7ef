"""Earlier exchanges of a conversation, for a question that cannot be understood without them."""

from __future__ import annotations

from collections.abc import Sequence

from clew.text.neutralise import neutralise
from clew.text.normalise import clean
from clew.types import Trajectory

HISTORY_TURNS = 5
"""Exchanges before a question that are looked at, at most."""
HISTORY_CHARS = 400
"""Characters of each question and answer, at most."""

_NOW = "The question to answer now: "

Exchange = tuple[str, str]
"""A question and the answer to it."""


def answered(trajectory: Trajectory) -> str:
    """An answer as later questions are told it: with the best sentence where sentences stand in its place."""
    found = trajectory.citations if trajectory.verdict.kind == "found" else ()
    return f"{trajectory.answer} “{found[0].quote}”" if found else trajectory.answer


def recent(history: Sequence[Exchange]) -> list[Exchange]:
    """The last exchanges, shortened, each text one line that can forge no tag."""
    return [(_short(asked), _short(answered)) for asked, answered in history[-HISTORY_TURNS:]]


def with_history(question: str, history: Sequence[Exchange]) -> str:
    """The question after the last exchanges of the conversation, so that "where was he born?" can be understood."""
    lines = [f"Earlier question: {asked}\nEarlier answer: {answered}" for asked, answered in recent(history)]
    return "\n".join([*lines, f"{_NOW}{question}"]) if lines else question


def asked_now(question: str) -> str:
    """The question itself, of what ``with_history`` made of it."""
    return question.rpartition(_NOW)[2].strip()


def _short(text: str) -> str:
    return neutralise(" ".join(clean(text).split()))[:HISTORY_CHARS]
