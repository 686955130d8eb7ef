"""Whatever lies in the folder that Clew is started from: no file of it is run as code, by no kind of child."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import packages_distributions
from pathlib import Path

import httpx
import pytest

from clew.documents.format import Input
from clew.documents.isolated import Reader
from clew.documents.parsed import Parsed
from clew.evaluation.job import Wanted, start_evaluation
from clew.runs import Job
from clew.runs.ingest import Upload, start_ingest
from clew.settings import Settings, load_settings
from clew.trainer.runs.jobs import write_questions

OURS = {"clew", "cypher", "trainer", "ui"}
TRAP = "import os, sys\nopen({marker!r}, 'a').write(' '.join([__name__, *sys.orig_argv]) + '\\n')\nos._exit(9)\n"
NOWHERE = "bolt://127.0.0.1:1"


@pytest.fixture
def trapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """A working folder with a module of every name that Python or a package has; returns who ran one of them.

    The children find the modules of this process, and no database.
    """
    folder, marker = tmp_path / "documents", tmp_path / "marker"
    folder.mkdir()
    names = OURS | set(sys.stdlib_module_names) | set(packages_distributions()) | {"sitecustomize", "usercustomize"}
    for name in filter(str.isidentifier, names):
        (folder / f"{name}.py").write_text(TRAP.format(marker=str(marker)))
    for name in OURS:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(TRAP.format(marker=str(marker)))
    (folder / "about.md").write_text("# Ansby\n\nAnsby is a town. It was founded by Nils Odegaard.\n")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    for name, value in {"NEO4J_URI": NOWHERE, "NEO4J_PASSWORD": "unused", "CLEW_HOME": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    return lambda: marker.read_text() if marker.exists() else ""


@pytest.fixture
def own(tmp_path: Path) -> Settings:
    """Settings with a home of the test's own."""
    return load_settings(_env_file=None, home=tmp_path)


def over(job: Job) -> Job:
    """The job, once it has ended."""
    deadline = time.monotonic() + 240
    while job.running:
        assert time.monotonic() < deadline, "It did not end in time."
        time.sleep(0.05)
    return job


def reached_the_database(job: Job) -> bool:
    """Whether all of its own code ran, up to the database that is not there."""
    return job.state == "failed" and NOWHERE in job.error


def test_the_child_that_parses_documents_runs_none_of_it(trapped: Callable[[], str]) -> None:
    with Reader(60.0) as reader:
        [parsed] = reader.read(Input(Path("about.md").read_bytes(), "about.md", 1_000_000), "md")
    assert isinstance(parsed, Parsed)
    assert (trapped(), parsed.title) == ("", "Ansby")


def test_a_command_and_the_parser_that_it_starts_run_none_of_it(trapped: Callable[[], str]) -> None:
    words = ["ingest", "about.md", "--extractor", "llm", "--estimate", "--json"]
    model = {"CLEW_LLM_BASE_URL": "http://127.0.0.1:1/v1", "CLEW_LLM_MODEL": "unused"}
    command = [sys.executable, "-P", "-m", "clew.cli", *words]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | model, check=False)
    assert (trapped(), done.returncode) == ("", 0), done.stderr


def test_what_a_library_starts_on_its_own_runs_none_of_it(trapped: Callable[[], str]) -> None:
    code = "from clew.cli import main; main(['strategies'], standalone_mode=False)\n"
    code += "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import json'], check=True)"
    done = subprocess.run([sys.executable, "-P", "-c", code], stdout=subprocess.DEVNULL, check=False)
    assert (trapped(), done.returncode) == ("", 0)


def test_the_job_of_an_ingest_runs_none_of_it(trapped: Callable[[], str], own: Settings) -> None:
    job = over(start_ingest(own, "notes", [Upload("about.md", Path("about.md").read_bytes())]))
    assert (trapped(), reached_the_database(job)) == ("", True), job.log()


def test_the_job_of_an_evaluation_runs_none_of_it(trapped: Callable[[], str], own: Settings) -> None:
    questions = Path("questions.jsonl").absolute()
    questions.write_text('{"question": "Who founded Ansby?", "answers": ["Nils Odegaard"]}\n')
    job = over(start_evaluation(own, "notes", questions, Wanted("answers", ("clew",), policies=("reader",))))
    assert (trapped(), reached_the_database(job)) == ("", True), job.log()


def test_the_job_of_a_training_runs_none_of_it(trapped: Callable[[], str], own: Settings) -> None:
    job = over(write_questions(own, "notes", 5))
    assert (trapped(), reached_the_database(job)) == ("", True), job.log()


def test_the_app_runs_none_of_it(trapped: Callable[[], str]) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-P", "-m", "clew.cli", "ui", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 120
        while not trapped() and time.monotonic() < deadline and process.poll() is None:
            try:
                if httpx.get(f"http://127.0.0.1:{port}/", trust_env=False).is_success:
                    break
            except httpx.HTTPError:
                time.sleep(0.2)
        assert (trapped(), process.poll()) == ("", None)
        assert httpx.get(f"http://127.0.0.1:{port}/", trust_env=False).is_success
    finally:
        process.terminate()
        process.wait(10)
