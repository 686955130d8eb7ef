"""The hops of a question, as its grammar tells them: what can be asked at once, and what is asked of a bridge."""

from __future__ import annotations

from dataclasses import dataclass

from clew.agent.extractive.plan import FITTING, KINDS, Hop
from clew.agent.extractive.planning import planned

LONGEST_QUESTION = 1000
"""Characters of a question that is taken apart, at most: a longer one is a text, whose sentences are no hops."""
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
        filled = (hop.text({slot: names.get(slot, bridge) for slot in (*hop.slots, *hop.others)}) for hop in self.later)
        return list(dict.fromkeys(filled))


def hops_of(question: str) -> Hops:
    """The hops of a question, by the grammar of the policy without a model; none where it has but one, or too many.

    What one of two things is ("what do X and Y have in common") is told where its name is, and is no hop of a walk.
    """
    if len(question) > LONGEST_QUESTION:
        return Hops()
    plan = planned(question)
    hops = [hop for hop in plan.hops if hop.expects not in (FITTING, KINDS)]
    if not 2 <= len(hops) <= MOST_HOPS:
        return Hops()
    names = dict(enumerate(plan.anchors))
    known = [all(slot in names for slot in (*hop.slots, *hop.others)) for hop in hops]
    return Hops(
        tuple(dict.fromkeys(hop.text(names) for hop, now in zip(hops, known, strict=True) if now)),
        tuple(hop for hop, now in zip(hops, known, strict=True) if not now),
        plan.anchors,
    )
