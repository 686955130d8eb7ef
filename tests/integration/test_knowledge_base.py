"""The facade: what an engineer's own program calls."""

from __future__ import annotations

import asyncio
import io
import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from clew import KnowledgeBase
from clew.agent.loop import Finished, Stepped
from clew.database.connection import Database
from clew.embedding import load_embedder, local_folder
from clew.errors import DatabaseError, EmbedderError, InputError, NotFoundError
from clew.knowledge_base import list_knowledge_bases
from clew.settings import Settings
from clew.testing import ModelServer, agent
from clew.types import Trajectory
from tests.integration.conftest import EXAMPLES
from tests.integration.graphs import CITIES, add, cities, counts, document, dump, graph

QUESTIONS = [json.loads(line)["question"] for line in (EXAMPLES / "questions.jsonl").read_text().splitlines()]


def test_open_names_and_closes(settings: Settings, kb_name: str) -> None:
    with KnowledgeBase.open(kb_name, settings=settings) as kb:
        assert kb.name == kb_name
        assert not kb.exists()
        kb.ingest_bytes(b"Ansby lies on the river Anner.", "ansby.txt")
        assert kb.exists()
        (listed,) = [row for row in list_knowledge_bases(kb.database) if row["name"] == kb_name]
        row = {"name": kb_name, "embedder": settings.embedder, "dimensions": 384, "documents": 1}
        assert listed == row | {"description": "", "hidden": False}
        kb.delete()
    named = settings.model_copy(update={"kb": kb_name})
    with KnowledgeBase.open(settings=named) as kb:
        assert kb.name == kb_name


def test_one_that_was_closed_says_so(settings: Settings, kb_name: str) -> None:
    with KnowledgeBase.open(kb_name, settings=settings) as kb:
        retriever = kb.as_retriever()
    with pytest.raises(DatabaseError, match=r"was closed by this program in kb/get: open it again\.$"):
        retriever.invoke("York")


@pytest.mark.parametrize("name", ["", " ", "two words", "-dash", "a/b", "../up", "x" * 64, "naïve", "a\nb", "a\n", "`"])
def test_bad_names(name: str, database: Database, settings: Settings) -> None:
    with pytest.raises(InputError, match="no name for a knowledge base"):
        KnowledgeBase(name, database, settings)
    with pytest.raises(InputError, match="no name for a knowledge base"):
        KnowledgeBase.open(name, settings=settings)


def test_a_knowledge_base_that_is_not_there(kb: KnowledgeBase) -> None:
    attempts: list[Callable[[], object]] = [
        lambda: kb.retrieve("x"),
        lambda: kb.ask("Who?"),
        lambda: kb.stats(),
        lambda: kb.documents(),
        lambda: kb.document("x"),
        lambda: kb.delete_documents("x"),
        lambda: kb.delete(),
        lambda: kb.trajectory("x"),
        lambda: kb.trajectories(),
        lambda: kb.stream("Who?"),
    ]
    for attempt in attempts:
        with pytest.raises(NotFoundError, match=kb.name):
            attempt()
    assert not kb.exists()


