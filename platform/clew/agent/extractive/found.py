"""What a search through the evidence finds: a value for a hop, and chains of such values."""

from __future__ import annotations

from dataclasses import dataclass, field

from clew.agent.extractive.evidence import Sentence


@dataclass(frozen=True, slots=True)
class Found:
    """A value for a hop: what it is, how well it scored, and the sentence it was read off.

    ``values`` holds all that the sentence gives where several count; ``cued`` is false where no word of the relation
    leads to the value, ``unsaid`` true where nothing at all in the sentence speaks of what is asked (``unsaid``).
    ``start`` is where the sentence has it.
    """

    value: str
    score: float
    sentence: Sentence
    values: tuple[str, ...] = ()
    cued: bool = True
    unsaid: bool = False
    start: int = 0


@dataclass(frozen=True, slots=True)
class Path:
    """A chain of bridges: per slot its value, and per hop what was found. ``score`` is the sum over hops."""

    values: dict[int, str]
    found: dict[int, Found] = field(default_factory=dict)
    score: float = 0.0
