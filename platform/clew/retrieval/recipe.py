"""What a strategy declares of itself, in the file where it is defined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from clew.retrieval.strategy import Strategy


@dataclass(frozen=True, slots=True)
class Recipe:
    """A named strategy: where it comes from, how to make it for a knowledge base, and its settings (a dataclass).

    Without settings the strategy is made with its own. Those whose settings name another in ``over`` are made over that
    one. ``paths`` are the names under which its facts tell their ranks (``Fact.ranks``), so that a person can see why
    each came: none where it finds no facts; one that is numbered ("hop 2") stands once, without the number.
    ``rerank_inside`` has a reranker order what the other strategy finds, not the end, which has numbers of its own.
    """

    paper: str
    description: str
    make: Callable[..., Strategy]
    settings: Any = None
    paths: tuple[str, ...] = ()
    rerank_inside: bool = False
