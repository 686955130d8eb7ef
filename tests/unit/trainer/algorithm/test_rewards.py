"""The reward functions give the values that one works out by hand from the papers' formulas."""

from __future__ import annotations

import math

import pytest

from clew.agent.episode import Turn
from clew.trainer.algorithm import rewards
from clew.trainer.algorithm.rewards import RewardSettings, total
from clew.types import Fact
from tests.unit.trainer.rollouts import QUERY, answering, asking, make_rollout

PAPER = RewardSettings()


@pytest.mark.parametrize(
    ("turns", "form", "reward"),
    [
        ([answering("Paris")], 0.5, -0.5),
        ([asking(), answering("Paris")], 1.0, 1.0),
        ([asking(), asking(), answering("Paris")], 1.0, 1.0),
        ([asking(), answering("Rome")], 1.0, 0.0),
        ([asking(), answering("Paris Texas")], 1.0, 2 / 3),
        ([asking(error="no tags"), answering("Paris")], 0.5, -0.5),
        ([asking(error="no tags"), asking(), answering("Paris")], 1.0, 1.0),
        ([asking(), asking()], 0.5, -0.5),
        ([asking(error="no tags")], 0.0, -1.0),
    ],
)
def test_graph_r1_eq_13_to_15(turns: list[Turn], form: float, reward: float) -> None:
    rollout = make_rollout(*turns, answers=("Paris",))
    assert rewards.step_format(rollout, PAPER) == form
    assert total(rewards.graph_r1(rollout, PAPER)) == pytest.approx(reward)


def test_format_of_endless_searching_is_the_papers_without_the_cap() -> None:
    rollout = make_rollout(asking(), asking(), answers=("Paris",))
    assert rewards.step_format(rollout, RewardSettings(format_cap=1.0)) == 1.0


def test_format_of_the_released_code_is_the_last_steps() -> None:
    released = RewardSettings(last_step_only=True)
    assert rewards.step_format(make_rollout(answering("x"), answers=("x",)), released) == 1.0
    assert rewards.step_format(make_rollout(asking(), answering("x", error="late"), answers=("x",)), released) == 0.0


def test_answer_f1_counts_tokens_as_a_multiset_and_takes_the_best_gold_answer() -> None:
    rollout = make_rollout(asking(), answering("the New New York"), answers=("York", "new york city"))
    # Against "new york city": 2 of 3 tokens shared, 2·2/(3+3); against "york": 1, 2·1/(3+1).
    assert rewards.answer_f1(rollout) == pytest.approx(2 / 3)
    assert rewards.answer_f1(make_rollout(asking(), answers=("York",))) == 0.0


@pytest.mark.parametrize("name", ["graph-r1", "graphrag-r1-caf", "r1-searcher-2", "f1", "em"])
def test_where_there_is_no_answer_saying_so_earns_what_an_answer_does(name: str) -> None:
    def earned(answer: str, *golds: str) -> float:
        return total(rewards.REWARDS[name](make_rollout(asking(), answering(answer), answers=golds), PAPER))

    assert earned("I don\u2019t know.") == earned("unknown") == earned("Paris", "Paris") > earned("Paris")
    assert earned("I don't know", "Paris") == earned("Rome", "Paris") == earned("Paris")


def test_graphrag_r1_format_needs_answer_retrieval_and_form() -> None:
    assert rewards.call_format(make_rollout(asking(), answering("x")), PAPER) == 0.5
    assert rewards.call_format(make_rollout(answering("x")), PAPER) == 0.0
    assert rewards.call_format(make_rollout(asking(), asking()), PAPER) == 0.0
    assert rewards.call_format(make_rollout(asking(error="no tags"), answering("x")), PAPER) == 0.0
    unreadable = make_rollout(asking(raw=f"{QUERY}\ufffd"), answering("x"))
    assert rewards.call_format(unreadable, PAPER) == 0.0


@pytest.mark.parametrize(("retrievals", "value"), [(0, 0.0), (1, 0.5), (2, 0.75), (3, 0.875)])
def test_pra_eq_4_to_6(retrievals: int, value: float) -> None:
    assert rewards.progressive_retrieval(retrievals, PAPER) == pytest.approx(value)


