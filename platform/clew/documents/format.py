"""What a format is: one declaration a file in ``formats``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol

from clew.documents.parsed import Parsed, Rejected

Plain = Callable[[str], str]


def _no_tick() -> None:
    """Where nobody watches the clock."""


def as_it_is(markup: str) -> str:
    """Where nothing reads pieces of web pages."""
    return markup


class Known(Protocol):
    """The formats that are known, for files that hold others."""

    def kind_of(self, name: str) -> str | None:
        """The format that a file's ending names, if any."""
        ...

    def read(self, source: Input, kind: str) -> Iterable[Parsed | Rejected]:
        """The documents in a file. Raises Unreadable where it is of another format than ``kind``."""
        ...


@dataclass(frozen=True, slots=True)
class Input:
    """One file to read. ``limit`` bounds what it unpacks to, in bytes.

    ``charset`` is the encoding that a server gave, ``encoding`` the one that a person set, which counts for more. A
    reader of many pages or members calls ``tick`` after each, which gives the next one its time. ``depth`` counts the
    files that this one is packed in, and ``known`` the formats in which what it packs may be. ``plain`` gives the text
    of a value that is a piece of a web page, and any other text as it is.
    """

    data: bytes
    name: str
    limit: int
    charset: str | None = None
    encoding: str | None = None
    depth: int = 0
    tick: Callable[[], None] = field(default=_no_tick, compare=False)
    known: Known | None = field(default=None, compare=False)
    plain: Plain = field(default=as_it_is, compare=False)

    def member(self, data: bytes, name: str, limit: int) -> Input:
        """A packed file, which declares its own encoding."""
        return replace(self, data=data, name=name, limit=limit, charset=None, depth=self.depth + 1)


@dataclass(frozen=True, slots=True)
class Format:
    """A format that is read.

    ``name`` is short and its first ending; ``noun`` is what a person calls such a file, with an article. ``isolated``
    formats, which are binary or markup, are read in a process of their own (``isolated``). ``recognise`` tells from
    the bytes that a file is of this format, whatever its name; it is None where nothing in them is sure. ``lines``
    reads a corpus of any size from a stream's ``readline``, the second argument being the bytes of a line at most, the
    third ``Input.plain``.
    ``needs`` is a package of an extra, without which the format is not read.
    """

    name: str
    noun: str
    media_type: str
    read: Callable[[Input], Iterable[Parsed | Rejected]]
    endings: tuple[str, ...] = ()
    media_types: tuple[str, ...] = ()
    isolated: bool = True
    recognise: Callable[[bytes], bool] | None = None
    lines: Callable[[Callable[[int], bytes], int, Plain], Iterator[Parsed | Rejected]] | None = None
    needs: str = ""
