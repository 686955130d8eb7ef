"""Trajectories in the graph: a question's turns, each tied to the hyperedges it retrieved, and the chunks it cites."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from clew.agent.abstain import in_a_line
from clew.database.connection import Database, Row
from clew.errors import InputError, NotFoundError, check_choice
from clew.types import Citation, Json, Trajectory

SHORT_NAME = 60
ORIGINS = ("chat", "evaluation", "training")
RATINGS = (-1, 0, 1)
"""Bad, none, good."""
ORDERS = ("newest", "slowest", "dearest", "best", "worst")
MOST_COMMENT = 2_000
"""Characters of a comment."""


@dataclass(frozen=True, slots=True)
class TokenRun:
    """Tokens that one side wrote in one turn (from 0), each as its text; loss may touch those of the policy alone.

    ``owner`` is ``policy`` or ``environment``.
    """

    owner: str
    turn: int
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrajectoryFilter:
    """Which trajectories are wanted; what is empty or None does not matter.

    ``text`` is looked for in question, answer and comment, in any case; ``origin`` is one of ``ORIGINS``, ``rating``
    one of ``RATINGS``, ``verdict`` one of ``clew.types.VerdictKind``.
    """

    text: str = ""
    policy: str | None = None
    strategy: str | None = None
    origin: str | None = None
    answered: bool | None = None
    rating: int | None = None
    verdict: str | None = None


def store_trajectory(
    database: Database,
    trajectory: Trajectory,
    *,
    origin: str = "chat",
    history: Sequence[tuple[str, str]] = (),
    answers: Sequence[str] = (),
    rewards: Mapping[str, float] | None = None,
    tokens: Sequence[TokenRun] = (),
) -> None:
    """Write a trajectory with its steps in one transaction.

    ``history`` holds the earlier questions of its conversation with their answers, ``answers`` the right answers where
    they are known. A trajectory of training also has its ``rewards`` by name and its ``tokens`` in order. Raises
    InputError for an unknown origin.
    """
    check_choice(origin, ORIGINS, "origin of trajectories")
    citations = [asdict(citation) for citation in trajectory.citations]
    properties: Json = {
        "id": trajectory.id,
        "kb": trajectory.kb,
        "name": trajectory.question[:SHORT_NAME],
        "question": trajectory.question,
        "answer": trajectory.answer,
        "answered": trajectory.answered,
        "policy": trajectory.policy,
        "strategy": trajectory.strategy,
        "seconds": trajectory.seconds,
        "stopped": trajectory.stopped,
        "filter": list(trajectory.filter) or None,
        "verdict": trajectory.verdict.kind,
        "verdict_reason": trajectory.verdict.reason,
        "probability": trajectory.verdict.probability,
        "unsupported": [at for span in trajectory.verdict.unsupported for at in span] or None,
        "citations": json.dumps(citations),
        "origin": origin,
        "history": json.dumps([list(pair) for pair in history]) if history else None,
        "answers": list(answers) or None,
        "rewards": json.dumps(dict(rewards)) if rewards else None,
        "score": sum(rewards.values()) if rewards else None,
        "tokens": json.dumps([asdict(run) for run in tokens]) if tokens else None,
        **{f"usage_{name}": value for name, value in asdict(trajectory.usage).items()},
    }
    database.write("trajectory/create", trajectory=properties, steps=_steps(trajectory), citations=citations)


def _steps(trajectory: Trajectory) -> list[Json]:
    return [
        {
            "index": index,
            "properties": {
                "id": f"{trajectory.id}-{index}",
                "kb": trajectory.kb,
                "name": (step.query or "answer")[:SHORT_NAME],
                "thought": step.thought,
                "query": step.query,
                "note": step.note,
                "raw": step.raw,
                "seconds": step.seconds,
                "retrieved": [fact.id for fact in step.facts],
                "scores": [fact.score for fact in step.facts],
                "paths": [", ".join(sorted(fact.ranks)) for fact in step.facts],
                "ways": json.dumps(
                    [
                        {"ranks": fact.ranks, "way": [asdict(h) for h in fact.way], "similarity": fact.similarity}
                        for fact in step.facts
                    ]
                ),
                "passages": [passage.id for passage in step.passages],
                "passage_scores": [passage.score for passage in step.passages],
            },
        }
        for index, step in enumerate(trajectory.steps)
    ]


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
        raise NotFoundError(f"There is no trajectory {id[:40]!r} in knowledge base {kb!r}: it may have been deleted.")
    found: Row = rows[0]["trajectory"]
    citations = [asdict(read_citation(row)) for row in json.loads(found["citations"])]
    parsed = {name: json.loads(found[name] or empty) for name, empty in _JSON.items()}
    return {**found, **parsed, "citations": citations, "steps": rows[0]["steps"]}


_JSON = {"history": "[]", "rewards": "{}", "tokens": "[]"}


def read_citation(row: Row) -> Citation:
    """The citation of a row of plain data."""
    return Citation(**row | {"spans": tuple((start, end) for start, end in row.get("spans", ()))})


def find_trajectories(
    database: Database, kb: str, wanted: TrajectoryFilter, *, skip: int = 0, limit: int = 20, order: str = "newest"
) -> tuple[list[Row], int]:
    """The trajectories that pass the filter, by ``order`` and without their steps, and how many there are in all.

    The ``verdict`` of one that cites words which are no longer there is *outdated*, whatever it was kept with. Raises
    InputError for an order that is none of ``ORDERS``.
    """
    check_choice(order, ORDERS, "order of trajectories")
    filters = {**asdict(wanted), "text": wanted.text.strip().lower()}
    [row] = database.read("trajectory/list", kb=kb, skip=skip, limit=limit, order=order, **filters)
    rows: list[Row] = row["rows"]
    cited = []
    for one in rows:
        citations = json.loads(one.pop("citations"))
        one["answer"] = in_a_line(one["answer"], citations)
        cited += [(one, citation) for citation in citations]
    quotes = [{name: citation[name] for name in ("document", "quote")} for _, citation in cited]
    for touched in database.read("trajectory/touched", kb=kb, quotes=quotes) if quotes else ():
        cited[touched["i"]][0]["verdict"] = "outdated"
    return rows, row["total"]


def count_trajectories(database: Database, kb: str) -> dict[str, dict[str, int]]:
    """How many trajectories there are of each ``policy``, ``strategy`` and ``origin``."""
    counts: dict[str, dict[str, int]] = {"policy": {}, "strategy": {}, "origin": {}}
    for row in database.read("trajectory/kinds", kb=kb):
        for name, values in counts.items():
            values[row[name]] = values.get(row[name], 0) + row["count"]
    return counts


def rate_trajectory(database: Database, kb: str, id: str, rating: int, comment: str | None = None) -> None:
    """Mark a trajectory as good (1), bad (−1) or neither (0), and with a ``comment`` say why; None keeps the old one.

    Raises InputError for any other rating or a long comment, NotFoundError if there is no such trajectory.
    """
    if rating not in RATINGS:
        raise InputError(f"A rating is 1 (good), -1 (bad) or 0 (none), not {rating}.")
    if comment is not None:
        comment = comment.encode("utf-8", "replace").decode().replace("\0", "").strip()
        if len(comment) > MOST_COMMENT:
            raise InputError(f"The comment has {len(comment):,} characters; use at most {MOST_COMMENT:,}.")
    if not database.write("trajectory/rate", kb=kb, id=id, rating=rating, comment=comment):
        raise NotFoundError(f"There is no trajectory {id[:40]!r} in knowledge base {kb!r}: it may have been deleted.")


def delete_trajectories(database: Database, kb: str, ids: Sequence[str]) -> None:
    """Delete trajectories with their steps; one that is gone already is no fault."""
    database.write("trajectory/delete", kb=kb, ids=list(ids))


def home_of_trajectory(database: Database, id: str) -> str | None:
    """The knowledge base in which a trajectory is; None if there is none with this id."""
    rows = database.read("trajectory/home", id=id)
    return str(rows[0]["kb"]) if rows else None
