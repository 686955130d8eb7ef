"""ProGraph-R1: hyperedges by how informative their entities are about the entities of the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from clew.embedding import Vectors
from clew.retrieval.graph.hypergraph import Graph, Rows, find
from clew.retrieval.graph.region import Weights, best_of, mass_on
from clew.retrieval.graph.search import GraphStrategy, Near, Ranking, Start, ids, in_order, stated_in
from clew.retrieval.recipe import Recipe


@dataclass(frozen=True, slots=True)
class ProGraphSettings:
    """What counts, and how much is looked at.

    ``context`` is s_v and ``structure`` I(v), the two parts of the paper's ablation (table 4). A query that names
    nothing in the graph has the ``nearest`` entities as V_q. Without ``structure``, candidates come from the ``alike``
    entities nearest to the query's names. Of an entity, the ``cap`` hyperedges nearest to the query are candidates, and
    s_v is computed for the ``pool`` best of them by structure; without it, for those that s_v may make the best.
    """

    context: bool = True
    structure: bool = True
    nearest: int = 1
    alike: int = 60
    cap: int = 50
    pool: int = 200


@dataclass(frozen=True, slots=True)
class Candidates:
    """Hyperedges that may be chosen: rows of the graph, cosines to the query, and all their entities.

    ``entities`` are rows of the graph, ``owners`` positions in ``hyperedges``, ``informative`` I(v) of the entities.
    """

    hyperedges: Rows
    similarity: Weights
    entities: Rows
    owners: Rows
    informative: Weights


class ProGraphR1(GraphStrategy[ProGraphSettings]):
    """ProGraph-R1's structure-aware hypergraph retrieval (arXiv 2601.17755, eq. 6–10).

    s_v = cos(φ(v), φ(V_q)), φ(V_q) the mean over the query's entities; I(v) = log(1 + |{e ∈ E_q : v ∈ e}| /
    |{e ∈ E : v ∈ e}|), where E_q are the hyperedges that contain entities of the query; Ŝ(v, e) = s_v over its sum in
    e; R̂(e) = Σ_{v ∈ e} Ŝ(v, e)·I(v).

    Departures: V_q are the entities that the query spells, where the paper's agent names them; a query that spells
    none has the nearest entities as V_q, and its own vector in the place of φ(V_q). R̂ is computed for the
    hyperedges around E_q's entities only, at most ``cap`` of an entity; beyond them it is 0, but for the context alone,
    which looks at those around the entities nearest to the names in the query: where a fact's mean s_v is above that of
    the last of them, one of its entities is among them. Negative s_v count as 0.
    In a graph of sentences many hyperedges have the same R̂ (all entities of an obscure page occur in E_q alone), and
    the cosine of the query to the hyperedge tells them apart, which the paper does not use. Context alone is the mean
    of s_v over e, because Ŝ sums to 1; structure alone the mean of I(v).
    """

    name = "prograph-r1"
    default = ProGraphSettings()

    def _near(self) -> Near:
        settings = self._settings
        return Near(entities=settings.nearest if settings.structure else settings.alike, mean=not settings.structure)

    def _rank(self, graph: Graph, starts: Sequence[Start], k: int) -> list[Ranking]:
        pools = [self._pool(graph, start, 4 * k) for start in starts]
        if self._settings.context:
            similar = self._similar(graph, starts, pools)
        else:
            similar = [np.ones(len(pool.entities)) for pool in pools]
        rankings = []
        for pool, s in zip(pools, similar, strict=True):
            scores = relevance(pool, s, self._settings)
            order = np.lexsort((-pool.similarity, -scores.round(6)))
            ranked = zip(pool.hyperedges[order].tolist(), scores[order].round(6).tolist(), strict=True)
            facts = in_order(ranked, "informativeness")
            rankings.append(Ranking(facts, stated_in(graph, facts)))
        return rankings

    def _pool(self, graph: Graph, start: Start, least: int) -> Candidates:
        named = start.linked if len(start.linked) else start.entities[: self._settings.nearest]
        around, most = start.entities, np.full(len(graph.entities), start.entity_similarity.min(initial=1.0))
        most[start.entities] = start.entity_similarity
        if self._settings.structure:
            around, _ = graph.entities_of.of(best_of(graph, named, start.whole, self._settings.cap))
            most[:] = 1.0
        rows = best_of(graph, np.unique(around), start.whole, self._settings.cap)
        all_of = candidates(graph, rows, named, start.whole)
        plain = relevance(all_of, most[all_of.entities], self._settings)
        order = np.lexsort((-all_of.similarity, -plain.round(6)))[: max(self._settings.pool, least)]
        return candidates(graph, np.sort(rows[order]), named, start.whole)

    def _similar(self, graph: Graph, starts: Sequence[Start], pools: Sequence[Candidates]) -> list[Weights]:
        """s_v of each candidate's entities."""
        rows = self._place.database.read_batch(
            "retrieve/entity_similarity",
            {"names": self._names(starts), "entities": [ids(graph.entities, np.unique(one.entities)) for one in pools]},
        )
        cosines = [np.zeros(0)] * len(pools)
        for row in rows:
            pool = pools[row["i"]]
            distinct = np.unique(pool.entities)
            found = find(graph.entities[distinct], [id for id, _ in row["cosines"]])
            values = np.zeros(len(distinct))
            values[found] = [cosine for _, cosine in row["cosines"]]
            cosines[row["i"]] = np.maximum(values, 0)[np.searchsorted(distinct, pool.entities)]
        return cosines

    def _names(self, starts: Sequence[Start]) -> Vectors:
        """φ(V_q) of each query, (queries, d): an entity's vector is that of its key."""
        keys = list(dict.fromkeys(key for start in starts for key in start.question.keys))
        vectors = dict(zip(keys, self._place.embedder.embed(keys), strict=True))
        means = [
            np.mean([vectors[key] for key in start.question.keys], axis=0) if start.question.keys else start.whole
            for start in starts
        ]
        return np.stack(means).astype(np.float32)


