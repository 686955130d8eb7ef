"""Tokens of those who reach Clew over a network: per knowledge base and right, kept as hashes in a file of the owner's.

A token is 32 random bytes, so its SHA-256 cannot be turned back by guessing; it is shown once, when it is made.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from clew.errors import ClewError, InputError, NotFoundError, check_choice
from clew.files import OWNER, private_folder, write_whole
from clew.knowledge_base import check_name
from clew.settings import Settings

RIGHTS = ("read", "write", "admin")
"""What a token may do; each includes the ones before it."""
EVERY = "*"
"""Stands for all knowledge bases, those that are still to come too."""
_PREFIX = "clew_"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")


@dataclass(frozen=True, slots=True)
class Grant:
    """What someone may do: ``right`` on the knowledge bases ``kbs``. ``name`` is that of the token."""

    name: str
    kbs: tuple[str, ...]
    right: str
    sha256: str = ""
    created: float = 0.0

    def allows(self, kb: str | None, right: str) -> bool:
        """Whether this is enough for ``right`` on ``kb``; None is for what concerns no one knowledge base."""
        return RIGHTS.index(right) <= RIGHTS.index(self.right) and (kb is None or EVERY in self.kbs or kb in self.kbs)


OWNER_GRANT = Grant("", (EVERY,), "admin")
"""What the owner of the process may do, and whoever reaches it where no token is asked for."""


class Tokens:
    """The tokens of one ``CLEW_HOME``. The file is read again when it changes, so that revoking counts at once."""

    def __init__(self, settings: Settings) -> None:
        self.file = settings.home / "tokens.json"
        self._read: tuple[tuple[int, int], dict[str, Grant]] = ((0, 0), {})

    def all(self) -> list[Grant]:
        """Every token, oldest first. Raises ClewError where the file is damaged."""
        return list(self._known().values())

    def find(self, token: str) -> Grant | None:
        """What a token allows; None for one that is unknown."""
        return self._known().get(_hash(token))

    def create(self, name: str, kbs: Sequence[str] = (EVERY,), right: str = "read") -> str:
        """Make a token and give it back, this once. Raises InputError for a name that is taken or is none."""
        if not _NAME.fullmatch(name):
            raise InputError(f"{name[:80]!r} is no name for a token: use up to 63 letters, digits, dots and dashes.")
        check_choice(right, RIGHTS, "right")
        kbs = tuple(dict.fromkeys(kb if kb == EVERY else check_name(kb) for kb in kbs))
        token = _PREFIX + secrets.token_urlsafe(32)
        with self._changing() as known:
            if any(one.name == name for one in known):
                raise InputError(f"There is a token {name!r} already: revoke it first, or choose another name.")
            known.append(Grant(name, kbs, right, _hash(token), time.time()))
        return token

    def revoke(self, name: str) -> None:
        """Make a token worthless. Raises NotFoundError where there is none of this name."""
        with self._changing() as known:
            kept = [one for one in known if one.name != name]
            if len(kept) == len(known):
                raise NotFoundError(f"There is no token {name[:80]!r}: see `clew token list`.")
            known[:] = kept

    @contextmanager
    def _changing(self) -> Iterator[list[Grant]]:
        """The tokens as a list that is written back, while no other process changes them."""
        from filelock import FileLock

        private_folder(self.file.parent)
        with FileLock(self.file.with_suffix(".lock"), mode=OWNER):
            grants = self.all()
            yield grants
            write_whole(self.file, json.dumps([asdict(one) for one in grants], indent=2) + "\n")

    def _known(self) -> dict[str, Grant]:
        try:
            status = self.file.stat()
        except FileNotFoundError:
            return {}
        stamp = (status.st_ino, status.st_mtime_ns)
        if stamp != self._read[0]:
            self._read = (stamp, {one.sha256: one for one in _grants(self.file)})
        return self._read[1]


def _grants(file: Path) -> list[Grant]:
    try:
        rows = json.loads(file.read_text("utf-8"))
        return [Grant(**{**row, "kbs": tuple(row["kbs"])}) for row in rows]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ClewError(f"{file} cannot be read ({error}): delete it, and make the tokens anew.") from error


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
