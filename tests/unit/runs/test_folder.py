"""The one folder that survives ``kill -9``: whole files, whole lines, one process at a time, for its owner alone."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.errors import InputError, NotFoundError
from clew.files import write_whole
from clew.process_start import started
from clew.runs.folder import (
    alive,
    append_lines,
    find_folder,
    held,
    latest_lines,
    list_folders,
    make,
    read_json,
    read_lines,
    writable,
    write_json,
)

WRITER = """
import sys
from pathlib import Path
from clew.runs.folder import append_lines, held, write_json
folder = Path(sys.argv[1])
with held(folder) as mine:
    print(mine, flush=True)
    number = 0
    while True:
        number += 1
        write_json(folder / "state.json", {"number": number, "text": "x" * 5000})
        append_lines(folder / "rows.jsonl", [{"number": number, "text": "x" * 5000}])
"""


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def test_a_writer_that_is_killed_leaves_whole_files_and_no_lock(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "True\n"
        while len(read_lines(tmp_path / "rows.jsonl")) < 3:
            assert writer.poll() is None
            time.sleep(0.01)
        with held(tmp_path) as mine:
            assert not mine
        writer.send_signal(signal.SIGKILL)
    state = read_json(tmp_path / "state.json")
    numbers = [row["number"] for row in read_lines(tmp_path / "rows.jsonl")]
    assert state is not None
    assert numbers == list(range(1, len(numbers) + 1))
    assert state["number"] - len(numbers) in (0, 1)
    with held(tmp_path) as mine:
        assert mine


def test_a_torn_line_is_left_out_and_cut_off_by_the_next_writer(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    assert read_lines(file) == []
    append_lines(file, [{"text": "\ud800"}, {"text": "two"}])
    with file.open("ab") as out:
        out.write(b'{"text": "thr')
    assert [row["text"] for row in read_lines(file)] == ["\ud800", "two"]
    assert [row["text"] for row in latest_lines(file, 1)] == ["two"]
    append_lines(file, [{"text": "four"}])
    assert [row["text"] for row in read_lines(file)] == ["\ud800", "two", "four"]
    with file.open("ab") as out:
        out.write(b"[1]\n")
    with pytest.raises(InputError, match=r"Line 4 of .* is damaged: delete the line"):
        read_lines(file)


def test_folders_and_files_are_for_their_owner_alone(tmp_path: Path, open_umask: None) -> None:
    folder = tmp_path / "runs" / "one"
    make(folder, new=True)
    write_json(folder / "state.json", {"a": 1})
    append_lines(folder / "rows.jsonl", [{}])
    with held(folder):
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder.parent, folder, *folder.iterdir())}
    assert modes == {"runs": 0o700, "one": 0o700, "state.json": 0o600, "rows.jsonl": 0o600, ".lock": 0o600}
    write_whole(folder / "asked-for.json", "{}", private=False)
    assert stat.S_IMODE((folder / "asked-for.json").stat().st_mode) == 0o666


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    write_json(tmp_path / "state.json", {"a": 1})

    def parts() -> Iterator[str]:
        yield "{"
        raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match="free space there"), writable(tmp_path):
        write_whole(tmp_path / "state.json", parts())
    assert read_json(tmp_path / "state.json") == {"a": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["state.json"]


def test_a_folder_is_found_by_the_beginning_of_its_name(tmp_path: Path) -> None:
    for name, began in (("ab-1", "2026-01-02"), ("ab-2", "2026-01-03"), ("b", "2026-01-01")):
        make(tmp_path / name)
        write_json(tmp_path / name / "head.json", {"started": began})
    make(tmp_path / "c")
    assert [folder.name for folder, _ in list_folders(tmp_path, "head.json")] == ["ab-2", "ab-1", "b"]
    assert find_folder(tmp_path, "b", "head.json", "list")[1] == {"started": "2026-01-01"}
    with pytest.raises(InputError, match="2 runs begin with 'ab'"):
        find_folder(tmp_path, "ab", "head.json", "list")
    for name in ("c", "../" + tmp_path.name + "/b"):
        with pytest.raises(NotFoundError, match="see `list`"):
            find_folder(tmp_path, name, "head.json", "list")


def test_another_process_of_the_same_number_is_not_the_one_that_was_started() -> None:
    me = os.getpid()
    assert alive(me, started(me))
    assert not alive(me, started(me) - 60)
    assert not alive(None, None)
