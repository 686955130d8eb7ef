"""Reading a chat reply off the wire, in every shape in which servers send one.

The protocol has a stream of events, each with a ``delta``. Some servers send one JSON object instead, or an error in
the middle; thoughts come in fields of several names, contents as parts of a list, and calls of tools piece by piece.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from clew.llm.words import words_of
from clew.types import Json

_THOUGHTS = ("reasoning_content", "reasoning", "thinking", "reasoning_text", "reasoning_details")
"""The fields in which servers put a model's own thoughts, each text, or a list of parts."""
_SPEECH = ("content", "refusal", "text")
_TEXTS = ("text", "content", "thinking", "summary")
_DEEPEST = 4
# An event stream has no other line ends; str.splitlines would tear JSON that holds U+2028 or U+0085 as they are.
_LINE_END = re.compile(rb"\r\n|\n|\r(?=.)", re.DOTALL)
# Why a reply ended, in the words of other interfaces that gateways pass on (Gemini, Anthropic, Bedrock, Mistral, GLM).
_REASONS = {
    "length": re.compile(r"length|max_?(?:\w+_)?tokens|token_?limit|context_window", re.IGNORECASE),
    "content_filter": re.compile(
        r"filter|safety|sensitive|guardrail|prohibited|recitation|block|refus|moderat|spii", re.IGNORECASE
    ),
    "error": re.compile(r"error|abort|cancel|malformed|insufficient", re.IGNORECASE),
}
_NO_CHOICES = "JSON without choices"
_DONE = ("[done]", '"[done]"')


class ReplyError(Exception):
    """The server sent an error in place of a reply (``told``), or no reply of this protocol, in its words."""

    def __init__(self, words: str, *, told: bool = False) -> None:
        super().__init__(words or "an empty reply")
        self.told = told


