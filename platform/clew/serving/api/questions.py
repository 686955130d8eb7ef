"""Looking up, and asking."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, Field, TypeAdapter

from clew.agent.loop import Delta, Event, Finished, Note, Queried, Stepped
from clew.errors import ClewError, InputError
from clew.serving.api import metrics
from clew.serving.api.access import Base, Caller, Checked, Shared, needs
from clew.serving.api.errors import STREAM_RESPONSES
from clew.serving.api.service import Service
from clew.serving.api.shapes import MOST_QUERIES, Body, Conditions, K, PolicyName, Query, Question, StrategyName, Text
from clew.serving.api.turns import while_there
from clew.types import Retrieved, Trajectory

router = APIRouter(
    prefix="/api/knowledge-bases/{kb}", tags=["questions"], dependencies=[needs("read")], route_class=Checked
)

MOST_RESULTS = 50_000
"""Queries times k, at most."""
MOST_HISTORY = 50


Said = Annotated[Text, Field(max_length=20_000)]


class Queries(Body):
    """What to look up: each query by itself, all in one batch."""

    queries: Annotated[list[Query], Field(min_length=1, max_length=MOST_QUERIES)]
    k: K | None = None
    strategy: StrategyName | None = None
    filter: Conditions


class Found(BaseModel):
    """What each query brought, in the order of the queries."""

    results: list[Retrieved]


class Asked(Body):
    """A question; ``history`` holds earlier questions with their answers, the latest last."""

    question: Question
    history: Annotated[list[tuple[Said, Said]], Field(max_length=MOST_HISTORY, default_factory=list)]
    policy: PolicyName | None = None
    strategy: StrategyName | None = None
    k: K | None = None
    filter: Conditions

    def options(self) -> dict[str, Any]:
        """The arguments of ``KnowledgeBase.stream``."""
        return self.model_dump(exclude={"question"})


_FOUND = TypeAdapter(Found)


def count(trajectory: Trajectory) -> None:
    """Count an answer."""
    metrics.ANSWERS.labels(trajectory.policy, trajectory.verdict.kind).inc()
    metrics.TOKENS.labels("prompt").inc(trajectory.usage.prompt_tokens)
    metrics.TOKENS.labels("completion").inc(trajectory.usage.completion_tokens)


@router.post("/retrieve", response_model=Found)
async def retrieve(request: Request, kb: str, service: Shared, caller: Caller, body: Queries) -> Response:
    """The best facts and passages for each query, each with where it is stated and why it came."""
    k = body.k or service.settings.top_k
    if k * len(body.queries) > MOST_RESULTS:
        raise InputError(f"{len(body.queries):,} queries of {k} facts are too many at once: send fewer.")
    work = service.retrieve(kb, body.queries, k, body.strategy, body.filter, caller=caller)
    found = await while_there(request, work)
    metrics.QUERIES.labels(body.strategy or service.settings.strategy).inc(len(body.queries))
    # What the library gives is right already: it is written out without being checked again.
    return Response(_FOUND.dump_json(Found.model_construct(results=found)), media_type="application/json")


@router.post("/ask")
async def ask(request: Request, base: Base, service: Shared, caller: Caller, body: Asked) -> Trajectory:
    """The answer with its verdict, citations and turns. The agent stops where the client goes away."""
    return await while_there(request, _answer(service, base.name, caller, body))


async def _answer(service: Service, kb: str, caller: str, body: Asked) -> Trajectory:
    async for event in service.ask(kb, body.question, caller=caller, **body.options()):
        if isinstance(event, Finished):
            count(event.trajectory)
            return event.trajectory
    raise InputError("The question was not answered: ask again.")


@router.post("/ask/stream", response_class=EventSourceResponse, responses=STREAM_RESPONSES)
async def ask_stream(base: Base, service: Shared, caller: Caller, body: Asked) -> AsyncIterator[ServerSentEvent]:
    """The same as server-sent events: ``delta``, ``query``, ``step``, ``note``, and last ``answer`` or ``error``."""
    try:
        async for event in service.ask(base.name, body.question, caller=caller, **body.options()):
            yield server_event(event)
    except ClewError as error:
        yield ServerSentEvent(event="error", data={"message": str(error)})


def server_event(event: Event) -> ServerSentEvent:
    """An event of the agent as one of the stream."""
    match event:
        case Delta(turn=turn, text=text):
            return ServerSentEvent(event="delta", data={"turn": turn, "text": text})
        case Queried(turn=turn, thought=thought, query=query):
            return ServerSentEvent(event="query", data={"turn": turn, "thought": thought, "query": query})
        case Stepped(turn=turn, step=step):
            return ServerSentEvent(event="step", data={"turn": turn, "step": step})
        case Note(turn=turn, text=text, retry=retry):
            return ServerSentEvent(event="note", data={"turn": turn, "text": text, "retry": retry})
        case Finished(trajectory=trajectory):
            count(trajectory)
            return ServerSentEvent(event="answer", data=trajectory)
