"""The command line as a shell sees it: what goes where, and with which exit code."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from filelock import FileLock

from clew.cli import main
from clew.database.connection import Database
from clew.database.server.home import Home
from clew.embedding import BUILT_IN, local_folder
from clew.knowledge_base import KnowledgeBase
from clew.settings import Settings
from tests.integration.conftest import EXAMPLES
from tests.integration.graphs import add, document

COMMANDS = """
up, down, status, logs, ingest, ask, retrieve, document list, document show, document delete, kb list, kb delete,
stats, browse, ui, strategies, backup, restore, check, doctor, reindex
""".replace("\n", " ").strip()

Run = subprocess.CompletedProcess[str]


def shell(environment: dict[str, str], *arguments: str, stdin: str = "") -> Run:
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "clew.cli", *arguments]
    return subprocess.run(command, env=environment, input=stdin, capture_output=True, text=True, timeout=120)


def clew(environment: dict[str, str], *arguments: str, stdin: str = "") -> Run:
    """Run a command in this process, which spares the imports."""
    gone = dict.fromkeys(os.environ.keys() - environment.keys())
    done = CliRunner().invoke(main, arguments, input=stdin, env={**gone, **environment}, prog_name="clew")
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Run(arguments, done.exit_code, done.stdout, done.stderr)


def said(run: Run, code: int = 0) -> Any:
    """The one JSON object on standard output."""
    assert run.returncode == code, run.stderr
    assert run.stdout.count("\n") == 1
    return json.loads(run.stdout)


def refused(run: Run, code: int) -> str:
    """The one line on standard error of a command that fails."""
    assert run.returncode == code, run.stderr
    assert run.stdout == ""
    lines = run.stderr.strip().splitlines()
    assert len(lines) == 1, run.stderr
    assert "Traceback" not in run.stderr
    return lines[0]


@pytest.fixture(scope="module")
def base(database: Database, environment: dict[str, str]) -> Iterator[str]:
    """The name of a knowledge base with some of the examples, brought in by the command line."""
    name = f"test-cli-{uuid.uuid4().hex[:8]}"
    folder = EXAMPLES / "encyclopaedia"
    names = ("old-maren-light.md", "ruben-calloway.md", "ansby-school-of-optics.md", "new-maren-light.pdf")
    run = shell(environment, "ingest", *(str(folder / one) for one in names), "--kb", name, "--json")
    report = said(run)
    assert set(report) >= {"documents", "chunks", "hyperedges", "entities", "skipped", "seconds", "stages"}
    assert set(report["stages"]) == {"load", "extract", "embed", "write"}
    assert (report["documents"], report["skipped"]) == (4, [])
    assert min(report["chunks"], report["hyperedges"], report["entities"]) >= 4
    yield name
    while database.write("schema/delete_some", kb=name, limit=5000)[0]["deleted"]:
        pass


@pytest.fixture
def own(kb: KnowledgeBase) -> str:
    """A knowledge base with two small documents, for a test that deletes."""
    add(kb, document(kb, "Ansby", "Ansby is a town."), document(kb, "Iskeld", "Iskeld is an island."))
    return kb.name


def test_help_names_every_command(environment: dict[str, str]) -> None:
    for command in COMMANDS.split(", "):
        run = clew(environment, *command.split(), "--help")
        assert run.returncode == 0
        assert run.stdout.startswith(f"Usage: clew {command} ")
        assert ("--json" in run.stdout) is (command != "ui")
        assert ("--yes" in run.stdout) is command.endswith("delete")


def test_help_loads_nothing_heavy(environment: dict[str, str]) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "clew.cli", "--help"]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    loaded = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in run.stderr.splitlines()}
    assert "click" in loaded
    heavy = {"torch", "openvino", "neo4j", "streamlit", "transformers", "langchain_core", "numpy", "rich", "httpx"}
    assert not loaded & heavy


def test_ask(base: str, environment: dict[str, str]) -> None:
    answer = said(shell(environment, "ask", "Who designed the Old Maren Light?", "--kb", base, "--json"))
    assert set(answer) >= {"answer", "citations", "steps", "trajectory", "policy", "strategy", "seconds"}
    assert (answer["answer"], answer["policy"], answer["strategy"]) == ("Ruben Calloway", "reader", "clew")
    assert len(answer["steps"]) > 1
    for step in answer["steps"]:
        assert set(step) >= {"thought", "query", "facts"}
        assert all(set(fact) == {"id", "text", "entities", "score"} for fact in step["facts"])
    assert answer["citations"]
    for citation in answer["citations"]:
        assert set(citation) >= {"document", "title", "start", "end", "quote"}
        shown = said(clew(environment, "document", "show", citation["document"], "--kb", base, "--json"))
        assert shown["text"][citation["start"] : citation["end"]] == citation["quote"]


def test_ask_for_people(base: str, environment: dict[str, str]) -> None:
    run = shell(environment, "ask", "Who designed the Old Maren Light?", "--kb", base, "--policy", "reader")
    assert run.returncode == 0
    assert run.stdout == ""
    assert "Ruben Calloway" in run.stderr
    [kept] = [line for line in run.stderr.splitlines() if "Kept as " in line]
    shown = clew(environment, "trajectory", kept.split()[-1].rstrip("."), "--kb", base)
    assert "Who designed the Old Maren Light?" in shown.stdout
    assert "Ruben Calloway" in shown.stdout


def test_retrieve(base: str, environment: dict[str, str]) -> None:
    queries = ["Ruben Calloway", "school of optics", ""]
    run = clew(environment, "retrieve", *queries, "--kb", base, "--strategy", "graph-r1", "--k", "3", "--json")
    found = said(run)
    assert found["strategy"] == "graph-r1"
    assert [result["query"] for result in found["results"]] == queries
    first, second, empty = found["results"]
    assert 1 <= len(first["facts"]) <= 3
    assert set(first["facts"][0]) >= {"id", "text", "entities", "score", "sources", "ranks"}
    assert set(second["passages"][0]) >= {"id", "document", "title", "text", "start", "end", "score"}
    assert (empty["facts"], empty["passages"]) == ([], [])
    shown = clew(environment, "retrieve", "Ruben Calloway", "--kb", base)
    assert shown.returncode == 0
    assert "Ruben Calloway" in shown.stdout


def test_stats_and_lists(base: str, environment: dict[str, str]) -> None:
    stats = said(clew(environment, "stats", "--kb", base, "--json"))
    assert stats["kb"] == base
    assert stats["nodes"]["Document"] == stats["relationships"]["HAS_CHUNK"] == 4
    assert set(stats["nodes"]) == {"Document", "Chunk", "Hyperedge", "Entity", "Trajectory", "Step"}
    listed = said(clew(environment, "document", "list", "--kb", base, "--json"))["documents"]
    assert {row["title"] for row in listed} >= {"Old Maren Light", "Ruben Calloway"}
    bases = said(clew(environment, "kb", "list", "--json"))["knowledge_bases"]
    assert {"name": base, "documents": 4} in [{"name": row["name"], "documents": row["documents"]} for row in bases]
    for command in (("stats",), ("document", "list")):
        shown = clew(environment, *command, "--kb", base)
        assert shown.returncode == 0
        assert "4" in shown.stdout or "Old Maren Light" in shown.stdout


def test_document_show(base: str, environment: dict[str, str]) -> None:
    (row,) = [
        row
        for row in said(clew(environment, "document", "list", "--kb", base, "--json"))["documents"]
        if row["title"] == "New Maren Light"
    ]
    shown = said(clew(environment, "document", "show", row["id"], "--kb", base, "--json"))
    assert set(shown) >= {"id", "title", "source", "text", "pages", "chunks"}
    assert shown["pages"]
    plain = clew(environment, "document", "show", row["id"], "--kb", base)
    assert plain.stdout == f"{shown['text']}\n"
    assert shown["source"] in plain.stderr


def test_a_second_ingest_and_one_that_skips(own: str, environment: dict[str, str], tmp_path: Path) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.docx"
    good.write_text("Elleray is a port.")
    bad.write_text("This is no Word document.")
    first = clew(environment, "ingest", str(tmp_path), "--kb", own, "--json")
    report = said(first, code=1)
    assert report["documents"] == 1
    assert [Path(row["source"]).name for row in report["skipped"]] == ["bad.docx"]
    assert report["skipped"][0]["reason"] in first.stderr
    again = said(clew(environment, "ingest", str(good), "--kb", own, "--json"))
    assert (again["documents"], again["chunks"], again["hyperedges"], again["entities"]) == (0, 0, 0, 0)
    assert again["unchanged"] == 1
    told = clew(environment, "ingest", str(good), "--kb", own)
    assert (told.returncode, told.stdout) == (0, "")
    assert "1 document was there" in told.stderr
    good.write_text("Elleray is a port with a mill.")
    told = clew(environment, "ingest", str(good), "--kb", own)
    assert "1 document (1 in a new version), 1 chunk, 1 fact" in told.stderr


def test_what_cannot_be_read_makes_no_knowledge_base(kb_name: str, environment: dict[str, str], tmp_path: Path) -> None:
    report = said(clew(environment, "ingest", str(tmp_path / "missing.txt"), "--kb", kb_name, "--json"), code=1)
    assert len(report["skipped"]) == 1
    listed = said(clew(environment, "kb", "list", "--json"))["knowledge_bases"]
    assert kb_name not in [row["name"] for row in listed]


def test_corpus_on_standard_input(kb_name: str, environment: dict[str, str]) -> None:
    rows = "".join(json.dumps({"title": f"Town {i}", "text": f"Town {i} lies here."}) + "\n" for i in range(5))
    assert said(shell(environment, "ingest", "-", "--kb", kb_name, "--json", stdin=rows))["documents"] == 5
    empty = clew(environment, "ingest", "-", "--kb", kb_name, "--json")
    assert len(said(empty, code=1)["skipped"]) == 1


def test_deleting_wants_to_be_meant(own: str, environment: dict[str, str]) -> None:
    ids = [row["id"] for row in said(clew(environment, "document", "list", "--kb", own, "--json"))["documents"]]
    attempts = (("document", "delete", ids[0], "--kb", own), ("document", "delete", "--all", "--kb", own))
    for arguments in (*attempts, ("kb", "delete", own)):
        assert "--yes" in refused(clew(environment, *arguments, stdin="y\n"), 2)
    assert said(clew(environment, "stats", "--kb", own, "--json"))["nodes"]["Document"] == 2
    deleted = said(clew(environment, "document", "delete", ids[0], "--kb", own, "--yes", "--json"))
    assert deleted == {"deleted": 1}
    assert "clew document list" in refused(clew(environment, "document", "delete", ids[0], "--kb", own, "--yes"), 3)
    assert said(clew(environment, "document", "delete", "--all", "--kb", own, "--yes", "--json")) == {"deleted": 1}
    assert set(said(clew(environment, "stats", "--kb", own, "--json"))["nodes"].values()) == {0}
    assert said(clew(environment, "kb", "delete", own, "--yes", "--json")) == {"deleted": own}
    assert own in refused(clew(environment, "stats", "--kb", own), 3)


def test_on_a_terminal_it_asks(own: str, environment: dict[str, str]) -> None:
    def answer(word: bytes) -> tuple[int, str]:
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "clew.cli", "kb", "delete", own]
        os.write(ours, word)
        run = subprocess.run(command, env=environment, stdin=theirs, capture_output=True, text=True, timeout=60)
        os.close(ours)
        os.close(theirs)
        return run.returncode, run.stderr

    code, told = answer(b"n\n")
    assert code == 2
    assert "Nothing was deleted." in told
    code, told = answer(b"y\n")
    assert code == 0
    assert "is deleted" in told


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("ask", "Who?", "--kb", "no-such-kb"), 3, "There is no knowledge base 'no-such-kb'"),
        (("retrieve", "x", "--kb", "no-such-kb"), 3, "clew ingest FILES --kb no-such-kb"),
        (("kb", "delete", "no-such-kb", "--yes"), 3, "see `clew kb list`"),
        (("stats", "--kb", "two words"), 2, "no name for a knowledge base"),
        (("ask", "Who?", "--kb", "BASE", "--policy", "psychic"), 2, "one of auto, reader, reader-guess, llm"),
        (("ask", "Who?", "--kb", "BASE", "--strategy", "psychic"), 2, "choose one of clew, "),
        (("ask", " ", "--kb", "BASE"), 2, "question"),
        (("ask", "Who?", "--kb", "BASE", "--policy", "llm"), 2, "CLEW_LLM_MODEL"),
        (("document", "show", "nothing", "--kb", "BASE"), 3, "no document 'nothing'"),
        (("document", "delete", "--kb", "BASE"), 2, "--all"),
        (("document", "delete", "x", "--all", "--kb", "BASE"), 2, "--all"),
        (("logs", "--json", "--follow"), 2, "--follow"),
    ],
)
def test_what_cannot_be_done(
    arguments: tuple[str, ...], code: int, says: str, base: str, environment: dict[str, str]
) -> None:
    named = [base if argument == "BASE" else argument for argument in arguments]
    assert says in refused(clew(environment, *named), code)


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("ask",),
        ("ingest",),
        ("retrieve",),
        ("retrieve", "x", "--k", "0"),
        ("kb", "delete"),
        ("stats", "-x"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], environment: dict[str, str]) -> None:
    run = clew(environment, *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.splitlines()[-1].startswith("Error: ")


def test_a_bad_setting(environment: dict[str, str]) -> None:
    assert "CLEW_PRECISION" in refused(clew(environment | {"CLEW_PRECISION": "int3"}, "kb", "list"), 2)


@pytest.mark.parametrize("command", [("kb", "list", "--json"), ("ingest", "-")])
def test_no_server(command: tuple[str, ...], environment: dict[str, str]) -> None:
    nowhere = environment | {"NEO4J_URI": "bolt://127.0.0.1:9", "NEO4J_PASSWORD": "sesame-and-lilies"}
    line = refused(shell(nowhere, *command, stdin="text"), 4)
    assert "127.0.0.1:9" in line
    assert "sesame" not in line


def test_a_wrong_password(settings: Settings, environment: dict[str, str], database: Database) -> None:
    wrong = environment | {"NEO4J_URI": database.server.uri, "NEO4J_USERNAME": "neo4j", "NEO4J_PASSWORD": "sesame"}
    line = refused(shell(wrong, "kb", "list"), 4)
    assert "NEO4J_PASSWORD" in line
    assert "sesame" not in line
    told = clew(wrong, "status")
    assert told.returncode == 1
    assert "refuses user" in told.stderr
    assert "clew up" not in told.stderr


def test_status(environment: dict[str, str], database: Database) -> None:
    found = said(clew(environment, "status", "--json"))
    assert found["running"] is True
    assert found["uri"] == database.server.uri
    told = clew(environment, "status")
    assert (told.returncode, told.stdout) == (0, "")
    assert database.server.uri in told.stderr
    assert said(clew(environment, "up", "--json"))["uri"] == database.server.uri


def test_down_and_logs_of_a_server_that_is_not_there(environment: dict[str, str], tmp_path: Path) -> None:
    alone = {name: value for name, value in environment.items() if not name.startswith("NEO4J_")}
    alone |= {"CLEW_HOME": str(tmp_path)}
    assert said(clew(alone, "down", "--json")) == {"stopped": False}
    assert said(clew(alone, "status", "--json"), code=1)["running"] is False
    assert "clew up" in refused(clew(alone, "logs"), 4)


def test_ctrl_c_is_one_line(environment: dict[str, str], tmp_path: Path) -> None:
    alone = {name: value for name, value in environment.items() if not name.startswith("NEO4J_")}
    home = Home(tmp_path / "neo4j")
    home.root.mkdir()
    with FileLock(home.lock_file):
        command = [sys.executable, "-m", "clew.cli", "up"]
        waiting = subprocess.Popen(command, env=alone | {"CLEW_HOME": str(tmp_path)}, stderr=subprocess.PIPE, text=True)
        while not home.temporary.is_dir() and waiting.poll() is None:
            time.sleep(0.05)
        waiting.send_signal(signal.SIGINT)
        _, told = waiting.communicate(timeout=60)
    assert told.strip() == "clew: interrupted; run the same command again to go on."
    assert waiting.returncode == 130


def test_logs_and_browser_of_clews_own_server(
    environment: dict[str, str], settings: Settings, database: Database
) -> None:
    if settings.neo4j_uri:
        assert "keeps one of its own only" in refused(clew(environment, "logs", "--json"), 4)
        return
    assert said(clew(environment, "logs", "-n", "5", "--json"))["lines"]
    found = said(clew(environment, "browse", "--print", "--json", "RETURN 1"))
    assert "RETURN+1" in found["address"] or "RETURN%201" in found["address"]
    for words in ((), ("entity", "Ansby")):
        told = refused(clew(environment, "browse", "--print", *words, "--kb", "no-such"), 3)
        assert "There is no knowledge base 'no-such'" in told
    assert said(clew(environment, "browse", "--print", "--json", "style", "--kb", "no-such"))["address"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_disk_that_is_full_is_a_line(environment: dict[str, str]) -> None:
    command = f"{sys.executable} -m clew.cli strategies --json > /dev/full"
    run = subprocess.run(command, shell=True, env=environment, capture_output=True, text=True, timeout=120)
    assert run.returncode == 1
    assert run.stderr.startswith("clew: Standard output cannot be written (No space left on device)")
    assert len(run.stderr.splitlines()) == 1


def test_a_pipe_that_closes_is_no_error(base: str, environment: dict[str, str]) -> None:
    command = f"{sys.executable} -m clew.cli document list --kb {base} --json | head -c 1"
    run = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], env=environment, capture_output=True, text=True, timeout=60
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "{", "")


def test_a_backup_is_written_verified_and_restored(base: str, environment: dict[str, str], tmp_path: Path) -> None:
    file, copy = str(tmp_path / "one.clew"), f"{base}-copy"
    written = said(clew(environment, "backup", file, "--kb", base, "--json"))
    assert written["bytes"] == Path(file).stat().st_size
    content = said(clew(environment, "backup", "--verify", file, "--json"))
    assert content["knowledge_bases"] == written["knowledge_bases"]
    assert base in refused(clew(environment, "restore", file), 2)
    assert said(clew(environment, "restore", file, "--into", copy, "--json"))["restored"] == {base: copy}
    checked = said(clew(environment, "check", "--kb", copy, "--json"))
    assert [report["findings"] for report in checked["reports"] if report["kb"] == copy] == [[]]
    assert said(clew(environment, "kb", "delete", copy, "--yes", "--json")) == {"deleted": copy}
    Path(file).write_bytes(Path(file).read_bytes()[:-1])
    assert "no whole backup" in refused(clew(environment, "backup", "--verify", file), 2)
    assert "cannot be read" in refused(clew(environment, "restore", str(tmp_path / "none")), 2)
    assert "cannot be written" in refused(clew(environment, "backup", str(tmp_path / "no" / "one"), "--kb", base), 2)
    assert "no knowledge base 'none'" in refused(clew(environment, "backup", file, "--kb", "none"), 3)


def test_the_doctor_looks_and_touches_nothing(environment: dict[str, str], tmp_path: Path) -> None:
    found = said(clew(environment, "doctor", "--json"))
    assert found["well"]
    assert {"Java", "encoder", "reader", "language model"} <= {line["thing"] for line in found["lines"]} | {"Java"}
    run = clew(environment | {"CLEW_LLM_MODEL": "m", "CLEW_LLM_BASE_URL": "http://127.0.0.1:9/v1"}, "doctor")
    assert run.returncode == 1
    [line] = [line for line in run.stderr.splitlines() if line.startswith("✗")]
    assert line.startswith("✗ language model: ")
    elsewhere = {"CLEW_HOME": str(tmp_path / "home"), "NEO4J_URI": "", "CLEW_JAVA": "no-such-java"}
    run = clew(environment | elsewhere, "doctor")
    assert run.returncode == 1
    assert "✗ Java: CLEW_JAVA=no-such-java is not a Java executable: correct it, or leave it empty" in run.stderr
    assert not (tmp_path / "home").exists()


def test_another_encoder_in_the_settings_is_told_and_changed_to(
    base: str, environment: dict[str, str], tmp_path: Path
) -> None:
    built_in = local_folder(BUILT_IN)
    assert built_in is not None
    other = tmp_path / "other"
    other.symlink_to(built_in)
    environment |= {"CLEW_EMBEDDER": str(other)}
    told = f"was written with the encoder {BUILT_IN}, which is used; `clew reindex --kb {base}` changes to {other}."
    looking = ("retrieve", "Who designed the Old Maren Light?", "--kb", base, "--json")
    assert told in clew(environment, *looking).stderr
    assert told in clew(environment, "ask", *looking[1:]).stderr
    done = said(clew(environment, "reindex", "--kb", base, "--json"))
    assert (done["before"], done["now"]) == (BUILT_IN, str(other))
    assert done["encoded"] > 0
    run = clew(environment, *looking)
    assert said(run)["results"][0]["facts"]
    assert run.stderr == ""
    assert "already" in refused(clew(environment, "reindex", "--kb", base), 2)
    assert "afterwards" in refused(clew(environment, "reindex", "--kb", base, "--embedder", BUILT_IN, "--drop"), 2)
    assert said(clew(environment, "reindex", "--kb", base, "--embedder", BUILT_IN, "--json"))["encoded"] == 0
    assert said(clew(environment, "reindex", "--kb", base, "--drop", "--json"))["dropped"] == str(other)
