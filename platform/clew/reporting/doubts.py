"""How sure an answer is, in words."""

from __future__ import annotations

from clew.types import Trajectory


def doubts(trajectory: Trajectory) -> str:
    """What to say of an answer that is a guess, that cites nothing, or that is not in the form a model was asked for.

    Empty for any other; where there is no answer, it tells whether that is for want of the form.
    """
    if not trajectory.answered:
        return "The model did not keep to the protocol, and no answer could be read." if _malformed(trajectory) else ""
    form = "The model did not keep to the protocol; this is what could be read of its reply."
    malformed = form if _malformed(trajectory) else ""
    guess = "This is a guess: nothing that was found says so for sure." if trajectory.stopped == "guess" else ""
    unsupported = "" if trajectory.citations else "No sentence supports this answer."
    return " ".join(filter(None, (malformed, guess, unsupported)))


def _malformed(trajectory: Trajectory) -> bool:
    return trajectory.stopped == "malformed"
