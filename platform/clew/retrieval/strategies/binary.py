"""The binary graph of Graph-R1's ablation: every hyperedge taken apart into triples of two entities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from clew.embedding import Vectors
from clew.retrieval.fusion import reciprocal_rank
from clew.retrieval.graph.hypergraph import Graph, find
from clew.retrieval.graph.region import best_of
from clew.retrieval.graph.search import Chosen, GraphStrategy, Near, Ranking, Start, ids, search, stated_in
from clew.retrieval.recipe import Recipe
from clew.types import Retrieved


@dataclass(frozen=True, slots=True)
class BinarySettings:
    """Constants of Graph-R1's dual path, with triples in place of hyperedges.

    ``k_entities`` and ``k_triples`` are k_V and k_H. Candidates for the nearest triples are those of the ``near``
    hyperedges nearest to the query, as the triples themselves are not indexed.
    """

    k_entities: int = 5
    k_triples: int = 5
    near: int = 20


@dataclass(frozen=True, slots=True)
class Triple:
    """A binary relation: two entities (ids and names) and the words that join them, as one text."""

    hyperedge: str
    entities: tuple[str, str]
    names: tuple[str, str]
    text: str


class BinaryGraph(GraphStrategy[BinarySettings]):
    """Graph-R1 over a binary graph (arXiv 2507.21892, figures 4 and 5b: binary graph, hypergraph, chunks).

    A hyperedge becomes one triple for each participant but the first: (first participant, the words that lead to the
    other, other). What a triple does not hold is lost: the rest of the participants and all other words. Ranks, texts
    and entities of the facts come from the triples alone, by the two paths of eq. 7–9 over triples.

    Departures: the paper extracts binary facts anew with a language model, here the same facts are taken apart, and
    entities, fusion and passages are those of ``graph-r1``, so that the arity is what differs. What bounds the work is
    the only other difference: of an entity, as many hyperedges as facts are asked for are taken apart, those nearest to
    the query, and triples are near only if their hyperedge is. A fact must be a hyperedge of the graph, so that each
    hyperedge gives its best triple only; its passage is still the whole chunk.
    """

    name = "binary"
    default = BinarySettings()

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        """The best triples and the passages that state them; three round trips a batch, and triples are encoded."""
        by_pair: dict[tuple[str, str], Triple] = {}

        def rank(graph: Graph, starts: Sequence[Start], k: int) -> list[Ranking]:
            rankings = []
            for start, triples in zip(starts, self._candidates(graph, starts, k), strict=True):
                best = self._best(graph, start, triples)
                by_pair.update({(start.question.text, triple.hyperedge): triple for triple, _ in best})
                facts = [chosen for _, chosen in best]
                rankings.append(Ranking(facts, stated_in(graph, facts)))
            return rankings

        near = Near(entities=self._settings.k_entities, hyperedges=self._settings.near, mean=True)
        return [_as_triples(one, by_pair) for one in search(self._place, queries, k, near, rank, fill=False)]

    def _candidates(self, graph: Graph, starts: Sequence[Start], k: int) -> list[dict[Triple, Vectors]]:
        """The triples around each start, with their vectors."""
        around = [_around(graph, start, k) for start in starts]
        wanted = list(dict.fromkeys(id for some in around for id in some))
        rows = self._place.database.read("retrieve/participants", ids=wanted)
        candidates = {row["id"]: list(triples(row["id"], row["text"], row["participants"])) for row in rows}
        texts = list(dict.fromkeys(triple.text for some in candidates.values() for triple in some))
        vectors = dict(zip(texts, self._place.embedder.embed(texts), strict=True))
        return [{triple: vectors[triple.text] for id in some for triple in candidates.get(id, ())} for some in around]

    def _best(self, graph: Graph, start: Start, of: Mapping[Triple, Vectors]) -> list[tuple[Triple, Chosen]]:
        """The triples by both paths, of each hyperedge the best one."""
        named = list(dict.fromkeys(id for one in of for id in one.entities))
        at = {row: at for at, row in enumerate(start.entities.tolist())}
        place = {id: at[row] for id, row in zip(named, graph.entity_rows(named).tolist(), strict=True) if row in at}
        nearest = sorted(of, key=lambda one: -float(of[one] @ start.whole))
        touching = [one for one in nearest if any(entity in place for entity in one.entities)]
        touching.sort(key=lambda one: min(place.get(entity, len(place)) for entity in one.entities))
        ranks: dict[Triple, dict[str, int]] = {}
        for path, some in (("entities", touching), ("triples", nearest[: self._settings.k_triples])):
            for rank, triple in enumerate(some, 1):
                ranks.setdefault(triple, {})[path] = rank
        best: dict[str, Triple] = {}
        for triple in sorted(ranks, key=lambda one: -reciprocal_rank(ranks[one])):
            best.setdefault(triple.hyperedge, triple)
        rows = find(graph.hyperedges, list(best)).tolist()
        return [
            (triple, Chosen(row, reciprocal_rank(ranks[triple]), ranks[triple]))
            for triple, row in zip(best.values(), rows, strict=True)
        ]


def triples(hyperedge: str, text: str, participants: Sequence[tuple[str, str, str]]) -> Iterator[Triple]:
    """A hyperedge taken apart; participants are (id, name, how it is written in the text).

    One that lies within another, such as a part of its name, is left out, and one that the text does not spell has no
    words to join it.
    """
    spelled: list[tuple[int, int, str, str]] = []
    unspelled: list[tuple[int, int, str, str]] = []
    for id, name, surface in sorted(participants, key=lambda one: -len(one[2])):
        start = text.find(surface)
        end = start + len(surface)
        if start < 0:
            unspelled.append((len(text), len(text), id, name))
        elif not any(start < last and first < end for first, last, *_ in spelled):
            spelled.append((start, end, id, name))
    order = [*sorted(spelled), *unspelled]
    for (_, before, *_), (start, _, id, name) in pairwise(order):
        head = order[0]
        words = text[before:start].strip(" :,;") if start < len(text) else ""
        joined = " ".join([head[3], words.removeprefix(head[3]).strip(), name])
        yield Triple(hyperedge, (head[2], id), (head[3], name), " ".join(joined.split()))


def _around(graph: Graph, start: Start, k: int) -> list[str]:
    """The hyperedges to take apart: no more than ``k`` facts around an entity can be given."""
    theirs = best_of(graph, start.entities, start.whole, k)
    return ids(graph.hyperedges, np.union1d(start.hyperedges, theirs))


def _as_triples(one: Retrieved, by_pair: Mapping[tuple[str, str], Triple]) -> Retrieved:
    own = [(fact, by_pair[one.query, fact.id]) for fact in one.facts]
    facts = (replace(fact, text=triple.text, entities=tuple(sorted(triple.names))) for fact, triple in own)
    return replace(one, facts=tuple(facts))


RECIPES = {
    "binary": Recipe(
        paper="Graph-R1, ablation (figures 4, 5b)",
        description="The same over a binary graph: every hyperedge taken apart into triples.",
        make=BinaryGraph,
        settings=BinarySettings(),
        paths=("entities", "triples"),
    ),
}
