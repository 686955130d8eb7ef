"""The journal: every reply that was paid for, on disk before it is used, so that nothing is paid for twice.

One SQLite file in Clew's home, for its owner alone. A reply is keyed by what decides it: model, messages, options and
the version of the schema. A request is noted before it is sent, so that after kill -9 it is known which ones were lost.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from clew.errors import SettingsError
from clew.extraction.reply import VERSION
from clew.files import private_folder
from clew.ids import digest
from clew.types import Json, Usage

if TYPE_CHECKING:
    from clew.settings import Settings

FILE = "extraction.sqlite"

_TABLES = """
CREATE TABLE IF NOT EXISTS replies (
  key TEXT PRIMARY KEY, model TEXT NOT NULL, reply TEXT NOT NULL, whole INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, cost REAL NOT NULL,
  seconds REAL NOT NULL, chars INTEGER NOT NULL, created REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sent (key TEXT NOT NULL, pid INTEGER NOT NULL, created REAL NOT NULL);
CREATE INDEX IF NOT EXISTS sent_key ON sent (key);
"""


@dataclass(frozen=True, slots=True)
class JournalledReply:
    """A reply as it came: its text, whether it is whole (not cut off by the token limit), what it cost and took."""

    text: str
    whole: bool
    usage: Usage
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Experience:
    """What past replies of a model were like, per character of what was asked about, and seconds for each."""

    replies: int
    completion_per_prompt: float
    seconds: float


def request_key(model: str, messages: list[dict[str, str]], options: Json) -> str:
    """The key of a request."""
    return digest(json.dumps([VERSION, model, messages, options], ensure_ascii=False, sort_keys=True))


class Journal:
    """Safe to share between threads, and the file between processes. Raises SettingsError where it cannot be opened."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        try:
            private_folder(path.parent)
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            path.chmod(0o600)
            self._db = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.executescript(_TABLES)
        except (OSError, sqlite3.Error) as error:
            raise SettingsError(
                f"The extraction journal {path} cannot be opened ({error}): mend or move it, or set CLEW_HOME."
            ) from error

    @classmethod
    def of(cls, settings: Settings) -> Journal:
        """The journal in the home that the settings name."""
        return cls(settings.home / FILE)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def find(self, key: str) -> JournalledReply | None:
        """The reply to a request that was paid for before."""
        with self._lock:
            row = self._db.execute(
                "SELECT reply, whole, prompt_tokens, completion_tokens, cost, seconds FROM replies WHERE key = ?",
                (key,),
            ).fetchone()
        return row and JournalledReply(row[0], bool(row[1]), Usage(1, row[2], row[3], row[4]), row[5])

    def sending(self, key: str) -> None:
        """Note that a request goes out."""
        with self._lock:
            self._db.execute("INSERT INTO sent VALUES (?, ?, ?)", (key, os.getpid(), time.time()))

    def refused(self, key: str) -> None:
        """Note that the server answered the request with an error, which costs nothing."""
        with self._lock:
            self._db.execute("DELETE FROM sent WHERE rowid = (SELECT max(rowid) FROM sent WHERE key = ?)", (key,))

    def store(self, key: str, model: str, reply: JournalledReply, chars: int) -> None:
        """Keep a reply. ``chars`` is the length of what was asked about."""
        usage = reply.usage
        row = (key, model, reply.text, reply.whole, usage.prompt_tokens, usage.completion_tokens, usage.cost)
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute(
                "INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, reply.seconds, chars, time.time()),
            )
            self._db.execute("DELETE FROM sent WHERE rowid = (SELECT max(rowid) FROM sent WHERE key = ?)", (key,))
            self._db.execute("COMMIT")

    def lost(self, key: str) -> int:
        """How often this request was sent without its reply ever coming in."""
        with self._lock:
            found: tuple[int] = self._db.execute("SELECT count(*) FROM sent WHERE key = ?", (key,)).fetchone()
        return found[0]

    def experience(self, model: str) -> Experience:
        """What the latest thousand replies of a model were like."""
        with self._lock:
            count, prompt, completion, seconds = self._db.execute(
                "SELECT count(*), total(prompt_tokens), total(completion_tokens), total(seconds) FROM (SELECT * FROM"
                " replies WHERE model = ? ORDER BY created DESC LIMIT 1000)",
                (model,),
            ).fetchone()
        if not count:
            return Experience(0, 0.0, 0.0)
        return Experience(count, completion / max(prompt, 1), seconds / count)
