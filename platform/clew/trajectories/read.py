"""A stored trajectory with its facts as the graph has them, and what surrounds a fact in the graph."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from clew.database.connection import Database, Row
from clew.retrieval.graph.rows import Described, describe
from clew.settings import Settings
from clew.trajectories.store import TokenRun, load_trajectory, read_citation
from clew.types import Fact, Hop, Json, Step, Trajectory, Usage, Verdict

MOST_AROUND = 12
"""Facts that one look at a node's surroundings brings, at most."""


class Base(Protocol):
    """What is asked of a knowledge base here: its name, its database, its settings."""

    @property
    def name(self) -> str: ...

    @property
    def database(self) -> Database: ...

    @property
    def settings(self) -> Settings: ...


@dataclass(frozen=True, slots=True)
class StoredTrajectory:
    """A trajectory with what was kept beside it; see ``store_trajectory``.

    ``created`` is a date in ISO's form, ``rating`` 1 (good), −1 (bad) or 0, and ``lost`` the number of facts and
    passages that it found and that have been deleted since.
    """

    trajectory: Trajectory
    created: str
    origin: str
    rating: int
    comment: str
    history: tuple[tuple[str, str], ...]
    answers: tuple[str, ...]
    rewards: dict[str, float]
    tokens: tuple[TokenRun, ...]
    lost: int


def open_trajectory(base: Base, id: str) -> StoredTrajectory:
    """A stored trajectory as it was, in two round trips. Raises NotFoundError if there is none with this id."""
    return _restored(base.database, load_trajectory(base.database, base.name, id))


def _verdict(row: Row) -> Verdict:
    """The verdict as it was stored; of a trajectory from before there were verdicts, what its answer tells."""
    if row["verdict"]:
        ends = row["unsupported"] or ()
        spans = tuple(zip(ends[::2], ends[1::2], strict=True))
        return Verdict(row["verdict"], row["verdict_reason"], row["probability"], spans)
    return Verdict("probable", "Answered before answers had verdicts.") if row["answered"] else Verdict("nothing", "")


def _restored(database: Database, row: Row) -> StoredTrajectory:
    facts = {id for step in row["steps"] for id in step["retrieved"]}
    passages = {id for step in row["steps"] for id in step["passages"]}
    described = describe(database, sorted(facts), sorted(passages))
    trajectory = Trajectory(
        id=row["id"],
        kb=row["kb"],
        question=row["question"],
        answer=row["answer"],
        answered=row["answered"],
        steps=tuple(_step(step, described) for step in row["steps"]),
        citations=tuple(map(read_citation, row["citations"])),
        policy=row["policy"],
        strategy=row["strategy"],
        seconds=row["seconds"],
        usage=Usage(
            row["usage_calls"] or 0,
            row["usage_prompt_tokens"] or 0,
            row["usage_completion_tokens"] or 0,
            row["usage_cost"] or 0.0,
        ),
        stopped=row["stopped"] or "",
        verdict=_verdict(row),
        filter=tuple(row["filter"] or ()),
    )
    return StoredTrajectory(
        trajectory,
        row["created"],
        row["origin"],
        row["rating"],
        row["comment"],
        tuple((asked, answer) for asked, answer in row["history"]),
        tuple(row["answers"]),
        row["rewards"],
        tuple(TokenRun(run["owner"], run["turn"], tuple(run["texts"])) for run in row["tokens"]),
        len((facts | passages) - described.rows.keys()),
    )


def _step(row: Row, described: Described) -> Step:
    ways = dict(zip(row["retrieved"], json.loads(row["ways"] or "[]"), strict=False))
    facts = described.facts(row["retrieved"], row["scores"], "")
    return Step(
        thought=row["thought"],
        query=row["query"],
        facts=tuple(_with_way(fact, ways.get(fact.id)) for fact in facts),
        passages=tuple(described.passages(row["passages"], row["passage_scores"])),
        raw=row["raw"] or "",
        note=row["note"] or "",
        seconds=row["seconds"],
    )


def _with_way(fact: Fact, kept: Json | None) -> Fact:
    if kept is None:
        return replace(fact, ranks={})
    way = tuple(Hop(**hop) for hop in kept["way"])
    return replace(fact, ranks=kept["ranks"], way=way, similarity=kept.get("similarity"))


def stated_at(base: Base, spans: Sequence[tuple[str, str, int, int]]) -> list[Fact]:
    """The facts that spans of documents state: each span a document's id, the version of its text, start and end."""
    named = [dict(zip(("document", "version", "start", "end"), span, strict=True)) for span in spans]
    rows = base.database.read("trajectory/stating", kb=base.name, spans=named, limit=MOST_AROUND)
    ids = [str(row["id"]) for row in rows]
    return describe(base.database, ids, ()).facts(ids, [0.0] * len(ids), "cited")


def facts_around(
    base: Base, fact: str, entity: str | None = None, known: Sequence[str] = (), limit: int = MOST_AROUND
) -> list[Fact]:
    """Facts that lie around one in the graph, best tied first, without those that are ``known`` by their ids.

    With the name of an ``entity`` that takes part in it: facts in which the entity takes part. Without: facts that
    share an entity with it. Empty where the fact is gone.
    """
    rows = base.database.read(
        "trajectory/around", kb=base.name, fact=fact, entity=entity, known=list(known), limit=limit
    )
    ids = [str(row["id"]) for row in rows]
    return describe(base.database, ids, ()).facts(ids, [0.0] * len(ids), "around")
