"""What Clew is connected to, in which versions, and whether all of it works; never a password or a key."""

from __future__ import annotations

import platform
import shutil
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

import psutil
from pydantic import SecretStr

from clew.database.server.home import Home
from clew.database.server.java import VECTOR_MODULE
from clew.errors import DatabaseError
from clew.settings import Settings, variables

if TYPE_CHECKING:
    from clew.database.connection import Database, Row

PACKAGES = ("clew-graph", "neo4j", "streamlit", "openvino", "torch", "transformers", "langchain-openai")
"""Packages whose versions explain most of what may be wrong."""


@dataclass(frozen=True, slots=True)
class Neo4j:
    """A connected server; ``managed`` says that Clew runs it, ``seconds`` how long it took to answer."""

    address: str
    database: str
    username: str
    version: str
    edition: str
    managed: bool
    browser: str
    seconds: float
    disk_bytes: int | None


@dataclass(frozen=True, slots=True)
class Room:
    """Bytes that are free, of how many."""

    free: int
    total: int

    @property
    def scarce(self) -> bool:
        """Whether less than a tenth, and less than 5 GB, is left."""
        return self.free < self.total / 10 and self.free < 5e9


def neo4j(database: Database, settings: Settings) -> Neo4j:
    """Ask the server what it is. Raises DatabaseError where it does not answer."""
    began = time.perf_counter()
    row = database.read("health/components")[0]
    seconds = time.perf_counter() - began
    server = database.server
    return Neo4j(
        address=plain_address(server.uri),
        database=database.name or "its default one",
        username=server.username,
        version=str(row["version"]),
        edition=str(row["edition"]),
        managed=server.managed,
        browser=server.browser_url or "",
        seconds=seconds,
        disk_bytes=Home.of(settings).disk_use() if server.managed else None,
    )


def vector_instructions(database: Database) -> bool | None:
    """Whether the server's Java was started with the module that searches vectors with the processor's instructions.

    None where the server does not tell, as one that others manage may not.
    """
    try:
        rows = database.read("health/java_arguments")
    except DatabaseError:
        return None
    return any(VECTOR_MODULE in argument for row in rows for argument in row["arguments"])


def indexes(database: Database) -> list[Row]:
    """Every index: ``name``, ``type``, ``state``, ``percent`` populated, ``labels`` and ``properties``."""
    return database.read("health/indexes")


def versions() -> dict[str, str]:
    """The versions of Python, the system, and the packages that are installed."""
    found = {"Python": platform.python_version(), "System": f"{platform.system()} {platform.machine()}"}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def disk(folder: Path) -> Room:
    """The room where a folder lies, or will lie."""
    while not folder.exists():
        folder = folder.parent
    usage = shutil.disk_usage(folder)
    return Room(usage.free, usage.total)


def memory() -> Room:
    """The memory of the machine."""
    found = psutil.virtual_memory()
    return Room(found.available, found.total)


def own_memory() -> int:
    """Bytes of memory that this process uses."""
    return int(psutil.Process().memory_info().rss)


def probe_model(settings: Settings) -> float:
    """Send the language model one small request; the seconds that it took to reply.

    Raises SettingsError where no model is set up, ModelError with one line that says what is wrong with it.
    """
    from clew.extraction.client import needs_model
    from clew.llm.chat import chat_model, explained, reply_limit

    needs_model(settings)
    once = settings.model_copy(update={"llm_retries": 0})
    began = time.perf_counter()
    try:
        chat_model(once).invoke([("user", "Reply with the word: yes")], **reply_limit(once, 16))
    except Exception as error:  # whatever a server or a client library comes up with
        raise explained(error, settings) from error
    return time.perf_counter() - began


def shown_settings(settings: Settings) -> list[tuple[str, str, bool]]:
    """Each setting's variable, its value fit to be shown, and whether it was changed from its default."""
    rows = []
    for name, (variable, *_) in variables().items():
        value = getattr(settings, name)
        if isinstance(value, SecretStr):
            shown = "set, and not shown"
        elif value is None or value == "":
            shown = "not set"
        else:
            shown = plain_address(str(value)) if "://" in str(value) else str(value)
        rows.append((variable, shown, name in settings.model_fields_set))
    return rows


def plain_address(address: str) -> str:
    """An address without user, password, query and fragment, any of which may be a secret."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "an address that cannot be read"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
