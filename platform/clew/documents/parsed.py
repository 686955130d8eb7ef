"""What every reader returns, how it says no, and how a title is chosen."""

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
    """One document as a reader gives it: normalised text, a title of one line, and where each page starts.

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
    """A row of a corpus that is no document, while the others go on; ``reason`` starts with its line number.

    A ``note`` is no fault: it tells what of a file was not meant to be read.
    """

    reason: str
    note: bool = False


class Unreadable(InputError):
    """A file that cannot be read; the message is the reason, one line for a person."""


@contextmanager
def by_itself(part: str, lost: list[str]) -> Iterator[None]:
    """Read one part of a file: where that fails, ``lost`` gains a note, and the rest is kept."""
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
    """A file's name as a title: without folder and extension, ``_`` and ``-`` as spaces."""
    path = PurePath(name)
    return one_line(re.sub(r"[_\-]+", " ", path.stem)) or one_line(path.name) or "Untitled"


def meant_title(title: str | None) -> str:
    """A title or author from a file's metadata, or "" where a program left it there ("Microsoft Word - x.doc")."""
    line = one_line(title or "")
    return "" if line in _LIBRARIES or _LEFT_BY_PROGRAMS.fullmatch(line) or _FILE_NAME.search(line) else line


def headline(text: str) -> str:
    """The text's first line where it reads like a title: short, no final stop, then a blank line; else "".

    The number of a page that stands above it is passed over.
    """
    first, _, rest = text[: 4 * LONGEST_TITLE].partition("\n")
    if _PAGE_NUMBER.fullmatch(first) and rest.startswith("\n"):
        first, _, rest = rest.lstrip("\n").partition("\n")
    line = one_line(first)
    is_title = len(line) <= _HEADLINE and not line.endswith(_FINAL) and rest.startswith("\n")
    return line if is_title else ""


def opening(text: str) -> str:
    """The first words of a text, as a title for one that has none."""
    return headline(text) or one_line(text.partition("\n")[0], 80)
