"""Knowledge bases as models of OpenAI's chat API: ``clew/NAME``, for Open WebUI, LibreChat and the openai clients.

The last user message is the question, those before it with their answers the conversation; system messages, tools and
sampling options have no meaning here, and are passed over. So are pictures, files and sound, which is said. ``filter``
is Clew's own (``extra_body`` of the openai clients): a list of conditions that keeps the search to some documents. What
the agent thinks and looks up comes as ``reasoning_content``, the answer with numbered sources as ``content``, each
number also as an annotation. ``clew`` in the answer names the trajectory, the verdict and what was left out.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
import uuid
from collections import Counter
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
from clew.reporting.verdict import STATED, WORDS
from clew.serving.api.access import Checked, Granted, Shared, caller, check, needs
from clew.serving.api.errors import KINDS, status_of
from clew.serving.api.questions import count
from clew.serving.api.service import Service
from clew.serving.api.shapes import Conditions, Lenient, Text
from clew.serving.api.turns import while_there
from clew.types import Json, Trajectory

router = APIRouter(prefix="/v1", tags=["chat"], dependencies=[needs("read")], route_class=Checked)

PREFIX = "clew/"
MOST_MESSAGES = 100
"""Messages of a conversation that are looked at; the last ones."""
MOST_CHARS = 4_000
"""Characters of an earlier message that are looked at; the first ones."""
_TEXTS = ("text", "input_text", "output_text", "refusal")
"""Types of parts of a message that are text."""
_KINDS = {"image": "picture", "audio": "sound", "video": "video", "file": "file"}
"""What other parts are called, by what their type has in it."""
_ENDS = "|".join(("Sources:", "Left out: ", *(f"{word}: " for word in WORDS.values())))
_TAIL = re.compile(rf"(?:\s*\[\d+\])*\s*(?:\n\n(?:{_ENDS}).*)?\Z", re.DOTALL)
"""What ``rendered`` has put behind an answer."""
_MARKUP = re.compile(r"([\\`\[\]<>])")
"""What could become a link, an image or HTML where an answer is shown as Markdown."""
_TASK, _CHAT = "### Task:", "<chat_history>"
"""What the prompts have in them by which Open WebUI asks for titles, tags and follow-up questions."""
_FIRST_ASKED = re.compile(r"<chat_history>\s*(?:USER:)?\s*(.{1,60})")


class Message(Lenient):
    """A message of the conversation: a text, or parts of which those of text are read."""

    role: str
    content: Any = None
    audio: Any = None

    @property
    def text(self) -> str:
        """Its text, without what neither UTF-8 nor the database can hold."""
        text = "\n".join(part for part in map(_text, self._parts()) if part is not None)
        return text.encode("utf-8", "replace").decode().replace("\0", " ")

    @property
    def left_out(self) -> list[str]:
        """The kinds of its parts that are no text, such as ``picture``."""
        spoken = ["sound"] if self.audio else []
        return spoken + [_kind(part) for part in self._parts() if part is not None and _text(part) is None]

    def _parts(self) -> list[Any]:
        return self.content if isinstance(self.content, list) else [self.content]


def _text(part: Any) -> str | None:
    """The text of a part; None for one that is something else."""
    if isinstance(part, dict):
        part = part.get("text") or part.get("refusal") or "" if part.get("type") in _TEXTS else None
    return part if isinstance(part, str) else None


def _kind(part: Any) -> str:
    kind = str(part.get("type", "part") if isinstance(part, dict) else "part")
    return next((word for sign, word in _KINDS.items() if sign in kind), kind[:40])


class StreamOptions(Lenient):
    """Whether the last chunk of a stream tells what a model was paid for."""

    include_usage: bool = False


class Completion(Lenient):
    """What is read of a request; everything else is passed over."""

    model: Annotated[Text, Field(max_length=100)]
    messages: Annotated[list[Message], Field(min_length=1)]
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
    kinds = Counter(kind for one in body.messages for kind in one.left_out)
    newly = Counter(_spoken(body.messages)[-1].left_out)
    head: Json = {"created": int(time.time()), "model": PREFIX + base.name}
    if not question:
        replies = _fixed_reply(f"{_left_out(newly)} Ask in words.", kinds)
    elif question.startswith(_TASK) and _CHAT in question:
        replies = _fixed_reply(_nothing_to_ask(question), kinds)
    elif len(question) > MAX_QUESTION_CHARS:
        raise InputError(f"The last message has {len(question):,} characters; ask in at most {MAX_QUESTION_CHARS:,}.")
    else:
        link = f"{request.base_url}api/knowledge-bases/{base.name}/documents"
        asked: Json = {"question": question, "history": history, "filter": body.filter, "caller": caller(request)}
        replies = _replies(service, base, asked, link, (kinds, newly))
    if body.stream:
        usage = bool(body.stream_options and body.stream_options.include_usage)
        return StreamingResponse(_chunks(replies, head, usage), media_type="text/event-stream")
    return JSONResponse(await while_there(request, _whole(replies, head)))


async def _whole(replies: Reply, head: Json) -> Json:
    message: Json = {"role": "assistant", "content": "", "reasoning_content": ""}
    async for delta, last in replies:
        for name, value in delta.items():
            message[name] = message[name] + value if isinstance(message.get(name), str) else value
        if last:
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            return head | last | {"object": "chat.completion", "choices": [choice]}
    raise InputError("The question was not answered: ask again.")


def conversation(messages: list[Message]) -> tuple[str, list[tuple[str, str]]]:
    """The question, and the exchanges before it; no question where the last message has only pictures and the like.

    Raises InputError where it asks nothing.
    """
    spoken = _spoken(messages)
    question = spoken[-1].text.strip() if spoken else ""
    if not question and not (spoken and spoken[-1].left_out):
        raise InputError("The last message of the user must ask something.")
    history = [
        (asked.text[:MOST_CHARS], _TAIL.sub("", answer.text[:MOST_CHARS]))
        for asked, answer in pairwise(spoken[-MOST_MESSAGES:])
        if (asked.role, answer.role) == ("user", "assistant") and asked.text.strip()
    ]
    return question, history


def _spoken(messages: list[Message]) -> list[Message]:
    """What user and assistant said up to the last question, behind which agents have calls of their tools."""
    spoken = [one for one in messages if one.role in ("user", "assistant")]
    while spoken and spoken[-1].role != "user":
        spoken.pop()
    return spoken


def _left_out(kinds: Counter[str]) -> str:
    counted = ", ".join(f"{number} × {_harmless(kind)}" for kind, number in kinds.items())
    return f"Left out: {counted}; a knowledge base reads text." if counted else ""


def rendered(trajectory: Trajectory, addresses: dict[str, str]) -> tuple[str, list[Json]]:
    """An answer as text with numbered sources, and an annotation for each number.

    ``addresses`` is where each document can be opened; what an adopted graph says names its node, too. Nothing in the
    text becomes a link, an image or HTML.
    """
    text = _harmless(trajectory.answer)
    annotations, sources = [], []
    for number, one in enumerate(trajectory.citations, 1):
        if trajectory.is_supported:
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
        lead = "Sources" if trajectory.is_supported else "These sentences come nearest"
        text += f"\n\n{lead}:\n\n" + "\n".join(sources)
    verdict = trajectory.verdict
    if verdict.reason not in ("", STATED):
        text += f"\n\n{WORDS[verdict.kind]}: {_harmless(verdict.reason)}"
    return text, annotations


Reply = AsyncIterator[tuple[Json, Json]]
"""What is said piece by piece, and with the last piece the id, the usage and Clew's own part."""


