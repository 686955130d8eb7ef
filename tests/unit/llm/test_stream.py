"""A chat reply off the wire, as OpenAI and the servers that speak its protocol write it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import openai
import pytest

from clew.llm.chat import chat_client
from clew.llm.stream import Call, Piece, ReplyError, listened, pieces
from clew.settings import load_settings


@contextmanager
def sending(body: str, kind: str = "text/event-stream") -> Iterator[openai.OpenAI]:
    """A client of a server that replies with this body."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(body.encode())

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield chat_client(load_settings(_env_file=None, llm_model="m", llm_base_url=address))
    finally:
        server.shutdown()
        server.server_close()


def events(*rows: Any) -> str:
    return "".join(f"data: {json.dumps(row)}\n\n" for row in rows) + "data: [DONE]\n\n"


def delta(end: str | None = None, **said: Any) -> Any:
    return {"choices": [{"index": 0, "delta": said, "finish_reason": end}]}


def came(body: str, kind: str = "text/event-stream") -> list[Piece]:
    with sending(body, kind) as client:
        return list(pieces(client, {"model": "m", "messages": [], "stream": True}))


def test_events_are_pieces_and_what_says_nothing_is_passed_over() -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}
    azure: dict[str, Any] = {"choices": [], "prompt_filter_results": []}
    body = ": OPENROUTER PROCESSING\n\nevent: ping\ndata: {}\n\n" + events(
        azure, delta(content="Zoë\u2028"), delta(content="!"), delta("stop"), usage
    )
    assert came(body) == [Piece("Zoë\u2028"), Piece("!"), Piece(reason="stop"), Piece(usage=(3, 2))]


@pytest.mark.parametrize(
    ("said", "text", "thought"),
    [
        ({"reasoning_content": "t"}, "", "t"),
        ({"reasoning": "t", "content": ""}, "", "t"),
        ({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "t"}]}]}, "", "t"),
        ({"content": [{"type": "text", "text": "a"}]}, "a", ""),
        ({"refusal": "No."}, "No.", ""),
    ],
)
def test_thoughts_come_in_fields_or_parts(said: Any, text: str, thought: str) -> None:
    assert came(events(delta(**said))) == [Piece(text, thought)]


def test_calls_come_with_an_index_or_without_and_arguments_as_text_or_json() -> None:
    ollama = {"index": 0, "id": "a", "function": {"name": "search", "arguments": '{"query": "q"}'}}
    gemini = {"id": "b", "function": {"name": "search", "arguments": {"query": "q"}}}
    call = '{"query": "q"}'
    assert came(events(delta(tool_calls=[ollama]), delta(tool_calls=[gemini]))) == [
        Piece(calls=(Call(0, "search", call, "a"),)),
        Piece(calls=(Call(0, "search", call, "b"),)),
    ]


def test_a_server_may_send_no_stream() -> None:
    body = json.dumps({"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]})
    assert came(body, "application/json") == [Piece("a", reason="stop")]


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        ({"finish_reason": "tool_calls"}, "tool_calls"),
        ({"finish_reason": "MAX_TOKENS"}, "length"),
        ({"finish_reason": "model_length"}, "length"),
        ({"finish_reason": "SAFETY"}, "content_filter"),
        ({"finish_reason": "stop", "native_finish_reason": "network_error"}, "error"),
    ],
)
def test_why_a_reply_ended_is_understood_in_other_words(told: Any, meant: str) -> None:
    assert came(events({"choices": [{"delta": {}, **told}]})) == [Piece(reason=meant)]


@pytest.mark.parametrize(
    ("body", "words", "told"),
    [('{"error": "Idle."}', "Idle.", True), ("<h1>It works!</h1>", "It works!", False), ("[]", "empty", False)],
)
def test_what_is_no_reply_is_told(body: str, words: str, told: bool) -> None:
    with pytest.raises(ReplyError, match=words) as caught:
        came(body, "application/json")
    assert caught.value.is_explained is told


def test_whoever_listens_can_stop_while_nothing_comes() -> None:
    closed = threading.Event()

    def slow() -> Generator[Piece]:
        try:
            yield Piece("a")
            time.sleep(0.3)
            yield Piece("b")
            time.sleep(30)
            yield Piece("c")
        finally:
            closed.set()

    heard = []
    for piece in listened(slow, 0.05):
        heard.append(piece)
        if piece is None:
            break
    assert heard == [Piece("a"), None]
    assert closed.wait(5), "what is left of the reply is not read"
