"""Knowledge bases as models of OpenAI's chat API: ``clew/NAME``, for Open WebUI, LibreChat and the openai clients.

The last user message is the question, those before it with their answers the conversation; system messages, tools and
sampling options have no meaning here, and are passed over. ``filter`` is Clew's own (``extra_body`` of the openai
clients): a list of conditions that keeps the search to some documents. What the agent thinks and looks up comes as
``reasoning_content``, the answer with numbered sources as ``content``, each number also as an annotation. ``clew`` in
the answer names the trajectory and the verdict.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
import uuid
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Annotated, Any, Literal
from urllib.parse import quote as quoted

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, Field

from clew.agent.loop import MAX_QUESTION_CHARS, Event, Finished, Note, Queried, Stepped
from clew.errors import ClewError, InputError, NotFoundError
from clew.ingest.fetch import is_address
from clew.knowledge_base import KnowledgeBase, list_knowledge_bases
from clew.reporting.verdict import WORDS
from clew.serving.api.access import Granted, Shared, check, needs
from clew.serving.api.errors import KINDS, status_of
from clew.serving.api.questions import count
from clew.serving.api.service import Service
from clew.serving.api.shapes import Conditions, Text
from clew.types import Json, Trajectory

router = APIRouter(prefix="/v1", tags=["chat"], dependencies=[needs("read")])

PREFIX = "clew/"
MOST_MESSAGES = 1_000
MOST_CHARS = 200_000
_TAIL = re.compile(r"(?:\s*\[\d+\])*\s*(?:\n\n(?:Sources:|(?:" + "|".join(WORDS.values()) + r"): ).*)?\Z", re.DOTALL)
"""What ``rendered`` has put behind an answer."""
_MARKUP = re.compile(r"([\\`\[\]<>])")
"""What could become a link, an image or HTML where an answer is shown as Markdown."""
_TASK, _CHAT = "### Task:", "<chat_history>"
"""What the prompts have in them by which Open WebUI asks for titles, tags and follow-up questions."""
_FIRST_ASKED = re.compile(r"<chat_history>\s*(?:USER:)?\s*(.{1,60})")


class Part(BaseModel):
    """A part of a message; only those of text are read."""

    type: str
    text: Annotated[Text, Field(max_length=MOST_CHARS)] = ""


class Message(BaseModel):
    """A message of the conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Annotated[Text, Field(max_length=MOST_CHARS)] | list[Part] | None = None

    @property
    def text(self) -> str:
        """Its text. Raises InputError for a part that is something else."""
        if isinstance(self.content, list):
            if other := next((part.type for part in self.content if part.type != "text"), ""):
                raise InputError(f"A knowledge base reads text, not {other[:40]!r}: send text alone.")
            return "\n".join(part.text for part in self.content)
        return self.content or ""


class StreamOptions(BaseModel):
    """Whether the last chunk of a stream tells what a model was paid for."""

    include_usage: bool = False


class Completion(BaseModel):
    """What is read of a request; everything else is passed over."""

    model: Annotated[Text, Field(max_length=100)]
    messages: Annotated[list[Message], Field(min_length=1, max_length=MOST_MESSAGES)]
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: Literal[1] | None = None
    filter: Conditions


class Model(BaseModel):
    """A knowledge base as a model."""

    id: str
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: str = "clew"


class Models(BaseModel):
    """The knowledge bases that may be read, as models."""

    object: Literal["list"] = "list"
    data: list[Model]


class Choice(BaseModel):
    """The one answer."""

    index: int
    message: dict[str, Any]
    finish_reason: str


class Completed(BaseModel):
    """An answer; of a stream, the same comes in chunks."""

    id: str
    object: str
    created: int
    model: str
    choices: list[Choice]
    usage: dict[str, int]
    clew: Json | None = None


@router.get("/models")
def models(service: Shared, grant: Granted) -> Models:
    """The models there are: a knowledge base each."""
    names = [row["name"] for row in list_knowledge_bases(service.database)]
    return Models(data=[Model(id=PREFIX + name) for name in names if grant.allows(name, "read")])


