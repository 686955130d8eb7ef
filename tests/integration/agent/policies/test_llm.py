"""The policy llm over real HTTP: turns, streaming, budgets, retries, and an error for whatever a server may do."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from clew.agent.policies.llm.policy import LlmPolicy, _Reply
from clew.agent.protocol import DIALECTS
from clew.errors import BudgetExceededError, ModelError, SettingsError
from clew.llm.stream import Call, Piece
from clew.settings import load_settings
from clew.testing import Fault, Mode, ModelServer, at_rate, schedule, scripted
from clew.testing.modes import Said
from clew.types import Fact, Step

G = DIALECTS["graph-r1"]
QUERY = G.render_turn("I need it.", query="Who wrote it?")
ANSWER = G.render_turn("It says so.", answer="Ada Moreau")
STEP = Step("I need it.", "Who wrote it?", (Fact("f", "It: Ada Moreau wrote it.", (), 1.0),), raw=QUERY)


def policy(server: ModelServer, **changes: Any) -> LlmPolicy:
    values: dict[str, Any] = {"llm_model": server.model, "llm_base_url": server.base_url, "llm_retries": 2}
    return LlmPolicy(load_settings(_env_file=None, **{**values, **changes}), G)


def spend_all(llm: LlmPolicy) -> None:
    for _ in range(10):
        llm.act("Q?", [STEP])


def test_it_writes_turns_and_streams_them() -> None:
    with ModelServer(scripted([QUERY, ANSWER])) as server:
        llm = policy(server)
        pieces: list[str] = []
        turn = llm.act("Who wrote it?", [], emit=pieces.append)
        assert turn.text == QUERY
        assert len(pieces) > 2
        assert QUERY.startswith("".join(pieces))
        assert llm.act("Who wrote it?", [STEP], final=True, correction="Mend it.").text == ANSWER
        first, second = server.requests
        assert first["stop"] == list(G.stop)
        assert (first["max_tokens"], first["temperature"], first["stream"]) == (1024, 0.0, True)
        assert [m["role"] for m in second["messages"]] == ["user", "assistant", "user"]
        assert "[1] It: Ada Moreau wrote it." in second["messages"][2]["content"]
        assert second["messages"][2]["content"].endswith("Mend it.")


def test_usage_is_the_servers_or_counted_and_has_a_price() -> None:
    with ModelServer(scripted([QUERY, QUERY]), faults=schedule(None, Fault("no_usage"))) as server:
        llm = policy(server, llm_input_price=1.0, llm_output_price=10.0)
        told, counted = llm.act("Q?", []).usage, llm.act("Q?", []).usage
        assert (told.prompt_tokens, told.completion_tokens) == (
            server.usage.prompt_tokens // 2,
            server.usage.completion_tokens // 2,
        )
        assert told.cost == pytest.approx((told.prompt_tokens + 10 * told.completion_tokens) / 1e6)
        assert counted.calls == 1
        assert counted.prompt_tokens == pytest.approx(told.prompt_tokens, rel=0.2)
        assert counted.completion_tokens == pytest.approx(told.completion_tokens, rel=0.5)


@pytest.mark.parametrize(
    "reply",
    [
        "<think>first I reason</think>\n" + QUERY,
        "Sure!\n" + QUERY + "\n<knowledge>[1] forged</knowledge>" + ANSWER,
        QUERY.removeprefix("<think>"),
    ],
)
def test_prefixes_and_forged_knowledge_are_dropped(reply: str) -> None:
    with ModelServer(lambda messages, request: reply) as server:
        assert policy(server).act("Q?", []).text == QUERY


def test_a_server_without_stop_strings_is_cut_off() -> None:
    def no_stops(messages: list[dict[str, Any]], request: dict[str, Any]) -> str:
        request.pop("stop", None)
        return QUERY + "<knowledge>" + "forged " * 2_000

    with ModelServer(no_stops) as server:
        pieces: list[str] = []
        assert policy(server, llm_reply_tokens=10_000).act("Q?", [], emit=pieces.append).text == QUERY
        assert sum(map(len, pieces)) < len(QUERY) + 50


def test_a_reply_cut_by_the_limit_is_not_made_whole() -> None:
    with ModelServer(scripted(["<think>t</think><answer>" + "long " * 100])) as server:
        turn = policy(server, llm_reply_tokens=20).act("Q?", [])
        assert "not closed" in G.parse_turn(turn.text).error


def test_failures_that_pass_are_retried() -> None:
    faults = schedule(
        Fault("status", status=429, retry_after=0.05), Fault("status", status=503), None, Fault("drop"), Fault("empty")
    )
    with ModelServer(scripted([QUERY] * 3), faults=faults) as server:
        llm = policy(server)
        assert llm.act("Q?", []).text == QUERY
        pieces: list[str] = []
        assert llm.act("Q?", [], emit=pieces.append).text == QUERY
        assert QUERY.startswith("".join(pieces)), "what was shown before the break is not shown twice"
        assert len(server.requests) == 6


def test_retry_after_is_kept_to() -> None:
    with ModelServer(scripted([QUERY]), faults=schedule(Fault("status", status=429, retry_after=1.2))) as server:
        began = time.perf_counter()
        policy(server).act("Q?", [])
        assert time.perf_counter() - began >= 1.2


def test_many_faults_at_once_are_survived() -> None:
    faults = at_rate(0.3, Fault("status", status=429, retry_after=0.01), Fault("drop"), Fault("malformed"), seed=3)
    with ModelServer(lambda messages, request: QUERY, faults=faults) as server:
        llm = policy(server, llm_retries=6)
        assert {llm.act("Q?", []).text for _ in range(6)} == {QUERY}


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (Fault("status", status=401), "refused the key; set CLEW_LLM_API_KEY"),
        (Fault("status", status=403), "refused the key"),
        (Fault("status", status=403, message="Not in your region."), "may use this model there: Not in your region."),
        (Fault("status", status=404), "was not found; check CLEW_LLM_MODEL"),
        (Fault("status", status=405), "check CLEW_LLM_MODEL and CLEW_LLM_BASE_URL"),
        (Fault("status", status=413, message="Request too large for model m."), "too short a context"),
        (Fault("status", status=400, message="The input has 9 tokens, which exceeds 4."), "lower CLEW_TOP_K"),
        (Fault("status", status=500, message="context deadline exceeded"), "status 500"),
        (Fault("status", status=400, message="maximum context length is 10"), "too short a context"),
        (Fault("status", status=400, message="bad thing"), "status 400"),
        (Fault("status", status=429, message="no quota"), "no more requests"),
        (Fault("status", status=500), "status 500"),
        (Fault("delay", seconds=1.0), "did not reply within 0.3 s"),
        (Fault("malformed"), "OpenAI chat protocol"),
        (Fault("html"), "OpenAI chat protocol"),
        (Fault("drop"), "broke off"),
        (Fault("empty"), "empty reply"),
    ],
    ids=lambda value: f"{value.kind}{value.status}" if isinstance(value, Fault) else "",
)
def test_an_error_is_one_line_that_says_what_to_do(fault: Fault, says: str) -> None:
    with ModelServer(lambda messages, request: QUERY, faults=lambda number: fault) as server:
        address = server.base_url.replace("//", "//user:hidden@")
        llm = policy(server, llm_retries=0, llm_timeout=0.3, llm_api_key="sk-hidden", llm_base_url=address)
        with pytest.raises(ModelError) as caught:
            llm.act("Q?", [])
        message = str(caught.value)
        assert says in message
        assert f"'{server.model}' at {server.base_url}" in message
        assert "hidden" not in message
        assert "\n" not in message


def test_a_slow_stream_is_given_up() -> None:
    long = "<think>" + "word " * 60_000

    with ModelServer(lambda messages, request: long) as server:
        llm = policy(server, llm_retries=0, llm_timeout=0.2, llm_reply_tokens=100_000, max_tokens=1_000_000)
        with pytest.raises(ModelError, match="did not reply within"):
            llm.act("Q?", [], emit=lambda piece: time.sleep(0.01))


class _SaysNothing(BaseHTTPRequestHandler):
    """Keeps the line open for ten seconds, by comments, by thoughts out of sight, or by empty lines before JSON."""

    event = b""
    kind = "text/event-stream"

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", self.kind)
        self.end_headers()
        with suppress(OSError):
            for _ in range(100):
                self.wfile.write(self.event)
                time.sleep(0.1)


@contextmanager
def _says_nothing(event: bytes, kind: str = "text/event-stream") -> Iterator[LlmPolicy]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_SaysNothing,), {"event": event, "kind": kind}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/v1"
    values: dict[str, Any] = {"llm_model": "m", "llm_base_url": address, "llm_retries": 0, "llm_timeout": 1.0}
    try:
        yield LlmPolicy(load_settings(_env_file=None, **values), G)
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(("event", "kind"), [(b": ping\n\n", "text/event-stream"), (b"\n", "application/json")])
def test_what_keeps_a_line_open_is_no_reply(event: bytes, kind: str) -> None:
    with _says_nothing(event, kind) as llm, pytest.raises(ModelError, match="did not reply within 1 s"):
        llm.act("Q?", [])


def test_calls_come_in_pieces_of_many_kinds() -> None:
    reply = _Reply()
    for call in (
        Call(0, "search", '{"query":', "a"),
        Call(0, "search", ' "x"}', "a"),  # its name again
        Call(0, "search", '{"query": "y"}', "b"),  # another call under the same index
        Call(1, "", '{"query":'),
        Call(1, "", ' "z"}'),
    ):
        reply.add(Piece(calls=(call,)))
    assert [(call.name, json.loads(call.arguments)["query"]) for call in reply.calls()] == [
        ("search", "x"),
        ("search", "y"),
        ("", "z"),
    ]


def test_a_template_that_fails_at_what_a_tool_returned_gets_tags() -> None:
    fails = schedule(Fault("status", status=500, message="Row 4 of the template: null is not callable."))
    with ModelServer(scripted([ANSWER]), faults=fails) as server:
        values: dict[str, Any] = {"llm_model": server.model, "llm_base_url": server.base_url, "llm_retries": 0}
        llm = LlmPolicy(load_settings(_env_file=None, **values), DIALECTS["tools"])
        assert llm.act("Q?", [STEP]).text == ANSWER
        first, second = server.requests
        assert all(message["content"] for message in first["messages"])
        assert "tools" in first
        assert "tools" not in second


def test_the_last_turn_answers_even_if_it_asks_as_well() -> None:
    both = "<think>t</think><query>more</query><answer>Ada Moreau</answer>"
    with ModelServer(lambda messages, request: both) as server:
        llm = policy(server)
        assert G.parse_turn(llm.act("Q?", [STEP]).text).query == "more"
        assert G.parse_turn(llm.act("Q?", [STEP], final=True).text).answer == "Ada Moreau"
        assert server.requests[-1]["stop"] == [G.answer.close]


def test_thoughts_and_nothing_else_are_told_apart_from_too_few_tokens() -> None:
    for tokens, says in ((1024, "take the reply for a thought"), (20, "raise CLEW_LLM_REPLY_TOKENS")):
        mode = Mode("thoughts alone", lambda turn: Said("", "I wonder. " * 100))
        with ModelServer(lambda messages, request: ANSWER) as server:
            server.mode = mode
            with pytest.raises(ModelError, match=says):
                policy(server, llm_retries=0, llm_reply_tokens=tokens).act("Q?", [])


def test_a_model_that_reasons_out_of_sight_can_be_stopped() -> None:
    thought = {"choices": [{"index": 0, "delta": {"content": "", "reasoning_content": "Hm."}, "finish_reason": None}]}
    told: list[str] = []
    event = b"data: " + json.dumps({"id": "1", "model": "m", **thought}).encode() + b"\n\n"
    with _says_nothing(event) as llm, pytest.raises(ModelError, match="did not reply"):
        llm.act("Q?", [], emit=told.append)
    assert len(told) > 2, "whoever listens is asked again and again, and may end it"
    assert not any(told)


class Stop(BaseException):
    """What ends a run, as the loop does it."""


@pytest.mark.parametrize("fault", [Fault("delay", seconds=2.0), Fault("status", status=503, retry_after=60)])
def test_a_stop_ends_a_silent_model_and_its_retries(fault: Fault) -> None:
    with ModelServer(lambda messages, request: QUERY, faults=lambda number: fault) as server:
        began = time.perf_counter()

        def listening(piece: str) -> None:
            if time.perf_counter() - began > 0.5:
                raise Stop

        with pytest.raises(Stop):
            policy(server, llm_retries=3).act("Q?", [], emit=listening)
        assert time.perf_counter() - began < 1.9
        time.sleep(2.0)
        assert len(server.requests) == 1


def test_a_model_that_calls_no_tool_gets_tags() -> None:
    with ModelServer(scripted(["I would look it up.", QUERY]), mode="no-thought") as server:
        values: dict[str, Any] = {"llm_model": server.model, "llm_base_url": server.base_url}
        llm = LlmPolicy(load_settings(_env_file=None, **values), DIALECTS["tools"])
        assert G.parse_turn(llm.act("Q?", []).text).query == "Who wrote it?"
        first, second = server.requests
        assert (first["tool_choice"], "tools" in second) == ("required", False)


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    settings = load_settings(_env_file=None, llm_model="m", llm_base_url=f"http://127.0.0.1:{port}/v1", llm_retries=0)
    with pytest.raises(ModelError, match=rf"'m' at .*:{port}/v1 cannot be reached; start that server"):
        LlmPolicy(settings, G).act("Q?", [])


@pytest.mark.parametrize("option", ["stop", "temperature"])
def test_options_that_a_model_refuses_are_left_out(option: str) -> None:
    text = f"Unsupported parameter: '{option}' is not supported with this model."
    faults = schedule(Fault("status", status=400, message=text))
    with ModelServer(lambda messages, request: QUERY, faults=faults) as server:
        llm = policy(server)
        assert llm.act("Q?", []).text == llm.act("Q?", []).text == QUERY
        assert [option in request for request in server.requests] == [True, False, False]


def test_the_token_budget_asks_for_an_answer_and_then_ends() -> None:
    with ModelServer(lambda messages, request: QUERY) as server:
        llm = policy(server, max_tokens=900, llm_reply_tokens=64)
        llm.act("Q?", [])
        assert "last lookup" not in server.requests[-1]["messages"][-1]["content"]
        llm.act("Q?", [STEP])
        assert "last lookup" in server.requests[-1]["messages"][-1]["content"]
        with pytest.raises(BudgetExceededError, match=r"of its 900 tokens; raise CLEW_MAX_TOKENS") as caught:
            spend_all(llm)
        assert caught.value.limit == "tokens"
        assert server.usage.prompt_tokens + server.usage.completion_tokens <= 900
        llm.act("Another question?", [])


def test_the_reply_is_limited_to_what_is_left() -> None:
    with ModelServer(lambda messages, request: QUERY) as server:
        llm = policy(server, max_tokens=450)
        llm.act("Q?", [])
        assert 16 <= server.requests[-1]["max_tokens"] < 450


def test_the_money_budget_ends_a_question() -> None:
    with ModelServer(lambda messages, request: QUERY) as server:
        llm = policy(server, max_cost=0.001, llm_input_price=1.0, llm_output_price=5.0)
        llm.act("Q?", [])
        assert server.requests[-1]["max_tokens"] < 200
        with pytest.raises(BudgetExceededError, match="raise CLEW_MAX_COST") as caught:
            spend_all(llm)
        assert caught.value.limit == "cost"
        assert server.usage.prompt_tokens * 1e-6 + server.usage.completion_tokens * 5e-6 <= 0.001


def test_failed_requests_are_paid_for() -> None:
    faults = schedule(Fault("empty"), Fault("drop"))
    with ModelServer(lambda messages, request: QUERY, faults=faults) as server:
        usage = policy(server, llm_input_price=1.0, llm_output_price=10.0).act("Q?", []).usage
        assert usage.calls == server.usage.calls == 3
        assert usage.prompt_tokens == pytest.approx(server.usage.prompt_tokens, rel=0.2)
        assert len(QUERY) / 4 < usage.completion_tokens <= server.usage.completion_tokens * 1.2
        assert usage.cost == pytest.approx((usage.prompt_tokens + 10 * usage.completion_tokens) / 1e6)


def test_the_budget_holds_over_failed_requests() -> None:
    with ModelServer(faults=lambda number: Fault("empty")) as server:
        llm = policy(server, max_tokens=900, llm_reply_tokens=300, llm_retries=10)
        with pytest.raises(BudgetExceededError, match="raise CLEW_MAX_TOKENS") as caught:
            llm.act("Q?", [])
        first, last = server.requests[0], server.requests[-1]
        assert 1 < len(server.requests) == server.usage.calls == caught.value.usage.calls
        assert caught.value.usage.prompt_tokens == server.usage.prompt_tokens <= 900
        assert first["max_tokens"] > last["max_tokens"]
        assert "last lookup" in last["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({}, "CLEW_LLM_MODEL"),
        ({"llm_model": "m"}, "OPENAI_API_KEY, or CLEW_LLM_BASE_URL"),
        ({"llm_model": "m", "llm_api_key": "k", "max_cost": 1.0}, "CLEW_MAX_COST needs prices"),
    ],
)
def test_missing_settings_are_named(values: dict[str, Any], says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "CLEW_LLM_API_KEY", "CLEW_LLM_BASE_URL", "CLEW_LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SettingsError, match=says):
        LlmPolicy(load_settings(_env_file=None, **values), G)
