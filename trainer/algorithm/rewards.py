"""The papers' rewards, as pure functions of a rollout.

A reward returns its parts by name, and their sum is the reward: ``REWARDS`` has those that recipes name. To add one is
to write such a function and to name it there; its parts are logged, kept with each trajectory and drawn by themselves.
A turn that showed the policy nothing (a repeated query, an empty result) is no retrieval and earns nothing.

A step is well formed when it is one think block followed by exactly one query or answer block and nothing else: what
``ParsedTurn.error`` says. F1 is SQuAD's, best over the gold answers (Graph-R1 §4.2). For a question without
gold answers F1 and EM are 1 where the answer says that the graph does not tell, and else 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from clew.agent.episode import Episode
from clew.evaluation.metrics import f1, normalize_answer
from clew.trainer.algorithm.rollout import Rollout
from clew.types import Fact

UNREADABLE = "\ufffd"
"""What stands in a text where bytes are no character: the text is no longer readable."""


Parts = dict[str, float]
"""A reward's parts by name, the same names for every rollout."""


@dataclass(frozen=True, slots=True)
class RewardSettings:
    """Constants of the reward functions.

    ``format_cap``: R_format of a Graph-R1 trajectory without a final answer, at most; with the paper's 1, endless
    searching pays. ``last_step_only`` is the released code's R_format, which looks at the last step alone.
    ``format_reward`` is GraphRAG-R1's; ``pra_reward`` and ``pra_decay`` are R_0 and k of its eq. 4–6, ``caf_scale`` and
    ``caf_cost`` a and b of eq. 7. ``progress`` and ``structure`` are ProGraph-R1's λ1 and λ2.
    ``stage_retrieval``, ``stage_format`` and ``stage_penalty`` are R1-Searcher's: for retrieving at all, for the form
    in the first stage, and what a broken form costs in the second.
    """

    format_cap: float = 0.5
    last_step_only: bool = False
    format_reward: float = 0.5
    pra_reward: float = 0.5
    pra_decay: float = 0.5
    caf_scale: float = 2.0
    caf_cost: float = 0.1
    progress: float = 0.5
    structure: float = 0.1
    stage_retrieval: float = 0.5
    stage_format: float = 0.5
    stage_penalty: float = -2.0


Reward = Callable[[Rollout, RewardSettings], Parts]


def total(parts: Parts) -> float:
    """The reward: the sum of its parts."""
    return sum(parts.values())


def part_names(reward: Reward, settings: RewardSettings) -> tuple[str, ...]:
    """The names of a reward's parts."""
    return tuple(reward(Rollout("", "", ("",), (), (), Episode()), settings))


def answer_f1(rollout: Rollout) -> float:
    """R_answer: token F1 of the final answer, 0 where there is none (Graph-R1 eq. 14)."""
    return rollout.score(f1)


def step_format(rollout: Rollout, settings: RewardSettings) -> float:
    """R_format = min(1, 0.5 · well-formed steps), and at most the cap without a final answer (Graph-R1 eq. 13)."""
    ends_well = bool(rollout.turns) and rollout.answer is not None and not rollout.turns[-1].error
    if settings.last_step_only:
        return float(ends_well)
    well_formed = sum(not turn.error for turn in rollout.turns)
    return min(1.0 if rollout.answer is not None else settings.format_cap, 0.5 * well_formed)


def graph_r1(rollout: Rollout, settings: RewardSettings) -> Parts:
    """R = (−1 + R_format) + 1[R_format = 1] · R_answer (Graph-R1 eq. 15): from −1 to 1."""
    form = step_format(rollout, settings)
    return {"format": -1.0 + form, "answer": (form == 1.0) * answer_f1(rollout)}


def call_format(rollout: Rollout, settings: RewardSettings) -> float:
    """GraphRAG-R1's format reward: all or nothing (§3.2).

    For a final answer wholly inside its tags, queries inside theirs, at least one retrieval, and readable text.
    """
    readable = all(not turn.error and UNREADABLE not in turn.raw for turn in rollout.turns)
    return settings.format_reward if rollout.answer and rollout.retrievals and readable else 0.0


def progressive_retrieval(retrievals: int, settings: RewardSettings) -> float:
    """PRA: R_n = R_{n−1} + R_0·k^{n−1}, so R_N = R_0 (1 − k^N) / (1 − k), and N·R_0 for k = 1 (GraphRAG-R1 eq. 4–6)."""
    first, k = settings.pra_reward, settings.pra_decay
    return first * retrievals if k == 1 else first * (1 - k**retrievals) / (1 - k)


def cost_aware_f1(rollout: Rollout, settings: RewardSettings) -> float:
    """CAF: R = F1 · a · e^{−b·N}, N the number of retrievals (GraphRAG-R1 eq. 7)."""
    return answer_f1(rollout) * settings.caf_scale * math.exp(-settings.caf_cost * rollout.retrievals)


