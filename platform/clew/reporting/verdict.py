"""How sure an answer is, in one line."""

from __future__ import annotations

from clew.types import Trajectory, VerdictKind

WORDS: dict[VerdictKind, str] = {
    "sure": "Sure",
    "probable": "Probable",
    "found": "Found",
    "nothing": "Nothing found",
}


def told(trajectory: Trajectory) -> str:
    """The verdict with its reason, such as "Probable: …"; empty where none was given."""
    verdict = trajectory.verdict
    return f"{WORDS[verdict.kind]}: {verdict.reason}" if verdict.reason else ""