@router.get("/models/{model:path}")
def model(service: Shared, grant: Granted, model: Annotated[Text, Field(max_length=100)]) -> Model:
    """One model."""
    return Model(id=PREFIX + _base(service, grant, model).name)


@router.post(
    "/chat/completions",
    response_model=Completed,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def complete(request: Request, service: Shared, grant: Granted, body: Completion) -> Response:
    """Answer the last user message out of the knowledge base that the model names."""
    base = await asyncio.to_thread(_base, service, grant, body.model)
    question, history = conversation(body.messages)
    head: Json = {"created": int(time.time()), "model": PREFIX + base.name}
    if question.startswith(_TASK) and _CHAT in question:
        replies = _nothing_to_ask(question)
    elif len(question) > MAX_QUESTION_CHARS:
        raise InputError(f"The last message has {len(question):,} characters; ask in at most {MAX_QUESTION_CHARS:,}.")
    else:
        link = f"{request.base_url}api/knowledge-bases/{base.name}/documents"
        asked: Json = {"question": question, "history": history, "filter": body.filter}
        replies = _replies(service, base, asked, link)
    if body.stream:
        usage = bool(body.stream_options and body.stream_options.include_usage)
        return StreamingResponse(_chunks(replies, head, usage), media_type="text/event-stream")
    message: Json = {"role": "assistant", "content": "", "reasoning_content": ""}
    async for delta, last in replies:
        for name, value in delta.items():
            message[name] = message[name] + value if isinstance(message.get(name), str) else value
        if last:
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            return JSONResponse(head | last | {"object": "chat.completion", "choices": [choice]})
        if await request.is_disconnected():
            break
    raise InputError("The client has gone.")


def conversation(messages: list[Message]) -> tuple[str, list[tuple[str, str]]]:
    """The question, and the exchanges before it. Raises InputError where the last message asks nothing."""
    spoken = [(one.role, one.text) for one in messages if one.role in ("user", "assistant")]
    if not spoken or spoken[-1][0] != "user" or not spoken[-1][1].strip():
        raise InputError("The last message must be the user's, and ask something.")
    history = [
        (asked, _TAIL.sub("", answer))
        for (role, asked), (other, answer) in pairwise(spoken)
        if role == "user" and other == "assistant"
    ]
    return spoken[-1][1], history


def rendered(trajectory: Trajectory, addresses: dict[str, str]) -> tuple[str, list[Json]]:
    """An answer as text with numbered sources, and an annotation for each number.

    ``addresses`` is where each document can be opened; what an adopted graph says names its node, too. Nothing in the
    text becomes a link, an image or HTML.
    """
    text = _harmless(trajectory.answer)
    annotations, sources = [], []
    for number, one in enumerate(trajectory.citations, 1):
        mark = f" [{number}]" if number == 1 else f"[{number}]"
        start = len(text) + len(mark) - len(f"[{number}]")
        text += mark
        cited = {"start_index": start, "end_index": len(text), "title": one.title, "url": addresses[one.document]}
        cited |= {"original": one.original} if one.original else {}
        annotations.append({"type": "url_citation", "url_citation": cited})
        page = f", p. {one.page}" if one.page else ""
        page += f", {_harmless(one.section)}" if one.section else ""
        of = f" (MATCH {_harmless(one.original)})" if one.original else ""
        quote = "".join(f"**{_harmless(piece)}**" if bold else _harmless(piece) for piece, bold in one.pieces())
        sources.append(f"{number}. {_harmless(one.title)}{page}: “{quote}”{of}")
    if sources:
        text += "\n\nSources:\n\n" + "\n".join(sources)
    verdict = trajectory.verdict
    if verdict.kind != "sure" and verdict.reason:
        text += f"\n\n{WORDS[verdict.kind]}: {_harmless(verdict.reason)}"
    return text, annotations


Reply = AsyncIterator[tuple[Json, Json]]
"""What is said piece by piece, and with the last piece the id, the usage and Clew's own part."""


async def _replies(service: Service, base: KnowledgeBase, asked: Json, link: str) -> Reply:
    async for event in service.ask(base.name, **asked):
        if not isinstance(event, Finished):
            if thought := _thought(event):
                yield {"reasoning_content": thought}, {}
            continue
        trajectory = event.trajectory
        count(trajectory)
        ids = sorted({one.document for one in trajectory.citations})
        rows = await asyncio.to_thread(base.database.read, "document/origins", kb=base.name, ids=ids) if ids else []
        addresses = {row["id"]: row["source"] for row in rows if is_address(row["source"])}
        text, annotations = rendered(trajectory, {id: f"{link}/{quoted(id)}" for id in ids} | addresses)
        read, wrote = trajectory.usage.prompt_tokens, trajectory.usage.completion_tokens
        yield (
            {"content": text, "annotations": annotations},
            {
                "id": f"chatcmpl-{trajectory.id}",
                "usage": {"prompt_tokens": read, "completion_tokens": wrote, "total_tokens": read + wrote},
                "clew": {
                    "trajectory": trajectory.id,
                    "verdict": trajectory.verdict.kind,
                    "reason": trajectory.verdict.reason,
                    "probability": trajectory.verdict.probability,
                    "answered": trajectory.answered,
                },
            },
        )


async def _nothing_to_ask(prompt: str) -> Reply:
    """What a chat client wants for itself, as a title for the conversation, is no question to a knowledge base."""
    first = _FIRST_ASKED.search(prompt.rpartition("\n### Chat History")[2] or prompt)
    said: Json = {"title": first[1].strip() if first else "Clew", "tags": [], "follow_ups": [], "queries": []}
    usage = dict.fromkeys(("prompt_tokens", "completion_tokens", "total_tokens"), 0)
    yield {"content": json.dumps(said, ensure_ascii=False)}, {"id": f"chatcmpl-{uuid.uuid4().hex}", "usage": usage}


async def _chunks(replies: Reply, head: Json, include_usage: bool) -> AsyncIterator[str]:
    head = head | {"id": f"chatcmpl-{uuid.uuid4().hex}", "object": "chat.completion.chunk"}

    def chunk(delta: Json, reason: str | None = None, **more: Any) -> str:
        return _data(head | {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]} | more)

    yield chunk({"role": "assistant", "content": ""})
    try:
        async for delta, last in replies:
            yield chunk(delta)
            if last:
                more = {"clew": last["clew"]} if "clew" in last else {}
                yield chunk({}, "stop", **more)
                if include_usage:
                    yield _data(head | {"choices": [], "usage": last["usage"]})
    except ClewError as error:
        yield _data({"error": {"message": str(error), "type": KINDS[status_of(error)], "param": None, "code": None}})
    yield "data: [DONE]\n\n"


def _base(service: Service, grant: Any, model: str) -> KnowledgeBase:
    name = model.removeprefix(PREFIX)
    check(grant, name, "read")
    try:
        base = service.base(name)
        base.must_exist()
    except (InputError, NotFoundError):
        raise NotFoundError(f"There is no model {model[:80]!r}: ask /v1/models for those there are.") from None
    return base


def _thought(event: Event) -> str:
    """An event as a line or two for whoever wants to see how the answer came about."""
    match event:
        case Queried(thought=thought, query=query):
            return _harmless(f"{thought}\n→ {query}\n" if thought else f"→ {query}\n")
        case Stepped(step=step) if step.query:
            return f"{len(step.facts)} facts, {len(step.passages)} passages\n\n"
        case Stepped(step=step) if step.thought:
            return _harmless(f"{step.thought}\n")
        case Note(text=text):
            return _harmless(f"{text}\n")
    return ""


def _harmless(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)


def _data(value: Json) -> str:
    return f"data: {json.dumps(value, ensure_ascii=True)}\n\n"
