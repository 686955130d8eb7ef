"""How sure an answer is, in words."""

from __future__ import annotations

from clew.types import Trajectory


def doubts(trajectory: Trajectory) -> str:
    """What to say of an answer that is a guess, or that cites nothing; empty for any other, and where there is none."""
    if not trajectory.answered:
        return ""
    guess = "This is a guess: nothing that was found says so for sure." if trajectory.stopped == "guess" else ""
    unsupported = "" if trajectory.citations else "No sentence supports this answer."
    return " ".join(filter(None, (guess, unsupported)))
