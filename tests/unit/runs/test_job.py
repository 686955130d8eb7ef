"""Jobs: real processes that are started, watched, cancelled, killed and resumed."""

from __future__ import annotations

import json
import os
import signal
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from filelock import FileLock

from clew.errors import ClewError, InputError, NotFoundError
from clew.evaluation.job import Wanted, start_evaluation
from clew.runs import Job, find, jobs, new_folder, start
from clew.runs.folder import alive
from clew.settings import Settings, load_settings

COUNT = """
import sys, time
from clew.runs import tell
for number in range(int(sys.argv[1])):
    tell({"done": number})
    print("at", number, flush=True)
    time.sleep(0.05)
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings with a home of the test's own; the jobs find the same modules."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    return load_settings(_env_file=None, home=tmp_path)


def begun(home: Settings, code: str, *argv: str, queue: str = "", resume: str = "") -> Job:
    """A job of this Python code."""
    again = [sys.executable, "-c", resume] if resume else []
    return start("test", [sys.executable, "-c", code, *argv], new_folder(home, "test"), queue=queue, resume=again)


def until(true: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait for something to become true; longer than work is given that misses its Ctrl-C.

    Python swallows the one that falls into the end of an import, about once in 300 starts.
    """
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "It did not become true in time."
        time.sleep(0.02)


def test_a_job_tells_how_far_it_is_and_how_it_ended(home: Settings) -> None:
    job = start("test", [sys.executable, "-c", COUNT, "3"], new_folder(home, "test"), about={"kb": "notes"})
    assert job.running
    until(lambda: job.state == "done")
    assert job.progress == {"done": 2}
    assert job.log(2) == ["at 1", "at 2"]
    assert (job.kind, job.about, job.error) == ("test", {"kb": "notes"}, "")
    assert 0 < job.seconds < 20
    assert jobs(home) == [job] == jobs(home, "test")
    assert jobs(home, "other") == []
    assert find(home, job.name) == job
    job.delete()
    assert jobs(home) == []
    with pytest.raises(NotFoundError, match="no job"):
        find(home, job.name)


def test_its_files_are_for_the_owner_alone(home: Settings) -> None:
    job = begun(home, COUNT, "1")
    until(lambda: not job.running)
    paths = [job.folder.parent, job.folder, *job.folder.iterdir()]
    assert {path.name for path in paths} >= {"job.json", "state.json", "progress.json", "log.txt"}
    assert [path for path in paths if stat.S_IMODE(path.stat().st_mode) & 0o077] == []


def test_a_job_that_fails_says_why_and_can_be_resumed_another_way(home: Settings) -> None:
    job = begun(home, "import sys; sys.exit('the well is dry')", resume="print('rain')")
    until(lambda: not job.running)
    assert (job.state, job.error) == ("failed", "the well is dry")
    job.resume()
    until(lambda: not job.running)
    assert (job.state, job.log(1), job.error) == ("done", ["rain"], "")


def test_an_evaluation_that_was_cancelled_before_its_turn_still_measures_again(home: Settings) -> None:
    file = home.home / "questions.jsonl"
    file.write_text('{"id": "1", "question": "Who?", "answers": ["A"]}')
    new_folder(home, "evaluate").rmdir()
    with FileLock(home.home / "jobs" / "evaluate.lock"):
        job = start_evaluation(home, "notes", file, Wanted("retrieval", ["chunks"], new=True))
        assert "--new" in job.command
        job.cancel()
        until(lambda: not job.running)
        job.resume()
        assert "--new" in job.command
        job.cancel()
        until(lambda: not job.running)
        (job.folder / "progress.json").write_text('{"run": "retrieval-questions-notes"}')
        job.resume()
        assert "--new" not in job.command
        job.cancel()
        until(lambda: not job.running)


