"""KGP: passages found one after another, each for what those before it leave open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clew.embedding import Vectors
from clew.retrieval.graph.hypergraph import Graph, Rows
from clew.retrieval.graph.question import Question
from clew.retrieval.graph.region import best_of
from clew.retrieval.graph.search import Chosen, GraphStrategy, Near, Ranking, Start
from clew.retrieval.recipe import Recipe
from clew.text.names import key

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class KGPSettings:
    """Constants of KGP's traversal.

    It begins at the ``seeds`` nearest passages and goes on from each passage to at most ``width`` neighbours, for
    ``hops`` steps, until ``budget`` passages are found (30 in the paper). Passages are neighbours by an entity that at
    most ``hub`` passages mention; of each entity, the ``cap`` facts nearest to what is missing are looked at.
    """

    seeds: int = 10
    width: int = 3
    hops: int = 2
    budget: int = 30
    hub: int = 100
    cap: int = 50


@dataclass(frozen=True, slots=True)
class Visit:
    """A passage on the way: its row, the fact that led there, its score, the passages before it, and the hop."""

    chunk: int
    fact: int
    score: float
    before: tuple[int, ...] = ()
    hop: int = 0


class KGP(GraphStrategy[KGPSettings]):
    """Knowledge Graph Prompting (arXiv 2308.11730): traversal of the graph of passages, algorithm 1.

    Passages that share a keyword are neighbours. From the nearest passages, the traversal visits the neighbours most
    similar to the evidence that is still missing, and ends when its budget is spent.

    Departures: the paper's fine-tuned model writes the missing evidence from the question and the passages on the way.
    Here it is the question without the names that these passages mention: what they have answered is dropped, and the
    encoder compares what remains. Neighbours share an entity of the hypergraph, and are compared sentence by sentence,
    because a passage's vector blurs the one sentence that continues the way. A passage scores the mean of its own
    similarity and that of the way to it. Seeds are the nearest passages by vector, where the paper takes TF-IDF.
    """

    name = "kgp"
    default = KGPSettings()

    def _near(self) -> Near:
        return Near(chunks=self._settings.seeds)

    def _rank(self, graph: Graph, starts: Sequence[Start], _: int) -> list[Ranking]:
        frontiers = [_seeds(graph, start, self._settings.seeds) for start in starts]
        ways = [{visit.chunk: visit for visit in seeds} for seeds in frontiers]
        for hop in range(1, self._settings.hops + 1):
            missing = self._missing(graph, starts, frontiers)
            frontiers = [
                self._neighbours(graph, way, frontier, vectors, hop)
                for way, frontier, vectors in zip(ways, frontiers, missing, strict=True)
            ]
            for way, new in zip(ways, frontiers, strict=True):
                way.update((visit.chunk, visit) for visit in new)
        return [_ranking(way.values()) for way in ways]

    def _missing(self, graph: Graph, starts: Sequence[Start], frontiers: Sequence[Sequence[Visit]]) -> list[Vectors]:
        """Of each visit the vector of what its way leaves open, (visits, d) a query."""
        texts = [
            [open_question(graph, start.question, (*visit.before, visit.chunk)) for visit in frontier]
            for start, frontier in zip(starts, frontiers, strict=True)
        ]
        distinct = list(dict.fromkeys(text for some in texts for text in some))
        if not distinct:
            return [np.zeros((0, graph.vectors.dimensions), np.float32) for _ in starts]
        vectors = self._place.embedder.embed(distinct)
        place = {text: i for i, text in enumerate(distinct)}
        return [vectors[[place[text] for text in some]] for some in texts]

    def _neighbours(
        self, graph: Graph, way: Mapping[int, Visit], frontier: Sequence[Visit], vectors: Vectors, hop: int
    ) -> list[Visit]:
        """The next visits from the frontier, best first: new passages, and those to which this is the better way."""
        found: dict[int, Visit] = {}
        for visit, vector in zip(frontier, vectors, strict=True):
            before = (*visit.before, visit.chunk)
            for chunk, fact, similarity in self._candidates(graph, visit.chunk, vector, before):
                new = Visit(chunk, fact, (visit.score + similarity) / 2, before, hop)
                known = found.get(chunk) or way.get(chunk)
                if known is None or new.score > known.score:
                    found[chunk] = new
        ordered = sorted(found.values(), key=lambda one: -one.score)
        left = max(0, self._settings.budget - len(way))
        fresh = {visit.chunk for visit in [visit for visit in ordered if visit.chunk not in way][:left]}
        return [visit for visit in ordered if visit.chunk in way or visit.chunk in fresh]

    def _candidates(
        self, graph: Graph, chunk: int, vector: Vectors, without: Sequence[int]
    ) -> list[tuple[int, int, float]]:
        """The neighbouring passages with a fact nearest to a vector, that fact and its cosine, best first."""
        entities = _entities(graph, chunk)
        facts = best_of(graph, entities[graph.passages[entities] <= self._settings.hub], vector, self._settings.cap)
        chunks, owners = graph.chunks_of.of(facts)
        similarity = (graph.vectors[facts] @ vector)[owners]
        similarity[np.isin(chunks, without)] = -np.inf
        order = np.argsort(-similarity, kind="stable")
        _, first = np.unique(chunks[order], return_index=True)
        best = order[np.sort(first)][: self._settings.width]
        best = best[np.isfinite(similarity[best])]
        return list(zip(chunks[best].tolist(), facts[owners[best]].tolist(), similarity[best].tolist(), strict=True))


def open_question(graph: Graph, question: Question, chunks: Sequence[int]) -> str:
    """The question without the names that the passages mention; all of it where nothing else remains."""
    there = set(np.concatenate([_entities(graph, chunk) for chunk in chunks]).tolist())
    text = question.text
    for row, name in zip(question.rows, question.keys, strict=True):
        if row in there:
            text = _without(text, name)
    return text.strip() if key(text).strip() else question.text


def _without(text: str, name: str) -> str:
    """The text without a name, wherever it spells it."""
    words = [match.span() for match in _WORD.finditer(text)]
    size = len(name.split())
    rest, at = "", 0
    for (first, _), (_, last) in zip(words, words[size - 1 :], strict=False):
        if first >= at and key(text[first:last]) == name:
            rest, at = rest + text[at:first], last
    return rest + text[at:]


def _entities(graph: Graph, chunk: int) -> Rows:
    return np.unique(graph.entities_of.of(graph.facts_of.of(np.array([chunk]))[0])[0])


def _seeds(graph: Graph, start: Start, seeds: int) -> list[Visit]:
    visits = []
    for chunk, similarity in zip(start.chunks[:seeds].tolist(), start.chunk_similarity.tolist(), strict=False):
        facts, _ = graph.facts_of.of(np.array([chunk]))
        if len(facts):
            nearest = int(facts[np.argmax(graph.vectors[facts] @ start.whole)])
            visits.append(Visit(chunk, nearest, similarity))
    return visits


def _ranking(way: Iterable[Visit]) -> Ranking:
    """Visits by score; a fact that led to several passages counts once."""
    facts: dict[int, Chosen] = {}
    at: dict[int, int] = {}
    ordered = sorted(way, key=lambda visit: -visit.score)
    for visit in ordered:
        at[visit.hop] = at.get(visit.hop, 0) + 1
        path = f"hop {visit.hop}" if visit.hop else "seed"
        facts.setdefault(visit.fact, Chosen(visit.fact, visit.score, {path: at[visit.hop]}))
    return Ranking(list(facts.values()), [(visit.chunk, visit.score) for visit in ordered])


RECIPES = {
    "kgp": Recipe(
        paper="KGP, arXiv 2308.11730",
        description="From passage to passage, each for what those before it leave open.",
        make=KGP,
        settings=KGPSettings(),
        paths=("hop", "seed"),
    ),
}
