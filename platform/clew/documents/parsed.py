"""What every reader returns, its refusals, and titles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import PurePath

from clew.errors import InputError
from clew.text.normalise import LONGEST_TITLE, one_line
from clew.types import Block, Json

_HEADLINE = 120
_FINAL = tuple(".!?:;,…。！？")
_FILE_NAME = re.compile(r"\.(?:docx?|pptx?|xlsx?|odt|rtf|pdf|tex|dvi|indd|qxd|html?|txt|md)$", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"[\W_]*\d{1,3}[\W_]*")
_LIBRARIES = frozenset({"python-docx", "openpyxl", "XlsxWriter", "Steve Canny", "ReportLab PDF Library"})
"""What programs write for an author of their own accord."""
_LEFT_BY_PROGRAMS = re.compile(
    r"microsoft (?:word|powerpoint|office)\b.*|(?:un|no )titled?(?: document)?[-\d ]*"
    r"|\(?(?:anonymous|unspecified|none)\)?|(?:about|blob|chrome|data|file|https?):\S+"
    r"|(?:word|new|powerpoint)? ?(?:document|presentation|slide)[-\d ]*|title|[\W\d_]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """One document: normalised text, title, pages and blocks.

    ``row`` is the record that it was made of, in a corpus; ``kind`` its format, where that is not the file's own (what
    is packed in an archive or attached to a message). ``notes`` say what a person should know of the reading: what was
    left out, and what was guessed. ``metadata`` is what the file says of itself: author, date, tags and the like.
    ``blocks`` are the structure of the text, where the format tells it.
    """

    title: str
    text: str
    locator: str = ""
    pages: tuple[int, ...] = ()
    kind: str = ""
    notes: tuple[str, ...] = ()
    metadata: Json = field(default_factory=dict)
    blocks: tuple[Block, ...] = ()
    row: Json | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Rejected:
    """A row of a corpus that is no document, and why.

    A ``note`` is no fault: it tells what of a file was not meant to be read.
    """

    reason: str
    note: bool = False


class Unreadable(InputError):
    """A file that cannot be read; the message says why."""


NO_TEXT = "It has no text."
"""What is said of a file that could be read, and says nothing."""


@contextmanager
def by_itself(part: str, lost: list[str]) -> Iterator[None]:
    """Read one part of a file; a failure is noted in ``lost``."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:  # whatever a parser makes of a hostile part
        lost.append(f"Not read: {part} ({one_line(str(error), 100).rstrip('.') or type(error).__name__}).")


def notes(*found: str) -> tuple[str, ...]:
    """Notes on a reading, without the empty ones."""
    return tuple(filter(None, found))


def title_of_name(name: str) -> str:
    """A file's name as a title, ``_`` and ``-`` as spaces."""
    path = PurePath(name)
    return one_line(re.sub(r"[_\-]+", " ", path.stem)) or one_line(path.name) or "Untitled"


def meant_title(title: str | None) -> str:
    """A title or author from metadata, "" for a program's default."""
    line = one_line(title or "")
    return "" if line in _LIBRARIES or _LEFT_BY_PROGRAMS.fullmatch(line) or _FILE_NAME.search(line) else line


def headline(text: str) -> str:
    """The first line where it reads like a title, else "".

    The number of a page that stands above it is passed over.
    """
    first, _, rest = text[: 4 * LONGEST_TITLE].partition("\n")
    if _PAGE_NUMBER.fullmatch(first) and rest.startswith("\n"):
        first, _, rest = rest.lstrip("\n").partition("\n")
    line = one_line(first)
    is_title = len(line) <= _HEADLINE and not line.endswith(_FINAL) and rest.startswith("\n")
    return line if is_title else ""


def opening(text: str) -> str:
    """The first words of a text, for want of a title."""
    return headline(text) or one_line(text.partition("\n")[0], 80)
