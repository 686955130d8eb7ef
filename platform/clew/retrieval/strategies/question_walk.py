"""Clew's default: the question-conditioned walk over the hypergraph, in one pass or two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

import numpy as np

from clew.database.connection import Database, Row
from clew.embedding import Embedder, Vectors
from clew.retrieval.graph.copy import current_graph, latest_graph
from clew.retrieval.graph.hypergraph import Graph, Rows, find
from clew.retrieval.graph.lexical import best, bm25
from clew.retrieval.graph.question import Question, link, words
from clew.retrieval.graph.region import Restart, Weights
from clew.retrieval.graph.rows import Described, describe
from clew.retrieval.graph.search import filled, ids
from clew.retrieval.graph.walk import (
    ASKED,
    Masses,
    Neighbourhood,
    WalkSettings,
    bridge_entities,
    neighbourhood,
    restart,
    second_pass,
    walk,
    way_to,
)
from clew.retrieval.hops import Hops, hops_of
from clew.retrieval.recipe import Recipe
from clew.tracing import span
from clew.types import Hop, Retrieved

NEAR = 30
"""Hyperedges nearest by their vectors, and as many by their words, of which those with the best F_h are taken."""
EXACT = 40_000
"""Hyperedges up to which each is compared, in the copy: the index costs as much, misses some, and more in company."""
LABELS = {"entity": "Entity", "passage": "Chunk", "fact": "Hyperedge"}


@dataclass(frozen=True, slots=True)
class Walked:
    """A query's walk: its vector and that of its masked question, where it began, what it stayed in, where it ended.

    ``nearest`` are the chunks nearest to it (id, cosine), also those that state no fact, over which no walk goes. After
    a second pass, ``bridges`` has for each local hyperedge the row of the entity whose question is nearest to it.
    """

    question: Question
    hops: Hops
    whole: Vectors
    masked: Vectors
    near: Neighbourhood
    start: Restart
    masses: Masses
    nearest: Sequence[tuple[str, float]]
    bridges: Rows = field(default_factory=lambda: np.zeros(0, np.int64))


class QuestionWalk:
    """Personalised PageRank whose steps are weighed by what the question asks besides the names it mentions.

    With ``passes`` 2, the best bridge entities of the first walk are asked about in turn, and what is nearest to these
    questions joins the restart of a second walk: two hops are asked as two questions, without a language model.

    A question that its grammar takes apart into hops (``clew.retrieval.hops``) is asked as these, too: the walk begins
    at those facts around it that are nearest to its first hops as well, and its later hops are asked of each bridge.
    Decomposed questions as queries are those of Self-Ask (arXiv 2210.03350); here no model writes them, and none waits
    for an answer.

    A passage that states no fact is found only as one of the nearest, where the walk comes to fewer than are asked for.
    """

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        kb: str,
        name: str = "clew",
        settings: WalkSettings | None = None,
        passes: int = 2,
    ) -> None:
        self.name = name
        self._database = database
        self._embedder = embedder
        self._kb = kb
        self._settings = settings or WalkSettings()
        self._passes = passes

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        """The facts and passages where the walks stay longest; two round trips a batch, one more for a second pass."""
        asked = [i for i, query in enumerate(queries) if query.strip()]
        found = [Retrieved(query) for query in queries]
        if not asked:
            return found
        with span("walk"):
            walked = self.walks([queries[i] for i in asked])
        if walked:
            graph, walks = walked
            for i, one in zip(asked, self._ranked(graph, walks, k), strict=True):
                found[i] = one
        return found

    def walks(self, queries: Sequence[str]) -> tuple[Graph, list[Walked]] | None:
        """The walks of queries that are not empty, and the graph they went over; None without a knowledge base."""
        graph = latest_graph(self._database, self._kb)
        questions = link(graph, self._kb, queries)
        taken = [hops_of(query) if self._settings.hop_facts else Hops() for query in queries]
        first = [hop for hops in taken for hop in hops.first]
        vectors = self._embedder.embed([*queries, *first, *(question.relation for question in questions)])
        whole, of_hops, masked = np.split(vectors, [len(queries), len(queries) + len(first)])
        seeds = self._seeds(graph, whole)
        if not seeds:
            return None
        if (seeds[0]["version"] or "") != graph.version:
            graph = current_graph(self._database, self._kb)
            questions = link(graph, self._kb, queries)
            masked = self._embedder.embed([question.relation for question in questions])
        facts = self._nearest_facts(graph, queries, whole, seeds)
        walks = []
        at = 0
        for i, (question, hops) in enumerate(zip(questions, taken, strict=True)):
            asked = of_hops[at : at + len(hops.first)]
            at += len(asked)
            walks.append(self._walk(graph, question, hops, seeds[i]["chunks"], facts[i], whole[i], masked[i], asked))
        return graph, self._again(graph, walks) if self._passes > 1 else walks

    def _seeds(self, graph: Graph, vectors: Vectors) -> list[Row]:
        rows = self._database.read_batch(
            "retrieve/seeds",
            {"queries": vectors},
            kb=self._kb,
            near=NEAR if len(graph.hyperedges) > EXACT else 0,
            passages=self._settings.nearest_passages,
        )
        return sorted(rows, key=lambda row: row["i"])

    def _walk(
        self,
        graph: Graph,
        question: Question,
        hops: Hops,
        nearest: Sequence[tuple[str, float]],
        facts: tuple[Rows, Weights],
        v: Vectors,
        u: Vectors,
        asked: Vectors,
    ) -> Walked:
        chunks = find(graph.chunks, [id for id, _ in nearest])
        there = chunks >= 0
        cosines = np.array([score for _, score in nearest], float)

        def begin(facts: tuple[Rows, Weights]) -> Restart:
            return restart(graph, question.linked, *facts, chunks[there], cosines[there], self._settings)

        start = begin(facts)
        near = neighbourhood(graph, start, u, self._settings)
        if len(asked) and len(near.hyperedges):
            start = begin(self._with_hops(graph, near, facts, asked))
        return Walked(question, hops, v, u, near, start, walk(near, start, self._settings), nearest)

    def _with_hops(
        self, graph: Graph, near: Neighbourhood, facts: tuple[Rows, Weights], asked: Vectors
    ) -> tuple[Rows, Weights]:
        """The facts, and the local ones nearest to each first hop, by their cosines; one that both have counts once."""
        rows, scores = facts
        similar = (graph.vectors[near.hyperedges] @ asked.T).astype(np.float64)
        best = np.argsort(-similar, axis=0, kind="stable")[: self._settings.hop_facts]
        found = np.concatenate([rows, near.hyperedges[best].ravel()])
        scores = np.concatenate([scores, np.take_along_axis(similar, best, axis=0).ravel()])
        distinct, first = np.unique(found, return_index=True)
        return distinct, scores[first]

    def _nearest_facts(
        self, graph: Graph, queries: Sequence[str], vectors: Vectors, seeds: Sequence[Row]
    ) -> list[tuple[Rows, Weights]]:
        """For each query the hyperedges with the best F_h = cos(v, h) + λ·BM25(q, h) / max BM25."""
        if any(row["similar"] for row in seeds):
            similar = [find(graph.hyperedges, [id for id, _ in row["similar"]]) for row in seeds]
        else:
            cosines = graph.vectors.cosines(vectors).T.astype(np.float64)
            similar = [best(1 + one, NEAR)[0] for one in cosines]
        found = []
        for query, v, near in zip(queries, vectors, similar, strict=True):
            worded, scores = bm25(graph, words(query), NEAR)
            rows = np.unique(np.concatenate([near[near >= 0], worded]))
            lexical = np.zeros(len(rows))
            lexical[np.searchsorted(rows, worded)] = scores / max(scores.max(initial=0.0), 1e-9)
            weighed = graph.vectors[rows] @ v + self._settings.lexical * lexical
            order = np.argsort(-weighed, kind="stable")[: self._settings.nearest_facts]
            found.append((rows[order], weighed[order]))
        return found

    def _again(self, graph: Graph, walks: Sequence[Walked]) -> list[Walked]:
        """The second pass: what is nearest to the questions about the bridge entities joins the restart.

        Of each bridge the masked question is asked, and every later hop.
        """
        chosen = self._bridges(graph, walks)
        asked = [
            [
                (row, question)
                for row, key in keys.items()
                for question in (one.question.about(key), *one.hops.about(key))
            ]
            for one, keys in zip(walks, chosen, strict=True)
        ]
        questions = [question for some in asked for _, question in some]
        if not questions:
            return list(walks)
        vectors = self._embedder.embed(questions)
        again = []
        at = 0
        for one, some in zip(walks, asked, strict=True):
            again.append(self._second(graph, one, [row for row, _ in some], vectors[at : at + len(some)]))
            at += len(some)
        return again

    def _bridges(self, graph: Graph, walks: Sequence[Walked]) -> list[dict[int, str]]:
        """The rows and keys of each walk's best entities, without the linked ones and what is like these.

        Alike is a key whose words contain those of a linked one, or are contained in them.
        """
        most = 5 * self._settings.bridges
        ranked = [bridge_entities(graph, one.near, one.masses)[:most] for one in walks]
        every = ids(graph.entities, np.unique(np.concatenate(ranked)))
        keys = {row["id"]: row["key"] for row in self._database.read("graph/entities", ids=every)}
        chosen = []
        for one, rows in zip(walks, ranked, strict=True):
            linked = [set(key.split()) for key in one.question.keys]
            # An entity that is merged is linked by any of its names, and has the key of but one.
            others = rows[~np.isin(rows, one.question.linked)]
            named = zip(others.tolist(), (keys.get(id, "") for id in ids(graph.entities, others)), strict=True)
            fresh = (
                (row, key)
                for row, key in named
                if key and not any(_nested(set(key.split()), other) for other in linked)
            )
            chosen.append(dict(islice(fresh, self._settings.bridges)))
        return chosen

    def _second(self, graph: Graph, one: Walked, bridges: Sequence[int], vectors: Vectors) -> Walked:
        if not len(vectors) or not len(one.near.hyperedges):
            return one
        similar = (graph.vectors[one.near.hyperedges] @ vectors.T).astype(np.float64)
        masses = second_pass(one.near, one.start, similar, self._settings)
        return replace(one, masses=masses, bridges=np.array(bridges, np.int64)[similar.argmax(axis=1)])

    def _ranked(self, graph: Graph, walks: Sequence[Walked], k: int) -> list[Retrieved]:
        facts = [_best(one.masses.hyperedges, k) for one in walks]
        chunks = [_passages(graph, one, k) for one in walks]
        ways = [
            [_way(graph, one, int(fact), self._settings) for fact in best]
            for one, best in zip(walks, facts, strict=True)
        ]
        described = describe(
            self._database,
            (
                id
                for one, best in zip(walks, facts, strict=True)
                for id in ids(graph.hyperedges, one.near.hyperedges[best])
            ),
            (id for some in chunks for id, _ in some),
            ((LABELS[hop.kind], hop.id) for some in ways for way in some for hop in way),
        )
        return [self._retrieved(graph, *one, described) for one in zip(walks, facts, ways, chunks, strict=True)]

    def _retrieved(
        self,
        graph: Graph,
        one: Walked,
        facts: Rows,
        ways: Sequence[Sequence[Hop]],
        chunks: Sequence[tuple[str, float]],
        described: Described,
    ) -> Retrieved:
        rows = one.near.hyperedges[facts]
        found = ids(graph.hyperedges, rows)
        similar = dict(zip(found, (graph.vectors[rows] @ one.whole).tolist(), strict=True))
        named = {
            id: tuple(replace(hop, name=described.name(hop.id)) for hop in way)
            for id, way in zip(found, ways, strict=True)
        }
        own = described.facts(found, one.masses.hyperedges[facts].tolist(), "walk")
        return Retrieved(
            one.question.text,
            tuple(replace(fact, way=named[fact.id], similarity=similar[fact.id]) for fact in own),
            tuple(described.passages([id for id, _ in chunks], [score for _, score in chunks])),
        )


def _way(graph: Graph, one: Walked, fact: int, settings: WalkSettings) -> list[Hop]:
    """The way to a local hyperedge, its places by their ids; the first tells why the walk began there."""
    near = one.near
    way = way_to(near, one.masses, fact, settings)
    hops = []
    for step, (at, weight) in enumerate(way):
        began = not step and one.masses.restarted[at] > 0
        if step % 2:
            hops.append(Hop("fact", graph.hyperedges[near.hyperedges[at]].decode(), "", weight))
        elif at == ASKED:
            bridge = one.bridges[way[1][0] if len(way) > 1 else fact]
            hops.append(Hop("entity", graph.entities[bridge].decode(), "", weight, "asked about"))
        elif at < len(near.entities):
            row = near.entities[at]
            why = "named in the question" if row in one.question.linked else "in a near fact"
            hops.append(Hop("entity", graph.entities[row].decode(), "", weight, why if began else ""))
        else:
            row = near.chunks[at - len(near.entities)]
            hops.append(Hop("passage", graph.chunks[row].decode(), "", weight, "a near passage" if began else ""))
    return hops


def _passages(graph: Graph, one: Walked, k: int) -> list[tuple[str, float]]:
    best = _best(one.masses.chunks, k)
    own = zip(ids(graph.chunks, one.near.chunks[best]), one.masses.chunks[best].tolist(), strict=True)
    return filled(list(own), one.nearest, k)


def _best(mass: Weights, k: int) -> Rows:
    best: Rows = np.argsort(-mass, kind="stable")[:k]
    return best


def _nested(words: set[str], others: set[str]) -> bool:
    return words <= others or others <= words


RECIPES = {
    "clew": Recipe(
        paper="Clew",
        description="A walk over the graph from what the question names (PageRank), and a second one from what the "
        "first has found.",
        make=partial(QuestionWalk, name="clew", passes=2),
        settings=WalkSettings(),
        paths=("walk",),
    ),
    "clew-one-pass": Recipe(
        paper="Clew",
        description="A walk over the graph from what the question names (PageRank).",
        make=partial(QuestionWalk, name="clew-one-pass", passes=1),
        settings=WalkSettings(),
        paths=("walk",),
    ),
}
