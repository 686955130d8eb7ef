"""Who may do what: without a token nothing, with one what it says, and no web page of a stranger."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from clew.knowledge_base import KnowledgeBase
from clew.serving.api.app import create_app
from clew.serving.api.guard import OPEN
from clew.serving.tokens import Tokens
from clew.settings import Settings


@pytest.fixture
def tokens(settings: Settings) -> Iterator[Tokens]:
    found = Tokens(settings)
    yield found
    for one in found.all():
        found.revoke(one.name)


def routes(settings: Settings) -> list[tuple[str, str]]:
    paths = create_app(settings).openapi()["paths"]
    found = [(method, re.sub(r"\{\w+\}", "abc", path)) for path, some in paths.items() for method in some]
    return [*found, ("post", "/mcp"), ("get", "/openapi.json")]


def test_without_a_token_no_route_answers(guarded: str, settings: Settings) -> None:
    with httpx.Client(base_url=guarded, timeout=60) as http:
        for method, path in routes(settings):
            status = http.request(method, path).status_code
            assert status == (200 if path in OPEN else 401), (method, path, status)


def test_a_token_gives_its_right_to_its_knowledge_base(
    guarded: str, tokens: Tokens, encyclopaedia: KnowledgeBase
) -> None:
    root = f"/api/knowledge-bases/{encyclopaedia.name}"
    token = tokens.create("reader", [encyclopaedia.name], "read")
    with httpx.Client(base_url=guarded, timeout=60, headers={"Authorization": f"Bearer {token}"}) as http:
        assert http.post(f"{root}/retrieve", json={"queries": ["observatory"]}).status_code == 200
        assert [one["name"] for one in http.get("/api/knowledge-bases").json()] == [encyclopaedia.name]
        assert http.get("/api/knowledge-bases/other").status_code == 403
        assert http.post("/retrieve/other", json={"queries": ["x"]}).status_code == 403
        chat = {"model": "clew/other", "messages": [{"role": "user", "content": "x"}]}
        assert http.post("/v1/chat/completions", json=chat).status_code == 403
        assert http.post(f"{root}/documents", files={"files": ("a.md", "# A\n\nB is C.")}).status_code == 403
        assert http.delete(f"{root}/documents/abc").status_code == 403
        assert http.delete(root).status_code == 403
        tokens.revoke("reader")
        assert http.get(root).status_code == 401
    writer = tokens.create("writer", [encyclopaedia.name], "write")
    with httpx.Client(base_url=guarded, timeout=60, auth=("any", writer)) as http:
        assert http.delete(f"{root}/documents/abc").status_code == 404
        assert http.delete(root).status_code == 403


def test_cors_is_closed(served: str) -> None:
    asks = {"Origin": served, "Access-Control-Request-Method": "POST"}
    answer = httpx.options(f"{served}/retrieve", headers=asks)
    assert answer.status_code == 405
    assert not [name for name in answer.headers if name.startswith("access-control")]
