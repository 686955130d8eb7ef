"""An agent's sub-queries as seeds: the question is taken apart while it is looked up, and all its walks count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from clew.agent.policy import Policy
from clew.agent.protocol import DIALECTS
from clew.retrieval.strategy import Strategy
from clew.types import Fact, Passage, Retrieved, Step

T = TypeVar("T", Fact, Passage)


@dataclass(frozen=True, slots=True)
class SubQuerySettings:
    """``over`` names the strategy that looks up, ``weight`` is what a sub-query counts against the question.

    The agent takes ``turns`` turns at most and reads ``facts`` facts in each; of every query the best ``pool`` facts
    and passages are weighed against each other.
    """

    over: str = "clew"
    weight: float = 0.25
    turns: int = 6
    facts: int = 5
    pool: int = 20


class SubQueries:
    """The walk that begins at what the question speaks of and at what each of an agent's sub-queries speaks of.

    IRCoT (arXiv 2212.10509) retrieves anew for each thought of a model and keeps the union; here the policy needs no
    model, and the union is ordered: personalised PageRank is linear in its restart, so the weighted sum of the masses
    of all walks is that of one walk which begins at all their seeds. Departure: each walk's steps are weighed by its
    own sub-query, which is the point of asking it.
    """

    def __init__(self, name: str, settings: SubQuerySettings, strategy: Strategy, policy: Policy) -> None:
        self.name = name
        self._settings = settings
        self._strategy = strategy
        self._policy = policy

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        """The ``k`` facts and passages of most mass; the round trips of the strategy for each turn, for all queries."""
        pool = max(k, self._settings.pool)
        whole = self._strategy.retrieve(queries, pool)
        steps: list[list[Step]] = [[] for _ in queries]
        found: list[dict[str, Retrieved]] = [{} for _ in queries]
        active = [i for i, query in enumerate(queries) if query.strip()]
        for _ in range(self._settings.turns):
            asked = {i: query for i in active if (query := self._ask(queries[i], steps[i], found[i]))}
            active = list(asked)
            for i, one in zip(asked, self._strategy.retrieve(list(asked.values()), pool), strict=True):
                found[i][asked[i]] = one
                read = self._settings.facts
                steps[i].append(Step("", asked[i], one.facts[:read], one.passages[:read]))
        return [self._summed(one, list(others.values()), k) for one, others in zip(whole, found, strict=True)]

    def _ask(self, question: str, steps: Sequence[Step], found: dict[str, Retrieved]) -> str:
        """The policy's next query; empty where it answers, says nothing that can be used, or asks the same again."""
        turn = DIALECTS["graph-r1"].parse_turn(self._policy.act(question, steps).text)
        return "" if turn.error or turn.query in found else turn.query

    def _summed(self, whole: Retrieved, others: Sequence[Retrieved], k: int) -> Retrieved:
        weighed = [(1.0, whole), *((self._settings.weight, one) for one in others)]
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
