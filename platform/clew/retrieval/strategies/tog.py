"""Think-on-Graph: beam exploration from the entities of a question, fact by fact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clew.retrieval.graph.hypergraph import Graph, Rows
from clew.retrieval.graph.region import best_of
from clew.retrieval.graph.rows import describe
from clew.retrieval.graph.search import Chosen, GraphStrategy, Near, Ranking, Start, ids, stated_in
from clew.retrieval.recipe import Recipe

Scorer = Callable[[str, Sequence[str]], Sequence[float]]
"""How much each of several facts (texts) helps to answer a question, from 0 to 1: the place of a language model."""


@dataclass(frozen=True, slots=True)
class ToGSettings:
    """Constants of Think-on-Graph: beams of ``width`` paths, ``depth`` steps; 3 and 3 in the paper.

    Of an entity, the ``candidates`` facts nearest to the question are scored, and ``cap`` looked at to tell whether an
    entity leads on. A fact one step further counts ``decay`` times as much.
    """

    width: int = 3
    depth: int = 3
    decay: float = 0.3
    candidates: int = 20
    cap: int = 50


@dataclass(frozen=True, slots=True)
class Beam:
    """A reasoning path: the entity it has reached, the facts it went through, and their scores."""

    entity: int
    facts: tuple[int, ...] = ()
    scores: tuple[float, ...] = ()
    ahead: float = 0.0


class ThinkOnGraph(GraphStrategy[ToGSettings]):
    """Think-on-Graph (arXiv 2307.07697): search, prune, go on; section 2.1.

    From the entities that the question names, each step scores the relations around the entities reached, keeps
    ``width`` of each, scores the entities behind these, and keeps the ``width`` best paths.

    Departures: the paper's language model prunes relations and entities, and stops as soon as it can answer. Without
    one, a fact scores by its cosine to the question without its names (a relation has no names), an entity by the best
    fact that it leads to. The search goes to full depth; facts of a later step count less, so that what comes after the
    answer does not push it out. A path may come back to an entity, but not to the one before or to those that the
    question names. A ``scorer`` takes the model's place for facts: an n-ary fact shows its entities along with its
    relation. A question that names nothing begins at the entities nearest to it.
    """

    name = "tog"
    default = ToGSettings()

    def __init__(self, *place: Any, scorer: Scorer | None = None, **options: Any) -> None:
        super().__init__(*place, **options)
        self._scorer = scorer

    def _near(self) -> Near:
        return Near(entities=self._settings.width)

    def _rank(self, graph: Graph, starts: Sequence[Start], _: int) -> list[Ranking]:
        beams = [_topics(start) for start in starts]
        found: list[dict[int, Chosen]] = [{} for _ in starts]
        for step in range(1, self._settings.depth + 1):
            relations = [self._relations(graph, start, own) for start, own in zip(starts, beams, strict=True)]
            if self._scorer:
                relations = self._scored(graph, starts, relations)
            paths = [self._pruned(own) for own in relations]
            for known, own in zip(found, paths, strict=True):
                _note(known, own, step, self._settings.decay ** (step - 1))
            beams = [self._entities(graph, start, own) for start, own in zip(starts, paths, strict=True)]
        return [_ranking(graph, known) for known in found]

    def _relations(self, graph: Graph, start: Start, beams: Sequence[Beam]) -> list[Beam]:
        """Each path with each of the facts that it may go on to."""
        longer = []
        for beam in beams:
            facts = best_of(graph, np.array([beam.entity]), start.masked, self._settings.candidates)
            facts = np.setdiff1d(facts, np.array(beam.facts, np.int64))
            cosines = graph.vectors[facts] @ start.masked
            for fact, cosine in zip(facts.tolist(), cosines.tolist(), strict=True):
                longer.append(Beam(beam.entity, (*beam.facts, fact), (*beam.scores, cosine)))
        return longer

    def _scored(self, graph: Graph, starts: Sequence[Start], paths: Sequence[Sequence[Beam]]) -> list[list[Beam]]:
        """The last scores given anew by the scorer."""
        assert self._scorer
        named = [ids(graph.hyperedges, (beam.facts[-1] for beam in own)) for own in paths]
        rows = describe(self._place.database, (id for some in named for id in some), ()).rows
        scored = []
        for start, own, some in zip(starts, paths, named, strict=True):
            texts = [rows[id]["text"] if id in rows else "" for id in some]
            scores = self._scorer(start.question.text, texts) if texts else []
            pairs = zip(own, scores, strict=True)
            scored.append([Beam(beam.entity, beam.facts, (*beam.scores[:-1], float(one))) for beam, one in pairs])
        return scored

    def _pruned(self, paths: Sequence[Beam]) -> list[Beam]:
        """Of each entity reached, the best facts."""
        kept: list[Beam] = []
        taken: dict[tuple[int, tuple[int, ...]], int] = {}
        for beam in sorted(paths, key=lambda beam: (-round(beam.scores[-1], 5), beam.facts)):
            place = beam.entity, beam.facts[:-1]
            taken[place] = taken.get(place, 0) + 1
            if taken[place] <= self._settings.width:
                kept.append(beam)
        return kept

    def _entities(self, graph: Graph, start: Start, paths: Sequence[Beam]) -> list[Beam]:
        """The best paths with an entity at their end: neither the one before nor one that the question names."""
        ahead: dict[int, float] = {}
        ends: dict[int, Beam] = {}
        for beam in paths:
            entities, _ = graph.entities_of.of(np.array([beam.facts[-1]]))
            for entity in np.setdiff1d(entities, [beam.entity, *start.question.linked]).tolist():
                if entity not in ahead:
                    ahead[entity] = self._ahead(graph, start, entity, beam.facts)
                end = Beam(entity, beam.facts, beam.scores, ahead[entity])
                ends[entity] = max(ends.get(entity, end), end, key=_worth)
        return sorted(ends.values(), key=_worth, reverse=True)[: self._settings.width]

    def _ahead(self, graph: Graph, start: Start, entity: int, facts: Sequence[int]) -> float:
        """The best cosine among the facts that an entity leads to."""
        onward = np.setdiff1d(best_of(graph, np.array([entity]), start.masked, self._settings.cap), facts)
        return float((graph.vectors[onward] @ start.masked).max(initial=0.0))


def _topics(start: Start) -> list[Beam]:
    rows: Rows = start.linked if len(start.linked) else start.entities
    return [Beam(int(row)) for row in rows]


def _worth(beam: Beam) -> tuple[float, int]:
    """What a path promises, rounded: entities that lead to one fact tie, whatever the last digits of its cosine."""
    return round(sum(beam.scores) / max(len(beam.scores), 1) + beam.ahead, 5), -beam.entity


def _note(known: dict[int, Chosen], paths: Sequence[Beam], step: int, share: float) -> None:
    """Add the facts that a step kept, each by its best path, with their rank in the step."""
    new: dict[int, float] = {}
    for beam in paths:
        fact, score = beam.facts[-1], share * sum(beam.scores) / len(beam.scores)
        if fact not in known:
            new[fact] = max(new.get(fact, score), score)
    ordered = sorted(new, key=lambda fact: (-round(new[fact], 5), fact))
    known.update((fact, Chosen(fact, new[fact], {f"step {step}": rank})) for rank, fact in enumerate(ordered, 1))


def _ranking(graph: Graph, known: dict[int, Chosen]) -> Ranking:
    facts = sorted(known.values(), key=lambda fact: -fact.score)
    return Ranking(facts, stated_in(graph, facts))


RECIPES = {
    "tog": Recipe(
        paper="Think-on-Graph, arXiv 2307.07697",
        description="Beam exploration from the entities of the question.",
        make=ThinkOnGraph,
        settings=ToGSettings(),
        paths=("step",),
    ),
}
