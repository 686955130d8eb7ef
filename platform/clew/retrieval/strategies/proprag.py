"""PropRAG: beam search over paths of propositions, then PageRank from what the paths go through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clew.embedding import Vectors
from clew.retrieval.graph.hypergraph import Graph, Rows
from clew.retrieval.graph.pagerank import Rank, area_around, pagerank, stated_mass
from clew.retrieval.graph.region import Area, Restart, Weights
from clew.retrieval.graph.rows import describe
from clew.retrieval.graph.search import Chosen, GraphStrategy, Near, Ranking, Start, ids
from clew.retrieval.recipe import Recipe

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True)
class PropRAGSettings:
    """How far PropRAG looks, and what weighs how much.

    ``beam_width`` paths of at most ``path_length`` propositions are kept, as in the paper. ``link_facts`` nearest
    hyperedges and ``nearest_passages`` chunks start the first PageRank, of whose passages the ``subgraph`` best give
    the propositions of the beam search. ``passage_weight`` is the restart mass of the nearest passage beside that of
    the best fact's entities. Of the extensions of a beam, ``reencoded`` are scored by encoding the path's text; 0
    leaves it to the mean of its vectors. An entity brings at most ``cap`` hyperedges. The released code has a subgraph
    of 50 passages, a passage weight of 0.05, and dampings of 0.75 and then 0.45.
    """

    beam_width: int = 4
    path_length: int = 3
    link_facts: int = 5
    nearest_passages: int = 200
    subgraph: int = 100
    passage_weight: float = 0.1
    damping: float = 0.5
    reencoded: int = 0
    iterations: int = 12
    cap: int = 50


@dataclass(frozen=True, slots=True)
class Path:
    """Propositions one after another (local rows), each sharing an entity with one before; and cos(q, path)."""

    facts: tuple[int, ...]
    score: float


class PropRAG(GraphStrategy[PropRAGSettings]):
    """PropRAG (arXiv 2504.18070): no language model when a question is asked.

    Stage 1: PageRank from the entities of the nearest propositions and from the nearest passages finds a subgraph.
    Stage 2: in it, a beam search over propositions that share an entity keeps the paths nearest to the query. The
    entities of the best paths, weighted by the paths' scores, restart a second PageRank, which ranks the passages.

    Departures: propositions are the hyperedges as they are, sentences without a model's rewriting. The walk steps over
    hyperedges (two entities of a proposition are one hyperedge apart) instead of edges between each pair of its
    entities, and in a bounded neighbourhood. Entities are joined where their keys are equal, not by the similarity of
    their vectors. Restarts follow HippoRAG 2: an entity has the mean of its facts' scores, by the passages that it
    occurs in, and the first has those of the ``link_facts`` nearest propositions; the released code begins with 1 for
    each of 40 entities of 20 propositions, and goes on with the 5 best entities of the paths and of the propositions
    that these begin with, each by its best path. A path's vector is the mean of its propositions', by default: encoding
    the joined text of each candidate (the paper's choice, ``reencoded``) costs the encoder many times what the whole
    search takes, for some two points of recall.
    """

    name = "proprag"
    default = PropRAGSettings()

    def _near(self) -> Near:
        return Near(hyperedges=self._settings.link_facts, chunks=self._settings.nearest_passages)

    def _ranking(self, graph: Graph, start: Start, k: int) -> Ranking:
        first = self._restart(graph, start, start.hyperedges, start.similarity)
        area = area_around(graph, first.entities, first.chunks, start.whole, self._settings.cap)
        paths = self._paths(graph, area, self._pagerank(area, first), start)
        scores: dict[int, float] = {}
        for path in paths:
            for fact in path.facts:
                scores.setdefault(fact, path.score)
        facts = area.hyperedges[list(scores)] if scores else start.hyperedges
        second = self._restart(graph, start, facts, np.array(list(scores.values()) or start.similarity, float))
        return _ranked(area, self._pagerank(area, second), list(scores), k)

    def _pagerank(self, area: Area, start: Restart) -> Rank:
        return pagerank(area, start, self._settings.damping, self._settings.iterations)

    def _restart(self, graph: Graph, start: Start, facts: Rows, scores: Weights) -> Restart:
        """Mass on the entities of facts, by the facts' scores and rarer ones first, and little on the passages."""
        columns, owners = graph.entities_of.of(facts)
        entities, at = np.unique(columns, return_inverse=True)
        # Cosines of what is near lie close together: spread out, with a tenth left to the last.
        spread = (scores - scores.min(initial=1.0)) / max(float(np.ptp(scores)) if len(scores) else 0.0, 1e-12) + 0.1
        facts_of_each = np.maximum(np.bincount(at, minlength=len(entities)), 1)
        mass = np.bincount(at, spread[owners], len(entities)) / facts_of_each / np.maximum(graph.passages[entities], 1)
        low, high = start.chunk_similarity.min(initial=1.0), start.chunk_similarity.max(initial=0.0)
        chunk_mass = self._settings.passage_weight * (start.chunk_similarity - low) / max(high - low, 1e-12)
        total = max(float(mass.sum() + chunk_mass.sum()), 1e-12)
        return Restart(entities, mass / total, start.chunks, chunk_mass / total)

    def _paths(self, graph: Graph, area: Area, masses: Rank, start: Start) -> list[Path]:
        """The best paths among the propositions of the best passages; their facts are local rows of ``area``."""
        inside = _facts_of(area, np.argsort(-masses.chunks, kind="stable")[: self._settings.subgraph])
        rows = area.hyperedges[inside]
        field = _Field(rows, graph.vectors[rows], area.incidence[inside][:, : len(area.entities)])
        similarity = (field.vectors @ start.whole).astype(np.float64)
        width = self._settings.beam_width
        beams = [Path((int(i),), float(similarity[i])) for i in np.argsort(-similarity, kind="stable")[:width]]
        for _ in range(self._settings.path_length - 1):
            longer = [path for beam in beams for path in self._extensions(field, beam, start.whole)]
            if self._settings.reencoded:
                longer = self._encoded(graph, field, longer, start.whole)
            beams = _distinct([*longer, *beams])[:width]
        return [Path(tuple(int(inside[i]) for i in beam.facts), beam.score) for beam in beams]

    def _extensions(self, field: _Field, beam: Path, query: Vectors) -> list[Path]:
        """The best ways to go on from a path: propositions that share an entity with one of its own."""
        own = list(beam.facts)
        shared = field.fact_entities @ field.fact_entities[own].sum(axis=0)
        shared[own] = 0
        candidates = np.flatnonzero(shared)
        sums = field.vectors[own].sum(axis=0) + field.vectors[candidates]
        scores = (sums @ query) / np.maximum(np.linalg.norm(sums, axis=1), 1e-12)
        best = np.argsort(-scores, kind="stable")[: max(self._settings.beam_width, self._settings.reencoded)]
        return [Path((*own, int(candidates[i])), float(scores[i])) for i in best]

    def _encoded(self, graph: Graph, field: _Field, paths: Sequence[Path], query: Vectors) -> list[Path]:
        """The best paths by the mean of their vectors, scored anew by the vector of their joined text."""
        chosen = _distinct(paths)[: self._settings.reencoded]
        if not chosen:
            return []
        named = [ids(graph.hyperedges, field.hyperedges[list(path.facts)]) for path in chosen]
        rows = describe(self._place.database, (id for some in named for id in some), ()).rows
        texts = [" ".join(rows[id]["text"] for id in some if id in rows) for some in named]
        scores = (self._place.embedder.embed(texts) @ query).tolist()
        return [Path(path.facts, score) for path, score in zip(chosen, scores, strict=True)]


@dataclass(frozen=True, slots=True)
class _Field:
    """The propositions that a beam search may use: their rows in the graph, vectors (n, d) and entities (n, e)."""

    hyperedges: Rows
    vectors: Vectors
    fact_entities: csr_array


def _facts_of(area: Area, chunks: Rows) -> Rows:
    wanted = np.zeros(len(area.entities) + len(area.chunks))
    wanted[len(area.entities) + chunks] = 1
    return np.flatnonzero(area.incidence @ wanted)


def _distinct(paths: Sequence[Path]) -> list[Path]:
    """Best first, each set of propositions once."""
    found: dict[frozenset[int], Path] = {}
    for path in sorted(paths, key=lambda path: -path.score):
        found.setdefault(frozenset(path.facts), path)
    return list(found.values())


def _ranked(area: Area, masses: Rank, on_paths: Sequence[int], k: int) -> Ranking:
    """Passages by their mass; facts by what passes through them, times the mass of their passage."""
    if not len(area.hyperedges):
        return Ranking((), ())
    mass = masses.hyperedges * stated_mass(area, masses.chunks)
    place = {fact: rank for rank, fact in enumerate(on_paths, 1)}
    facts = []
    for rank, i in enumerate(np.argsort(-mass, kind="stable")[:k].tolist(), 1):
        ranks = {"pagerank": rank} | ({"path": place[i]} if i in place else {})
        facts.append(Chosen(int(area.hyperedges[i]), float(mass[i]), ranks))
    chunks = np.argsort(-masses.chunks, kind="stable")[:k]
    return Ranking(facts, [(int(area.chunks[i]), float(masses.chunks[i])) for i in chunks])


RECIPES = {
    "proprag": Recipe(
        paper="PropRAG, arXiv 2504.18070",
        description="Beam search over paths of facts, then PageRank from their entities.",
        make=PropRAG,
        settings=PropRAGSettings(),
        paths=("pagerank", "path"),
    ),
}