@dataclass(frozen=True, slots=True)
class Call:
    """A piece of the call of a tool: pieces with one ``index`` belong together, their ``arguments`` joined are JSON.

    A piece with a name and another ``id`` than those before it begins another call, whatever its index.
    """

    index: int
    name: str
    arguments: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a reply. ``reason`` is why it ended, at its end; ``usage`` the tokens read and written, where told.

    A reply that was cut off, held back or not brought to its end has the reason ``length``, ``content_filter`` or
    ``error``, in whatever words its server says so.
    """

    text: str = ""
    thought: str = ""
    calls: tuple[Call, ...] = ()
    reason: str = ""
    usage: tuple[int, int] | None = None


class Response(Protocol):
    """What is needed of a response over HTTP."""

    @property
    def headers(self) -> Any: ...
    def read(self) -> bytes: ...
    def iter_bytes(self) -> Iterator[bytes]: ...


def pieces(response: Response) -> Iterator[Piece]:
    """The pieces of a reply as they come, whether the server streams it or sends it whole.

    Raises ReplyError where the server sends an error, or anything else than a reply.
    """
    if str(response.headers.get("content-type", "")).lower().startswith("text/event-stream"):
        yield from _events(_lines(response.iter_bytes()))
        return
    body = response.read()
    text = body.decode("utf-8", "replace").strip()
    if text.startswith(("data:", "event:", ":")):  # events under another content type
        yield from _events(_lines([body]))
        return
    try:
        whole = _parsed(text)
    except ReplyError:
        if not text.startswith("{"):
            raise
        yield from _events(_lines([body]))  # an object a line
        return
    piece = _piece(whole)
    if piece is None:
        raise ReplyError(_NO_CHOICES)
    yield piece if piece.reason else replace(piece, reason="stop")


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """The lines of a stream, wherever the network has cut it."""
    rest = b""
    for chunk in chunks:
        *lines, rest = _LINE_END.split(rest + chunk)
        yield from (line.decode("utf-8", "replace") for line in lines)
    yield rest.rstrip(b"\r").decode("utf-8", "replace")


def _payloads(lines: Iterable[str]) -> Iterator[str]:
    """What the events carry, each as soon as it is whole: also JSON over several lines, and JSON without a frame."""
    held: list[str] = []
    bare = False
    for line in lines:
        text = line.strip("\ufeff \t")
        field, _, value = text.partition(":")
        if not text:
            if held:
                yield "\n".join(held)
            held, bare = [], False
            continue
        if bare or (not held and text.startswith("{")):
            bare = True
            held.append(line)
        elif field in ("data", "error"):
            held.append(value.strip())
        else:  # a comment, or a field that says nothing of the reply
            continue
        if _is_whole(held):
            yield "\n".join(held)
            held, bare = [], False
    if held:
        yield "\n".join(held)


def _is_whole(held: list[str]) -> bool:
    """Whether the lines so far make up a payload: JSON that has come to its end, or what is no object at all."""
    if not held[0].startswith("{"):
        return True
    if not held[-1].endswith("}"):
        return False
    try:
        json.loads("\n".join(held))
    except (ValueError, RecursionError):
        return False
    return True


def _events(lines: Iterable[str]) -> Iterator[Piece]:
    ended, replied, other = False, False, ""
    for data in filter(None, _payloads(lines)):
        if data.lower() in _DONE:
            if not ended and (replied or not other):
                yield Piece(reason="stop")
            break
        piece = _piece(_parsed(data))
        if piece is None:  # of a proxy, to keep the line open or to tell of the prompt
            other = other or data
            continue
        replied, ended = True, ended or bool(piece.reason)
        yield piece
    if other and not replied:
        raise ReplyError(_NO_CHOICES)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        raise ReplyError(words_of(text)) from error


def _piece(event: Any) -> Piece | None:
    """What an event or a body brings; None for an object that neither replies nor tells of an error."""
    choices = event.get("choices") if isinstance(event, dict) else None
    if not isinstance(event, dict) or event.get("error") or not (isinstance(choices, list) or event.get("usage")):
        words = words_of(event)
        if words or not isinstance(event, dict):
            raise ReplyError(words or _NO_CHOICES, told=bool(words))
        return None
    usage = _usage(event.get("usage"))
    choice = choices[0] if choices else {}
    if not isinstance(choice, dict):
        raise ReplyError("a choice that is no object")
    if fault := words_of(choice.get("error")):
        raise ReplyError(fault, told=True)
    said = next((part for name in ("delta", "message") if isinstance(part := choice.get(name), dict)), choice)
    text = "".join(_texts(said.get(name), "speech") for name in _SPEECH)
    apart = (_texts(said.get(name), "all") for name in _THOUGHTS)
    thought = next(filter(None, apart), "") or _texts(said.get("content"), "thoughts")
    return Piece(text, thought, _calls(said), _reason(choice), usage)


def _reason(choice: Json) -> str:
    """Why a reply ended. Gateways say "stop" of what failed behind them, and what happened in a field beside it."""
    reason = str(choice.get("finish_reason") or "")
    if reason and _REASONS["error"].search(str(choice.get("native_finish_reason") or "")):
        return "error"
    return next((name for name, words in _REASONS.items() if words.search(reason)), reason)


def _texts(value: Any, kind: Literal["all", "speech", "thoughts"], depth: int = _DEEPEST) -> str:
    """The text of a field, which is a string, or a list with parts of speech and parts of thoughts."""
    if isinstance(value, str):
        return "" if kind == "thoughts" else value
    parts = [value] if isinstance(value, dict) else value
    if not isinstance(parts, list) or depth == 0:
        return ""
    found = []
    for part in parts:
        if not isinstance(part, dict):
            found.append(_texts(part, kind, depth - 1))
            continue
        thinks = "thinking" in part or str(part.get("type", "")).startswith(("reasoning", "thinking"))
        if kind == "all" or thinks is (kind == "thoughts"):
            found.append(_texts(next((part[name] for name in _TEXTS if part.get(name)), ""), "all", depth - 1))
    return "".join(found)


def _calls(said: Json) -> tuple[Call, ...]:
    """The calls of tools in a delta or message; a single ``function_call`` is the older form."""
    listed = said.get("tool_calls")
    raw = listed if isinstance(listed, list) else []
    if isinstance(said.get("function_call"), dict):
        raw = [*raw, {"index": 0, "function": said["function_call"]}]
    calls = []
    for place, one in enumerate(raw):
        function = one.get("function") if isinstance(one, dict) else None
        if not isinstance(function, dict):
            continue
        index, arguments = one.get("index"), function.get("arguments")
        if not isinstance(arguments, str):
            arguments = "" if arguments is None else json.dumps(arguments, ensure_ascii=False)
        place = index if isinstance(index, int) else place
        calls.append(Call(place, str(function.get("name") or ""), arguments, str(one.get("id") or "")))
    return tuple(calls)


def _usage(usage: Any) -> tuple[int, int] | None:
    if not isinstance(usage, dict):
        return None
    read, wrote = usage.get("prompt_tokens"), usage.get("completion_tokens")
    return (read, wrote) if isinstance(read, int) and isinstance(wrote, int) else None