def test_what_is_no_text_or_number_is_named(encyclopaedia: KnowledgeBase) -> None:
    base: Any = encyclopaedia
    attempts: list[tuple[Callable[[], object], str]] = [
        (lambda: base.ask(None), "A question is text, not NoneType"),
        (lambda: base.ask(["Who?"]), "A question is text, not list"),
        (lambda: base.stream("  "), "The question is empty"),
        (lambda: base.stream("Who?", id=5), "The id of a trajectory is text, not int"),
        (lambda: base.retrieve(None), "A question is text, not NoneType"),
        (lambda: base.retrieve(b"Who?"), "A question is text, not bytes"),
        (lambda: base.retrieve("Who?", k=1.5), "k must be a whole number, not '1.5'"),
        (lambda: base.retrieve("Who?", k="3"), "k must be a whole number, not '3'"),
        (lambda: base.retrieve("Who?", strategy=["clew"]), "There is no strategy"),
        (lambda: base.ask("Who?", policy=5), "There is no policy 5"),
        (lambda: base.ask("Who?", history=["Who was it?"]), "History is a list of earlier questions"),
        (lambda: base.documents(0, 1.5), "limit must be a whole number"),
        (lambda: base.documents(None), "skip must be a whole number"),
        (lambda: base.trajectory(None), "The id of a trajectory is text"),
        (lambda: base.delete_documents(["a"]), "The id of a document is text, not list"),
        (lambda: base.ingest(["a.md"]), "A source is a path or an address, not list"),
        (lambda: base.ingest_bytes("Ada met Bo.", "a.txt"), "The content of a file is bytes, not str: encode"),
        (lambda: base.ingest_bytes(b"Ada met Bo.", None), "The name of a file is text, not NoneType"),
        (lambda: base.ingest_bytes(b"Ada met Bo.", "a.txt", encoding="latin-x"), "'latin-x' is no encoding"),
        (lambda: base.compare(None), "A source is a path or an address, not NoneType"),
        (lambda: KnowledgeBase.open(5, settings=base.settings), "no name for a knowledge base"),  # type: ignore[arg-type]
    ]
    for attempt, says in attempts:
        with pytest.raises(InputError, match=says):
            attempt()


def test_a_path_is_a_source_and_an_id_counts_once(kb: KnowledgeBase, tmp_path: Path) -> None:
    (file := tmp_path / "ansby.txt").write_text("Ansby lies on the river Anner.", encoding="utf-8")
    assert kb.ingest(file).documents == 1
    [row] = kb.documents()
    assert kb.delete_documents(row["id"], row["id"]) == 1


def test_a_trajectory_is_not_asked_for_twice_by_one_id(encyclopaedia: KnowledgeBase) -> None:
    trajectory = encyclopaedia.ask(QUESTIONS[0], policy="reader")
    with pytest.raises(InputError, match=r"There is a trajectory .* already"):
        encyclopaedia.stream(QUESTIONS[0], policy="reader", id=trajectory.id)


def test_documents(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb))
    listed = kb.documents()
    assert [row["title"] for row in listed] == sorted(CITIES)
    assert kb.documents(skip=2, limit=3) == listed[2:5]
    pages: list[dict[str, Any]] = [{"skip": -1}, {"limit": -1}, {"limit": 10**20}]
    for page in pages:
        with pytest.raises(InputError, match=f"{next(iter(page))} must be between 0"):
            kb.documents(**page)
        with pytest.raises(InputError, match=f"{next(iter(page))} must be between 0"):
            kb.find_trajectories(None, **page)
    for row in listed:
        shown = kb.document(row["id"])
        assert shown["text"] == CITIES[row["title"]]
        assert row["characters"] == len(shown["text"])
        assert (shown["chunks"], shown["status"]) == (1, "ready")
        assert shown["hyperedges"] > 0
    with pytest.raises(NotFoundError, match="no document 'nothing'"):
        kb.document("nothing")
    with pytest.raises(NotFoundError, match="no document 'nothing'"):
        kb.delete_documents(listed[0]["id"], "nothing")
    assert kb.delete_documents() == 0
    assert len(kb.documents()) == len(CITIES)


def test_bytes_and_standard_input(kb: KnowledgeBase) -> None:
    assert kb.ingest_bytes(b"# Ansby\n\nAnsby lies on the Anner.", "ansby.md").documents == 1
    assert kb.ingest("-", stdin=io.BytesIO(b"Iskeld\n\nIskeld is an island.")).documents == 1
    assert {row["source"] for row in kb.documents()} == {"upload:ansby.md", "stdin"}
    assert {row["title"] for row in kb.documents()} == {"Ansby", "Iskeld"}


def test_stats_count_what_there_is(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb))
    kb.ask("Where does Łódź lie?", policy="reader")
    nodes, relationships = dump(kb)
    stats = kb.stats()
    assert sum(stats["nodes"].values()) == len(nodes)
    assert sum(stats["relationships"].values()) == len(relationships)
    assert stats["nodes"]["Document"] == stats["relationships"]["HAS_CHUNK"] == len(CITIES)
    assert stats["nodes"]["Trajectory"] == 1


