"""Settings come from the environment and ``.env``, and ``.env.example`` says all of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Literal, get_args, get_origin

import pytest
from pydantic import SecretStr

from clew.env_files import own_file, passed_over
from clew.errors import SettingsError
from clew.settings import Settings, env_example, load_settings, variables

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable of this machine, and a working folder without a .env."""
    for names in variables().values():
        for name in names:
            monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("CLEW_ENV_FILE", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


@pytest.fixture
def own() -> Path:
    """The user's own file of settings; its folder is there."""
    own_file().parent.mkdir(parents=True)
    return own_file()


def test_env_example_is_what_the_settings_class_says() -> None:
    assert (ROOT / ".env.example").read_text() == env_example(), "Run `make env-example` and commit .env.example."


def test_env_example_changes_nothing_when_every_line_is_taken(own: Path) -> None:
    lines = [line.removeprefix("#") if not line.startswith("# ") else line for line in env_example().splitlines()]
    own.write_text("\n".join(lines))
    assert load_settings() == Settings(_env_file=None)  # type: ignore[call-arg]


def test_every_setting_is_described_and_has_its_own_variable() -> None:
    names = [name for names in variables().values() for name in names]
    assert len(names) == len(set(names))
    assert variables().keys() == Settings.model_fields.keys()
    assert all(field.description for field in Settings.model_fields.values())


def fitting(setting: str) -> str:
    """A text, other than the default, that the setting takes."""
    kind = Settings.model_fields[setting].annotation
    if get_origin(kind) is Literal:
        return str(get_args(kind)[-1])
    if setting == "llm_base_url":
        return "http://word/v1"
    texts: dict[object, str] = {Path: "/some/where", int: "512", float: "1.5", bool: "True"}
    return texts.get(kind, "word")


@pytest.mark.parametrize(("setting", "names"), variables().items())
def test_each_variable_reaches_its_setting(
    setting: str, names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in names:
        with monkeypatch.context() as one:
            one.setenv(name, fitting(setting))
            value = getattr(load_settings(), setting)
        text = value.get_secret_value() if isinstance(value, SecretStr) else str(value)
        assert text == fitting(setting)


def test_the_own_file_is_read_and_the_environment_wins(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own.write_text("CLEW_KB=file\nCLEW_TOP_K=7\nSOMETHING_ELSE=1\n")
    monkeypatch.setenv("CLEW_KB", "environment")
    settings = load_settings()
    assert (settings.kb, settings.top_k) == ("environment", 7)
    assert load_settings(kb="argument").kb == "argument"


def test_bad_setting_is_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_TOP_K", "many")
    with pytest.raises(SettingsError, match="CLEW_TOP_K") as caught:
        load_settings()
    assert "\n" not in str(caught.value)
    assert ".env.example" in str(caught.value)


def test_a_file_that_is_no_utf_8_is_told_in_one_line(own: Path) -> None:
    own.write_bytes("CLEW_KB=notizen\n# für alle\n".encode("latin-1"))
    with pytest.raises(SettingsError, match=r"^The file .*\.env cannot be read .*UTF-8") as caught:
        load_settings()
    assert "\n" not in str(caught.value)


def test_a_home_with_a_tilde_is_the_same_folder_for_every_part_of_clew(own: Path, tmp_path: Path) -> None:
    own.write_text("CLEW_HOME=~/clew\nCLEW_CACHE=cache\n")
    settings = load_settings()
    assert (settings.home, settings.cache) == (Path.home() / "clew", tmp_path / "work" / "cache")
    with pytest.raises(SettingsError, match="CLEW_HOME: ~nobody-here/clew is in the home of nobody here"):
        load_settings(home="~nobody-here/clew")


def test_secrets_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NEO4J_PASSWORD", "OPENAI_API_KEY", "CLEW_UI_PASSWORD"):
        monkeypatch.setenv(name, "open-sesame")
    settings = load_settings()
    assert settings.ui_password is not None
    assert settings.ui_password.get_secret_value() == "open-sesame"
    assert "open-sesame" not in f"{settings!r} {settings} {settings.model_dump_json()}"


HOSTILE = """CLEW_KB=theirs
CLEW_JAVA=./java
CLEW_LLM_BASE_URL=http://evil.invalid/v1
NEO4J_URI=bolt://evil.invalid:7687
"""


def test_a_file_of_the_current_folder_is_not_read_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "mine")
    Path(".env").write_text(HOSTILE)
    settings = load_settings()
    assert (settings.kb, settings.java, settings.llm_base_url, settings.neo4j_uri) == ("default", None, None, None)
    assert "--env-file .env" in passed_over()
    Path(".env").write_text("DATABASE=of another program\n")
    assert passed_over() == ""


def test_a_file_of_the_current_folder_is_read_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("CLEW_KB=${HOME}\nCLEW_TOP_K=\n")
    monkeypatch.setenv("CLEW_ENV_FILE", ".env")
    assert (load_settings().kb, load_settings().top_k, passed_over()) == ("${HOME}", 5, "")
    monkeypatch.setenv("CLEW_ENV_FILE", "gone.env")
    with pytest.raises(SettingsError, match=r"There is no file of settings gone\.env"):
        load_settings()


@pytest.mark.parametrize(
    "line", ["CLEW_JAVA=./java", "CLEW_JAVA_OPTIONS=-javaagent:x.jar", "CLEW_HOME=.", "clew_cache=."]
)
def test_no_file_but_the_own_one_names_what_is_run(line: str, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("asked.env").write_text(line)
    monkeypatch.setenv("CLEW_ENV_FILE", "asked.env")
    with pytest.raises(SettingsError, match=r"asked\.env sets CLEW_\w+, which says what programs are run"):
        load_settings()
    own.write_text(line)
    monkeypatch.delenv("CLEW_ENV_FILE")
    assert load_settings().model_fields_set


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("NEO4J_URI=bolt://evil.invalid", "NEO4J_PASSWORD"),
        ("CLEW_NEO4J_CA=ca.pem", "NEO4J_PASSWORD"),
        ("CLEW_LLM_BASE_URL=http://evil.invalid", "OPENAI_API_KEY"),
        ("OPENAI_BASE_URL=http://evil.invalid", "CLEW_LLM_API_KEY"),
    ],
)
@pytest.mark.parametrize("where", ["environment", "own file"])
def test_no_file_sends_a_key_that_it_does_not_hold_to_an_address_of_its_own(
    line: str, key: str, where: str, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if where == "environment":
        monkeypatch.setenv(key, "mine")
    else:
        own.write_text(f"{key}=mine\n")
    Path("asked.env").write_text(line)
    monkeypatch.setenv("CLEW_ENV_FILE", "asked.env")
    with pytest.raises(SettingsError, match="the key that would go there is set elsewhere") as caught:
        load_settings()
    assert "\n" not in str(caught.value)
    assert "mine" not in str(caught.value)
    Path("asked.env").write_text(f"{line}\n{key}=theirs\n")
    settings = load_settings()
    found = settings.neo4j_password if "NEO4J" in line else settings.llm_api_key
    assert found is not None
    assert found.get_secret_value() == "theirs"


def test_an_address_of_a_file_that_the_environment_replaces_sends_nothing_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "mine")
    monkeypatch.setenv("NEO4J_URI", "bolt://mine.invalid")
    Path("asked.env").write_text("NEO4J_URI=bolt://evil.invalid\nCLEW_KB=theirs\n")
    monkeypatch.setenv("CLEW_ENV_FILE", "asked.env")
    assert (load_settings().neo4j_uri, load_settings().kb) == ("bolt://mine.invalid", "theirs")


def test_the_file_of_a_checkout_is_read_where_the_checkout_is_the_running_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "platform" / "clew").mkdir(parents=True)
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setattr("clew.env_files.__file__", str(tmp_path / "platform" / "clew" / "env_files.py"))
    monkeypatch.chdir(tmp_path)
    Path(".env").write_text("CLEW_KB=mine\n")
    assert (load_settings().kb, passed_over()) == ("mine", "")


def test_the_command_line_names_a_file_and_says_what_it_has_passed_over() -> None:
    Path(".env").write_text("CLEW_HOME=/nowhere\n")
    command = [sys.executable, "-P", "-m", "clew.cli"]
    own = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    told = subprocess.run([*command, "strategies", "--json"], env=own, capture_output=True, text=True, check=False)
    assert (told.returncode, "not read; if it is yours, add --env-file .env" in told.stderr) == (0, True), told.stderr
    asked = [*command, "--env-file", ".env", "strategies"]
    told = subprocess.run(asked, env=own, capture_output=True, text=True, check=False)
    assert (told.returncode, "says what programs are run" in told.stderr) == (2, True), told.stderr
