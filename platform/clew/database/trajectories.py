"""Trajectories in the graph: a question's turns, each tied to the hyperedges it retrieved, and the chunks it cites."""

from __future__ import annotations

import json
from dataclasses import asdict

from clew.database.connection import Database, Row
from clew.errors import NotFoundError
from clew.types import Citation, Json, Trajectory

SHORT_NAME = 60


def store_trajectory(database: Database, trajectory: Trajectory) -> None:
    """Write a trajectory with its steps in one transaction."""
    kb = trajectory.kb
    steps = [
        {
            "index": index,
            "properties": {
                "id": f"{trajectory.id}-{index}",
                "kb": kb,
                "name": (step.query or "answer")[:SHORT_NAME],
                "thought": step.thought,
                "query": step.query,
                "note": step.note,
                "raw": step.raw,
                "seconds": step.seconds,
                "retrieved": [fact.id for fact in step.facts],
                "scores": [fact.score for fact in step.facts],
                "paths": [", ".join(sorted(fact.ranks)) for fact in step.facts],
            },
        }
        for index, step in enumerate(trajectory.steps)
    ]
    citations = [asdict(citation) for citation in trajectory.citations]
    properties: Json = {
        "id": trajectory.id,
        "kb": kb,
        "name": trajectory.question[:SHORT_NAME],
        "question": trajectory.question,
        "answer": trajectory.answer,
        "answered": trajectory.answered,
        "policy": trajectory.policy,
        "strategy": trajectory.strategy,
        "seconds": trajectory.seconds,
        "stopped": trajectory.stopped,
        "citations": json.dumps(citations),
        **{f"usage_{name}": value for name, value in asdict(trajectory.usage).items()},
    }
    database.write("trajectory/create", trajectory=properties, steps=steps, citations=citations)


def mend_trajectories(database: Database, kb: str) -> None:
    """Tie trajectories again to hyperedges and passages that were deleted, and have come back the same."""
    database.write("trajectory/mend_steps", kb=kb)
    if torn := database.read("trajectory/torn", kb=kb):
        rows = [{"id": row["id"], "citations": json.loads(row["citations"])} for row in torn]
        database.write("trajectory/mend_citations", trajectories=rows)


def load_trajectory(database: Database, kb: str, id: str) -> Row:
    """A stored trajectory as plain data: its properties, ``steps`` with their facts, and ``citations``.

    Facts that have been deleted since are left out. Raises NotFoundError if there is no such trajectory.
    """
    rows = database.read("trajectory/get", kb=kb, id=id)
    if not rows:
        raise NotFoundError(f"There is no trajectory {id!r} in knowledge base {kb!r}.")
    found: Row = rows[0]["trajectory"]
    citations = [asdict(Citation(**citation)) for citation in json.loads(found["citations"])]
    return {**found, "citations": citations, "steps": rows[0]["steps"]}
