"""Full-text search: the hyperedges that share the query's words, and the baseline that asks for no encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.database.connection import Database, Row
from clew.embedding import Embedder
from clew.retrieval.graph.question import full_text
from clew.retrieval.graph.rows import fact, passages_of
from clew.retrieval.recipe import Recipe
from clew.types import Retrieved


@dataclass(frozen=True, slots=True)
class WordsSettings:
    """``spread`` hyperedges are asked for each of the k, because several of one passage share the same words."""

    spread: int = 4


class Words:
    """BM25 (Robertson and Zaragoza, 2009) over hyperedges, by Neo4j's own full-text index.

    Words are compared as in keys: without case and accents, unstemmed; function words of the query do not count. How
    rare a word is, is counted over all knowledge bases of the server, which share the index. A passage scores as the
    best hyperedge that it states.
    """

    name = "words"

    def __init__(self, database: Database, embedder: Embedder, kb: str, settings: WordsSettings | None = None) -> None:
        self._database = database
        self._kb = kb
        self._settings = settings or WordsSettings()

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        """The hyperedges with the query's words and the passages that state them; one round trip, no encoder."""
        asked = [i for i, query in enumerate(queries) if query.strip()]
        found: list[list[Row]] = [[] for _ in queries]
        if asked:
            words = [full_text(self._kb, queries[i]) for i in asked]
            limit = k * self._settings.spread
            for row in self._database.read_batch("retrieve/words", {"words": words}, limit=limit):
                found[asked[row["i"]]].append(row)
        results = []
        for query, rows in zip(queries, found, strict=True):
            facts = [fact(row, row["score"], {"words": rank}) for rank, row in enumerate(rows, 1)]
            results.append(Retrieved(query, tuple(facts[:k]), passages_of(facts, rows, k)))
        return results


RECIPES = {
    "words": Recipe(
        paper="BM25",
        description="The hyperedges that share the query's words, by full-text search.",
        make=Words,
        settings=WordsSettings(),
        paths=("words",),
    ),
}
