"""A question's hops as seeds: it is taken apart, each hop is looked up in its turn, and all its walks count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from clew.questions.grammar import plan
from clew.questions.plan import Hop, Plan
from clew.retrieval.recipe import Recipe
from clew.retrieval.strategy import Strategy
from clew.text.names import key
from clew.types import Fact, Passage, Retrieved

T = TypeVar("T", Fact, Passage)


@dataclass(frozen=True, slots=True)
class SubQuerySettings:
    """``over`` names the strategy that looks up, ``weight`` is what a hop counts against the question.

    Hops are looked up in ``turns`` turns at most. What a hop leads to are the best ``bridges`` entities of the first
    ``facts`` facts that it found; of every query the best ``pool`` facts and passages are weighed against each other.
    """

    over: str = "clew"
    weight: float = 0.25
    turns: int = 6
    bridges: int = 2
    facts: int = 5
    pool: int = 20


@dataclass(slots=True)
class _Asked:
    """A question on its way: its plan, what may stand in each slot, and what each sub-query found, with its weight."""

    plan: Plan
    values: dict[int, tuple[str, ...]]
    done: int = 0
    found: dict[str, tuple[float, Retrieved]] = field(default_factory=dict)

    def ready(self) -> list[Hop]:
        """The next hops, as far as all that they speak of is known."""
        hops = []
        for hop in self.plan.hops[self.done :]:
            if any(slot not in self.values for slot in hop.slots):
                break
            hops.append(hop)
        return hops


class SubQueries:
    """The walk that begins at what the question speaks of and at what each of its hops speaks of.

    IRCoT (arXiv 2212.10509) retrieves anew for each thought of a model and keeps the union. Here no model thinks: the
    hops are those of the question's grammar, and what a hop leads to are the entities of the facts it found, by their
    share of the walk's mass, without those that were asked about; nobody decides which of them is the answer. The union
    is ordered: personalised PageRank is linear in its restart, so the weighted sum of the masses of all walks is that
    of one walk which begins at all their seeds. Departure: each walk's steps are weighed by its own sub-query, which is
    the point of asking it.
    """

    def __init__(self, name: str, settings: SubQuerySettings, strategy: Strategy) -> None:
        self.name = name
        self._settings = settings
        self._strategy = strategy

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        """The ``k`` facts and passages of most mass; the round trips of the strategy for each turn, for all queries."""
        pool = max(k, self._settings.pool)
        whole = self._strategy.retrieve(queries, pool)
        asked = [_asked(plan(query)) for query in queries]
        for _ in range(self._settings.turns):
            turn = [(one, hop, text) for one in asked for hop in one.ready() for text in self._texts(one, hop)]
            if not turn:
                break
            found = self._strategy.retrieve([text for _, _, text in turn], pool)
            for one in asked:
                one.done += len(one.ready())
            self._keep(turn, found)
        return [self._summed(one, list(others.found.values()), k) for one, others in zip(whole, asked, strict=True)]

    def _texts(self, one: _Asked, hop: Hop) -> list[str]:
        """The sub-queries of a hop, one for each bridge that may be meant; slots of one rank stand together."""
        count = max((len(one.values[slot]) for slot in hop.slots), default=1)
        texts = (
            hop.query({slot: one.values[slot][min(i, len(one.values[slot]) - 1)] for slot in hop.slots})
            for i in range(count)
        )
        return list(dict.fromkeys(text for text in texts if text))

    def _keep(self, turn: Sequence[tuple[_Asked, Hop, str]], found: Sequence[Retrieved]) -> None:
        """Keep what the turn's sub-queries found, and the bridges that they lead to."""
        together: dict[tuple[int, int], list[tuple[str, Retrieved]]] = {}
        for (one, hop, text), what in zip(turn, found, strict=True):
            together.setdefault((id(one), hop.target), []).append((text, what))
        for one, hop in {(id(one), hop.target): (one, hop) for one, hop, _ in turn}.values():
            some = together[id(one), hop.target]
            for text, what in some:
                one.found.setdefault(text, (self._settings.weight / len(some), what))
            one.values[hop.target] = bridges(one.plan.question, some, self._settings.facts)[: self._settings.bridges]

    def _summed(self, whole: Retrieved, others: Sequence[tuple[float, Retrieved]], k: int) -> Retrieved:
        weighed = [(1.0, whole), *others]
        ranks: dict[str, dict[str, int]] = {}
        for number, (_, one) in enumerate(weighed):
            for rank, fact in enumerate(one.facts, 1):
                ranks.setdefault(fact.id, {})[f"sub-query {number}" if number else "question"] = rank
        # A sub-query's cosine says nothing of the question itself.
        similar = {fact.id: fact.similarity for fact in whole.facts}
        facts = _by_mass([(weight, one.facts) for weight, one in weighed])
        passages = _by_mass([(weight, one.passages) for weight, one in weighed])
        return replace(
            whole,
            facts=tuple(
                replace(fact, score=mass, ranks=ranks[fact.id], similarity=similar.get(fact.id))
                for fact, mass in facts[:k]
            ),
            passages=tuple(replace(passage, score=mass) for passage, mass in passages[:k]),
        )


def bridges(question: str, found: Sequence[tuple[str, Retrieved]], facts: int) -> tuple[str, ...]:
    """The entities of the first ``facts`` facts of each query by their facts' share of mass, best first.

    Left out is what the question or the query names, or a part of it.
    """
    masses: dict[str, float] = {}
    for query, one in found:
        known = set(key(f"{question} {query}").split())
        total = sum(fact.score for fact in one.facts) or 1.0
        for fact in one.facts[:facts]:
            for name in fact.entities:
                if not set(key(name).split()) <= known:
                    masses[name] = masses.get(name, 0.0) + fact.score / total
    return tuple(sorted(masses, key=lambda name: (-masses[name], name)))


def _asked(taken: Plan) -> _Asked:
    """A question's beginning; one that is but one hop asks nothing beside itself."""
    alone = len(taken.hops) if len(taken.hops) < 2 else 0
    return _Asked(taken, {slot: (name,) for slot, name in taken.names.items()}, done=alone)


def _by_mass(weighed: Sequence[tuple[float, Sequence[T]]]) -> list[tuple[T, float]]:
    """What was found with the sum of its shares of each walk's mass, most first."""
    first: dict[str, T] = {}
    masses: dict[str, float] = {}
    for weight, items in weighed:
        total = sum(item.score for item in items) or 1.0
        for item in items:
            first.setdefault(item.id, item)
            masses[item.id] = masses.get(item.id, 0.0) + weight * item.score / total
    ranked = sorted(masses, key=lambda id: (-masses[id], id))
    return [(first[id], masses[id]) for id in ranked]


RECIPES = {
    "clew-sub-queries": Recipe(
        paper="Clew; IRCoT, arXiv 2212.10509",
        description="The same walk from the question and from each of its hops, looked up one after the other.",
        make=partial(SubQueries, "clew-sub-queries"),
        settings=SubQuerySettings(),
        paths=("question", "sub-query"),
    ),
}
