"""The hops of a question, as its grammar tells them: what can be asked at once, and what is asked of a bridge."""

from __future__ import annotations

from dataclasses import dataclass

from clew.questions.grammar import plan
from clew.questions.plan import Hop

MOST_HOPS = 8
"""Hops of a question that is taken apart, at most: each is a text to encode, or one for each bridge."""


@dataclass(frozen=True, slots=True)
class Hops:
    """``first`` are the sub-questions that name all they speak of; the others wait for a bridge entity's name."""

    first: tuple[str, ...] = ()
    later: tuple[Hop, ...] = ()
    names: tuple[str, ...] = ()

    def about(self, bridge: str) -> list[str]:
        """The sub-questions that wait, asked of a bridge: its name stands for all that is not known yet."""
        names = dict(enumerate(self.names))
        filled = (hop.query({slot: names.get(slot, bridge) for slot in hop.slots}) for hop in self.later)
        return list(dict.fromkeys(filled))


def hops_of(question: str) -> Hops:
    """The hops of a question, by the grammar of ``clew.questions``; none where it has but one, or too many."""
    taken = plan(question)
    if not 2 <= len(taken.hops) <= MOST_HOPS:
        return Hops()
    names = taken.names
    return Hops(
        tuple(dict.fromkeys(hop.query(names) for hop in taken.hops if taken.ready(hop, names))),
        tuple(hop for hop in taken.hops if not taken.ready(hop, names)),
        taken.anchors,
    )
