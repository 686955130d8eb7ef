"""How sure an answer is, in one line: the words that a person sees, in every place that shows one."""

from __future__ import annotations

from clew.types import Trajectory, Verdict, VerdictKind

WORDS: dict[VerdictKind, str] = {
    "sure": "Sure",
    "probable": "Probable",
    "guess": "Guess",
    "found": "Read this",
    "unsupported": "Not in the documents",
    "nothing": "Nothing found",
    "outdated": "Outdated",
    "stopped": "Stopped",
}
"""The word for each kind of verdict."""
KEPT = tuple(kind for kind in WORDS if kind != "outdated")
"""The kinds that an answer is kept with."""
STATED = "A cited sentence states it."
"""The reason of a sure answer."""


def verdict_line(trajectory: Trajectory) -> str:
    """The verdict with its reason ("Probable: …"), what was searched, and whether a model kept to the form."""
    verdict = trajectory.verdict
    line = f"{WORDS[verdict.kind]}: {verdict.reason}" if verdict.reason else ""
    kept = f"Only documents with {'; '.join(trajectory.filter)} were searched." if trajectory.filter else ""
    return " ".join(filter(None, (form(trajectory), line, kept)))


def verdict_now(verdict: Verdict, touched: bool) -> Verdict:
    """The verdict of a kept answer today: outdated where a place that it cites was ``touched``."""
    return Verdict("outdated", "What this answer rests on has changed since: ask again.") if touched else verdict


def form(trajectory: Trajectory) -> str:
    """What to say of a model that did not keep to the protocol; empty where it did."""
    if trajectory.stopped != "malformed":
        return ""
    read = "this is what could be read of its reply" if trajectory.answered else "no answer could be read"
    return f"The model did not keep to the protocol; {read}."
