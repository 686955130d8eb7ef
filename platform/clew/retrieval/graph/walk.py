"""The question-conditioned walk: PageRank over hyperedges, entities and passages, led by what the question asks.

Personalised PageRank (as in HippoRAG 2) spreads over every fact of an entity alike. Here a step onto a hyperedge h
weighs W_h = exp(β·cos(u, h)), where u is the question without the names it mentions: the relation, not the entity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from clew.retrieval.graph.hypergraph import Graph, Rows
from clew.retrieval.graph.region import Restart, Weights, area_of, best_of, distinct, mass_on

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from clew.embedding import Vectors


LONGEST_WAY = 7
"""Places and hyperedges on the way to a fact that are given, at most."""
ASKED = -1
"""The place from which a hyperedge has the mass that a question about a bridge entity gave it."""


@dataclass(frozen=True, slots=True)
class WalkSettings:
    """Constants of the walk; each was chosen on MuSiQue and 2WikiMultiHopQA and lies on a plateau (docs/log.md).

    ``names``, ``facts`` and ``passages`` are the restart masses of the entities that the question names, of the
    entities of its nearest hyperedges, and of its nearest passages. ``nearest_facts`` hyperedges and
    ``nearest_passages`` passages are taken, and of the hyperedges around these ``hop_facts`` for each first hop of a
    question of several hops, which is not taken apart where that is 0. ``lexical`` is the weight of BM25 beside the
    cosine. ``beta`` is the sharpness of W, ``damping`` d, ``iterations`` the steps. ``title_weight`` is t of an entity
    that is some page's title. An entity brings at most ``cap`` hyperedges, the best by cos(u, h), and none in the
    second hop if it has more than ``hub``. The second pass asks about ``bridges`` entities, gives ``bridge_mass`` to
    the ``bridge_facts`` hyperedges nearest to each of these questions, and turns W by ``bridge_turn`` towards them.
    """

    names: float = 0.6
    facts: float = 0.3
    passages: float = 0.1
    nearest_facts: int = 2
    hop_facts: int = 1
    nearest_passages: int = 200
    lexical: float = 0.4
    beta: float = 8.0
    damping: float = 0.85
    iterations: int = 12
    title_weight: float = 2.5
    cap: int = 50
    hub: int = 200
    bridges: int = 3
    bridge_facts: int = 2
    bridge_mass: float = 0.05
    bridge_turn: float = 0.5


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The part of the graph that a walk stays in, with everything that does not change from one pass to the next.

    Its places are the entities and then the chunks. ``incidence`` (h, places) says which places each hyperedge touches,
    ``transposed`` is the same the other way round, ``place_weight`` is t of each place, ``similarity`` cos(u, h).
    """

    hyperedges: Rows
    entities: Rows
    chunks: Rows
    similarity: Weights
    place_weight: Weights
    incidence: csr_array
    transposed: csr_array


@dataclass(frozen=True, slots=True)
class Masses:
    """Where a walk ended: the mass of each local hyperedge, entity and chunk.

    The rest tells where it came from: ``weight`` is W of each hyperedge, ``leaving`` (h) and ``arriving`` (places) the
    shares that a hyperedge and a place pass on, before weights, ``restarted`` what a place has from the restart, and
    ``asked`` what a hyperedge has from it, as nearest to a question about a bridge entity.
    """

    hyperedges: Weights
    entities: Weights
    chunks: Weights
    weight: Weights
    leaving: Weights
    arriving: Weights
    restarted: Weights
    asked: Weights


def restart(
    graph: Graph,
    linked: Sequence[int],
    facts: Rows,
    fact_scores: Weights,
    chunks: Rows,
    similarities: Weights,
    settings: WalkSettings,
) -> Restart:
    """The restart distribution r: fixed masses for what the question names, for its facts and its passages.

    ``facts`` are the nearest hyperedges with their scores (F_h, or the cosine to a hop of the question), of which those
    below 0 count as 0, ``chunks`` the nearest passages with their cosines. A part that is empty or all 0 leaves its
    mass to the others.
    """
    parts: list[tuple[Rows, Weights]] = []
    named = np.array(linked, np.int64)
    if len(named):
        share = 1.0 / np.maximum(graph.hyperedges_of.degrees(named), 1)
        parts.append((named, settings.names * share / share.sum()))
    if len(facts):
        columns, owners = graph.entities_of.of(facts)
        entities, at = np.unique(columns, return_inverse=True)
        degrees = np.maximum(graph.hyperedges_of.degrees(entities), 1)
        share = np.bincount(at, np.maximum(fact_scores, 0)[owners]) / np.bincount(at) / degrees
        if (total := share.sum()) > 0:
            parts.append((entities, settings.facts * share / total))
    chunk_mass = np.zeros(0)
    if len(chunks):
        share = similarities - similarities.min()
        total = share.sum()
        chunk_mass = settings.passages * (share / total if total > 0 else np.full(len(chunks), 1 / len(chunks)))
    entities, at = np.unique(np.concatenate([rows for rows, _ in parts] or [named]), return_inverse=True)
    mass = np.bincount(at, np.concatenate([m for _, m in parts] or [np.zeros(0)]), len(entities))
    total = max(float(mass.sum() + chunk_mass.sum()), 1e-12)
    return Restart(entities, mass / total, chunks, chunk_mass / total)


