"""Language models that the owner of this machine has connected in the app, and which of them a knowledge base uses.

They lie in one file of the home, readable by its owner alone. What stands in the environment or in a file of settings
goes before the one that is used everywhere, and after the one that a knowledge base has been given.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from pydantic import SecretStr

from clew.errors import InputError
from clew.files import private_folder, write_whole
from clew.settings import Settings, load_settings

EVERYWHERE = ""
"""In place of a knowledge base: all that have no connection of their own."""


@dataclass(frozen=True, slots=True)
class Connection:
    """A model at an address, with its key and its prices a million tokens; ``repr`` leaves out the key."""

    model: str
    address: str
    key: SecretStr = field(default_factory=lambda: SecretStr(""))
    input_price: float = 0.0
    output_price: float = 0.0
    currency: str = ""

    @property
    def name(self) -> str:
        """What it is listed under: model and address."""
        return f"{self.model} at {self.address or 'OpenAI'}"

    def settings(self, settings: Settings) -> Settings:
        """The settings with this model; no key but its own goes to its address. Raises SettingsError."""
        checked = load_settings(
            _env_file=None,
            llm_model=self.model,
            llm_base_url=self.address or None,
            llm_api_key=self.key if self.key.get_secret_value() else None,
            llm_input_price=self.input_price,
            llm_output_price=self.output_price,
        )
        names = ("llm_model", "llm_base_url", "llm_api_key", "llm_input_price", "llm_output_price")
        return settings.model_copy(update={name: getattr(checked, name) for name in names})


def connections(settings: Settings) -> list[Connection]:
    """All that are connected, the latest first."""
    return [_connection(row) for row in _read(settings)[0]]


def connect_model(settings: Settings, connection: Connection, kb: str = EVERYWHERE) -> None:
    """Keep a connection, in place of one to the same model, and use it. Raises InputError, SettingsError."""
    connection.settings(settings)
    if not connection.model.strip():
        raise InputError("A connection needs the name of a model: fetch the models, or type one.")
    rows, used = _read(settings)
    row = asdict(connection) | {"key": connection.key.get_secret_value()}
    others = [other for other in rows if _connection(other).name != connection.name]
    _write(settings, [row, *others], used | {kb: connection.name})


def use_model(settings: Settings, name: str, kb: str = EVERYWHERE) -> None:
    """Use a connection by its name; an empty one is none."""
    rows, used = _read(settings)
    _write(settings, rows, used | {kb: name})


def move_connection(settings: Settings, kb: str, name: str) -> None:
    """Let a knowledge base keep its connection under another name."""
    rows, used = _read(settings)
    if kb in used:
        _write(settings, rows, {name if one == kb else one: chosen for one, chosen in used.items()})


def disconnect_model(settings: Settings, name: str) -> None:
    """Forget a connection with its key."""
    rows, used = _read(settings)
    kept = [row for row in rows if _connection(row).name != name]
    _write(settings, kept, {kb: one for kb, one in used.items() if one != name})


def used_model(settings: Settings, kb: str = EVERYWHERE) -> str:
    """The name of the connection that a knowledge base uses; empty where it has none of its own."""
    return _read(settings)[1].get(kb, "")


def connected(settings: Settings, kb: str = EVERYWHERE) -> Settings:
    """The settings with the model that a knowledge base is to use."""
    rows, used = _read(settings)
    wanted = used.get(kb) or ("" if settings.llm_model else used.get(EVERYWHERE))
    found = next((one for one in map(_connection, rows) if one.name == wanted), None)
    return found.settings(settings) if found else settings


def _connection(row: dict[str, object]) -> Connection:
    found = Connection(**row)  # type: ignore[arg-type]
    return replace(found, key=SecretStr(str(row["key"])))


def _file(settings: Settings) -> Path:
    return settings.home / "connections.json"


def _read(settings: Settings) -> tuple[list[dict[str, object]], dict[str, str]]:
    try:
        found = json.loads(_file(settings).read_text("utf-8"))
        return found["connections"], found["used"]
    except (OSError, ValueError, LookupError):
        return [], {}


def _write(settings: Settings, rows: list[dict[str, object]], used: dict[str, str]) -> None:
    private_folder(settings.home)
    write_whole(_file(settings), json.dumps({"connections": rows, "used": used}, indent=2))
