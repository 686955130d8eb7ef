"""Reading a chat reply: a stream of events, or one JSON object from servers that send no stream.

The client of OpenAI reads the events. What differs between servers is met here: thoughts come in fields of two names
or as parts of the content (Mistral), arguments of a call as JSON (Gemini), errors in the middle (OpenRouter, vLLM).
"""

from __future__ import annotations

import contextvars
import json
import queue
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clew.llm.words import words_of
from clew.types import Json

if TYPE_CHECKING:
    from openai import OpenAI

_THOUGHTS = ("reasoning_content", "reasoning")
_NO_STREAM = ("application/json", "text/html")
_REASONS = {
    "length": ("length", "max_tokens", "max_output_tokens", "model_length"),
    "content_filter": ("content_filter", "safety", "refusal", "recitation", "prohibited_content"),
    "error": ("error", "malformed_function_call", "network_error", "insufficient_system_resource"),
}
"""Why a reply ended, in the words of OpenAI and of the servers that gateways pass on (Gemini, Anthropic, Mistral)."""


class ReplyError(Exception):
    """The server sent an error in place of a reply (``is_explained``), or no reply of this protocol, in its words."""

    def __init__(self, words: str, *, is_explained: bool = False) -> None:
        super().__init__(words or "an empty reply")
        self.is_explained = is_explained


@dataclass(frozen=True, slots=True)
class Call:
    """A piece of the call of a tool: pieces with one ``index`` belong together, their ``arguments`` joined are JSON.

    A piece with another ``id`` than those before it begins another call: Ollama gives all calls the index 0.
    """

    index: int
    name: str
    arguments: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a reply. ``reason`` is why it ended, at its end; ``usage`` the tokens read and written, where given.

    A reply that was cut off, held back or not brought to its end has the reason ``length``, ``content_filter`` or
    ``error``.
    """

    text: str = ""
    thought: str = ""
    calls: tuple[Call, ...] = ()
    reason: str = ""
    usage: tuple[int, int] | None = None


def pieces(client: OpenAI, request: Json) -> Generator[Piece]:
    """Send a chat request, and yield its reply as it comes.

    Raises what the client raises, openai.APIError for an error in the middle, and ReplyError for what is no reply.
    """
    from openai import Stream

    path = "/chat/completions"
    with client.post(path, cast_to=object, body=request, stream=True, stream_cls=Stream[object]) as stream:
        if str(stream.response.headers.get("content-type", "")).startswith(_NO_STREAM):
            body = stream.response.read()
            piece = _piece(_json(body))
            if piece is None:
                raise ReplyError(words_of(body))
            yield piece
            return
        for event in stream:
            if piece := _piece(event):
                yield piece


def listened(begin: Callable[[], Generator[Piece]], tick: float) -> Iterator[Piece | None]:
    """The pieces of a reply, read by a thread of its own, and None whenever ``tick`` seconds brought none.

    So whoever listens can stop while a server says nothing: then no more is read, and the connection is closed.
    Raises what ``begin`` and reading raise.
    """
    found: queue.SimpleQueue[Piece | BaseException | None] = queue.SimpleQueue()
    over = threading.Event()

    def work() -> None:
        end: BaseException | None = None
        reading = begin()
        try:
            for piece in reading:
                found.put(piece)
                if over.is_set():
                    break
        except BaseException as error:  # handed over to the thread that listens
            end = error
        finally:
            reading.close()
            found.put(end)

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(work,), name="clew-reply", daemon=True).start()
    try:
        while True:
            try:
                got = found.get(timeout=tick)
            except queue.Empty:
                yield None
                continue
            if isinstance(got, BaseException):
                raise got
            if got is None:
                return
            yield got
    finally:
        over.set()


def _json(body: bytes) -> Any:
    try:
        return json.loads(body, strict=False)
    except (ValueError, RecursionError) as error:
        raise ReplyError(words_of(body)) from error


def _piece(event: Any) -> Piece | None:
    """What an event or a body brings; None for what is neither a reply nor the usage (a ping, a filter's results)."""
    if not isinstance(event, dict) or event.get("error"):
        raise ReplyError(words_of(event), is_explained=isinstance(event, dict))
    choices, usage = event.get("choices"), _usage(event.get("usage"))
    if not choices:
        return Piece(usage=usage) if usage else None
    choice = choices[0]
    message = choice.get("delta") or choice.get("message") or {}
    content, thought = message.get("content"), next(filter(None, (message.get(name) for name in _THOUGHTS)), "")
    if isinstance(content, list):
        thought = thought or "".join(_text(part) for part in content if part.get("type") == "thinking")
        content = "".join(_text(part) for part in content if part.get("type") != "thinking")
    text = str(content or message.get("refusal") or "")
    return Piece(text, str(thought), _calls(message), _reason(choice), usage)


def _reason(choice: Json) -> str:
    """Why a reply ended; OpenRouter may say "stop" of what failed behind it, and what happened in a field beside."""
    reasons = [str(choice.get(name) or "").lower() for name in ("finish_reason", "native_finish_reason")]
    known = (
        name for name, words in _REASONS.items() if reasons[0] in words or (name == "error" and reasons[1] in words)
    )
    return next(known, reasons[0])


def _text(part: Any) -> str:
    """The text of one part of a content, which may be parts again."""
    if isinstance(part, dict):
        return _text(part.get("text") or part.get("thinking") or "")
    return "".join(map(_text, part)) if isinstance(part, list) else str(part)


def _calls(message: Json) -> tuple[Call, ...]:
    calls = []
    for place, one in enumerate(message.get("tool_calls") or ()):
        function, index = one.get("function") or {}, one.get("index")
        given = function.get("arguments") or ""
        given = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
        name, id_ = str(function.get("name") or ""), str(one.get("id") or "")
        calls.append(Call(index if isinstance(index, int) else place, name, given, id_))
    return tuple(calls)


def _usage(usage: Any) -> tuple[int, int] | None:
    if not isinstance(usage, dict):
        return None
    read, wrote = usage.get("prompt_tokens"), usage.get("completion_tokens")
    return (read, wrote) if isinstance(read, int) and isinstance(wrote, int) else None
