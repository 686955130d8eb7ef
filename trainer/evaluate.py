"""How well a policy answers: greedy trajectories over the graph, scored against the gold answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

from clew.evaluation.metrics import exact_match, f1
from clew.evaluation.statistics import mean_interval
from clew.retrieval.strategy import Strategy
from clew.trainer.algorithm.rollout import Generate, Question, Rollout, RolloutSettings, RolloutStats, rollouts
from clew.trainer.config import Recipe
from clew.trainer.models import best_device, check_window, load_model, load_tokenizer
from clew.trainer.sampling import sampler
from clew.types import Json

AT_ONCE = 64
"""Questions whose queries are one retrieval."""


def play(
    generate: Generate,
    tokenizer: Any,
    questions: Sequence[Question],
    strategy: Strategy,
    settings: RolloutSettings,
    *,
    stats: RolloutStats | None = None,
    on_done: Callable[[int], None] = lambda _: None,
) -> list[Rollout]:
    """One trajectory a question, ``AT_ONCE`` at a time; ``generate`` may sample fewer together."""
    found: list[Rollout] = []
    stats = stats or RolloutStats()
    for first in range(0, len(questions), AT_ONCE):
        found += rollouts(generate, tokenizer, questions[first : first + AT_ONCE], strategy, settings, stats=stats)
        on_done(len(found))
    return found


def scores(played: Sequence[Rollout]) -> dict[str, float]:
    """EM, F1, shares and counts of trajectories, each a mean over questions; an open one is a wrong answer."""
    if not played:
        return {}
    return {
        "em": fmean(r.score(exact_match) for r in played),
        "f1": fmean(r.score(f1) for r in played),
        "answered": fmean(r.answer is not None for r in played),
        "well_formed": fmean(all(not turn.error for turn in r.turns) for r in played),
        "retrievals": fmean(r.retrievals for r in played),
        "turns": fmean(len(r.turns) for r in played),
        "tokens": fmean(sum(r.env_mask) for r in played),
    }


def with_intervals(played: Sequence[Rollout]) -> Json:
    """``scores`` with 95 % intervals of EM and F1."""
    found: Json = {"questions": len(played), **scores(played)}
    for name, metric in (("em", exact_match), ("f1", f1)):
        interval = mean_interval([r.score(metric) for r in played])
        if interval:
            found[f"{name}_interval"] = [interval.low, interval.high]
    return found


def evaluate_model(
    recipe: Recipe, path: str, questions: Sequence[Question], strategy: Strategy, on_done: Callable[[int], None]
) -> tuple[Json, list[Rollout]]:
    """Scores of the model at ``path`` by the recipe's limits, greedy, with retrieval's figures; its trajectories."""
    tokenizer = load_tokenizer(path)
    settings = recipe.model.model_copy(update={"path": path})
    model = load_model(settings, trained=False).to(best_device())
    check_window(recipe, model.config, tokenizer, (question.question for question in questions))
    generate = sampler(model, tokenizer, recipe.rollout.dialect, 0.0, recipe.generation.batch)
    stats = RolloutStats()
    played = play(generate, tokenizer, questions, strategy, recipe.rollout, stats=stats, on_done=on_done)
    return {**with_intervals(played), **stats.metrics()}, played
