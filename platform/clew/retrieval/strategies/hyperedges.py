"""The hyperedges nearest to the query: Graph-R1's second path alone, an ablation of ProGraph-R1's table 4."""

from __future__ import annotations

from collections.abc import Sequence

from clew.database.connection import Database, Row
from clew.embedding import Embedder
from clew.retrieval.graph.rows import SPARE, fact, passages_of
from clew.retrieval.recipe import Recipe
from clew.types import Retrieved


class Hyperedges:
    """R_H of Graph-R1 eq. 8: the k hyperedges nearest to φ(q), with all their entities."""

    name = "hyperedges"

    def __init__(self, database: Database, embedder: Embedder, kb: str) -> None:
        self._database = database
        self._embedder = embedder
        self._kb = kb

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        """The nearest hyperedges of each query with the passages that state them; one round trip."""
        asked = [i for i, query in enumerate(queries) if query.strip()]
        found: list[list[Row]] = [[] for _ in queries]
        if asked:
            vectors = self._embedder.embed([queries[i] for i in asked])
            rows = self._database.read_batch(
                "retrieve/hyperedges", {"queries": vectors}, kb=self._kb, limit=k, candidates=k + SPARE
            )
            for row in rows:
                found[asked[row["i"]]].append(row)
        results = []
        for query, rows in zip(queries, found, strict=True):
            facts = tuple(fact(row, row["similarity"], {"hyperedges": rank}) for rank, row in enumerate(rows, 1))
            results.append(Retrieved(query, facts, passages_of(facts, rows, k)))
        return results


RECIPES = {
    "hyperedges": Recipe(
        paper="Graph-R1 eq. 8", description="The nearest hyperedges.", make=Hyperedges, paths=("hyperedges",)
    )
}
