"""The search of Search-R1 and of verl's tool agents: ``retrieval_service_url: http://HOST:8300/retrieve/NAME``.

What they send is ``{"queries": [...], "topk": k, "return_scores": bool}``. Each document's ``contents`` is its title in
quotation marks, a line break, and the text, which is how those agents take it apart. A rollout asks whatever a model
has written: an empty query brings nothing, and one that is too long is cut, where an error would end a training run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from clew.errors import InputError
from clew.serving.api import metrics
from clew.serving.api.access import KB_NAME, Checked, Granted, Shared, caller, check, needs
from clew.serving.api.questions import MOST_RESULTS
from clew.serving.api.service import Service
from clew.serving.api.shapes import MOST_K, MOST_QUERIES, MOST_QUERY_CHARS, Condition, Lenient, StrategyName
from clew.serving.api.turns import while_there
from clew.types import Fact, Passage, Retrieved

router = APIRouter(tags=["rollouts"], dependencies=[needs("read")], route_class=Checked)


Filter = Annotated[Sequence[Condition], Query(max_length=20)]


class Wanted(Lenient):
    """A batch of queries; other fields are ignored."""

    queries: Annotated[list[str | None], Field(max_length=MOST_QUERIES)]
    topk: Annotated[int, Field(ge=1, le=MOST_K)] | None = None
    return_scores: bool = False


class Doc(BaseModel):
    """A passage; ``contents`` is its title in quotation marks, and its text from the second line on."""

    id: str
    contents: str
    title: str


class Scored(BaseModel):
    """A passage with its score."""

    document: Doc
    score: float


class Results(BaseModel):
    """For each query what it brought, best first; without scores, the documents alone."""

    result: list[list[Scored]] | list[list[Doc]]


@router.post("/retrieve")
async def retrieve_default(
    request: Request,
    service: Shared,
    grant: Granted,
    body: Wanted,
    strategy: StrategyName | None = None,
    filter: Filter = (),
) -> Results:
    """The passages for each query, out of the knowledge base of the settings."""
    check(grant, service.settings.kb, "read")
    return await while_there(request, _retrieve(service, service.settings.kb, body, strategy, filter, caller(request)))


@router.post("/retrieve/{kb}")
async def retrieve(
    kb: Annotated[str, Field(pattern=KB_NAME)],
    request: Request,
    service: Shared,
    body: Wanted,
    strategy: StrategyName | None = None,
    filter: Filter = (),
) -> Results:
    """The passages for each query."""
    return await while_there(request, _retrieve(service, kb, body, strategy, filter, caller(request)))


async def _retrieve(
    service: Service, kb: str, body: Wanted, strategy: str | None, filter: Sequence[str], caller: str
) -> Results:
    k = body.topk or service.settings.top_k
    if k * len(body.queries) > MOST_RESULTS:
        raise InputError(f"{len(body.queries):,} queries of {k} documents are too many at once: send fewer.")
    queries = [(query or "")[:MOST_QUERY_CHARS].encode("utf-8", "replace").decode() for query in body.queries]
    asked = [query for query in queries if query.strip()]
    found = iter(await service.retrieve(kb, asked, k, strategy, filter, caller=caller))
    metrics.QUERIES.labels(strategy or service.settings.strategy).inc(len(asked))
    scored = [_scored(next(found), k) if query.strip() else [] for query in queries]
    if body.return_scores:
        return Results(result=scored)
    return Results(result=[[one.document for one in some] for some in scored])


def _scored(found: Retrieved, k: int) -> list[Scored]:
    """The passages; of a strategy that finds none, the facts."""
    items: tuple[Any, ...] = found.passages or found.facts
    return [Scored(document=_doc(item), score=item.score) for item in items[:k]]


def _doc(item: Passage | Fact) -> Doc:
    title = item.title if isinstance(item, Passage) else next((one.title for one in item.sources), "")
    title = " ".join(title.split())
    return Doc(id=item.id, contents=f'"{title}"\n{item.text}', title=title)