def test_another_encoder_is_not_mixed_in(kb: KnowledgeBase, database: Database) -> None:
    """The encoder that wrote a knowledge base is used, whatever the settings say; one that changed is refused."""
    add(kb, *cities(kb))
    other = KnowledgeBase(kb.name, database, kb.settings.model_copy(update={"embedder": "no-such/encoder"}))
    assert other.embedder.name == kb.settings.embedder
    assert other.retrieve("York")[0].facts
    kb.delete()
    database.write(
        "kb/create", kb=kb.name, embedder=kb.settings.embedder, dimensions=768, precision=kb.settings.precision
    )
    with pytest.raises(EmbedderError, match=rf"{kb.name}.* 768 dimensions .*clew reindex"):
        KnowledgeBase(kb.name, database, kb.settings).retrieve("York")


def test_one_made_anew_with_another_encoder(kb: KnowledgeBase, database: Database, tmp_path: Path) -> None:
    built_in = local_folder(kb.settings.embedder)
    assert built_in is not None
    (tmp_path / "encoder").symlink_to(built_in)
    settings = kb.settings.model_copy(update={"embedder": str(tmp_path / "encoder")})
    for use in (lambda: kb.retrieve("Ansby"), lambda: kb.ingest_bytes(b"Ebba lives in Ansby.", "ebba.txt")):
        kb.__dict__["embedder"] = load_embedder(kb.settings)
        KnowledgeBase(kb.name, database, settings).ingest_bytes(b"Ansby lies on the river Anner.", "ansby.txt")
        use()
        assert kb.embedder.name == settings.embedder
        kb.delete()


@pytest.mark.parametrize("k", [0, -3])
def test_a_k_that_finds_nothing_is_refused(encyclopaedia: KnowledgeBase, k: int) -> None:
    before = encyclopaedia.find_trajectories()[1]
    attempts: list[Callable[[], object]] = [
        lambda: encyclopaedia.retrieve(QUESTIONS[:1], k),
        lambda: encyclopaedia.ask(QUESTIONS[0], k=k),
        lambda: encyclopaedia.stream(QUESTIONS[0], k=k),
    ]
    for attempt in attempts:
        with pytest.raises(InputError, match=f"k must be at least 1, not {k}"):
            attempt()
    assert encyclopaedia.find_trajectories()[1] == before


def test_async(encyclopaedia: KnowledgeBase) -> None:
    async def all_at_once() -> list[object]:
        found = await asyncio.gather(
            encyclopaedia.aretrieve(QUESTIONS[:2], 3, "hyperedges"), encyclopaedia.aask(QUESTIONS[0], policy="reader")
        )
        return list(found)

    retrieved, trajectory = asyncio.run(all_at_once())
    assert retrieved == encyclopaedia.retrieve(QUESTIONS[:2], 3, "hyperedges")
    assert isinstance(trajectory, Trajectory)
    assert trajectory.answer == "Ruben Calloway"


def test_cancelling_ends_what_the_agent_spends(encyclopaedia: KnowledgeBase, database: Database) -> None:
    turns: list[str] = []
    cancelled = threading.Event()

    def curious(messages: object, request: object) -> str:
        turns.append(f"lighthouse {len(turns)}")
        if len(turns) == 2:
            assert cancelled.wait(20)
        return f"<think>more</think><query>{turns[-1]}</query>"

    async def cancel(kb: KnowledgeBase) -> None:
        task = asyncio.create_task(kb.aask(QUESTIONS[0], store=False))
        while len(turns) < 2:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        cancelled.set()

    with ModelServer(curious) as server:
        update = {"policy": "llm", "llm_model": server.model, "llm_base_url": server.base_url, "llm_api_key": None}
        asking = KnowledgeBase(encyclopaedia.name, database, encyclopaedia.settings.model_copy(update=update))
        asyncio.run(cancel(asking))  # waits for the thread that the agent runs in
    assert len(turns) == 2