def test_pra_is_a_plain_sum_for_k_1_and_bounded_below_it() -> None:
    assert rewards.progressive_retrieval(4, RewardSettings(pra_decay=1.0)) == 2.0
    assert rewards.progressive_retrieval(1000, PAPER) == pytest.approx(0.5 / (1 - 0.5))


@pytest.mark.parametrize(("retrievals", "value"), [(1, 2 * math.exp(-0.1)), (3, 2 * math.exp(-0.3))])
def test_caf_eq_7(retrievals: int, value: float) -> None:
    rollout = make_rollout(*[asking()] * retrievals, answering("Paris"), answers=("Paris",))
    assert rewards.cost_aware_f1(rollout, PAPER) == pytest.approx(value)
    half = make_rollout(*[asking()] * retrievals, answering("Paris Texas Ranger"), answers=("Paris",))
    assert rewards.cost_aware_f1(half, PAPER) == pytest.approx(value / 2)


def test_the_phases_of_graphrag_r1_add_format() -> None:
    rollout = make_rollout(asking(), asking(), answering("Paris"), answers=("Paris",))
    assert total(rewards.graphrag_r1_pra(rollout, PAPER)) == pytest.approx(0.5 + 0.75)
    assert total(rewards.graphrag_r1_caf(rollout, PAPER)) == pytest.approx(0.5 + 2 * math.exp(-0.2))


def test_progress_eq_11() -> None:
    assert rewards.progress([0.25, 0.5, 1.0, 0.75]) == [0.25, 0.5, -0.25]


def test_structure_eq_12_to_14() -> None:
    first = Fact("1", "Ann met Bob in Rome", ("Ann", "Bob", "Rome"), 1.0)
    second = Fact("2", "Bob likes Ada", ("Bob", "Ada", "Kim", "Lee"), 1.0)
    rollout = make_rollout(
        asking(thought="start", query="Ann", facts=(first,)),
        asking(thought="next", query="friends of Bob", facts=(second,)),
        answering("Ada"),
        question="Who is it that Ann's friend likes?",
        answers=("Ada",),
    )
    # Turn 1: of Ann, Bob, Rome the question names Ann; the answer none. Turn 2: of four, Bob is known, and Ada is gold.
    assert rewards.structure(rollout) == pytest.approx([1 / 3, 1 / 4 + 1 / 4, 0.0])


def test_step_rewards_eq_15() -> None:
    fact = Fact("1", "Ann met Bob", ("Ann", "Bob"), 1.0)
    rollout = make_rollout(asking(query="Ann", facts=(fact,)), answering("Bob"), question="Q", answers=("Bob",))
    # Structure of turn 1: Ann is named by the query, Bob is gold: 1/2 + 1/2.
    values = rewards.step_rewards(rollout, [0.2, 0.6, 1.0], 1.0, RewardSettings(progress=0.5, structure=0.1))
    assert [list(parts) for parts in values] == [["outcome", "progress", "structure"]] * 2
    assert [total(parts) for parts in values] == pytest.approx([1 + 0.5 * 0.4 + 0.1 * 1.0, 1 + 0.5 * 0.4])


def test_a_turn_that_showed_nothing_earns_nothing_and_costs_nothing() -> None:
    fact = Fact("1", "Ann met Bob", ("Ann", "Bob"), 1.0)
    once = make_rollout(asking(query="Ann", facts=(fact,)), answering("Bob"), answers=("Bob",))
    again = make_rollout(
        asking(query="Ann", facts=(fact,)), asking(query="Ann", facts=()), answering("Bob"), answers=("Bob",)
    )
    for reward in rewards.REWARDS.values():
        assert reward(again, PAPER) == reward(once, PAPER)
    assert rewards.structure(again) == [rewards.structure(once)[0], 0.0, 0.0]


def test_r1_searcher_first_rewards_the_call_and_then_the_answer() -> None:
    good = make_rollout(asking(), answering("Paris"), answers=("Paris",))
    broken = make_rollout(asking(error="no tags"), answering("Paris"), answers=("Paris",))
    direct = make_rollout(answering("Rome"), answers=("Paris",))
    assert [total(rewards.r1_searcher_first(r, PAPER)) for r in (good, broken, direct)] == [1.0, 0.5, 0.5]
    assert [total(rewards.r1_searcher_second(r, PAPER)) for r in (good, broken, direct)] == [1.0, -1.0, 0.0]
