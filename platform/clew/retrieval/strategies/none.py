"""No retrieval: NaiveGeneration of the papers, and the control of every comparison."""

from __future__ import annotations

from collections.abc import Sequence

from clew.retrieval.recipe import Recipe
from clew.types import Retrieved


class NoRetrieval:
    """Finds nothing, whatever is asked."""

    name = "none"

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        """An empty result for each query."""
        return [Retrieved(query) for query in queries]


def _make(*_: object) -> NoRetrieval:
    return NoRetrieval()


RECIPES = {"none": Recipe(paper="NaiveGeneration", description="No retrieval.", make=_make)}
