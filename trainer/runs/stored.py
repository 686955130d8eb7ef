"""Some of a run's trajectories in the graph, where the page Trajectories and Neo4j Browser show them.

The run's own file has all of them; the graph gets the best and the worst of a batch, which say most to a reader.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from clew.database.connection import Database
from clew.errors import DatabaseError
from clew.trainer.algorithm.rollout import Rollout
from clew.trainer.config import Recipe
from clew.trainer.runs.folder import Run
from clew.trajectories.store import TokenRun, store_trajectory
from clew.types import Step, Trajectory, Usage

ORIGIN = "training"


def store_some(
    database: Database,
    run: Run,
    recipe: Recipe,
    step: int,
    rollouts: Sequence[Rollout],
    rewards: Mapping[str, Sequence[float]],
    tokenizer: Any,
) -> None:
    """Store ``training.stored`` trajectories of a batch: as many of the best as of the worst.

    A step that is done again after a resume stores nothing twice. A Neo4j that is away costs the run nothing but them.
    """
    order = sorted(range(len(rollouts)), key=lambda i: sum(values[i] for values in rewards.values()))
    count = min(recipe.training.stored, len(order))
    chosen = order[len(order) - (count + 1) // 2 :] + order[: count // 2]
    phase = recipe.phases[0].name
    for i in chosen:
        rollout = rollouts[i]
        place = f"{run.folder.resolve()} {run.head().get('started')} {phase} {step} {i}"
        parts = {name: values[i] for name, values in rewards.items()}
        try:
            store_trajectory(
                database,
                as_trajectory(rollout, hashlib.sha256(place.encode()).hexdigest()[:32], recipe, f"{run.name}, {phase}"),
                origin=ORIGIN,
                answers=rollout.answers,
                rewards=parts,
                tokens=[
                    TokenRun(s.owner, s.turn, tuple(tokenizer.decode([id]) for id in s.ids)) for s in rollout.segments
                ],
            )
        except DatabaseError:
            return


def as_trajectory(rollout: Rollout, id: str, recipe: Recipe, policy: str) -> Trajectory:
    """A rollout as the agent's trajectories are; what a policy in training says cites nothing."""
    written = sum(rollout.env_mask)
    read = len(rollout.prompt_ids) + len(rollout.env_mask) - written
    return Trajectory(
        id=id,
        kb=recipe.retrieval.kb,
        question=rollout.question,
        answer=rollout.answer or "",
        answered=rollout.answer is not None,
        steps=tuple(
            Step(turn.thought, turn.query, turn.facts, turn.passages, turn.raw, turn.error) for turn in rollout.turns
        ),
        citations=(),
        policy=policy,
        strategy=recipe.retrieval.strategy,
        seconds=0.0,
        usage=Usage(len(rollout.turns), read, written),
        stopped="" if rollout.answer is not None else rollout.stopped,
    )