def test_stream_is_ask_step_by_step(encyclopaedia: KnowledgeBase) -> None:
    events = list(encyclopaedia.stream(QUESTIONS[0], policy="reader"))
    assert isinstance(events[-1], Finished)
    trajectory = events[-1].trajectory
    assert tuple(event.step for event in events if isinstance(event, Stepped)) == trajectory.steps
    assert encyclopaedia.trajectory(trajectory.id)["answer"] == trajectory.answer == "Ruben Calloway"


@pytest.mark.parametrize("strategy", ["graph-r1", "chunks", "hyperedges", "none"])
def test_langchain(encyclopaedia: KnowledgeBase, strategy: str) -> None:
    retriever = encyclopaedia.as_retriever(strategy, k=3)
    found = retriever.invoke("Who designed the Old Maren Light?")
    (expected,) = encyclopaedia.retrieve("Who designed the Old Maren Light?", 3, strategy)
    assert [one.id for one in found] == [passage.id for passage in expected.passages]
    assert asyncio.run(retriever.ainvoke("Who designed the Old Maren Light?")) == found
    for one in found:
        place = one.metadata
        text = encyclopaedia.document(place["document"])["text"]
        assert text[place["start"] : place["end"]] == one.page_content
    facts = [fact for one in found for fact in one.metadata["facts"]]
    assert set(facts) <= {fact.text for fact in expected.facts}
    assert bool(facts) is (strategy in ("graph-r1", "hyperedges"))


def test_langchain_takes_another_k_for_one_question(encyclopaedia: KnowledgeBase) -> None:
    retriever = encyclopaedia.as_retriever("chunks", k=3)
    question = "Who designed the Old Maren Light?"
    three = retriever.invoke(question)
    assert len(three) == 3
    assert retriever.invoke(question, k=1) == asyncio.run(retriever.ainvoke(question, k=1)) == three[:1]
    with pytest.raises(InputError, match="k"):
        retriever.invoke(question, k=0)


def test_langchain_says_at_once_what_it_cannot_take(encyclopaedia: KnowledgeBase) -> None:
    with pytest.raises(InputError, match=r"There is no strategy 'clw' .did you mean 'clew'"):
        encyclopaedia.as_retriever("clw")
    with pytest.raises(InputError, match="k must be at least 1, not 0"):
        encyclopaedia.as_retriever(k=0)


def test_langchain_tells_where_a_fact_without_a_passage_is_stated(encyclopaedia: KnowledgeBase) -> None:
    found = encyclopaedia.as_retriever("hybrid-graph20").invoke("Who designed the Old Maren Light?")
    assert len(found) == 20
    for one in found:
        place = one.metadata
        text = encyclopaedia.document(place["document"])["text"]
        assert text[place["start"] : place["end"]] in one.page_content
        assert place["facts"] == [one.page_content]


def test_a_trajectory_is_in_the_graph(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb))
    trajectory = kb.ask("Which country does Łódź lie in?", policy="reader")
    assert trajectory.answered
    nodes, relationships = dump(kb)
    kinds: dict[str, list[dict[str, object]]] = {}
    for row in relationships:
        kinds.setdefault(row["type"], []).append(row)
    assert nodes[trajectory.id]["question"] == trajectory.question
    assert {row["start"] for row in kinds["STEP"]} == {trajectory.id}
    assert len(kinds["STEP"]) == len(trajectory.steps)
    assert len(kinds["RETRIEVED"]) == sum(len(step.facts) for step in trajectory.steps) > 0
    assert len(kinds["CITES"]) == len(trajectory.citations) > 0
    stored = kb.trajectory(trajectory.id)
    assert [step["query"] for step in stored["steps"]] == [step.query for step in trajectory.steps]
    for step, kept in zip(trajectory.steps, stored["steps"], strict=True):
        assert [fact["id"] for fact in kept["facts"]] == [fact.id for fact in step.facts]
        assert [fact["score"] for fact in kept["facts"]] == pytest.approx([fact.score for fact in step.facts])
    assert [row["id"] for row in kb.trajectories()] == [trajectory.id]
    kb.delete_documents(*(row["id"] for row in kb.documents()))
    assert graph(kb) == set()
    assert kb.trajectories() == []