def neighbourhood(graph: Graph, start: Restart, u: Vectors, settings: WalkSettings) -> Neighbourhood:
    """Two hops from the restart's entities and one from its passages, at most ``cap`` hyperedges an entity.

    ``u`` is the vector of the masked question, (d,).
    """
    near = best_of(graph, start.entities, u, settings.cap)
    beyond, _ = distinct(graph.entities_of.of(near)[0], len(graph.entities))
    beyond = beyond[~np.isin(beyond, start.entities) & (graph.hyperedges_of.degrees(beyond) <= settings.hub)]
    far = best_of(graph, beyond, u, settings.cap)
    facts, _ = graph.facts_of.of(start.chunks)
    hyperedges, _ = distinct(np.concatenate([near, far, facts]), len(graph.hyperedges))
    area = area_of(graph, hyperedges)
    title_weight = np.where(graph.titles[area.entities], settings.title_weight, 1.0)
    return Neighbourhood(
        hyperedges,
        area.entities,
        area.chunks,
        (graph.vectors[hyperedges] @ u).astype(np.float64),
        np.concatenate([title_weight, np.ones(len(area.chunks))]),
        area.incidence,
        area.transposed,
    )


def second_pass(near: Neighbourhood, start: Restart, similar: Weights, settings: WalkSettings) -> Masses:
    """Walk again, led by the questions about bridge entities as well. ``similar`` is (h, questions), their cosines.

    The hyperedges nearest to each question join the restart, and W_h = exp(β·(cos(u, h) + ω·max_b cos(b, h))/(1 + ω))
    with ω the ``bridge_turn``: the walk goes on towards what is asked of the bridge.
    """
    most = min(settings.bridge_facts, len(similar))
    extra = np.zeros(len(similar))
    for column in similar.T if most else ():
        extra[np.argpartition(-column, most - 1)[:most]] += settings.bridge_mass / (similar.shape[1] * most)
    turned = near.similarity + settings.bridge_turn * similar.max(axis=1)
    return walk(replace(near, similarity=turned / (1 + settings.bridge_turn)), start, settings, extra)


def walk(near: Neighbourhood, start: Restart, settings: WalkSettings, extra: Weights | None = None) -> Masses:
    """Spread the restart's mass for so many iterations; ``extra`` is restart mass of the local hyperedges.

    From the old values each time, for entities and chunks alike, where n is either and t of a chunk is 1:
    y_h = x_h / Σ_{n∈h} t(n); x_n ← d·t(n)·Σ_{h∋n} y_h + (1−d)·r_n;
    x_h ← d·W_h·Σ_{n∈h} x_n / Σ_{h'∋n} W_h' + (1−d)·r_h.
    """
    d = settings.damping
    entities = len(near.entities)
    on_entities = mass_on(near.entities, start.entities, start.entity_mass)
    r_n = np.concatenate([on_entities, mass_on(near.chunks, start.chunks, start.chunk_mass)])
    r_h = np.zeros(len(near.hyperedges)) if extra is None else extra
    total = max(float(r_n.sum() + r_h.sum()), 1e-12)
    r_n, r_h = r_n / total, r_h / total
    weight = np.exp(settings.beta * near.similarity)
    leaving = 1.0 / (near.incidence @ near.place_weight)
    arriving = 1.0 / (near.transposed @ weight)
    x_h, x_n = r_h, r_n
    for _ in range(settings.iterations):
        y = x_h * leaving
        x_h = d * weight * (near.incidence @ (x_n * arriving)) + (1 - d) * r_h
        x_n = d * near.place_weight * (near.transposed @ y) + (1 - d) * r_n
    return Masses(x_h, x_n[:entities], x_n[entities:], weight, leaving, arriving, (1 - d) * r_n, (1 - d) * r_h)


def way_to(near: Neighbourhood, masses: Masses, hyperedge: int, settings: WalkSettings) -> list[tuple[int, float]]:
    """The way by which most mass comes to a local hyperedge: places and hyperedges in turn, from the seed on.

    Each with the share of the next one's incoming mass that it brings. What a neighbour has only from where the way
    goes on does not count. The first is a place, which is ``ASKED`` where the way begins at the hyperedge after it.
    """
    d = settings.damping
    x_n = np.concatenate([masses.entities, masses.chunks])
    way: list[tuple[int, float]] = []
    at = hyperedge
    for step in range(LONGEST_WAY):
        if step % 2 == 0:
            others = _row(near.incidence, at)
            back = near.place_weight[others] * masses.hyperedges[at] * masses.leaving[at]
            bringing = d * masses.weight[at] * (x_n[others] - d * back) * masses.arriving[others]
            restarted = masses.asked[at]
        else:
            others = _row(near.transposed, at)
            back = masses.weight[others] * x_n[at] * masses.arriving[at]
            bringing = d * near.place_weight[at] * (masses.hyperedges[others] - d * back) * masses.leaving[others]
            bringing[np.isin(others, [hyperedge, *(one for one, _ in way[1::2])])] = 0
            restarted = masses.restarted[at]
        best = int(np.argmax(bringing))
        incoming = restarted + bringing[bringing > 0].sum()
        if restarted >= bringing[best]:
            if step % 2 == 0 and restarted > 0:
                way.append((ASKED, float(restarted / incoming)))
            break
        at = int(others[best])
        way.append((at, float(bringing[best] / incoming)))
    return way[::-1] if len(way) % 2 else way[-2::-1]


def bridge_entities(graph: Graph, near: Neighbourhood, masses: Masses) -> Rows:
    """Local entities by x_e·√ln(1 + |P| / passages of e): well reached, and not everywhere. Best first."""
    rarity = np.sqrt(np.log1p(len(graph.chunks) / np.maximum(graph.passages[near.entities], 1)))
    order: Rows = np.argsort(-masses.entities * rarity, kind="stable")
    return near.entities[order]


def _row(matrix: csr_array, row: int) -> Rows:
    columns: Rows = matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]]
    return columns