def candidates(graph: Graph, hyperedges: Rows, named: Rows, query: Vectors) -> Candidates:
    """Hyperedges with I(v) of their entities; ``named`` are the entities of the query, ``query`` its vector."""
    entities, owners = graph.entities_of.of(hyperedges)
    distinct, at = np.unique(entities, return_inverse=True)
    about, _ = graph.entities_of.of(np.unique(graph.hyperedges_of.of(named)[0]))
    share = mass_on(distinct, about, np.ones(len(about))) / np.maximum(graph.hyperedges_of.degrees(distinct), 1)
    similarity = (graph.vectors[hyperedges] @ query).astype(np.float64)
    return Candidates(hyperedges, similarity, entities, owners, np.log1p(share)[at])


def relevance(pool: Candidates, similar: Weights, settings: ProGraphSettings) -> Weights:
    """R̂ of each hyperedge; ``similar`` is s_v of each of the entities, all 1 where the context does not count."""
    size = len(pool.hyperedges)
    if not settings.structure:
        mean: Weights = np.bincount(pool.owners, similar, size) / np.bincount(pool.owners, minlength=size)
        return mean
    total = np.bincount(pool.owners, similar, size)
    scores: Weights = np.bincount(pool.owners, similar * pool.informative, size) / np.maximum(total, 1e-12)
    return scores


RECIPES = {
    "prograph-r1": Recipe(
        paper="ProGraph-R1 eq. 6–10, arXiv 2601.17755",
        description="Hyperedges by how informative their entities are about those of the query.",
        make=partial(ProGraphR1, name="prograph-r1"),
        settings=ProGraphSettings(),
        paths=("informativeness",),
    ),
    "prograph-r1-context": Recipe(
        paper="ProGraph-R1, ablation",
        description="The same by the likeness of entities alone.",
        make=partial(ProGraphR1, name="prograph-r1-context"),
        settings=ProGraphSettings(structure=False),
        paths=("informativeness",),
    ),
    "prograph-r1-structure": Recipe(
        paper="ProGraph-R1, ablation",
        description="The same by the structure of the graph alone.",
        make=partial(ProGraphR1, name="prograph-r1-structure"),
        settings=ProGraphSettings(context=False),
        paths=("informativeness",),
    ),
}
