"""Graph-R1's dual-path retrieval with reciprocal rank fusion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from clew.database.connection import Database, Row
from clew.embedding import Embedder, Vectors
from clew.retrieval.fusion import reciprocal_rank
from clew.retrieval.graph.rows import SPARE, fact, passages_of
from clew.retrieval.query import query_entities
from clew.retrieval.recipe import Recipe
from clew.types import Fact, Retrieved


@dataclass(frozen=True, slots=True)
class DualPathSettings:
    """Constants of Graph-R1 §4.2 and table 5.

    ``k_entities`` and ``k_hyperedges`` are k_V and k_H. ``fusion_constant`` is added to each rank. ``query_vector``
    says what stands for φ(V_q): the mean over the query's names, or the whole query. ``order`` is that of the facts
    around the entities: each once, by its best entity's rank and then by similarity to the query, or as often as there
    are entities that bring it, by the degrees of both.
    """

    k_entities: int = 5
    k_hyperedges: int = 5
    fusion_constant: float = 0.0
    query_vector: str = "names"
    order: str = "similarity"


class DualPath:
    """F_V, the facts around the entities nearest to the query's names, fused with F_H, the nearest hyperedges.

    Graph-R1 (arXiv 2507.21892), eq. 7–9, and with 60 of each HyperGraphRAG (arXiv 2503.21322), whose two paths these
    are. ``graph-r1-released`` asks for entities with the whole query, and so for no names at all; around them it ranks
    the edges between an entity and a hyperedge, and a fact adds up 1 / rank of all of its edges.

    Departures: V_q are the names in the query by rules, where the papers have a model extract them; a query without
    names is its own V_q. Entities that are merged count as one: the facts of all of them are around it. HyperGraphRAG
    is run with Graph-R1's reciprocal rank fusion and without the scores that it gives to entities and hyperedges, and
    its passages are not united with those of a dense search. Facts have no weights, by which the released code orders
    the nearest hyperedges, and edges of one degree: similarity does, as there where all weigh the same.
    """

    def __init__(self, database: Database, embedder: Embedder, kb: str, name: str, settings: DualPathSettings) -> None:
        self.name = name
        self._database = database
        self._embedder = embedder
        self._kb = kb
        self._settings = settings

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        """The ``k`` best facts of each query with the passages that state them; one round trip."""
        asked = [i for i, query in enumerate(queries) if query.strip()]
        rows: list[list[Row]] = [[] for _ in queries]
        if asked:
            for row in self._rows([queries[i] for i in asked], k):
                rows[asked[row["i"]]].append(row)
        return [self._fused(query, some, k) for query, some in zip(queries, rows, strict=True)]

    def _rows(self, queries: Sequence[str], k: int) -> list[Row]:
        settings = self._settings
        whole, names = self._vectors(queries)
        statement = "retrieve/dual_path" if settings.order == "similarity" else "retrieve/dual_path_by_degree"
        return self._database.read_batch(
            statement,
            {"queries": whole, "entities": names},
            kb=self._kb,
            k_v=settings.k_entities,
            k_h=settings.k_hyperedges,
            candidates=max(settings.k_entities, settings.k_hyperedges) + SPARE,
            limit=k,
        )

    def _vectors(self, queries: Sequence[str]) -> tuple[Vectors, Vectors]:
        """φ(q) and φ(V_q) of each query, (n, d) each, from one run of the encoder."""
        names = [query_entities(query) if self._settings.query_vector == "names" else [] for query in queries]
        texts = [*queries, *(name for some in names for name in some)]
        vectors = self._embedder.embed(texts)
        whole = vectors[: len(queries)]
        means = whole.copy()
        at = len(queries)
        for i, some in enumerate(names):
            if some:
                mean = vectors[at : at + len(some)].mean(axis=0)
                means[i] = mean / max(float(np.linalg.norm(mean)), 1e-12)
                at += len(some)
        return whole, means

    def _fused(self, query: str, rows: Sequence[Row], k: int) -> Retrieved:
        facts: list[Fact] = []
        for row in rows:
            ranks: dict[str, int] = {}
            score = 0.0
            for one in row["ranks"]:
                ranks[one["path"]] = min(one["rank"], ranks.get(one["path"], one["rank"]))
                score += reciprocal_rank({one["path"]: one["rank"]}, self._settings.fusion_constant)
            facts.append(fact(row, score, ranks))
        facts.sort(key=lambda one: (-one.score, min(one.ranks.values()), one.id))
        best = facts[:k]
        return Retrieved(query, tuple(best), passages_of(best, rows, k))


RECIPES = {
    "graph-r1": Recipe(
        paper="Graph-R1 eq. 7–9",
        description="Facts around the nearest entities, fused with the nearest hyperedges.",
        make=partial(DualPath, name="graph-r1"),
        settings=DualPathSettings(),
        paths=("entities", "hyperedges"),
    ),
    "graph-r1-released": Recipe(
        paper="Graph-R1, released code",
        description="The same with the whole query for its entities, and the facts around them by degree.",
        make=partial(DualPath, name="graph-r1-released"),
        settings=DualPathSettings(query_vector="query", order="degree"),
        paths=("entities", "hyperedges"),
    ),
    "hypergraphrag": Recipe(
        paper="HyperGraphRAG, arXiv 2503.21322",
        description="Graph-R1's two paths in one shot, 60 entities and 60 hyperedges.",
        make=partial(DualPath, name="hypergraphrag"),
        settings=DualPathSettings(k_entities=60, k_hyperedges=60),
        paths=("entities", "hyperedges"),
    ),
}