def test_cancelling_interrupts_the_work_and_keeps_what_it_told(home: Settings) -> None:
    job = begun(home, COUNT, "10000")
    until(lambda: job.progress)
    with pytest.raises(InputError, match="running already"):
        job.resume()
    with pytest.raises(InputError, match="cancel it first"):
        job.delete()
    job.cancel()
    until(lambda: not job.running)
    assert job.state == "cancelled"
    assert "KeyboardInterrupt" in job.log(1)[0]
    job.cancel()
    job.resume()
    until(lambda: job.state == "running")
    job.cancel()
    until(lambda: not job.running)


def test_work_that_is_asked_to_stop_too_late_is_done(home: Settings) -> None:
    job = begun(home, "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN);" + COUNT, "20")
    until(lambda: job.progress)
    job.cancel()
    until(lambda: not job.running)
    assert (job.state, job.log(1)) == ("done", ["at 19"])


@pytest.mark.parametrize("victims", [("pid", "child"), ("child",), ("pid",)])
def test_killed_processes_are_noticed(home: Settings, victims: tuple[str, ...]) -> None:
    job = begun(home, COUNT, "10000")
    until(lambda: job.progress)
    row = job.read_state()
    for victim in victims:
        os.kill(row[victim], signal.SIGKILL)
    if victims == ("child",):
        until(lambda: job.state == "failed")
        assert "SIGKILL" in job.error
    elif victims == ("pid",):  # the work goes on without its watcher, and can still be stopped
        until(lambda: not alive(row["pid"], row["created"]))
        assert job.running
        job.cancel()
        until(lambda: not alive(row["child"], row["child_created"]))
    else:
        until(lambda: job.state == "interrupted")
        job.resume()
        until(lambda: job.state == "running")
        job.cancel()
    until(lambda: not job.running)


def test_a_clock_that_is_set_makes_no_job_seem_lost(home: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    job = begun(home, COUNT, "10000")
    until(lambda: job.progress)
    row = job.read_state()
    boot = psutil.boot_time()
    # The system tells when it started by the clock that was set, and psutil starts of processes by that.
    monkeypatch.setattr("psutil._pslinux.boot_time", lambda: boot + 60)
    assert alive(row["pid"], row["created"])
    assert alive(row["child"], row["child_created"])
    assert job.state == "running"
    job.cancel()
    until(lambda: not job.running)


def test_a_stale_process_number_is_no_sign_of_life(home: Settings) -> None:
    job = begun(home, COUNT, "1")
    until(lambda: not job.running)
    job.write_state({"state": "running", "at": time.time(), "pid": os.getpid(), "created": 1.0})
    assert job.state == "interrupted"
    job.write_state({"state": "waiting", "at": time.time() - 60})
    assert job.state == "interrupted"
    (job.folder / "state.json").write_text("{ half of")
    assert job.state == "interrupted"


def test_jobs_of_one_queue_run_one_after_the_other(home: Settings) -> None:
    first = begun(home, COUNT, "10000", queue="line")
    until(lambda: first.state == "running")
    second, third = (begun(home, COUNT, "1", queue="line") for _ in range(2))
    until(lambda: third.read_state().get("pid"))
    assert second.state == "waiting"
    third.cancel()
    until(lambda: third.state == "cancelled")
    assert third.progress == {}
    first.cancel()
    until(lambda: second.state == "done")


def test_a_command_that_does_not_exist_fails_with_a_reason(home: Settings) -> None:
    job = start("test", ["/no/such/program"], new_folder(home, "test"))
    until(lambda: not job.running)
    assert (job.state, job.error) == ("failed", "/no/such/program cannot be run (No such file or directory).")


def test_bad_kinds_and_names_are_refused(home: Settings) -> None:
    with pytest.raises(InputError, match="no kind of job"):
        new_folder(home, "../x")
    for name in ("", "..", "20200101-000000-test-abcdef", "../jobs"):
        with pytest.raises(NotFoundError):
            find(home, name)
    (home.home / "jobs").write_text(json.dumps("in the way"))
    with pytest.raises(ClewError, match="CLEW_HOME"):
        new_folder(home, "test")
