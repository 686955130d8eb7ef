"""The doctor names what is wrong, and what to do, without a server and without changing anything."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from clew.database.server.jars import neo4j_version
from clew.operations import doctor
from clew.operations.doctor import THINGS, Line, diagnose
from clew.settings import Settings, load_settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(_env_file=None, home=tmp_path / "home", cache=tmp_path / "cache")


def look(thing: str, settings: Settings) -> list[Line]:
    return list(THINGS[thing](settings))


def test_folders_that_are_open_to_others(settings: Settings) -> None:
    assert {line.state for line in look("folders", settings)} == {"well"}
    assert not settings.home.exists()
    for folder in (settings.home, settings.home / "neo4j", settings.cache):
        folder.mkdir()
        folder.chmod(0o777)
    (settings.home / "neo4j" / "password").write_text("x")
    (settings.home / "neo4j" / "password").chmod(0o644)
    home, cache, secret = look("folders", settings)
    assert (home.state, home.advice) == ("fault", f"run `chmod go-rwx {settings.home}`")
    assert (cache.state, secret.advice) == ("fault", f"run `chmod 600 {settings.home / 'neo4j' / 'password'}`")


def test_jars_that_are_damaged(settings: Settings) -> None:
    [line] = look("Neo4j's jars", settings)
    assert (line.state, line.found) == ("notice", "not fetched yet")
    folder = settings.cache / f"neo4j-{neo4j_version()}"
    folder.mkdir(parents=True)
    [line] = look("Neo4j's jars", settings)
    assert line.state == "fault"
    assert "are missing or damaged" in line.found


def test_a_port_that_is_taken(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        chosen = load_settings(_env_file=None, home=settings.home, cache=settings.cache, bolt_port=port)
        [line] = [line for line in look("ports", chosen) if line.thing == f"port {port}"]
        assert (line.state, line.advice) == ("fault", "stop that, or set CLEW_BOLT_PORT to another")
    [line] = [line for line in look("ports", chosen) if line.thing == f"port {port}"]
    assert line.state == "well"


def test_a_damaged_encoder(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "local_folder", lambda _: tmp_path)
    [line] = look("encoder", settings)
    assert line.state == "fault"
    assert "--force-reinstall" in line.advice


def test_an_error_of_one_thing_keeps_nothing_from_the_others(settings: Settings) -> None:
    bad = settings.model_copy(update={"java": "no-such-java"})
    lines = {line.thing: line for line in diagnose(bad)}
    assert lines["Java"].state == "fault"
    assert lines["Java"].advice == "correct it, or leave it empty."
    assert lines["reader"].state == "well"
    assert lines["Neo4j"].advice == "`clew up` starts it"
