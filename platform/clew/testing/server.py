"""A real HTTP server, on loopback, that speaks the OpenAI chat protocol: what it says is a script, its faults too."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import struct
import sys
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Literal

from clew.errors import InputError, check_choice
from clew.testing.modes import MODES, Mode, Said, dressed
from clew.testing.scripts import Script, ScriptEndError, agent
from clew.types import Json, Usage

CHARS_PER_TOKEN = 4
"""The server's tokens are this many characters long."""

_PIECE = 12
_KEPT_REQUESTS = 1_000


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that goes wrong with one request.

    ``status``: an error status (429 with ``retry_after`` seconds, 500 …); ``delay``: ``seconds`` of silence, then the
    reply; ``malformed``: broken JSON; ``html``: a web page instead of JSON; ``drop``: the connection is reset in the
    middle of the reply; ``empty``: a reply without text, whatever format was asked for; ``no_usage``: a reply without
    token counts; ``garbled``: the model's text is cut in the middle and continued with nonsense, likewise.
    """

    kind: Literal["status", "delay", "malformed", "html", "drop", "empty", "no_usage", "garbled"]
    status: int = 500
    retry_after: float | None = None
    seconds: float = 0.0
    message: str = "The test server fails on request."
    code: str = "fault"


Faults = Callable[[int], Fault | None]
"""The fault of the chat request with this number (from 0), or None."""


def schedule(*faults: Fault | None) -> Faults:
    """These faults for the first requests, in order; none for all later ones."""
    return lambda number: faults[number] if number < len(faults) else None


def at_rate(rate: float, *faults: Fault, seed: int = 0) -> Faults:
    """One of ``faults`` for a share ``rate`` (0 to 1) of the requests; the same seed gives the same ones."""

    def choose(number: int) -> Fault | None:
        chance = random.Random(f"{seed}:{number}")
        return chance.choice(faults) if chance.random() < rate else None

    return choose


class ModelServer:
    """A context manager that runs the server in a thread, on a free loopback port unless ``port`` is given.

    It serves POST /v1/chat/completions (plain and streaming, usage, stop strings, token limit, JSON output) and GET
    /v1/models. ``script`` decides what it says, ``agent()`` by default; with an ``api_key`` it asks for that key; more
    than ``context_tokens`` tokens of prompt, or a response format that is not in ``formats``, are refused. ``mode`` is
    a way to differ from other servers, by its name in ``clew.testing.modes``. ``requests``
    holds the bodies of the latest chat requests, ``usage`` what all of them have cost, ``undelivered`` that part of it
    whose replies were broken off.

    Raises InputError if the port is taken, or for an unknown mode.
    """

    def __init__(
        self,
        script: Script | None = None,
        *,
        faults: Faults | None = None,
        model: str = "clew-test",
        api_key: str = "",
        context_tokens: int = 0,
        formats: Sequence[str] = ("json_schema", "json_object"),
        port: int = 0,
        mode: str = "",
    ) -> None:
        self.mode = MODES[check_choice(mode, MODES, "mode")] if mode else Mode("as it is")
        self.script = script or agent()
        self.faults = faults or schedule()
        self.model = model
        self.api_key = api_key
        self.context_tokens = context_tokens
        self.formats = ("text", *formats)
        self.requests: deque[Json] = deque(maxlen=_KEPT_REQUESTS)
        self.usage = self.undelivered = Usage()
        self._count = 0
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"model_server": self})
        try:
            self._server = _Server(("127.0.0.1", port), handler)
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or "a port is a number up to 65535"
            raise InputError(
                f"Port {port} of 127.0.0.1 cannot be used ({why}); choose another, or 0 for any free one."
            ) from error
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def base_url(self) -> str:
        """What to give a client as its base URL."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def next_fault(self, body: Json) -> Fault | None:
        """Record a chat request, and say what goes wrong with it."""
        with self._lock:
            self.requests.append(body)
            self._count += 1
            return self.faults(self._count - 1)

    def charge(self, prompt_tokens: int, completion_tokens: int, *, delivered: bool = True) -> None:
        """Add a reply to ``usage``."""
        with self._lock:
            self.usage += Usage(1, prompt_tokens, completion_tokens)
            if not delivered:
                self.undelivered += Usage(1, prompt_tokens, completion_tokens)


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that is gone: standard error belongs to the program under test."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _RequestError(Exception):
    """An answer with an error status, in the protocol's form."""

    def __init__(
        self, status: int, message: str, code: str = "", retry_after: float | None = None, body: Json | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.retry_after, self.body = status, code, retry_after, body


class _Handler(BaseHTTPRequestHandler):
    model_server: ClassVar[ModelServer]
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: standard error belongs to the program under test."""

    def do_GET(self) -> None:
        if self.path.rstrip("/") == "/v1/models":
            model = {"id": self.model_server.model, "object": "model", "created": 0, "owned_by": "clew"}
            self._json(HTTPStatus.OK, {"object": "list", "data": [model]})
        else:
            self._error(_RequestError(404, f"There is nothing at {self.path}."))

    def do_POST(self) -> None:
        try:
            body = self.rfile.read(max(0, int(self.headers.get("Content-Length") or 0)))
            if self.path.rstrip("/") != "/v1/chat/completions":
                raise _RequestError(404, f"There is nothing at {self.path}.")
            self._complete(body)
        except _RequestError as error:
            self._error(error)
        except (TypeError, ValueError, AttributeError, LookupError) as error:  # a field of another type than it has
            self._error(_RequestError(400, f"The request cannot be read: {error}"))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _complete(self, body: bytes) -> None:
        server = self.model_server
        request = _checked(body)
        fault = server.next_fault(request) or Fault("delay")
        self._admit(request)
        time.sleep(fault.seconds)
        if fault.kind == "status":
            raise _RequestError(fault.status, fault.message, fault.code, fault.retry_after)
        if fault.kind in ("malformed", "html"):
            self._broken(fault, bool(request.get("stream")))
            return
        if self._refused(server.mode, request):
            return
        messages = [{**m, "content": _text(m.get("content"))} for m in request["messages"]]
        prompt_tokens = _tokens("".join(m["content"] for m in messages))
        reply = self._scripted(messages, request, prompt_tokens, fault)
        reply_parts, reason = _limited(dressed(server.mode, reply, tools="tools" in request), request, server.mode)
        wrote = _tokens(
            reply_parts.text
            + reply_parts.thought
            + "".join(name + _arguments(given) for name, given in reply_parts.calls)
        )
        usage = {"prompt_tokens": prompt_tokens, "completion_tokens": wrote, "total_tokens": prompt_tokens + wrote}
        drop = fault.kind == "drop"
        server.charge(prompt_tokens, wrote, delivered=not drop)
        head: Json = {"id": f"chatcmpl-{uuid.uuid4().hex}", "created": int(time.time()), "model": server.model}
        shown = None if fault.kind == "no_usage" else usage
        if request.get("stream") and server.mode.wire != "whole":
            wanted = (request.get("stream_options") or {}).get("include_usage")
            self._stream(head, reply_parts, reason, shown if wanted else None, drop=drop)
        else:
            self._whole(head, reply_parts, reason, shown, drop=drop)

    def _admit(self, request: Json) -> None:
        """Raise what a server says to a wrong key or model."""
        server = self.model_server
        if server.api_key and self.headers.get("Authorization") != f"Bearer {server.api_key}":
            raise _RequestError(401, "The key is wrong.", "invalid_api_key")
        if request.get("model") != server.model:
            raise _RequestError(404, f"The model {request.get('model')!r} does not exist.", "model_not_found")

    def _scripted(self, messages: list[Json], request: Json, prompt_tokens: int, fault: Fault) -> str:
        """What the script says to a request that fits the context, in the format that it asks for."""
        server = self.model_server
        if server.context_tokens and prompt_tokens > server.context_tokens:
            message = f"The prompt has {prompt_tokens} tokens, the context {server.context_tokens}."
            raise _RequestError(400, message, "context_length_exceeded")
        wanted = (request.get("response_format") or {}).get("type", "text")
        if wanted not in server.formats:
            raise _RequestError(400, f"The response format {wanted!r} is not known here.", "unsupported")
        if fault.kind == "empty":
            return ""
        try:
            reply = server.script(messages, request)
        except ScriptEndError as error:
            raise _RequestError(400, str(error), "script_end") from error
        except Exception as error:
            raise _RequestError(500, f"The script failed: {error!r}", "script_failed") from error
        reply = _in_format(reply, request.get("response_format"))
        return f"{reply[: len(reply) // 2]}}}, oh" if fault.kind == "garbled" else reply

    def _whole(self, head: Json, reply: Said, reason: str, usage: Json | None, *, drop: bool) -> None:
        message: Json = {
            "role": "assistant",
            "content": reply.text,
            **_thought(self.model_server.mode, reply.thought),
        }
        if reply.calls:
            message["tool_calls"] = [_call(i, name, _arguments(given)) for i, (name, given) in enumerate(reply.calls)]
        choice = {"index": 0, "message": message, "finish_reason": reason}
        body: Json = {**head, "object": "chat.completion", "choices": [choice]}
        self._json(HTTPStatus.OK, body if usage is None else {**body, "usage": usage}, drop=drop)

    def _refused(self, mode: Mode, request: Json) -> bool:
        """Whether the mode answers this request with an error; it is sent, then."""
        for option, body in mode.refuses.items():
            if option in request:
                raise _RequestError(400, "", body=body)
        if mode.wire == "error as a list":
            raise _RequestError(
                422, "", body={"detail": [{"loc": ["body", "messages"], "msg": "The roles are wrong."}]}
            )
        if mode.wire == "error as text":
            data = b"The tokenizer of this model is missing."
            self._start(HTTPStatus.BAD_REQUEST, "text/plain", {"Content-Length": str(len(data))})
            self.wfile.write(data)
            return True
        return False

    def _stream(self, head: Json, reply: Said, reason: str, usage: Json | None, *, drop: bool) -> None:
        mode = self.model_server.mode
        self._start(HTTPStatus.OK, "text/event-stream", {"Transfer-Encoding": "chunked"})
        head = {**head, "object": "chat.completion.chunk"}
        text = [reply.text[i : i + _PIECE] for i in range(0, len(reply.text), _PIECE)]
        thought = [reply.thought[i : i + 100 * _PIECE] for i in range(0, len(reply.thought), 100 * _PIECE)]
        deltas: list[Json] = [*(_thought(mode, piece) for piece in thought), *({"content": piece} for piece in text)]
        for i, (name, given) in enumerate(reply.calls):
            arguments = _arguments(given)
            half = len(arguments) // 2
            deltas += [{"tool_calls": [_call(i, name, arguments[:half])]}]
            deltas += [{"tool_calls": [{"index": i, "function": {"arguments": arguments[half:]}}]}]
        if mode.wire == "cut off":
            self.close_connection = True
            self._chunk(b"")
            return
        if mode.wire == "odd events":
            self._chunk(b': PROCESSING\r\n\r\nevent: ping\r\ndata: {"type": "ping"}\r\n\r\n')
            self._event({"choices": None, "prompt_filter_results": []})
        if mode.wire == "filtered":
            deltas, reason = deltas[: len(deltas) // 2], "content_filter"
        for i, delta in enumerate(deltas):
            if (drop or mode.wire == "error in the stream") and i * 2 >= len(deltas):
                if drop:
                    self._reset()
                    return
                self._event({"error": {"message": "The model ran out of memory.", "code": 500}})
                break
            delta = {"role": "assistant", **delta} if i == 0 else delta
            self._event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        else:
            self._event({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
            if usage is not None:
                self._event({**head, "choices": [], "usage": usage})
        self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")

    def _broken(self, fault: Fault, stream: bool) -> None:
        if fault.kind == "html":
            kind, body = "text/html", b"<html><body>It works!</body></html>"
        elif stream:
            kind, body = "text/event-stream", b'data: {"choices": [{"delta"\n\n'
        else:
            kind, body = "application/json", b'{"choices": [{"message"'
        self._start(HTTPStatus.OK, kind, {"Content-Length": str(len(body))})
        self.wfile.write(body)

    def _error(self, error: _RequestError) -> None:
        headers = {} if error.retry_after is None else {"Retry-After": f"{error.retry_after:g}"}
        fault = {"message": str(error), "type": "error", "param": None, "code": error.code or None}
        self._json(error.status, error.body or {"error": fault}, headers)

    def _json(self, status: int, body: Json, headers: dict[str, str] | None = None, *, drop: bool = False) -> None:
        data = json.dumps(body).encode()
        self._start(status, "application/json", {"Content-Length": str(len(data)), **(headers or {})})
        self.wfile.write(data[: len(data) // 2] if drop else data)
        if drop:
            self._reset()

    def _start(self, status: int, content_type: str, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": content_type, **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def _event(self, data: Json) -> None:
        if self.model_server.mode.wire == "odd events":
            lines = json.dumps(data, ensure_ascii=False, indent=1).split("\n")
            self._chunk("".join(f"data:{line}\r\n" for line in lines).encode() + b"\r\n")
            return
        self._chunk(f"data: {json.dumps(data)}\n\n".encode())

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _reset(self) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()


def _checked(body: bytes) -> Json:
    try:
        request = json.loads(body)
    except ValueError as error:
        raise _RequestError(400, "The request is not JSON.") from error
    messages = request.get("messages") if isinstance(request, dict) else None
    if not isinstance(messages, list) or not messages or not all(isinstance(m, dict) for m in messages):
        raise _RequestError(400, "The request needs a list of messages.")
    if request.get("n", 1) != 1:
        raise _RequestError(400, "Only n=1 is supported.")
    return dict(request)


def _text(content: Any) -> str:
    """A message's text: a string, or the text parts of a list."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")


def _tokens(text: str) -> int:
    return -(-len(text) // CHARS_PER_TOKEN)


def _limited(reply: Said, request: Json, mode: Mode) -> tuple[Said, str]:
    """The reply up to the first stop string (left out) and the token limit, and why it ends."""
    stops = request.get("stop") or []
    stops = [stops] if isinstance(stops, str) else stops
    text, thought, calls = reply
    if mode.stops_thoughts and (ends := [thought.find(s) for s in stops if s in thought]):
        text, thought, calls = "", thought[: min(ends)], ()
    if mode.stops and (ends := [text.find(s) for s in stops if s in text]):
        text = text[: min(ends)]
    limit = request.get("max_completion_tokens") or request.get("max_tokens")
    if limit and _tokens(thought + text) > limit:
        room = limit * CHARS_PER_TOKEN
        return Said(text[: max(0, room - len(thought))], thought[:room]), "length"
    return Said(text, thought, calls), "tool_calls" if calls else "stop"


def _thought(mode: Mode, thought: str) -> Json:
    return {mode.thoughts: thought} if thought else {}


def _call(index: int, name: str, arguments: str) -> Json:
    return {
        "index": index,
        "id": f"call_{index}",
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }


def _arguments(given: Json | str) -> str:
    return given if isinstance(given, str) else json.dumps(given)


def _in_format(reply: str, response_format: Json | None) -> str:
    """Keep JSON as the script wrote it; dress any other reply in the JSON that the request wants."""
    kind = (response_format or {}).get("type", "text")
    if kind == "text":
        return reply
    with contextlib.suppress(ValueError):
        return json.dumps(json.loads(reply))
    schema = (response_format or {}).get("json_schema", {}).get("schema") if kind == "json_schema" else None
    return json.dumps(_example(schema, schema, reply) if schema else {"text": reply})


def _example(schema: Json, root: Json, text: str) -> Any:
    """The smallest value of a JSON schema, with ``text`` for every string."""
    if "$ref" in schema:
        target: Any = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        return _example(target, root, text)
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    if "enum" in schema:
        return schema["enum"][0]
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return _example(schema[key][0], root, text)
    kinds = schema.get("type", "object")
    kind = kinds[0] if isinstance(kinds, list) else kinds
    if kind == "object":
        properties: Sequence[str] = schema.get("required", list(schema.get("properties", {})))
        return {name: _example(schema["properties"][name], root, text) for name in properties}
    if kind == "array":
        return [_example(schema.get("items", {"type": "string"}), root, text)] * schema.get("minItems", 1)
    least = schema.get("minimum", 0)
    return {"string": text, "integer": int(least), "number": float(least), "boolean": False}.get(kind)
