"""One hierarchy of errors. Every message names the thing, and says what to do next."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from clew.types import Usage

T = TypeVar("T")

_FAULTS_SHOWN = 5


class ClewError(Exception):
    """Base of all errors that Clew raises on purpose. Its text is one line for a person; ``exit_code`` is the CLI's."""

    exit_code = 1


class SettingsError(ClewError):
    """A setting is missing or makes no sense."""

    exit_code = 2


class InputError(ClewError):
    """What the user gave cannot be used: an argument, a name, a file."""

    exit_code = 2


class NotFoundError(ClewError):
    """A knowledge base, document, trajectory or source that does not exist."""

    exit_code = 3


class DatabaseError(ClewError):
    """Neo4j cannot be reached, refused the request, or failed."""

    exit_code = 4


class StoreFailedError(DatabaseError):
    """Neo4j could not write to its disk, and answers nothing more until it is started again."""


class ServerError(DatabaseError):
    """The managed Neo4j server could not be fetched, started or stopped."""


class ModelError(ClewError):
    """The language model cannot be reached, or answered with an error."""

    exit_code = 5


class BudgetExceededError(ModelError):
    """A limit on turns, tokens or money was reached; ``limit`` names it: turns, tokens or cost.

    ``usage`` is what failed requests have spent since the last turn that was written.
    """

    def __init__(self, message: str, limit: str = "tokens", usage: Usage = Usage()) -> None:
        super().__init__(message)
        self.limit = limit
        self.usage = usage


class EmbedderError(ClewError):
    """The encoder cannot be loaded, or does not fit the knowledge base."""

    exit_code = 6


class ClusterError(ClewError):
    """The Ray cluster cannot be reached, or could not finish a task."""

    exit_code = 7


def check_choice(name: str, known: Collection[str], what: str) -> str:
    """The name, if it is one of those that are known. Raises InputError, with the one that is near, for any other."""
    if not isinstance(name, str) or name not in known:
        near = difflib.get_close_matches(str(name).lower(), known, 1)
        meant = f" (did you mean {near[0]!r}?)" if near else ""
        raise InputError(f"There is no {what} {name!r}{meant}; choose one of {', '.join(known)}.")
    return name


def for_pydantic(check: Callable[[T], T]) -> Callable[[T], T]:
    """The check with ValueErrors in place of InputErrors, which pydantic takes for faults of a field."""

    def checked(value: T) -> T:
        try:
            return check(value)
        except InputError as error:
            raise ValueError(str(error)) from error

    return checked


class ReaderError(ClewError):
    """The reader's weights cannot be used."""


def faults(errors: Sequence[Mapping[str, Any]]) -> str:
    """What pydantic finds wrong, in one line: each place with its fault, the first few of them."""
    shown = [
        f"{'.'.join(map(str, e['loc']))}: {e['msg'].removeprefix('Value error, ')}" for e in errors[:_FAULTS_SHOWN]
    ]
    more = [f"and {len(errors) - _FAULTS_SHOWN} more"] if len(errors) > _FAULTS_SHOWN else []
    return "; ".join([*shown, *more]).encode("utf-8", "backslashreplace").decode()
