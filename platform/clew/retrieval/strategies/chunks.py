"""Dense passages: StandardRAG of the papers, and the retrieval of Search-R1."""

from __future__ import annotations

from collections.abc import Sequence

from clew.database.connection import Database
from clew.embedding import Embedder
from clew.retrieval.graph.rows import passage
from clew.retrieval.recipe import Recipe
from clew.types import Passage, Retrieved


class Chunks:
    """The k chunks nearest to the query; passages without facts."""

    name = "chunks"

    def __init__(self, database: Database, embedder: Embedder, kb: str) -> None:
        self._database = database
        self._embedder = embedder
        self._kb = kb

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        """The nearest chunks of each query; one round trip."""
        asked = [i for i, query in enumerate(queries) if query.strip()]
        found: list[list[Passage]] = [[] for _ in queries]
        if asked:
            vectors = self._embedder.embed([queries[i] for i in asked])
            for row in self._database.read_batch("retrieve/chunks", {"queries": vectors}, kb=self._kb, limit=k):
                found[asked[row["i"]]].append(passage(row, row["similarity"]))
        return [Retrieved(query, (), tuple(passages)) for query, passages in zip(queries, found, strict=True)]


RECIPES = {"chunks": Recipe(paper="StandardRAG", description="The nearest chunks.", make=Chunks)}