def test_a_trajectory_outlives_what_it_cited(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb))
    trajectory = kb.ask("Which country does Łódź lie in?", policy="reader")
    kb.delete_documents(*(one.id for one in cities(kb, ["Lodz"])))
    stored = kb.trajectory(trajectory.id)
    assert stored["answer"] == trajectory.answer
    assert len(stored["steps"]) == len(trajectory.steps)
    assert counts(kb)["CITES"] < len(trajectory.citations)


def test_eight_threads_ask_at_once(encyclopaedia: KnowledgeBase) -> None:
    asked = QUESTIONS[:8]
    expected = [encyclopaedia.ask(question, policy="reader").answer for question in asked]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda question: encyclopaedia.ask(question, policy="reader"), asked))
    assert [trajectory.answer for trajectory in found] == expected
    assert [trajectory.question for trajectory in found] == asked
    assert len({trajectory.id for trajectory in found}) == len(asked)


def quotes_are_the_documents_own(kb: KnowledgeBase, trajectory: Trajectory) -> None:
    for citation in trajectory.citations:
        shown = kb.document(citation.document)
        assert citation.quote == shown["text"][citation.start : citation.end] != ""
        assert citation.title == shown["title"]


def test_a_citation_tells_the_headings_above_it(kb: KnowledgeBase) -> None:
    lease = "# Lease of Osby Mill\n\n## Rent\n\n### Deposit\n\nThe deposit of Osby Mill is 900 crowns.\n"
    kb.ingest_bytes(lease.encode(), "lease.md")
    asked = kb.ask("How much is the deposit of Osby Mill?", policy="reader")
    assert [one.section for one in asked.citations] == ["Rent › Deposit"]
    assert kb.trajectory(asked.id)["citations"][0]["section"] == "Rent › Deposit"
    (row,) = kb.documents()
    shown = kb.document(row["id"])
    headings = [shown["text"][one.start : one.end] for one in shown["blocks"] if one.kind == "heading"]
    assert headings == ["Lease of Osby Mill", "Rent", "Deposit"]


def test_every_quote_of_the_reader(encyclopaedia: KnowledgeBase) -> None:
    cited = 0
    for question in QUESTIONS[::2]:
        trajectory = encyclopaedia.ask(question, policy="reader")
        quotes_are_the_documents_own(encyclopaedia, trajectory)
        assert bool(trajectory.citations) or not trajectory.answered
        cited += bool(trajectory.citations)
    assert cited >= 12


def test_every_quote_of_the_llm_policy(encyclopaedia: KnowledgeBase, database: Database) -> None:
    with ModelServer(agent()) as server:
        update = {"policy": "llm", "llm_model": server.model, "llm_base_url": server.base_url, "llm_api_key": None}
        asking = KnowledgeBase(encyclopaedia.name, database, encyclopaedia.settings.model_copy(update=update))
        cited = 0
        for question in QUESTIONS:
            trajectory = asking.ask(question)
            assert trajectory.policy == "llm"
            quotes_are_the_documents_own(asking, trajectory)
            cited += bool(trajectory.citations)
    assert cited >= 20


def test_offsets_count_characters_whatever_the_script(kb: KnowledgeBase) -> None:
    """Neo4j's strings are UTF-16: a rocket must not move what follows it."""
    text = "🚀🚀🏳️‍🌈 rockets flew. 👩🏽‍🚀 The Ansby Rocket was designed by Mara Lind in 1871. 漢字 follow."
    add(kb, document(kb, "Ansby Rocket", text))
    trajectory = kb.ask("Who designed the Ansby Rocket?", policy="reader")
    assert trajectory.answer == "Mara Lind"
    quotes_are_the_documents_own(kb, trajectory)
    assert "designed by Mara Lind" in trajectory.citations[0].quote


def test_a_source_that_cannot_be_read_is_told(kb: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("Ansby lies on the Anner.")
    (tmp_path / "bad.pdf").write_bytes(b"no pdf")
    report = kb.ingest(str(tmp_path), str(tmp_path / "missing.txt"))
    assert report.documents == 1
    assert {Path(one.source).name: one.reason for one in report.skipped} == {
        "bad.pdf": "It is not a PDF, whatever its name says.",
        "missing.txt": "There is no such file or folder.",
    }
