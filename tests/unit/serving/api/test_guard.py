"""What stands before every route: limits, tokens, strangers' pages, the log; and no bare 500."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient

from clew.errors import DatabaseError
from clew.serving.api import bodies, documents, guard, service
from clew.serving.api.errors import answer_errors
from clew.serving.tokens import Tokens
from clew.settings import load_settings

EVIL = [{"Origin": "https://evil.example"}, {"Host": "evil.example"}]
"""What makes a request a stranger's is the matter of ``test_hosts``."""


def client(tmp_path: Path, *, open_: bool = False, **settings: object) -> TestClient:
    """A client of a small app behind the guard; ``open_`` asks for no token."""
    own = load_settings(_env_file=None, home=tmp_path / "home", **settings)
    app = FastAPI()
    app.add_middleware(guard.Guard)
    answer_errors(app)
    pulse = SimpleNamespace(gone="", late="")
    app.state.service = SimpleNamespace(settings=own, tokens=Tokens(own), open=open_, pulse=pulse)

    @app.post("/read")
    async def read(request: Request) -> int:
        return len(await request.body())

    @app.get("/health")
    async def health() -> str:
        return "ok"

    @app.get("/broken")
    async def broken() -> None:
        raise RuntimeError("a secret")

    return TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False)


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What is logged."""
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(guard.JsonLines())
    logger = logging.getLogger("clew.serve")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield text
    logger.removeHandler(handler)


def test_wrong_tokens_are_looked_at_thirty_times_a_minute(tmp_path: Path) -> None:
    http = client(tmp_path)
    assert http.post("/read").status_code == 401
    said = [http.post("/read", headers={"Authorization": f"Bearer {i}"}).status_code for i in range(32)]
    assert said == [401] * 30 + [429] * 2
    assert http.get("/health").status_code == 200


def test_a_token_has_a_rate(tmp_path: Path) -> None:
    http = client(tmp_path, serve_rate=5)
    token = http.app.state.service.tokens.create("busy")  # type: ignore[attr-defined]
    said = [http.post("/read", auth=("clew", token)) for _ in range(7)]
    assert [one.status_code for one in said] == [200] * 5 + [429] * 2
    assert said[-1].headers["Retry-After"]


@pytest.mark.parametrize("headers", EVIL, ids=str)
def test_a_page_of_a_stranger_reaches_nothing(tmp_path: Path, headers: dict[str, str]) -> None:
    answer = client(tmp_path, open_=True).post("/read", headers=headers)
    assert answer.status_code == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_on_loopback_any_key_will_do(tmp_path: Path) -> None:
    http = client(tmp_path, open_=True)
    for headers in ({}, {"Authorization": "Bearer none"}, {"Origin": "http://127.0.0.1"}, {"Host": "localhost:8300"}):
        base = {"Origin": f"http://{headers['Host']}"} if "Host" in headers else {}
        assert http.post("/read", headers=headers | base).status_code == 200


def test_a_long_body_is_refused_whether_it_says_so_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODY_BYTES", 1000)
    http = client(tmp_path, open_=True)
    assert http.post("/read", content=b"x" * 1000).json() == 1000
    for content in (b"x" * 1001, iter([b"x" * 600] * 2)):
        answer = http.post("/read", content=content)
        assert (answer.status_code, answer.json()["error"]["type"]) == (413, "too_large")


def test_a_right_is_missed_before_a_body_is_read_however_long_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "SECONDS", 0.2)
    http = client(tmp_path)
    http.app.include_router(documents.router)  # type: ignore[attr-defined]
    token = http.app.state.service.tokens.create("reader", ["kb"], "read")  # type: ignore[attr-defined]
    path, sent = "/api/knowledge-bases/kb/documents/1", {"Content-Length": "900000000"}
    assert http.put(path, headers=sent, auth=("clew", token), content=iter([b"x"])).status_code == 403


def test_more_requests_than_are_allowed_at_a_time_are_sent_away(tmp_path: Path) -> None:
    http = client(tmp_path, open_=True, serve_concurrency=1)
    assert http.post("/read", content=b"x").status_code == 200
    inner = http.app.middleware_stack  # type: ignore[attr-defined]
    while not isinstance(inner, guard.Guard):
        inner = inner.app
    assert (inner.under_way, dict(inner.bodies.coming)) == (0, {})
    inner.under_way = 1
    for refused in (http.post("/read"), http.post("/read", content=b"x")):
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
    assert http.get("/health").status_code == 200
    assert (inner.under_way, dict(inner.bodies.coming)) == (1, {})


def test_while_neo4j_is_gone_requests_are_sent_away_at_once(tmp_path: Path) -> None:
    http = client(tmp_path, open_=True)
    pulse = http.app.state.service.pulse  # type: ignore[attr-defined]
    pulse.gone = "Neo4j is gone."
    refused = http.post("/read")
    assert (refused.status_code, refused.json()["error"]["message"]) == (503, "Neo4j is gone.")
    assert refused.headers["Retry-After"]
    assert http.get("/health").status_code == 200
    pulse.gone = ""
    assert http.post("/read").status_code == 200


def test_a_neo4j_that_says_nothing_is_not_asked_for_its_status_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def ping() -> None:
        raise DatabaseError("It says nothing.") from TimeoutError()

    monkeypatch.setattr(service, "status", lambda settings: pytest.fail("It takes seconds."))
    database = SimpleNamespace(ping=ping, server=SimpleNamespace(managed=True))
    with pytest.raises(DatabaseError):
        service.Service._ask_neo4j(SimpleNamespace(database=database, settings=None))  # type: ignore[arg-type]


def test_a_request_does_not_outlive_neo4j(tmp_path: Path) -> None:
    http = client(tmp_path, open_=True)
    app, began = http.app, time.monotonic()
    ended: list[str] = []

    async def slow() -> None:
        try:
            app.state.service.pulse.gone = "Neo4j is gone."  # type: ignore[attr-defined]
            await asyncio.sleep(60)
        finally:
            ended.append("cancelled")

    app.get("/slow")(slow)  # type: ignore[attr-defined]
    refused = http.get("/slow")
    assert (refused.status_code, refused.json()["error"]["message"], ended) == (503, "Neo4j is gone.", ["cancelled"])
    assert time.monotonic() - began < 30


def test_what_nobody_foresaw_is_logged_and_not_told(tmp_path: Path, log: io.StringIO) -> None:
    answer = client(tmp_path, open_=True).get("/broken", headers={"X-Request-ID": "mine"})
    assert answer.status_code == 500
    assert "mine" in answer.json()["error"]["message"]
    assert "secret" not in answer.text
    failed, request = (json.loads(line) for line in log.getvalue().splitlines())
    assert "a secret" in failed["exception"]
    assert (request["route"], request["status"], request["request"]) == ("/broken", 500, "mine")


def test_the_log_names_the_token_and_not_what_was_asked(tmp_path: Path, log: io.StringIO) -> None:
    http = client(tmp_path)
    token = http.app.state.service.tokens.create("chat")  # type: ignore[attr-defined]
    http.post("/read?q=private", content=b"private", headers={"Authorization": f"Bearer {token}"})
    [line] = log.getvalue().splitlines()
    assert json.loads(line)["token"] == "chat"
    assert "private" not in line
    assert token not in line
