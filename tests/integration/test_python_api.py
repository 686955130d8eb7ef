"""What the Python API has besides asking and ingesting: lists, without blocking, and how results show themselves."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from clew.agent.loop import Event, Finished
from clew.cli import main
from clew.errors import InputError
from clew.explore.schema import graph_schema, schema_text
from clew.ingest.pipeline import Progress
from clew.knowledge_base import KnowledgeBase

QUESTION = "Who designed the Old Maren Light?"


def test_entities_and_facts(encyclopaedia: KnowledgeBase) -> None:
    found = encyclopaedia.entities("Old Maren Light", limit=3)
    assert len(found) == 3
    assert found[0]["name"] == "Old Maren Light"
    facts = encyclopaedia.facts(entity=found[0]["id"])
    assert any("Ruben Calloway" in fact["text"] for fact in facts)
    assert all(found[0]["id"] in {one["id"] for one in fact["participants"]} for fact in facts)
    source = facts[0]["sources"][0]
    stated = encyclopaedia.facts(document=source["document"], limit=1_000)
    assert facts[0]["id"] in {fact["id"] for fact in stated}
    assert encyclopaedia.facts("who designed the lighthouse at Maren?", limit=1)[0]["text"]
    assert len(encyclopaedia.entities(limit=2)) == 2


def test_what_lists_cannot_take(encyclopaedia: KnowledgeBase) -> None:
    with pytest.raises(InputError, match="limit must be at least 1, not 0"):
        encyclopaedia.entities(limit=0)
    with pytest.raises(InputError, match="without a text or a document"):
        encyclopaedia.facts("light", entity="e")


def test_astream_gives_the_events_of_stream(encyclopaedia: KnowledgeBase) -> None:
    async def read() -> list[Event]:
        return [event async for event in encyclopaedia.astream(QUESTION)]

    events = asyncio.run(read())
    assert isinstance(events[-1], Finished)
    assert "Calloway" in events[-1].trajectory.answer
    assert [type(event) for event in events] == [type(event) for event in encyclopaedia.stream(QUESTION)]


def test_whoever_leaves_astream_stops_the_agent(encyclopaedia: KnowledgeBase) -> None:
    asked: list[bool] = []

    def noted() -> bool:
        asked.append(True)
        return False

    async def leave() -> int:
        events = encyclopaedia.astream(QUESTION, should_stop=noted)
        await anext(events)
        await events.aclose()  # type: ignore[attr-defined]
        return len(asked)

    assert asyncio.run(leave()) == len(asked), "nothing is done afterwards"


def test_aingest_is_ingest_and_stops_when_cancelled(kb: KnowledgeBase, tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"mill{number}.md").write_text(f"# Mill {number}\n\nMill {number} was built by Ada Finch.")

    async def cancelled() -> None:
        began = asyncio.Event()
        loop = asyncio.get_running_loop()

        def progress(_: Progress) -> None:
            loop.call_soon_threadsafe(began.set)

        task = asyncio.create_task(kb.aingest(str(tmp_path), on_progress=progress))
        await began.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    report = asyncio.run(kb.aingest(str(tmp_path)))
    assert report.documents + report.unchanged == 30
    assert kb.stats()["nodes"]["Document"] == 30


def test_results_show_themselves(encyclopaedia: KnowledgeBase) -> None:
    assert repr(encyclopaedia) == f"<KnowledgeBase {encyclopaedia.name!r}>"
    trajectory = encyclopaedia.ask(QUESTION, store=False)
    [found] = encyclopaedia.retrieve(["<b>Maren</b>"], 2)
    for shown in (trajectory, found, *found.facts, *found.passages):
        assert len(repr(shown)) < 200
        assert "\n" not in repr(shown)
    assert "Calloway" in trajectory._repr_html_()
    assert "&lt;b&gt;Maren&lt;/b&gt;" in found._repr_html_()
    assert "<td>Entity</td>" in encyclopaedia._repr_html_()


def test_the_schema_is_that_of_the_graph(encyclopaedia: KnowledgeBase, environment: dict[str, str]) -> None:
    encyclopaedia.ask(QUESTION)
    schema = graph_schema(encyclopaedia)
    ways = {(one["start"], one["type"], one["end"]) for one in schema["relationships"]}
    assert {("ClewDocument", "HAS_CHUNK", "ClewChunk"), ("ClewHyperedge", "CONNECTS", "ClewEntity")} <= ways
    assert {"property": "degree", "type": "INTEGER"} in schema["node_props"]["ClewEntity"]
    assert {"property": "role", "type": "STRING"} in schema["rel_props"]["CONNECTS"]
    assert "embedding" not in json.dumps(schema)
    text = schema_text(schema)
    assert "(:ClewChunk)-[:STATES]->(:ClewHyperedge)" in text
    ran = CliRunner(env=environment).invoke(main, ["schema", "--kb", encyclopaedia.name])
    assert (ran.exit_code, ran.stdout.strip()) == (0, text)
    ran = CliRunner(env=environment).invoke(main, ["schema", "--json", "--kb", encyclopaedia.name])
    assert json.loads(ran.stdout) == schema


def test_the_schema_is_what_neo4j_graphrag_writes(encyclopaedia: KnowledgeBase) -> None:
    from neo4j_graphrag.schema import format_schema

    schema = graph_schema(encyclopaedia)
    theirs = format_schema(schema, is_enhanced=False)
    assert sorted(schema_text(schema).splitlines()) == sorted(theirs.splitlines())
