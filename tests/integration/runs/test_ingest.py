"""Ingests as jobs: five formats, bad files, retries, a process that is killed, and what a delete would take along."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from clew.errors import InputError, SettingsError
from clew.ingest.originals import original
from clew.knowledge_base import KnowledgeBase
from clew.llm.connections import Connection, connect_model, used_model
from clew.operations.move import rename
from clew.runs import Job, jobs
from clew.runs.ingest import SHORT, Upload, items_of, retry, start_ingest
from clew.settings import Settings
from clew.testing import Fault, ModelServer, extractor, schedule
from tests.integration.conftest import EXAMPLES

FILES = ("ansby.md", "anselm-voss.pdf", "auvray-lens.html", "clement-orrell.txt", "elleray-observatory.docx")


@pytest.fixture
def at(environment: dict[str, str], settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The settings, with an environment in which jobs use the same server."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return settings


def upload(name: str) -> Upload:
    """An example as an upload."""
    return Upload(name, (EXAMPLES / "encyclopaedia" / name).read_bytes())


def towns(count: int) -> Upload:
    """As many documents in one file: enough to be met while they come in."""
    row = '{"title": "Town %d", "text": "Town %d lies on river %d."}'
    return Upload("towns.jsonl", "\n".join(row % (n, n, n % 9) for n in range(count)).encode())


def until(true: Callable[[], object], seconds: float = 120.0) -> None:
    """Wait for something to become true."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "It did not become true in time."
        time.sleep(0.05)


def over(job: Job) -> Job:
    """The job, once it has ended."""
    until(lambda: not job.running)
    return job


def test_every_format_comes_in_and_each_file_tells_what_became_of_it(at: Settings, kb: KnowledgeBase) -> None:
    bad = [Upload("broken.pdf", b"%PDF-1.7 cut off here"), Upload("\ud800<b>.txt", b"")]
    rows = Upload("rows.jsonl", b'{"title": "Ulm", "text": "Ulm is a town on the Danube."}\nnot json\n')
    job = over(start_ingest(at, kb.name, [*map(upload, FILES), *bad, rows]))
    assert job.state == "done", job.log()
    items = items_of(job)
    assert [item.state for item in items] == ["done"] * 5 + ["failed", "failed", "done"]
    assert all(item.facts and item.entities and item.written == 1 and item.share == 1 for item in items[:5])
    assert all(item.reason for item in items[5:7])
    assert len(items[7].warnings) == 1
    assert {row["source"] for row in kb.documents()} >= {f"upload:{name}" for name in FILES}
    left = [path.name for path in (job.folder / "uploads").iterdir()]
    assert sorted(left) == ["00005", "00006"]  # what failed is kept, to be tried again

    (job.folder / items[6].file).write_text("Ansby was founded in 1412.")
    retry(job, 6)
    assert [item.state for item in items_of(over(job))][5:7] == ["failed", "done"]
    assert len(kb.documents()) == 7
    job.delete()
    assert job not in jobs(at)


def test_an_original_is_kept_as_long_as_a_document_comes_of_it(at: Settings, kb: KnowledgeBase) -> None:
    row = '{"title": "Town %d", "text": "Town %d lies on the Danube."}'
    rows = Upload("rows.jsonl", "\n".join(row % (n, n) for n in range(2)).encode())
    over(start_ingest(at, kb.name, [upload(FILES[1]), rows]))
    kept = original(at, kb.name, f"upload:{FILES[1]}")
    assert kept
    assert kept.read_bytes() == upload(FILES[1]).data
    of_rows = [one["id"] for one in kb.documents() if one["source"] == "upload:rows.jsonl"]
    kb.delete_documents(of_rows[0])
    assert original(at, kb.name, "upload:rows.jsonl")
    kb.delete_documents(of_rows[1])
    assert original(at, kb.name, "upload:rows.jsonl") is None
    connect_model(at, Connection("small", "http://localhost:1/v1"), kb.name)
    renamed = rename(kb, f"{kb.name}-new")
    assert (used_model(at, renamed.name), used_model(at, kb.name)) == ("small at http://localhost:1/v1", "")
    assert not kept.exists()
    moved = original(at, renamed.name, f"upload:{FILES[1]}")
    assert moved
    assert [one["source"] for one in renamed.documents()] == [f"upload:{FILES[1]}"]
    renamed.delete()
    assert not moved.exists()


def test_texts_are_read_in_the_encoding_that_is_set(at: Settings, kb: KnowledgeBase, tmp_path: Path) -> None:
    said = "Łukasz Wąsik jest dyrektorem. Mieszka w Żywcu."
    for place in ("old", "new"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "note.txt").write_bytes(f"{said} {place}.".encode("cp1250"))
    sources = [str(tmp_path / "old" / "note.txt"), str(tmp_path / "new" / "note.txt")]
    told = Upload("told.txt", said.encode("cp1250"))
    job = over(start_ingest(at, kb.name, [told], sources, encoding="windows-1250"))
    assert [(item.name, item.state, item.warnings) for item in items_of(job)] == [
        ("told.txt", "done", []),
        ("old/note.txt", "done", []),
        ("new/note.txt", "done", []),
    ]
    assert all(said in kb.document(row["id"])["text"] for row in kb.documents())
    with pytest.raises(InputError, match="'klingon' is no encoding"):
        start_ingest(at, kb.name, [told], encoding="klingon")