async def _replies(
    service: Service, base: KnowledgeBase, asked: Json, link: str, left_out: tuple[Counter[str], Counter[str]]
) -> Reply:
    """``left_out`` counts what was no text: in the conversation, and in the question, where the answer says so."""
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
        text += f"\n\n{_left_out(left_out[1])}" if left_out[1] else ""
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
                    "left_out": dict(left_out[0]),
                },
            },
        )


def _nothing_to_ask(prompt: str) -> str:
    """What a chat client wants for itself, as a title for the conversation, is no question to a knowledge base."""
    first = _FIRST_ASKED.search(prompt.rpartition("\n### Chat History")[2] or prompt)
    wanted: Json = {"title": first[1].strip() if first else "Clew", "tags": [], "follow_ups": [], "queries": []}
    return json.dumps(wanted, ensure_ascii=False)


async def _fixed_reply(text: str, kinds: Counter[str]) -> Reply:
    """A reply that asks the graph nothing."""
    usage = dict.fromkeys(("prompt_tokens", "completion_tokens", "total_tokens"), 0)
    clew: Json = {"answered": False, "left_out": dict(kinds)}
    yield {"content": text}, {"id": f"chatcmpl-{uuid.uuid4().hex}", "usage": usage, "clew": clew}


async def _chunks(replies: Reply, head: Json, include_usage: bool) -> AsyncIterator[str]:
    head = head | {"id": f"chatcmpl-{uuid.uuid4().hex}", "object": "chat.completion.chunk"}

    def chunk(delta: Json, reason: str | None = None, **more: Any) -> str:
        return _data(head | {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]} | more)

    yield chunk({"role": "assistant", "content": ""})
    try:
        async for delta, last in replies:
            yield chunk(delta)
            if last:
                yield chunk({}, "stop", clew=last["clew"])
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
