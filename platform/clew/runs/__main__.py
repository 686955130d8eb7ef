"""``python -m clew.runs FOLDER``: run the work of a job, pass on that it should stop, and note how it ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType
from typing import NoReturn

from filelock import FileLock, Timeout

from clew.child import SAFE_PATH
from clew.files import OWNER, keep_private, open_to_append
from clew.process_start import started
from clew.runs.folder import held
from clew.runs.job import FOLDER_VARIABLE, Job
from clew.runs.warm import Handed, hand_over
from clew.types import Json

TICK = 0.1
PATIENCE = ((signal.SIGINT, 30.0), (signal.SIGTERM, 10.0), (signal.SIGKILL, 10.0))
"""The signals by which work is stopped, and the seconds that each of them is given."""
_LONGEST_ERROR = 300


def main() -> None:
    """Run one job; a second process for the same one ends at once."""
    keep_private()
    job = Job(Path(sys.argv[1]))
    signal.signal(signal.SIGTERM, _end)
    # A shell's background process ignores Ctrl-C, and so would the work.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with held(job.folder) as mine:
        if mine:
            run(job)


def run(job: Job) -> None:
    """Wait for the job's turn, run its work, and write its state all along."""
    row = job.read_state() | {"state": "waiting", "pid": os.getpid(), "created": started(os.getpid())}
    job.write_state(row)
    queue = FileLock(job.queue, mode=OWNER) if job.queue else None
    try:
        while queue and not queue.is_locked:
            if job.cancel_file.exists():
                job.write_state(row | {"state": "cancelled", "at": time.time()})
                return
            with contextlib.suppress(Timeout):
                queue.acquire(timeout=TICK)
        _work(job, row)
    finally:
        if queue:
            queue.release()


def _work(job: Job, row: Json) -> None:
    began = time.time()
    try:
        child = (hand_over(job) if job.stays else None) or _start(job)
    except OSError as error:
        reason = f"{job.command[0]} cannot be run ({error.strerror})."
        job.write_state(row | {"state": "failed", "error": reason, "began": began, "at": began})
        return
    row |= {"state": "running", "began": began, "child": child.pid, "child_created": started(child.pid)}
    job.write_state(row)
    try:
        while child.poll() is None:
            if job.cancel_file.exists():
                _stop(child)
            time.sleep(TICK)
    except BaseException:  # the machine goes down: the job can be resumed later
        _stop(child)
        raise
    code = child.returncode or 0
    row |= {"at": time.time(), "exit": code}
    if code == 0:  # asked to stop too late, it is done all the same
        job.write_state(row | {"state": "done"})
    elif job.cancel_file.exists():
        job.write_state(row | {"state": "cancelled"})
    else:
        job.write_state(row | {"state": "failed", "error": _reason(job, code)})


def _start(job: Job) -> subprocess.Popen[bytes]:
    with open_to_append(job.log_file) as log:
        return subprocess.Popen(
            job.command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=os.environ | {FOLDER_VARIABLE: str(job.folder), "PYTHONUNBUFFERED": "1", SAFE_PATH: "1"},
            process_group=0,
        )


def _stop(child: subprocess.Popen[bytes] | Handed) -> None:
    for sign, seconds in PATIENCE:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(seconds)
            return


def _reason(job: Job, code: int) -> str:
    last_line = next((line.strip() for line in reversed(job.log()) if line.strip()), "")
    if code < 0:
        last_line = f"It was ended from outside ({signal.Signals(-code).name}); the machine may have run out of memory."
    return last_line[:_LONGEST_ERROR] or f"It ended with exit code {code} and said nothing."


def _end(sign: int, frame: FrameType | None) -> NoReturn:
    sys.exit(128 + sign)


if __name__ == "__main__":
    main()
