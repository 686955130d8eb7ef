"""What Clew writes is its owner's alone, under the loosest umask there is."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.files import private_folder, without_folders, write_whole
from clew.runs import new_folder
from clew.settings import load_settings


@pytest.fixture(autouse=True)
def loose_umask() -> Iterator[None]:
    """A umask that forbids nothing."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    """Who may do what."""
    return stat.S_IMODE(path.stat().st_mode)


def test_a_home_that_others_could_write_is_closed_to_them(tmp_path: Path) -> None:
    home = tmp_path / "share" / "clew"
    home.mkdir(parents=True, mode=0o777)
    folder = new_folder(load_settings(_env_file=None, home=home), "test")
    assert [mode(path) for path in (home, folder.parent, folder)] == [0o700] * 3


def test_others_may_read_what_is_for_reading_and_write_nothing(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o777)
    private_folder(cache, readable=True)
    private_folder(cache / "encoders" / "one", readable=True)
    assert [mode(path) for path in (cache, cache / "encoders", cache / "encoders" / "one")] == [0o755] * 3


def test_a_file_that_was_readable_is_not_once_it_is_written_again(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("old")
    (tmp_path / "data").chmod(0o666)
    write_whole(tmp_path / "data", "new")
    assert (mode(tmp_path / "data"), (tmp_path / "data").read_text()) == (0o600, "new")


def test_whatever_a_command_writes_is_private(tmp_path: Path) -> None:
    code = "from clew.cli import main; main(['strategies'], standalone_mode=False)\n"
    code += "import pathlib; pathlib.Path('made').mkdir(); pathlib.Path('made/file').write_text('x')"
    own = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, env=own, stdout=subprocess.DEVNULL, check=True)
    assert (mode(tmp_path / "made"), mode(tmp_path / "made" / "file")) == (0o700, 0o600)


def test_messages_for_others_name_no_folders() -> None:
    told = (
        "Cannot write to /srv/ann/.clew/neo4j/conf (full); see https://example.org/a/b/c and bolt://127.0.0.1:7687/x."
    )
    assert without_folders(told) == (
        "Cannot write to conf (full); see https://example.org/a/b/c and bolt://127.0.0.1:7687/x."
    )
    assert without_folders("either/or, 1/2, ~/x/y and /health stay") == "either/or, 1/2, ~/x/y and /health stay"
