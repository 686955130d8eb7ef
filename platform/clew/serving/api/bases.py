"""Knowledge bases, and what this server has."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from clew.explore import look
from clew.knowledge_base import list_knowledge_bases
from clew.retrieval.registry import RECIPES
from clew.serving.api.access import Base, Checked, Granted, Shared, needs

router = APIRouter(prefix="/api", tags=["knowledge bases"], dependencies=[needs("read")], route_class=Checked)


class KnowledgeBaseRow(BaseModel):
    """A knowledge base as a list shows it."""

    name: str
    embedder: str
    dimensions: int
    documents: int


class Contents(BaseModel):
    """How much is in a knowledge base; ``version`` changes whenever anyone writes to it."""

    name: str
    version: str
    nodes: dict[str, int]
    relationships: dict[str, int]


class StrategyRow(BaseModel):
    """A way of searching the graph, and the paper it is from."""

    name: str
    paper: str
    default: bool


@router.get("/strategies")
def strategies(service: Shared) -> list[StrategyRow]:
    """Every retrieval strategy by name."""
    default = service.settings.strategy
    return [StrategyRow(name=name, paper=recipe.paper, default=name == default) for name, recipe in RECIPES.items()]


@router.get("/knowledge-bases")
def knowledge_bases(service: Shared, grant: Granted) -> list[KnowledgeBaseRow]:
    """The knowledge bases that may be read."""
    rows = list_knowledge_bases(service.database)
    return [KnowledgeBaseRow(**row) for row in rows if grant.allows(row["name"], "read")]


@router.get("/knowledge-bases/{kb}")
def knowledge_base(base: Base) -> Contents:
    """What is in a knowledge base."""
    return Contents(name=base.name, version=look.version(base), **base.stats())


@router.delete("/knowledge-bases/{kb}", status_code=204, dependencies=[needs("admin")])
def delete(base: Base) -> None:
    """Delete a knowledge base with all that is in it."""
    base.delete()
