"""The walk from a question's hops: what each adds, and that it finds what the question alone does not."""

from __future__ import annotations

import pytest

from clew.knowledge_base import KnowledgeBase
from clew.retrieval.strategies.sub_queries import SubQueries, SubQuerySettings, bridges

QUESTION = "Where was the designer of the Old Maren Light born?"
FIRST = "Who is the designer of the Old Maren Light"


def test_the_masses_of_all_walks_are_summed(encyclopaedia: KnowledgeBase) -> None:
    settings = SubQuerySettings(turns=1)
    walk = encyclopaedia.strategy("clew")
    [found] = SubQueries("one turn", settings, walk).retrieve([QUESTION], settings.pool)
    # One by one, as the strategy asks them: in int8 the company of a query moves its vector a little.
    alone = {query: walk.retrieve([query], settings.pool)[0] for query in (QUESTION, FIRST)}

    def share(query: str, id: str) -> float:
        scores = {fact.id: fact.score for fact in alone[query].facts}
        return scores.get(id, 0.0) / sum(scores.values())

    assert {path for fact in found.facts for path in fact.ranks} == {"question", "sub-query 1"}
    for fact in found.facts:
        expected = share(QUESTION, fact.id) + settings.weight * share(FIRST, fact.id)
        assert fact.score == pytest.approx(expected)


def test_what_only_a_sub_query_found_tells_no_cosine_to_the_question(encyclopaedia: KnowledgeBase) -> None:
    settings = SubQuerySettings(weight=1.0, turns=1, pool=5)
    strategy = SubQueries("one turn", settings, encyclopaedia.strategy("clew"))
    [found] = strategy.retrieve([QUESTION], settings.pool)
    alone = [fact for fact in found.facts if "question" not in fact.ranks]
    assert alone
    assert all(fact.similarity is None for fact in alone)
    assert all(fact.similarity is not None for fact in found.facts if "question" in fact.ranks)


def test_a_second_hop_moves_up(encyclopaedia: KnowledgeBase) -> None:
    def rank(strategy: str) -> int:
        [found] = encyclopaedia.retrieve(QUESTION, 20, strategy)
        return next(i for i, fact in enumerate(found.facts) if "born in Quellan" in fact.text)

    assert rank("clew-sub-queries") <= rank("clew")


def test_without_a_turn_it_is_the_walk(encyclopaedia: KnowledgeBase) -> None:
    [plain] = encyclopaedia.retrieve("", 5, "clew-sub-queries")
    assert not plain.facts
    none = SubQueries("none", SubQuerySettings(turns=0), encyclopaedia.strategy("clew"))
    [walked], [found] = encyclopaedia.retrieve(QUESTION, 5, "clew"), none.retrieve([QUESTION], 5)
    assert [fact.id for fact in found.facts] == [fact.id for fact in walked.facts]


def test_a_bridge_is_what_the_facts_of_a_hop_are_about_and_the_question_does_not_name(
    encyclopaedia: KnowledgeBase,
) -> None:
    found = encyclopaedia.strategy("clew").retrieve([FIRST], 5)
    best = bridges(QUESTION, [(FIRST, found[0])], 5)
    assert "Ruben Calloway" in best[:2]
    assert all("Maren" not in name for name in best[:1])
