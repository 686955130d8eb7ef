"""The rewards that a recipe names, each as the parts that are added up and logged one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from trainer.algorithm import rewards
from trainer.algorithm.rewards import RewardSettings
from trainer.algorithm.rollout import Rollout
from trainer.config import RewardName

Reward = Callable[[Rollout, RewardSettings], float]


def _form(rollout: Rollout, settings: RewardSettings) -> float:
    return rewards.step_format(rollout, settings) - 1.0


def _answer_in_form(rollout: Rollout, settings: RewardSettings) -> float:
    return rewards.graph_r1(rollout, settings) - _form(rollout, settings)


def _pra(rollout: Rollout, settings: RewardSettings) -> float:
    return rewards.progressive_retrieval(rollout.retrievals, settings)


def _answer(rollout: Rollout, settings: RewardSettings) -> float:
    return rewards.answer_f1(rollout)


def _exact(rollout: Rollout, settings: RewardSettings) -> float:
    return float(rollout.correct)


def _broken_form(rollout: Rollout, settings: RewardSettings) -> float:
    return rewards.r1_searcher_second(rollout, settings) - rewards.answer_f1(rollout)


def _called(rollout: Rollout, settings: RewardSettings) -> float:
    return settings.stage_retrieval * (rollout.retrievals > 0)


def _called_in_form(rollout: Rollout, settings: RewardSettings) -> float:
    return rewards.r1_searcher_first(rollout, settings) - _called(rollout, settings)


OBJECTIVES: Mapping[RewardName, Mapping[str, Reward]] = {
    "graph-r1": {"format": _form, "answer": _answer_in_form},
    "graphrag-r1-pra": {"format": rewards.call_format, "retrieval": _pra},
    "graphrag-r1-caf": {"format": rewards.call_format, "answer": rewards.cost_aware_f1},
    "r1-searcher-1": {"format": _called_in_form, "retrieval": _called},
    "r1-searcher-2": {"format": _broken_form, "answer": _answer},
    "f1": {"answer": _answer},
    "em": {"answer": _exact},
}
"""The sum of a name's parts is its reward: Graph-R1 eq. 15, GraphRAG-R1 eq. 4–7, R1-Searcher's stages, F1, EM."""
