"""The hyperedges that share the query's words: the baseline that asks for no encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.database.connection import Database
from clew.embedding import Embedder
from clew.retrieval.graph.copy import current_graph
from clew.retrieval.graph.lexical import bm25
from clew.retrieval.graph.question import words
from clew.retrieval.graph.rows import describe, passages_of
from clew.retrieval.recipe import Recipe
from clew.types import Retrieved


@dataclass(frozen=True, slots=True)
class WordsSettings:
    """``spread`` hyperedges are asked for each of the k, because several of one passage share the same words."""

    spread: int = 4


class Words:
    """BM25 (Robertson and Zaragoza, 2009) over hyperedges, on the copy of the graph.

    Words are compared as in keys: without case and accents, unstemmed; function words of the query do not count. A
    passage scores as the best hyperedge that it states.
    """

    name = "words"

    def __init__(self, database: Database, embedder: Embedder, kb: str, settings: WordsSettings | None = None) -> None:
        self._database = database
        self._kb = kb
        self._settings = settings or WordsSettings()

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        """The hyperedges with the query's words and the passages that state them; two round trips, no encoder."""
        graph = current_graph(self._database, self._kb)
        found = [bm25(graph, words(query), k * self._settings.spread) for query in queries]
        named = [([id.decode() for id in graph.hyperedges[rows].tolist()], scores.tolist()) for rows, scores in found]
        described = describe(self._database, [id for ids, _ in named for id in ids], ())
        results = []
        for query, (ids, scores) in zip(queries, named, strict=True):
            facts = described.facts(ids, scores, "words")
            passages = passages_of(facts, (described.rows[one.id] for one in facts), k)
            results.append(Retrieved(query, tuple(facts[:k]), passages))
        return results


RECIPES = {
    "words": Recipe(
        paper="BM25",
        description="The hyperedges that share the query's words, by BM25.",
        make=Words,
        settings=WordsSettings(),
        paths=("words",),
    ),
}
