"""Settings come from the environment and ``.env``, and ``.env.example`` says all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args, get_origin

import pytest
from pydantic import SecretStr

from clew.errors import SettingsError
from clew.settings import Settings, env_example, load_settings, variables

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable of this machine, and a working folder without a .env."""
    for names in variables().values():
        for name in names:
            monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def test_env_example_is_what_the_settings_class_says() -> None:
    assert (ROOT / ".env.example").read_text() == env_example(), "Run `make env-example` and commit .env.example."


def test_env_example_changes_nothing_when_every_line_is_taken() -> None:
    lines = [line.removeprefix("#") if not line.startswith("# ") else line for line in env_example().splitlines()]
    Path(".env").write_text("\n".join(lines))
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


def test_env_file_is_read_and_the_environment_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("CLEW_KB=file\nCLEW_TOP_K=7\nSOMETHING_ELSE=1\n")
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


def test_an_env_file_that_is_no_utf_8_is_told_in_one_line() -> None:
    Path(".env").write_bytes("CLEW_KB=notizen\n# für alle\n".encode("latin-1"))
    with pytest.raises(SettingsError, match=r"^The file \.env cannot be read .*UTF-8") as caught:
        load_settings()
    assert "\n" not in str(caught.value)


def test_a_home_with_a_tilde_is_the_same_folder_for_every_part_of_clew(tmp_path: Path) -> None:
    Path(".env").write_text("CLEW_HOME=~/clew\nCLEW_CACHE=cache\n")
    settings = load_settings()
    assert (settings.home, settings.cache) == (Path.home() / "clew", tmp_path / "cache")
    with pytest.raises(SettingsError, match="CLEW_HOME: ~nobody-here/clew is in the home of nobody here"):
        load_settings(home="~nobody-here/clew")


def test_secrets_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NEO4J_PASSWORD", "OPENAI_API_KEY", "CLEW_UI_PASSWORD"):
        monkeypatch.setenv(name, "open-sesame")
    settings = load_settings()
    assert settings.ui_password is not None
    assert settings.ui_password.get_secret_value() == "open-sesame"
    assert "open-sesame" not in f"{settings!r} {settings} {settings.model_dump_json()}"
