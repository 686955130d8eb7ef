"""The test model's server: the OpenAI chat protocol over real HTTP, its scripts and its faults."""

from __future__ import annotations

import json
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, SecretStr

from clew.agent.episode import messages
from clew.agent.protocol import DIALECTS, Dialect
from clew.errors import InputError
from clew.testing import Fault, ModelServer, agent, at_rate, echo, schedule, scripted
from clew.types import Fact, Step


def ask(server: ModelServer, text: str = "hello", **options: Any) -> httpx.Response:
    body = {"model": server.model, "messages": [{"role": "user", "content": text}], **options}
    return httpx.post(f"{server.base_url}/chat/completions", json=body, timeout=10)


def events(response: httpx.Response) -> list[dict[str, Any]]:
    lines = [line.removeprefix("data: ") for line in response.text.splitlines() if line]
    assert lines[-1] == "[DONE]"
    return [json.loads(line) for line in lines[:-1]]


def test_a_reply_and_its_usage() -> None:
    with ModelServer(echo) as server:
        reply = ask(server, "eight ch").json()
        assert reply["choices"][0] == {
            "index": 0,
            "message": {"role": "assistant", "content": "eight ch"},
            "finish_reason": "stop",
        }
        assert reply["usage"] == {"prompt_tokens": 2, "completion_tokens": 2, "total_tokens": 4}
        assert (server.usage.calls, server.usage.prompt_tokens, server.usage.completion_tokens) == (1, 2, 2)
        assert server.requests[0]["messages"][0]["content"] == "eight ch"
        models = httpx.get(f"{server.base_url}/models").json()
        assert [m["id"] for m in models["data"]] == [server.model]


def test_a_stream_ends_with_the_usage() -> None:
    text = "A reply — of some length, in several pieces."
    with ModelServer(scripted([text, text])) as server:
        chunks = events(ask(server, stream=True, stream_options={"include_usage": True}))
        assert "".join(c["choices"][0]["delta"].get("content", "") for c in chunks[:-1]) == text
        assert chunks[-2]["choices"][0]["finish_reason"] == "stop"
        assert chunks[-1]["usage"]["completion_tokens"] == 11
        assert all(c.get("usage") is None for c in events(ask(server, stream=True)))


def test_stop_strings_and_the_token_limit_end_a_reply() -> None:
    with ModelServer(echo) as server:
        choice = ask(server, "one two three", stop=["three", "two"]).json()["choices"][0]
        assert (choice["message"]["content"], choice["finish_reason"]) == ("one ", "stop")
        for name in ("max_tokens", "max_completion_tokens"):
            choice = ask(server, "one two three", **{name: 2}).json()["choices"][0]
            assert (choice["message"]["content"], choice["finish_reason"]) == ("one two ", "length")


def test_structured_output() -> None:
    schema = {
        "type": "object",
        "properties": {
            "facts": {"type": "array", "items": {"$ref": "#/$defs/fact"}},
            "kind": {"enum": ["a", "b"]},
            "sure": {"type": ["boolean", "null"]},
        },
        "required": ["facts", "kind", "sure"],
        "$defs": {"fact": {"type": "object", "properties": {"text": {"type": "string"}, "n": {"type": "integer"}}}},
    }
    wanted = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
    with ModelServer(scripted(["plain", '{"own": 1}', "plain"])) as server:
        contents = [
            json.loads(ask(server, response_format=f).json()["choices"][0]["message"]["content"])
            for f in (wanted, wanted, {"type": "json_object"})
        ]
    assert contents == [
        {"facts": [{"text": "plain", "n": 0}], "kind": "a", "sure": False},
        {"own": 1},
        {"text": "plain"},
    ]


def test_langchain_gets_objects_of_its_own_schema() -> None:
    class Found(BaseModel):
        name: str
        years: list[int]

    with ModelServer(scripted(["Genoa", '{"name": "Turin", "years": [1921]}'])) as server:
        model = ChatOpenAI(model=server.model, base_url=server.base_url, api_key=SecretStr("none"))
        asker = model.with_structured_output(Found)
        assert asker.invoke("Where?") == Found(name="Genoa", years=[0])
        assert asker.invoke("Where?") == Found(name="Turin", years=[1921])


