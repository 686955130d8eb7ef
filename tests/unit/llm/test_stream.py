"""A chat reply off the wire, however its bytes are cut and its events are written."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from clew.llm.stream import Piece, ReplyError, pieces


class Sent:
    """A response that brings these bytes, some at a time."""

    def __init__(self, body: bytes, kind: str = "text/event-stream", size: int = 1_000_000) -> None:
        self.headers = {"content-type": kind}
        self._body, self._size = body, size

    def read(self) -> bytes:
        return self._body

    def iter_bytes(self) -> Iterator[bytes]:
        return (self._body[i : i + self._size] for i in range(0, len(self._body), self._size))


def chunk(text: str) -> str:
    return json.dumps({"choices": [{"delta": {"content": text}}]}, ensure_ascii=False)


def said(sent: Sent) -> str:
    return "".join(piece.text for piece in pieces(sent))


@pytest.mark.parametrize("size", [1, 2, 5, 1_000])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("colon", [":", ": "])
def test_lines_end_as_the_standard_says_wherever_the_network_cuts_them(size: int, end: str, colon: str) -> None:
    text = "Zoë 王\u2028x\u0085y\x0bz"
    body = "".join(f"data{colon}{data}{end}{end}" for data in (chunk(text), chunk("!"), "[DONE]"))
    assert said(Sent(body.encode(), size=size)) == f"{text}!"


@pytest.mark.parametrize(
    "between",
    [
        ": keep-alive",
        'event: ping\ndata: {"type": "ping"}',
        'data: {"choices": null}',
        'data: {"choices": [], "prompt_filter_results": []}',
        'data: {"id": "", "object": "", "model": ""}',
        "id: 7\nretry: 10\nevent: message",
        "data:",
    ],
)
def test_what_says_nothing_is_passed_over(between: str) -> None:
    body = f"{between}\n\ndata: {chunk('a')}\n\n{between}\n\ndata: {chunk('b')}\n\ndata: [DONE]\n\n"
    assert said(Sent(body.encode())) == "ab"


@pytest.mark.parametrize("kind", ["text/event-stream", "Text/Event-Stream; charset=utf-8", "text/plain", ""])
def test_events_may_be_written_in_other_ways(kind: str) -> None:
    pretty = json.dumps(json.loads(chunk("a")), indent=2)
    over_lines = "".join(f"data: {line}\n" for line in pretty.split("\n"))
    for body in (
        f"{over_lines}\ndata: {chunk('b')}\n\n",
        f"data: {chunk('a')}\ndata: {chunk('b')}\ndata: [done]\n",
        f"{chunk('a')}\n{chunk('b')}\n",
        f"{pretty}\n{chunk('b')}\n",
    ):
        assert said(Sent(body.encode(), kind)) == "ab", body


def test_one_object_is_whole_without_a_reason() -> None:
    body = json.dumps({"choices": [{"message": {"content": "a"}}]}).encode()
    assert list(pieces(Sent(b"\n\n" + body, "application/json"))) == [Piece("a", reason="stop")]


@pytest.mark.parametrize(
    ("body", "words", "told"),
    [
        (f'data: {chunk("a")}\n\nerror: {{"code": 500, "message": "No room."}}\n\n', "No room.", True),
        (f"data: {chunk('a')}\n\ndata: The worker died.\n\n", "The worker died.", False),
        (
            'data: {"choices": [{"delta": {}, "finish_reason": "error", "error": {"message": "Idle."}}]}\n\n',
            "Idle.",
            True,
        ),
        ('data: {"type": "ping"}\n\ndata: [DONE]\n\n', "JSON without choices", False),
        ('data: {"type": "message_start", "message": {"content": []}}\n\n', "JSON without choices", False),
    ],
)
def test_errors_are_told_wherever_they_stand(body: str, words: str, told: bool) -> None:
    with pytest.raises(ReplyError, match=words) as caught:
        list(pieces(Sent(body.encode())))
    assert caught.value.told is told


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        ("stop", "stop"),
        ("tool_calls", "tool_calls"),
        ("end_turn", "end_turn"),
        ("FinishReason.MAX_TOKENS", "length"),
        ("max_output_tokens", "length"),
        ("model_length", "length"),
        ("model_context_window_exceeded", "length"),
        ("content_filter: PROHIBITED_CONTENT", "content_filter"),
        ("SAFETY", "content_filter"),
        ("guardrail_intervened", "content_filter"),
        ("sensitive", "content_filter"),
        ("insufficient_system_resource", "error"),
        ("network_error", "error"),
    ],
)
def test_why_a_reply_ended_is_understood_in_other_words(told: str, meant: str) -> None:
    body = {"choices": [{"delta": {"content": "a"}, "finish_reason": told}]}
    assert [piece.reason for piece in pieces(Sent(f"data: {json.dumps(body)}\n\n".encode()))] == [meant]


def test_a_gateway_that_says_stop_of_what_failed_behind_it_is_not_believed() -> None:
    body = {"choices": [{"delta": {}, "finish_reason": "stop", "native_finish_reason": "network_error"}]}
    assert [piece.reason for piece in pieces(Sent(f"data: {json.dumps(body)}\n\n".encode()))] == ["error"]
