"""The file of a backup: what was written comes back, and nothing else is taken for it."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.errors import InputError
from clew.operations import archive
from clew.operations.archive import Writer, parts, verify

HEAD = {"format": archive.FORMAT, "clew": "1", "schema": 1, "made": "now", "names": ["a"]}


def written(path: Path) -> Path:
    with Writer(path) as out:
        out.add("clew", "", [], **HEAD)
        out.add("documents", "a", [{"id": str(number), "text": "Łódź\ud800 \n" * number} for number in range(40)])
        out.mark()
        out.add("entities", "a", [{"id": "gone"}])
        out.rewind()
        out.add("entities", "a", [{"id": "kept"}])
        out.finish()
    return path


def test_what_was_written_comes_back(tmp_path: Path) -> None:
    path = written(tmp_path / "one")
    assert len(verify(path)) == 64
    head, documents, entities = parts(path)
    assert head.about == HEAD
    assert [row["id"] for row in documents.rows] == [str(number) for number in range(40)]
    assert documents.rows[3]["text"] == "Łódź\ud800 \n" * 3
    assert entities.rows == [{"id": "kept"}]
    assert [part.kind for part in parts(path, lambda one: one["kind"] == "entities")] == ["entities"]
    assert path.stat().st_mode & 0o077 == 0


def test_an_unfinished_one_has_no_name_and_leaves_nothing(tmp_path: Path) -> None:
    with Writer(tmp_path / "one") as out:
        out.add("clew", "", [], **HEAD)
    assert list(tmp_path.iterdir()) == []


def test_every_bit_counts(tmp_path: Path) -> None:
    whole = written(tmp_path / "one").read_bytes()
    path = tmp_path / "two"
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << place % 8)]) + whole[place + 1 :])
        with pytest.raises(InputError):
            verify(path)
        path.write_bytes(whole[:place])
        with pytest.raises(InputError):
            verify(path)


def sealed(path: Path, body: bytes) -> Path:
    """A file whose checksum is right, whatever is in it."""
    path.write_bytes(body + bytes.fromhex("502a4d1820000000") + hashlib.sha256(body).digest())
    return path


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=300), cut=st.integers(0, 400), flip=st.integers(0, 400))
def test_a_forged_file_is_one_error(body: bytes, cut: int, flip: int, tmp_path: Path) -> None:
    packed = zstandard.ZstdCompressor().compress(body)
    some = bytearray(written(tmp_path / "w").read_bytes()[:-40])
    some[flip % len(some)] ^= 0x41
    for data in (body, packed, packed[:cut], packed * 2, bytes(some), bytes(some[:cut])):
        with suppress(InputError):  # and no other error
            for _ in parts(sealed(tmp_path / "forged", data)):
                pass


def test_a_bomb_is_refused_before_it_is_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_PART", 1 << 22)
    bomb = zstandard.ZstdCompressor(level=19).compress(bytes(1 << 28))
    with pytest.raises(InputError, match="too large"):
        list(parts(sealed(tmp_path / "bomb", bomb)))


def test_a_newer_format_says_so(tmp_path: Path) -> None:
    with Writer(tmp_path / "one") as out:
        out.add("clew", "", [], **{**HEAD, "format": archive.FORMAT + 1, "clew": "9.9"})
        out.finish()
    with pytest.raises(InputError, match=r"written by Clew 9\.9 in format 2.*upgrade Clew"):
        list(parts(tmp_path / "one"))


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        Writer(tmp_path / "none" / "one")
    if os.geteuid():
        tmp_path.chmod(0o500)
        with pytest.raises(InputError, match="cannot be written"):
            Writer(tmp_path / "one")
