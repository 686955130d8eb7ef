"""The real MCP client, over standard input and output and over HTTP."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from clew.knowledge_base import KnowledgeBase
from clew.serving.tokens import Tokens
from clew.settings import Settings

READING = ["ask", "facts_of_entity", "list", "search", "sources"]


async def call(client: Client, tool: str, **given: Any) -> Any:
    """What a tool gives; an error as text."""
    told = await client.call_tool(tool, given)
    text = "".join(getattr(part, "text", "") for part in told.content)
    return text if told.is_error else told.structured_content


async def tools(client: Client) -> list[str]:
    return sorted(tool.name for tool in (await client.list_tools()).tools)


def test_an_editor_reads_over_standard_input(environment: dict[str, str], encyclopaedia: KnowledgeBase) -> None:
    async def run() -> None:
        arguments = ["-m", "clew.cli", "mcp", "--kb", encyclopaedia.name]
        program = StdioServerParameters(command=sys.executable, args=arguments, env=environment)
        async with Client(program, read_timeout_seconds=120) as client:
            assert await tools(client) == READING
            found = await call(client, "search", query="Who designed the Elleray Observatory?")
            assert found["passages"][0]["title"] == "Elleray Observatory"
            told = await call(client, "ask", question="Who designed the Elleray Observatory?")
            assert (told["answer"], told["verdict"]) == ("Ruben Calloway", "sure")
            assert told["citations"][0]["quote"]
            entity = await call(client, "facts_of_entity", name="Ruben Calloway")
            assert entity["entity"]["name"] == "Ruben Calloway"
            assert any("Observatory" in fact["text"] for fact in entity["facts"])
            listed = await call(client, "list", text="observatory")
            assert [one["title"] for one in listed["documents"]] == ["Elleray Observatory"]
            assert "clew ingest" in await call(client, "search", query="x", kb="none-such")
            light = ["title=Old Maren Light"]
            found = await call(client, "search", query="Elleray Observatory", filter=light)
            assert {one["title"] for one in found["passages"]} == {"Old Maren Light"}
            told = await call(client, "ask", question="Who designed the Elleray Observatory?", filter=light)
            assert told["answer"] != "Ruben Calloway"
            assert "there are title" in await call(client, "search", query="x", filter=["nobody=1"])
            assert "no condition" in await call(client, "ask", question="Who was it?", filter=["nobody"])

    asyncio.run(run())


def test_over_http_a_text_comes_in_where_that_is_allowed(served: str, kb_name: str) -> None:
    async def run() -> None:
        async with Client(f"{served}/mcp", read_timeout_seconds=120) as client:
            assert await tools(client) == sorted([*READING, "ingest"])
            page = {"title": "Ada Lovelace", "text": "Ada Lovelace was born in London."}
            assert (await call(client, "ingest", kb=kb_name, **page))["documents"] == 1
            told = await call(client, "ask", kb=kb_name, question="Where was Ada Lovelace born?")
            assert told["answer"] == "London"
            titles = ["Terms (draft)", "Terms [draft]", "A/B test", "A:B test", "What is C#?", "What is C+?"]
            for title in titles:
                text = f"This is the text under {title}."
                assert (await call(client, "ingest", kb=kb_name, title=title, text=text))["replaced"] == 0
            listed = await call(client, "list", kb=kb_name, text=None, skip=None, k=None)
            assert {one["title"] for one in listed["documents"]} == {"Ada Lovelace", *titles}
            for kept in ("null", '""', "[]", '"title=Ada Lovelace"'):
                found = await call(client, "search", query="Ada", kb=kb_name, filter=json.loads(kept))
                assert "Ada Lovelace" in {one["title"] for one in found["passages"]}
            for given in ({"k": 0}, {"query": ""}, {"filter": [7]}, {"k": "many", "kb": 7}):
                told = await call(client, "search", **({"query": "x", "kb": kb_name} | given))
                assert "\n" not in told
                assert "http" not in told
                assert next(iter(given)) in told
            for wrong in ({}, {"address": "/etc/passwd"}, {"address": "file:///etc/passwd"}, {"text": "no title"}):
                assert isinstance(await call(client, "ingest", kb=kb_name, **wrong), str)
            inside = await call(client, "ingest", kb=kb_name, address=f"{served}/health")
            assert inside["documents"] == 0
            assert inside["skipped"]

    asyncio.run(run())


def test_it_tells_what_an_earlier_answer_still_rests_on(served: str, kb_name: str) -> None:
    async def run() -> None:
        async with Client(f"{served}/mcp", read_timeout_seconds=120) as client:

            async def write(text: str) -> None:
                assert (await call(client, "ingest", kb=kb_name, title="Vellen Ferry", text=text))["documents"] == 1

            await write("The Vellen Ferry was built in Marsk. It carries goats.")
            told = await call(client, "ask", kb=kb_name, question="Where was the Vellen Ferry built?")
            assert told["answer"] == "Marsk"
            given = {"kb": kb_name, "trajectory": told["trajectory"]}

            found = await call(client, "sources", **given)
            assert (found["answer"], found["touched"], found["citations"][0]["state"]) == ("Marsk", False, "same")
            assert "now" not in found["citations"][0]

            await write("It carries goats and sheep. The Vellen Ferry was built in Marsk.")
            (moved, *_) = (await call(client, "sources", **given))["citations"]
            assert (moved["state"], moved["now"]["quote"]) == ("moved", moved["quote"])
            assert moved["now"]["start"] > moved["start"]

            await write("The Vellen Ferry was built in Torsk. It carries goats.")
            found = await call(client, "sources", **given)
            assert (found["touched"], found["citations"][0]["state"]) == (True, "changed")
            assert found["shown_as"] == "Outdated"
            assert "Torsk" in found["citations"][0]["now"]["quote"]
            assert "Marsk" in found["citations"][0]["quote"]

            assert "There is no trajectory" in await call(client, "sources", kb=kb_name, trajectory="none")

    asyncio.run(run())


@pytest.fixture
def token(settings: Settings, encyclopaedia: KnowledgeBase) -> Iterator[str]:
    tokens = Tokens(settings)
    yield tokens.create("editor", [encyclopaedia.name])
    with suppress(Exception):
        tokens.revoke("editor")


def test_over_http_a_token_counts(guarded: str, token: str, encyclopaedia: KnowledgeBase) -> None:
    async def run() -> None:
        bearer = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=bearer, timeout=60) as http,
            Client(streamable_http_client(f"{guarded}/mcp", http_client=http)) as client,
        ):
            assert await tools(client) == READING
            listed = await call(client, "list")
            assert [one["name"] for one in listed["knowledge_bases"]] == [encyclopaedia.name]
            assert "no right" in await call(client, "search", query="x", kb="other")

    asyncio.run(run())
