"""Entities and facts: found by words and meaning, and what is around them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from clew.explore import look
from clew.explore.search import By, describe_entities, describe_facts, search_entities, search_facts
from clew.serving.api.access import Base, Checked, needs
from clew.serving.api.shapes import MOST_QUERY_CHARS, Id, Limit, Skip, Text

router = APIRouter(
    prefix="/api/knowledge-bases/{kb}", tags=["graph"], dependencies=[needs("read")], route_class=Checked
)

Words = Annotated[Text, Field(max_length=MOST_QUERY_CHARS)]
Label = Annotated[Text, Field(min_length=1, max_length=100)]
Shown = Annotated[int, Field(ge=1, le=200)]


class EntityRow(BaseModel):
    """An entity as a list shows it: ``degree`` counts its facts, ``page`` says whether a document is named after it."""

    id: str
    name: str
    type: str | None
    degree: int
    aliases: list[str]
    page: bool


class Participant(BaseModel):
    """An entity's part in a fact."""

    id: str
    name: str
    role: str


class Place(BaseModel):
    """A span of a document that states a fact, in characters of its text."""

    document: str
    title: str
    chunk: str
    start: int
    end: int


class FactRow(BaseModel):
    """A fact: the first ``lead`` characters of ``text`` are the title that was put before the document's own words."""

    id: str
    text: str
    lead: int
    participants: list[Participant]
    sources: list[Place]


class Entity(BaseModel):
    """An entity: its facts by role, the documents named after it, and who shares most facts with it."""

    id: str
    name: str
    type: str | None
    degree: int
    aliases: list[str] | None
    roles: list[dict[str, Any]]
    pages: list[dict[str, Any]]
    neighbours: list[dict[str, Any]]
    documents: list[dict[str, Any]]


@router.get("/entities")
def entities(
    base: Base,
    text: Words = "",
    by: By = "both",
    type: Label | None = None,
    role: Label | None = None,
    limit: Shown = 20,
) -> list[EntityRow]:
    """The entities that fit a text best; without one, the best connected."""
    ids = search_entities(base, text, by=by, type=type, role=role)
    return [EntityRow(**{**row, "aliases": row["aliases"] or []}) for row in describe_entities(base, ids[:limit])]


@router.get("/entities/{id}")
def entity(base: Base, id: Id) -> Entity:
    """An entity with what is around it."""
    return Entity(**look.entity(base, id), **look.around_entity(base, id))


@router.get("/entities/{id}/facts")
def entity_facts(base: Base, id: Id, role: Label | None = None, skip: Skip = 0, limit: Limit = 20) -> list[FactRow]:
    """The facts in which an entity takes part."""
    look.entity(base, id)
    return _facts(base, look.entity_facts(base, id, role=role, skip=skip, limit=limit))


@router.get("/facts")
def facts(
    base: Base,
    text: Words = "",
    by: By = "both",
    document: Id | None = None,
    type: Label | None = None,
    role: Label | None = None,
    limit: Shown = 20,
) -> list[FactRow]:
    """The facts that fit a text best; with ``document``, those that it states."""
    return _facts(base, search_facts(base, text, by=by, document=document, type=type, role=role)[:limit])


@router.get("/facts/{id}")
def fact(base: Base, id: Id) -> dict[str, Any]:
    """A fact with its participants, every place that states it, and the trajectories that found it."""
    return look.fact(base, id)


def _facts(base: Base, ids: list[str]) -> list[FactRow]:
    return [FactRow(**row) for row in describe_facts(base, ids)]