def test_an_ingest_whose_process_is_killed_is_resumed_where_it_was(at: Settings, kb: KnowledgeBase) -> None:
    paths = sorted((EXAMPLES / "encyclopaedia").iterdir())[:12]
    job = start_ingest(at, kb.name, sources=list(map(str, paths)), uploads=[towns(1000)])
    until(lambda: 0 < items_of(job)[0].written < 1000)
    row = job.read_state()
    for process in ("pid", "child"):
        os.kill(row[process], signal.SIGKILL)
    until(lambda: job.state == "interrupted")
    job.resume()
    assert over(job).state == "done", job.log()
    assert {item.state for item in items_of(job)} == {"done"}
    assert len(kb.documents()) == len(paths) + 1000
    assert list((job.folder / "uploads").iterdir()) == []


def test_cancelling_keeps_what_is_whole(at: Settings, kb: KnowledgeBase) -> None:
    job = start_ingest(at, kb.name, [towns(3000)])
    until(lambda: items_of(job)[0].written)
    job.cancel()
    assert over(job).state == "cancelled"
    assert 0 < len(kb.documents()) < 3000
    assert items_of(job)[0].total == 3000


def test_a_few_files_overtake_many_and_are_brought_in_by_a_process_that_stays(
    at: Settings, kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "\n".join(f'{{"title": "Town {n}", "text": "Town {n} lies on river {n % 9}."}}' for n in range(3000))
    many = [Upload("towns.jsonl", rows.encode()), *(Upload(f"{n}.md", b"One of many.") for n in range(SHORT))]
    long = start_ingest(at, kb.name, many)
    until(lambda: sum(item.written for item in items_of(long)))
    workers: list[int] = []
    for text in (b"Orla Finch built the Tarn Mill.", b"Orla Finch sold the Tarn Mill.", b"The mill burnt down."):
        if len(workers) == 2:
            monkeypatch.setenv("CLEW_TOP_K", "7")  # settings that the process which stays does not have
        job = over(start_ingest(at, kb.name, [Upload("mill.txt", text)]))
        assert job.state == "done", job.log()
        assert workers or long.running
        workers.append(job.read_state()["child"])
    assert workers[0] == workers[1] != workers[2]
    os.kill(workers[2], signal.SIGKILL)
    assert over(start_ingest(at, kb.name, [Upload("mill.txt", b"It was built again.")])).state == "done"
    long.cancel()


def test_what_is_previewed_is_what_goes(kb: KnowledgeBase, tmp_path: Path) -> None:
    for path in sorted((EXAMPLES / "encyclopaedia").iterdir())[::2]:
        shutil.copy(path, tmp_path)
    kb.ingest(str(tmp_path))
    copied = "Ansby is a harbour town. Walek Glassworks made lenses."
    kb.ingest_bytes(copied.encode(), "one.txt")
    kb.ingest_bytes(copied.encode(), "two.txt")
    while documents := kb.documents():
        chosen = [row["id"] for row in documents[:6]]
        before = kb.stats()["nodes"]
        seen = kb.preview_delete(*chosen, *chosen, "unknown")
        assert len(seen.names) == min(5, seen.entities)
        kb.delete_documents(*chosen)
        after = kb.stats()["nodes"]
        gone = [before[label] - after[label] for label in ("Document", "Hyperedge", "Entity")]
        assert [seen.documents, seen.facts, seen.entities] == gone


def test_a_model_extracts_within_its_budget_and_what_is_left_is_told(
    at: Settings, kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(extractor()) as server:
        for name, value in (("MODEL", server.model), ("BASE_URL", server.base_url), ("API_KEY", "sk-hidden")):
            monkeypatch.setenv(f"CLEW_LLM_{name}", value)
        set_up = at.model_copy(update={"llm_model": server.model, "llm_base_url": server.base_url})
        job = over(start_ingest(set_up, kb.name, map(upload, FILES), extractor="llm", budget="9k"))
    assert job.state == "done", job.log()
    assert "spent" in job.progress["stopped"]
    states = {item.state for item in items_of(job)}
    assert states == {"done", "left"} or states == {"left"}
    assert job.progress["extraction"]["paid"]["calls"] >= 1
    assert not any("sk-hidden" in path.read_text("utf-8", "replace") for path in job.folder.glob("*.*"))


def test_why_a_model_is_waited_for_is_told_until_it_goes_on(
    at: Settings, kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = Fault("status", status=429, retry_after=5.5)
    with ModelServer(extractor(), faults=schedule(limit)) as server:
        for name, value in (("MODEL", server.model), ("BASE_URL", server.base_url)):
            monkeypatch.setenv(f"CLEW_LLM_{name}", value)
        set_up = at.model_copy(update={"llm_model": server.model, "llm_base_url": server.base_url})
        mill = Upload("mill.txt", b"Orla Finch built the Tarn Mill in 1850.")  # no other test's: replies are kept
        job = start_ingest(set_up, kb.name, [mill], extractor="llm")
        until(lambda: job.progress.get("waits"))
        assert "lets no more requests through" in job.progress["waits"]
        over(job)
    assert (job.state, job.progress["waits"]) == ("done", ""), job.log()


def test_options_that_cannot_work_are_refused(at: Settings) -> None:
    with pytest.raises(InputError, match="nothing to bring in"):
        start_ingest(at, "notes")
    with pytest.raises(InputError, match="no name for a knowledge base"):
        start_ingest(at, "../notes", [upload("ansby.md")])
    with pytest.raises(SettingsError, match="CLEW_LLM_MODEL"):
        start_ingest(at, "notes", [upload("ansby.md")], extractor="llm")
    with pytest.raises(InputError, match="no extractor"):
        start_ingest(at, "notes", [upload("ansby.md")], extractor="oracle")
    with pytest.raises(InputError, match="'ç' is no budget"):
        start_ingest(at, "notes", [upload("ansby.md")], budget="ç")