def test_errors_have_the_protocols_form() -> None:
    with ModelServer(scripted([]), api_key="secret", context_tokens=10) as server:
        assert ask(server).status_code == 401
        client = httpx.Client(base_url=server.base_url, headers={"Authorization": "Bearer secret"})

        def post(body: Any) -> tuple[int, str]:
            response = client.post("/chat/completions", content=body if isinstance(body, str) else json.dumps(body))
            return response.status_code, str(response.json()["error"]["code"])

        messages = [{"role": "user", "content": "x" * 100}]
        assert post({"model": "other", "messages": messages}) == (404, "model_not_found")
        assert post({"model": server.model, "messages": messages}) == (400, "context_length_exceeded")
        assert post({"model": server.model, "messages": [{"content": [{"type": "text", "text": "x"}]}]}) == (
            400,
            "script_end",
        )
        bad: list[Any] = ["{", "[]", {"messages": []}, {"messages": "x"}, {"messages": messages, "n": 2}]
        assert [post(body)[0] for body in bad] == [400] * len(bad)
        server.script = lambda messages, request: request["nothing"]
        assert post({"model": server.model, "messages": [{"content": "x"}]}) == (500, "script_failed")
        assert client.get("/nothing").status_code == client.post("/nothing").status_code == 404


def test_faults_come_on_schedule() -> None:
    faults = schedule(
        Fault("status", status=429, retry_after=0.5),
        Fault("delay", seconds=0.2),
        Fault("malformed"),
        Fault("html"),
        Fault("empty"),
        Fault("no_usage"),
    )
    with ModelServer(echo, faults=faults) as server:
        refused = ask(server)
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "0.5")
        began = time.perf_counter()
        assert ask(server).status_code == 200
        assert time.perf_counter() - began >= 0.2
        with pytest.raises(ValueError, match="Expecting"):
            ask(server).json()
        assert ask(server).headers["Content-Type"] == "text/html"
        assert ask(server).json()["choices"][0]["message"]["content"] == ""
        assert "usage" not in ask(server).json()
        assert "usage" in ask(server).json()


@pytest.mark.parametrize("stream", [False, True])
def test_a_dropped_connection_breaks_off(stream: bool) -> None:
    with ModelServer(echo, faults=schedule(Fault("drop"))) as server:
        with pytest.raises(httpx.TransportError):
            ask(server, "long enough for some pieces", stream=stream)
        assert ask(server).status_code == 200


def test_faults_at_a_rate_are_the_same_each_time() -> None:
    fault = Fault("status")
    chosen = [n for n in range(1_000) if at_rate(0.3, fault, seed=7)(n)]
    assert 250 < len(chosen) < 350
    assert chosen == [n for n in range(1_000) if at_rate(0.3, fault, seed=7)(n)]


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
def test_the_agent_script_queries_and_answers_in_each_dialect(dialect: Dialect) -> None:
    question = "Where was Ada Moreau born?"
    script = agent()
    first = dialect.parse_turn(script(list(messages(dialect, question, [])), {}))
    assert (first.query, first.error) == (question, "")
    facts = tuple(
        Fact("", text, (), 1.0) for text in ("Ada Moreau: She died in Lagos.", "Ada Moreau: She was born in Turin.")
    )
    steps = [Step(first.thought, first.query, facts)]
    assert dialect.parse_turn(script(list(messages(dialect, question, steps)), {})).answer == "Turin"
    empty = [Step(first.thought, first.query)]
    assert dialect.parse_turn(script(list(messages(dialect, question, empty)), {})).answer == "I don't know"
    assert "test model" in script([{"role": "user", "content": "hi"}], {})


@pytest.mark.parametrize(
    "field",
    [
        {"stop": 5},
        {"max_tokens": "many"},
        {"stream": True, "stream_options": "usage"},
        {"response_format": "json"},
        {"response_format": {"type": "json_schema", "json_schema": {"schema": {"$ref": "#/nowhere"}}}},
    ],
)
def test_a_field_of_another_type_is_refused(field: dict[str, Any]) -> None:
    with ModelServer() as server:
        response = ask(server, **field)
        assert response.status_code == 400
        assert "cannot be read" in response.json()["error"]["message"]


def test_a_client_that_is_gone_is_not_reported(capfd: pytest.CaptureFixture[str]) -> None:
    with ModelServer() as server, socket.create_connection(("127.0.0.1", httpx.URL(server.base_url).port)) as client:
        client.sendall(b"POST /v1/chat/completions HTTP/1.1\r\n")
        time.sleep(0.1)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        time.sleep(0.2)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("port", [-1, 99_999])
def test_a_number_that_is_no_port_is_an_error(port: int) -> None:
    with pytest.raises(InputError, match=rf"Port {port}.*choose another"):
        ModelServer(port=port)


def test_a_taken_port_is_an_error() -> None:
    with ModelServer() as server:
        port = int(server.base_url.split(":")[2].split("/")[0])
        with pytest.raises(InputError, match=rf"Port {port}.*choose another"):
            ModelServer(port=port)


def test_it_runs_by_itself() -> None:
    command = [sys.executable, "-m", "clew.testing", "--port", "0"]
    env = {"PYTHONPATH": str(Path(__file__).parents[3] / "platform")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[0].partition("=")[2]
        assert httpx.get(f"{address}/models").json()["data"][0]["id"] == "clew-test"
        process.send_signal(2)
        assert process.wait(10) == 0
