"""Fusing the ranked lists of several paths into one."""

from __future__ import annotations

from collections.abc import Mapping


def reciprocal_rank(ranks: Mapping[str, int], constant: float = 0.0) -> float:
    """The sum over paths of 1 / (constant + rank); a path that did not find the fact adds nothing.

    Graph-R1 eq. 9 with ``constant`` 0; the usual reciprocal rank fusion has 60.
    """
    return sum(1.0 / (constant + rank) for rank in ranks.values())
