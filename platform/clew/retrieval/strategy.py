"""The contract of a retrieval strategy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from clew.types import Retrieved


class Strategy(Protocol):
    """Finds facts and passages for a batch of queries; chat, evaluation and training call this and nothing else.

    ``retrieve`` answers every query of the batch, in order, each with at most ``k`` facts and ``k`` passages (a hybrid
    recipe: with its own numbers of them), best first, each fact with its entities, spans, score and its rank on every
    path of the strategy. It makes one database round trip per batch wherever the method allows, and raises
    DatabaseError where the database fails. A query that finds nothing, an empty one included, gets an empty result.
    """

    name: str

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]: ...
