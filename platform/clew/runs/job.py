"""A job as its folder tells of it, and what can be done with it."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from clew.child import python_module
from clew.errors import ClewError, InputError, NotFoundError
from clew.files import private_folder
from clew.runs.folder import alive, make, read_json, write_json
from clew.types import Json

if TYPE_CHECKING:
    from clew.settings import Settings

State = Literal["waiting", "running", "done", "failed", "cancelled", "interrupted"]
"""``waiting``: for its turn, or for its process to come up. ``interrupted``: its process is gone without a word."""

ENDED = ("done", "failed", "cancelled")
FOLDER_VARIABLE = "CLEW_JOB"
"""The environment variable that names the folder of the job to the work itself."""
KEPT_DAYS = 7.0
"""Days after which a job that has ended may be forgotten."""

_NAME = re.compile(r"\d{8}-\d{6}-[a-z]+-[0-9a-f]{6}")
_KIND = re.compile(r"[a-z]{1,20}")
_COMING_UP = 30.0
_LOG_TAIL = 1 << 18


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of long work. Every property reads what its folder says now."""

    folder: Path

    @property
    def name(self) -> str:
        """What it is called: when it began, its kind, and some letters."""
        return self.folder.name

    @property
    def kind(self) -> str:
        """What it does, such as ``ingest`` or ``train``."""
        return str(self._read("job").get("kind", ""))

    @property
    def about(self) -> Json:
        """What its starter wanted to be known of it, such as the knowledge base."""
        found: Json = self._read("job").get("about", {})
        return found

    @property
    def state(self) -> State:
        """How it stands now."""
        return self._state()[0]

    @property
    def running(self) -> bool:
        """Whether it is under way or waits for its turn."""
        return self.state in ("waiting", "running")

    @property
    def cancelling(self) -> bool:
        """Whether it was asked to stop and has not ended yet."""
        return self.cancel_file.exists() and self.running

    @property
    def progress(self) -> Json:
        """What the work told last with ``tell``; empty before."""
        return self._read("progress")

    @property
    def error(self) -> str:
        """The last line that a failed job printed, which says why; empty for any other."""
        state, row = self._state()
        return str(row.get("error", "")) if state == "failed" else ""

    @property
    def seconds(self) -> float:
        """How long it has been at work, over all its starts."""
        state, row = self._state()
        now = time.time() if state == "running" else float(row.get("at", 0.0))
        return float(row.get("before", 0.0)) + max(0.0, now - float(row.get("began") or now))

    def log(self, lines: int = 50) -> list[str]:
        """The last ``lines`` that the work printed."""
        try:
            with self.log_file.open("rb") as file:
                file.seek(max(0, self.log_file.stat().st_size - _LOG_TAIL))
                text = file.read().decode("utf-8", "replace")
        except OSError:
            return []
        return list(deque(text.splitlines(), maxlen=lines))

    def cancel(self) -> None:
        """Ask it to stop: Ctrl-C first, and harder after a while. Returns at once; does nothing once it has ended."""
        state, row = self._state()
        if state in ENDED:
            return
        self.cancel_file.touch(mode=0o600)
        if alive(row.get("pid"), row.get("created")):
            return  # the process that watches the work sees the file
        if alive(row.get("child"), row.get("child_created")):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(int(row["child"]), signal.SIGINT)
        self.write_state(row | {"state": "cancelled", "at": time.time()})

    def resume(self) -> None:
        """Start it again where it stopped. Raises InputError while it runs, or once its files are gone."""
        if self.running:
            raise InputError(f"Job {self.name!r} is running already: cancel it first.")
        job = self._read("job")
        if not job:
            raise InputError(f"Job {self.name!r} is gone: start a new one.")
        if not job.get("once") or job["once"] in self.progress:
            job["argv"] = job.get("resume") or job["argv"]
        write_json(self.folder / "job.json", job)
        self._launch(self.seconds)

    def delete(self) -> None:
        """Forget it, with all its files. Raises InputError while it runs."""
        if self.running:
            raise InputError(f"Job {self.name!r} is running: cancel it first.")
        shutil.rmtree(self.folder, ignore_errors=True)

    # For the process that watches the work

    @property
    def log_file(self) -> Path:
        """What the work prints."""
        return self.folder / "log.txt"

    @property
    def cancel_file(self) -> Path:
        """There once the job has been asked to stop."""
        return self.folder / "cancel"

    @property
    def command(self) -> list[str]:
        """The command line of the work."""
        return [str(word) for word in self._read("job")["argv"]]

    @property
    def queue(self) -> Path | None:
        """The lock that jobs of one queue hold one after the other."""
        queue = self._read("job").get("queue")
        return self.folder.parent / f"{queue}.lock" if queue else None

    @property
    def stays(self) -> list[str]:
        """The command line of a process that does such jobs and stays ready for more; empty where there is none."""
        return [str(word) for word in self._read("job").get("stays", ())]

    @property
    def meeting(self) -> Path:
        """The socket by which that process is reached."""
        return self.folder.parent / f"{self._read('job').get('queue')}.sock"

    def read_state(self) -> Json:
        """The state as it was written last, which may be out of date."""
        return self._read("state")

    def write_state(self, row: Json) -> None:
        """Replace the state at once."""
        write_json(self.folder / "state.json", row)

    def write_progress(self, row: Json) -> None:
        """Replace the progress at once; it may be large, and is written several times a second."""
        write_json(self.folder / "progress.json", row, indent=None)

    def _launch(self, before: float) -> None:
        self.cancel_file.unlink(missing_ok=True)
        self.write_state({"state": "waiting", "at": time.time(), "before": before})
        child = subprocess.Popen(
            python_module("clew.runs", str(self.folder)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        threading.Thread(target=child.wait, daemon=True).start()  # so that it leaves no zombie if it ends before us

    def _state(self) -> tuple[State, Json]:
        row = self.read_state()
        if row.get("state") not in ENDED and not _working(row):
            row = self.read_state()  # it may just have ended
        state = row.get("state")
        if state in ENDED:
            return state, row
        if not _working(row):
            return "interrupted", row
        return ("running" if state == "running" else "waiting"), row

    def _read(self, file: str) -> Json:
        return read_json(self.folder / f"{file}.json") or {}


def new_folder(settings: Settings, kind: str) -> Path:
    """A folder for a new job, readable by its owner alone; what the work needs may be put there before ``start``.

    Raises InputError for a kind that is not a short word, ClewError where no folder can be made.
    """
    if not _KIND.fullmatch(kind):
        raise InputError(f"{kind[:40]!r} is no kind of job: use up to 20 small letters.")
    root = _root(settings)
    folder = root / f"{time.strftime('%Y%m%d-%H%M%S')}-{kind}-{secrets.token_hex(3)}"
    try:
        private_folder(settings.home)
        private_folder(root)
        make(folder, new=True)
    except OSError as error:
        raise ClewError(f"No job can be kept in {root} ({error.strerror}): free space, or set CLEW_HOME.") from error
    return folder


def start(
    kind: str,
    argv: Sequence[str],
    folder: Path,
    *,
    resume: Sequence[str] = (),
    once: str = "",
    about: Json | None = None,
    queue: str = "",
    stays: Sequence[str] = (),
) -> Job:
    """Start ``argv`` as a job in ``folder`` (see ``new_folder``); returns at once.

    ``resume`` is the command line that goes on with it after an interruption, where that is another one; with ``once``
    only after the work has reported a progress with this field, and before that it starts as at first. Jobs of one
    ``queue`` run one after the other. ``stays`` is the command line of a process that does it in place of ``argv``, and
    is ready for the next one of its queue afterwards (``clew.runs.warm``). The work gets this process's environment and
    working directory, and what it prints is kept, so that a command line must not hold a secret: anyone on the machine
    can read it.
    """
    job = Job(folder)
    row: Json = {"kind": kind, "argv": list(argv), "resume": list(resume), "once": once}
    row |= {"about": about or {}, "queue": queue, "stays": list(stays)}
    write_json(folder / "job.json", row)
    job._launch(0.0)
    return job


def jobs(settings: Settings, kind: str = "") -> list[Job]:
    """All jobs, or those of one kind, the latest first."""
    try:
        names = sorted((path.name for path in _root(settings).iterdir() if _NAME.fullmatch(path.name)), reverse=True)
    except OSError:
        return []
    found = (Job(_root(settings) / name) for name in names if not kind or name.split("-")[2] == kind)
    return [job for job in found if (job.folder / "job.json").is_file()]


def forget_old(settings: Settings, kind: str) -> None:
    """Forget the jobs of a kind that ended ``KEPT_DAYS`` ago or earlier."""
    for job in jobs(settings, kind):
        ended = float(job.read_state().get("at", 0.0))
        if time.time() - ended > KEPT_DAYS * 86_400 and not job.running:
            job.delete()


def find(settings: Settings, name: str) -> Job:
    """The job of this name. Raises NotFoundError where there is none."""
    job = Job(_root(settings) / name)
    if not _NAME.fullmatch(name) or not (job.folder / "job.json").is_file():
        raise NotFoundError(f"There is no job {name[:80]!r}: it was dismissed, or belongs to another CLEW_HOME.")
    return job


def tell(progress: Json) -> None:
    """Called by the work itself: how far it is, for ``Job.progress``. Does nothing outside a job."""
    if folder := os.environ.get(FOLDER_VARIABLE):
        Job(Path(folder)).write_progress(progress)


def _working(row: Json) -> bool:
    """Whether a process is there that works on it, or one is about to come up."""
    if not row.get("pid"):
        return row.get("state") == "waiting" and time.time() - float(row["at"]) < _COMING_UP
    return alive(row["pid"], row["created"]) or alive(row.get("child"), row.get("child_created"))


def _root(settings: Settings) -> Path:
    return settings.home / "jobs"
