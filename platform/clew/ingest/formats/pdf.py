"""PDF: wrapped lines joined to paragraphs, running heads left out, and the offset at which each page starts."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

from clew.ingest.formats.parsed import (
    Parsed,
    Unreadable,
    headline,
    meant_title,
    title_of_name,
)
from clew.text.normalise import normalise, one_line

MOST_PAGES = 20_000
"""Pages of a PDF, at most; more is no document."""

_FINAL = re.compile(r"[.!?:;…][\"'”’)\]]*$")
_BULLET = re.compile(r"[•▪◦‣●■–—*]\s|\(?\d{1,3}[.)]\s|\[\d{1,3}\]\s|-\s")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_BROKEN_WORD = re.compile(r"([^\W\d_]+)-$")
_PAGE_NUMBER = re.compile(r"\W{0,3}(?:page )?(\d{1,5})(?: (?:of|/) \d{1,5})?\W{0,3}", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")


@dataclass(slots=True)
class Line:
    """A line on a page: its text, the height of its letters and of its base line in points, and whether it is bold."""

    text: str
    size: float
    y: float
    bold: bool


def parse_pdf(data: bytes, name: str, *, limit: int, tick: Callable[[], None] = lambda: None) -> Parsed:
    """Read a PDF that has a text layer; ``tick`` is called after each page.

    Raises Unreadable where it is damaged, protected, has no text (a scan), or more than ``limit`` characters or
    ``MOST_PAGES`` pages.
    """
    from pypdf.errors import PyPdfError

    try:
        reader = _opened(data)
        pages: list[list[Line]] = []
        characters = failed = 0
        for number, page in enumerate(reader.pages):
            if number >= MOST_PAGES:
                raise Unreadable(f"It has more than {MOST_PAGES:,} pages; split it.")
            try:
                lines = _lines(page)
            except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, ZeroDivisionError):
                lines = []
                failed += 1
            pages.append(lines)
            characters += sum(len(line.text) for line in lines)
            if characters > limit:
                raise Unreadable(f"It unpacks to more than {limit / 1e6:g} MB of text (CLEW_MAX_FILE_MB).")
            tick()
    except PyPdfError as error:
        raise Unreadable(f"The PDF is damaged ({one_line(str(error), 100)}).") from error
    if pages and failed == len(pages):
        raise Unreadable("The PDF is damaged: not one of its pages can be read.")
    if not any(pages):
        raise Unreadable(f"The PDF has no text (pages: {len(pages)}); where they are scans, run OCR first.")
    text, starts = _joined(_without_running_heads(pages))
    return Parsed(_title(reader) or headline(text) or title_of_name(name), text, pages=starts)


def _opened(data: bytes) -> Any:
    from pypdf import PasswordType, PdfReader
    from pypdf.errors import DependencyError

    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted:
        try:
            opened = reader.decrypt("")
        except DependencyError as error:
            raise Unreadable("The PDF is encrypted with AES; install the package cryptography to read it.") from error
        except NotImplementedError as error:
            raise Unreadable(
                "The PDF is encrypted in a way that cannot be read; save it without a password."
            ) from error
        if opened is PasswordType.NOT_DECRYPTED:
            raise Unreadable("The PDF is password-protected; save it without a password.")
    return reader


def _title(reader: Any) -> str:
    try:
        title = reader.metadata.title if reader.metadata else None
    except Exception:
        return ""  # a title that cannot be read is no reason to refuse the text
    return meant_title(normalise(title)) if isinstance(title, str) else ""


def _lines(page: Any) -> list[Line]:
    """The lines of a page in reading order, with the font of each."""
    pieces: list[tuple[str, float, float, bool]] = []

    def visit(text: str, user: list[float], matrix: list[float], font: Any, size: float | None) -> None:
        if text:
            # Height of a point (0, 1) and of the origin under the text matrix and then the page's.
            scale = abs(matrix[3] * user[3]) or abs(matrix[1] * user[2]) or 1.0
            y = matrix[4] * user[1] + matrix[5] * user[3] + user[5]
            bold = "bold" in str((font or {}).get("/BaseFont", "")).lower()
            pieces.append((text, float(size or 0.0) * scale, y, bold))

    page.extract_text(visitor_text=visit)
    lines: list[Line] = []
    parts: list[tuple[str, float, float, bool]] = []
    for text, size, y, bold in [*pieces, ("\n", 0.0, 0.0, False)]:
        first, *others = text.split("\n")
        parts.append((first, size, y, bold))
        for other in others:
            filled = [part for part in parts if part[0].strip()]
            if filled:
                line = " ".join(normalise("".join(part[0] for part in parts)).split())
                main = max(filled, key=lambda part: len(part[0]))
                lines.append(Line(line, main[1], filled[0][2], all(part[3] for part in filled)))
            parts = [(other, size, y, bold)]
    return [line for line in lines if line.text]


def _without_running_heads(pages: list[list[Line]]) -> list[list[Line]]:
    """Drop page numbers, and first and last lines that are the same on most pages but for their numbers."""
    filled = [page for page in pages if page]
    most = max(2, len(filled) / 2)
    edges = [Counter(_DIGITS.sub("0", page[end].text) for page in filled) for end in (0, -1)]
    result = []
    for number, page in enumerate(pages, 1):
        kept = list(page)
        for end, seen in zip((0, -1), edges, strict=True):
            if not kept:
                break
            alone = _PAGE_NUMBER.fullmatch(kept[end].text)
            if (alone and int(alone.group(1)) == number) or seen[_DIGITS.sub("0", kept[end].text)] > most:
                kept.pop(end)
        result.append(kept)
    return result if any(result) else pages


def _joined(pages: list[list[Line]]) -> tuple[str, tuple[int, ...]]:
    """Lines to paragraphs, pages to one text; also the offset at which each page starts."""
    compounds = {word.lower() for page in pages for line in page for word in _WORD.findall(line.text)}
    parts: list[str] = []
    starts: list[int] = []
    length = 0
    last: Line | None = None
    for page in pages:
        width = max((len(line.text) for line in page), default=0)
        gap = _usual_gap(page)
        for number, line in enumerate(page):
            separator = "" if last is None else _between(last, line, width, gap, turned=number == 0)
            text = line.text
            if separator == " " and (broken := _BROKEN_WORD.search(parts[-1])) and text[0].islower():
                separator = ""
                word = re.match(r"[^\W\d_]+", text)
                if word and f"{broken.group(1)}-{word.group()}".lower() not in compounds:
                    parts[-1] = parts[-1][:-1]
                    length -= 1
            parts += [separator, text]
            if number == 0:
                starts.append(length + len(separator))
            length += len(separator) + len(text)
            last = line
        if not page:
            starts.append(length)
    return "".join(parts), tuple(starts)


def _usual_gap(page: list[Line]) -> float:
    gaps = [a.y - b.y for a, b in pairwise(page) if _alike(a, b) and 0 < a.y - b.y < 4 * a.size]
    return median(gaps) if len(gaps) > 2 else 0.0


def _alike(a: Line, b: Line) -> bool:
    return abs(a.size - b.size) <= 0.08 * max(a.size, b.size) and a.bold == b.bold


def _between(a: Line, b: Line, width: int, gap: float, *, turned: bool) -> str:
    """A space where line ``b`` goes on with the sentence of line ``a``, a blank line where a new block begins."""
    ended = bool(_FINAL.search(a.text))
    if turned:
        return " " if not ended and b.text[0].islower() else "\n\n"
    if abs(a.y - b.y) < 0.3 * max(a.size, b.size):
        return " "
    if not _alike(a, b) or _BULLET.match(b.text):
        return "\n\n"
    if b.y > a.y:
        return "\n\n" if ended else " "
    if a.y - b.y > 1.3 * (gap or 1.25 * a.size):
        return "\n\n"
    short = len(a.text) < (0.75 if ended else 0.5) * width
    return "\n\n" if short and (ended or not b.text[0].islower()) else " "