def graphrag_r1_pra(rollout: Rollout, settings: RewardSettings) -> Parts:
    """The second phase's reward: format and PRA (GraphRAG-R1 §3.3)."""
    return {"format": call_format(rollout, settings), "retrieval": progressive_retrieval(rollout.retrievals, settings)}


def graphrag_r1_caf(rollout: Rollout, settings: RewardSettings) -> Parts:
    """The third phase's reward: format and CAF (GraphRAG-R1 §3.3)."""
    return {"format": call_format(rollout, settings), "answer": cost_aware_f1(rollout, settings)}


def r1_searcher_first(rollout: Rollout, settings: RewardSettings) -> Parts:
    """R1-Searcher's first stage: learn to call, whatever the answer (arXiv 2503.05592, §3.2)."""
    return {
        "format": settings.stage_format * in_form(rollout),
        "retrieval": settings.stage_retrieval * (rollout.retrievals > 0),
    }


def r1_searcher_second(rollout: Rollout, settings: RewardSettings) -> Parts:
    """R1-Searcher's second stage: F1, and a broken form costs (arXiv 2503.05592, §3.2)."""
    return {"format": settings.stage_penalty * (not in_form(rollout)), "answer": answer_f1(rollout)}


def in_form(rollout: Rollout) -> bool:
    """Whether every turn is well formed and the last one answers."""
    return rollout.answer is not None and not any(turn.error for turn in rollout.turns)


def answer_alone(rollout: Rollout, settings: RewardSettings) -> Parts:
    """Token F1 and nothing else: the R1 baseline, and GraphRAG-R1 without CAF (table 2)."""
    return {"answer": answer_f1(rollout)}


def exact_answer(rollout: Rollout, settings: RewardSettings) -> Parts:
    """Exact match, 0 or 1, and nothing else: Search-R1 (arXiv 2503.09516)."""
    return {"answer": float(rollout.correct)}


REWARDS: Mapping[str, Reward] = {
    "graph-r1": graph_r1,
    "graphrag-r1-pra": graphrag_r1_pra,
    "graphrag-r1-caf": graphrag_r1_caf,
    "r1-searcher-1": r1_searcher_first,
    "r1-searcher-2": r1_searcher_second,
    "f1": answer_alone,
    "em": exact_answer,
}
"""The rewards that a recipe's phases name."""


def progress(values: Sequence[float]) -> list[float]:
    """r_t^sp = P(y*|s_≤t) − P(y*|s_<t) for each step, from P(s_0), P(s_1) … P(s_T) (ProGraph-R1 eq. 11)."""
    return [after - before for before, after in pairwise(values)]


def structure(rollout: Rollout) -> list[float]:
    """r_t^struct = r_t^con + r_t^ans for each turn; 0 for one that showed nothing (ProGraph-R1 eq. 12–14).

    r_t^con = |V(G_t) ∩ V(s_<t)| / |V(G_t)|, r_t^ans = |V(G_t) ∩ V(y*)| / |V(G_t)|. V(G_t) are the entities of the
    facts that turn t retrieved; of these, V(s_<t) are those that the question, earlier turns, the turn's own thought
    and query, or earlier facts name, and V(y*) those that a gold answer names.
    """
    words = [rollout.question]
    known: set[str] = set()
    rewards = []
    for turn in rollout.turns:
        words += [turn.thought, turn.query]
        here = entities(turn.facts)
        if here:
            text = _words(" ".join(words))
            gold = [_words(answer) for answer in rollout.answers]
            connected = sum(entity in known or _words(entity) in text for entity in here)
            answering = sum(any(_words(entity) in answer for answer in gold) for entity in here)
            rewards.append((connected + answering) / len(here))
        else:
            rewards.append(0.0)
        known |= here
    return rewards


def step_rewards(rollout: Rollout, values: Sequence[float], outcome: float, settings: RewardSettings) -> list[Parts]:
    """R_t = r_outcome + λ1·r_t^sp + λ2·r_t^struct for each turn, as its three parts (ProGraph-R1 eq. 15).

    ``values`` are P(s_0) to P(s_T), one more than there are turns.
    """
    return [
        {"outcome": outcome, "progress": settings.progress * ahead, "structure": settings.structure * linked}
        for ahead, linked in zip(progress(values), structure(rollout), strict=True)
    ]


def entities(facts: Sequence[Fact]) -> set[str]:
    """V(G): the entities of facts, normalised as answers are."""
    return {name for fact in facts for entity in fact.entities if (name := normalize_answer(entity))}


def _words(text: str) -> str:
    return f" {normalize_answer(text)} "
