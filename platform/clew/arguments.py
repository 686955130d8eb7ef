"""What callers from Python may pass: each check names what is wrong with an argument, and returns what is right."""

from __future__ import annotations

import operator
import os
from collections.abc import Sequence

from clew.errors import InputError

_INTEGERS = 2**63
"""How many integers from 0 on the database has."""


def text(value: str, name: str) -> str:
    """The value, if it is text. Raises InputError, with the argument's name, for anything else."""
    if not isinstance(value, str):
        raise InputError(f"{name} is text, not {type(value).__name__}.")
    return value


def whole(value: int, name: str, least: int | None = None) -> int:
    """The value, if it is a whole number, from ``least`` on. Raises InputError for any other."""
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(f"{name} must be a whole number, not {str(value)[:40]!r}.") from None
    if least is not None and number < least:
        raise InputError(f"{name} must be at least {least}, not {number}.")
    return number


def check_page(skip: int, limit: int) -> None:
    """Raise InputError unless both are whole numbers from 0 on that the database knows."""
    for name, value in (("skip", skip), ("limit", limit)):
        if not 0 <= whole(value, name) < _INTEGERS:
            raise InputError(f"{name} must be between 0 and {_INTEGERS - 1}, not {value}.")


def source(value: str | os.PathLike[str]) -> str:
    """A source of documents as text. Raises InputError for what is neither a path nor an address."""
    if not isinstance(value, (str, os.PathLike)):
        raise InputError(f"A source is a path or an address, not {type(value).__name__}: give several one by one.")
    return os.fsdecode(value)


def content(value: bytes) -> bytes:
    """The content of a file. Raises InputError for what is no bytes, such as a text."""
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise InputError(f"The content of a file is bytes, not {type(value).__name__}: encode a text, as UTF-8.")
    return bytes(value)


def exchange(turn: tuple[str, str]) -> tuple[str, str]:
    """An earlier question with its answer. Raises InputError for anything else."""
    pair = isinstance(turn, Sequence) and not isinstance(turn, str) and len(turn) == 2
    if not pair or not all(isinstance(part, str) for part in turn):
        raise InputError("History is a list of earlier questions with their answers, two texts each.")
    return turn[0], turn[1]
