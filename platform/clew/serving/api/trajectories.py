"""Stored trajectories, and what people say of them."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from clew.serving.api.access import Base, Checked, needs
from clew.serving.api.shapes import Body, Id, Limit, PolicyName, Skip, StrategyName, Text
from clew.trajectories.read import StoredTrajectory, open_trajectory
from clew.trajectories.standing import Standing
from clew.trajectories.store import MOST_COMMENT, TrajectoryFilter

router = APIRouter(
    prefix="/api/knowledge-bases/{kb}/trajectories",
    tags=["trajectories"],
    dependencies=[needs("read")],
    route_class=Checked,
)

Origin = Literal["chat", "evaluation", "training"]
Rating = Annotated[int, Field(ge=-1, le=1)]


class TrajectoryRow(BaseModel):
    """A trajectory as a list shows it."""

    id: str
    question: str
    answer: str
    answered: bool
    policy: str
    strategy: str
    seconds: float
    stopped: str | None
    comment: str | None
    created: str
    origin: str
    rating: int
    turns: int


class Trajectories(BaseModel):
    """A page of trajectories, and how many pass the filter in all."""

    total: int
    trajectories: list[TrajectoryRow]


class Feedback(Body):
    """Good (1), bad (-1) or neither (0); a missing comment leaves the one that is there."""

    rating: Rating
    comment: Annotated[Text, Field(max_length=MOST_COMMENT)] | None = None


@router.get("")
def trajectories(
    base: Base,
    text: Annotated[Text, Field(max_length=500)] = "",
    policy: PolicyName | None = None,
    strategy: StrategyName | None = None,
    origin: Origin | None = None,
    answered: bool | None = None,
    rating: Rating | None = None,
    skip: Skip = 0,
    limit: Limit = 20,
) -> Trajectories:
    """Trajectories, newest first; ``text`` is looked for in question, answer and comment."""
    wanted = TrajectoryFilter(text, policy, strategy, origin, answered, rating)
    rows, total = base.find_trajectories(wanted, skip=skip, limit=limit)
    return Trajectories(total=total, trajectories=[TrajectoryRow(**row) for row in rows])


@router.get("/{id}")
def trajectory(base: Base, id: Id) -> StoredTrajectory:
    """A trajectory with its turns, its facts as the graph has them now, and what was kept beside it."""
    return open_trajectory(base, id)


@router.get("/{id}/standing")
def standing(base: Base, id: Id) -> list[Standing]:
    """How the places that an answer cites stand now: as they were, moved, changed, or deleted."""
    return base.standing(id)


@router.put("/{id}/feedback", status_code=204, dependencies=[needs("write")])
def rate(base: Base, id: Id, body: Feedback) -> None:
    """Mark a trajectory, so that a trainer can learn from it."""
    base.rate(id, body.rating, body.comment)
