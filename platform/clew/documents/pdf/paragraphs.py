"""The paragraphs of a PDF: wrapped lines joined, over the ends of columns and pages too, and broken words whole."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median_low

from clew.documents.blocks import Draft
from clew.documents.pdf.blocks import BULLET, LARGER, NUMBERED, drafts_of
from clew.documents.pdf.layout import Line, size_of_text
from clew.text.names import FUNCTION_WORDS

_FINAL = re.compile(r"[.!?:;…][\"'”’)\]]*$")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_HANGING = re.compile(r"[^\W_]-$")
_BROKEN_WORD = re.compile(r"([^\W\d_]+)-$")
_FIELD = re.compile(r"[^\W\d_a-z][^\W_]*(?:[ ,/'’-]{1,2}[^\W_]+){0,4}:\s+\S")
"""A line that tells one thing, as forms and letters have them below each other: "Place: Village hall"."""
_ALIKE = 0.6
"""Share of the letters of its longest line that another column has at least, if one goes on in the other."""
_LEADING = 1.25
_NARROW = 40
"""Letters of the longest line of a box or column in which lines that tell one thing each may fill it, at most."""
_IDEOGRAPHIC = re.compile("[\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60]")


@dataclass(slots=True)
class _Paragraph:
    """Lines that are one block, and where it starts in the text of all."""

    start: int
    text: str
    lines: list[Line]


def joined(pages: Sequence[Sequence[Line]], outline: Collection[str] = ()) -> tuple[list[Draft], list[int]]:
    """Lines to blocks, over the ends of pages too; also the offset at which each page starts in their text.

    ``outline`` are the titles of the document's bookmarks, as ``key_of`` makes them.
    """
    compounds = {word.lower() for page in pages for line in page for word in _WORD.findall(line.text)}
    found: list[_Paragraph] = []
    starts: list[int] = []
    last: Line | None = None
    text = size_of_text(pages)
    for page in pages:
        width = max((len(line.text) for line in page if not line.alone), default=0)
        gap = _usual_gap(page)
        end = found[-1].start + len(found[-1].text) if found else 0
        begins = [end]
        for number, line in enumerate(page):
            if last is None or not _goes_on(last, line, last.width or width, gap, text, turned=number == 0):
                end = found[-1].start + len(found[-1].text) + 2 if found else 0
                found.append(_Paragraph(end, line.text, [line]))
                begins.append(end)
            else:
                whole = _joined(found[-1].text, line.text, compounds)
                found[-1].text = whole
                found[-1].lines.append(line)
                begins.append(found[-1].start + len(whole) - len(line.text))
            last = line
        starts.append(begins[min(1, len(page))])
    return drafts_of([(one.text, one.lines) for one in found], outline), starts


def _joined(text: str, more: str, compounds: Collection[str]) -> str:
    """A text with the line that goes on with it: a space between them, but in scripts without and in broken words."""
    if _ideographic(text[-1:]) and _ideographic(more[:1]):
        return text + more
    if _HANGING.search(text) and (more[0].isupper() or more[0].isdigit()):
        return text + more  # the hyphen is its own
    if (broken := _BROKEN_WORD.search(text)) and more[0].islower():
        word = re.match(r"[^\W\d_]+(?P<goes_on>-[^\W\d_])?", more)
        known = word and f"{broken.group(1)}-{word.group()}".lower() in compounds
        return (text[:-1] if word and not known and not word["goes_on"] else text) + more
    return f"{text} {more}"


def _ideographic(character: str) -> bool:
    """Whether a character is of a script that is written without spaces, or punctuation of one."""
    return bool(character) and _IDEOGRAPHIC.match(character) is not None


def _usual_gap(page: Sequence[Line]) -> float:
    """How far below each other the lines of a paragraph stand, in heights of a letter."""
    pairs = ((a, b) for a, b in pairwise(page) if not a.alone and not b.alone and _alike(a, b))
    gaps = [(a.y - b.y) / a.size for a, b in pairs if 0 < a.y - b.y < 4 * a.size]
    return median_low(gaps) if len(gaps) > 2 else _LEADING


def _alike(a: Line, b: Line) -> bool:
    """Whether two lines look the same, or the second one goes on with a sentence, bold or not."""
    goes_on = b.text[0].islower() and not _FINAL.search(a.text)
    return abs(a.size - b.size) <= 0.08 * max(a.size, b.size) and (a.bold == b.bold or goes_on)


def _goes_on(a: Line, b: Line, width: int, gap: float, text: float, *, turned: bool) -> bool:
    """Whether line ``b`` is of the same block as line ``a``; ``gap`` is the usual one, in heights of a letter.

    Lines that are larger than the ``text`` are one heading, however short they are.
    """
    ended = bool(_FINAL.search(a.text))
    hangs = bool(_HANGING.search(a.text))
    if a.alone or b.alone:
        return False
    if turned:
        return _over_an_end(a, b, width, ended=ended)
    if abs(a.y - b.y) < 0.3 * max(a.size, b.size):
        return True
    larger = min(a.size, b.size) > LARGER * text
    if not _alike(a, b) or (_begins(b.text, larger=larger) and not hangs):
        return False
    if b.y > a.y:
        return _over_an_end(a, b, width, ended=ended)
    if a.y - b.y > 1.3 * gap * a.size:
        return False
    if _FIELD.match(a.text) and _FIELD.match(b.text) and (len(a.text) < 0.75 * width or width < _NARROW):
        return False
    short = len(a.text) < (0.75 if ended else 0.5) * width
    return hangs or not short or (not ended and (larger or b.text[0].islower()))


def _begins(text: str, *, larger: bool) -> bool:
    """Whether a line begins an item, or a heading with its number."""
    return bool(BULLET.match(text) or (larger and NUMBERED.match(text)))


def _over_an_end(a: Line, b: Line, width: int, *, ended: bool) -> bool:
    """Whether the last line of a page or column goes on in the first one of the next."""
    beside = a.width and b.width and min(a.width, b.width) < _ALIKE * max(a.width, b.width)
    if ended or (beside and not b.text[0].islower()):
        return False  # a box beside the text
    full = _alike(a, b) and len(a.text) > 0.6 * width and not BULLET.match(b.text)
    open_end = a.text.endswith(",") or a.text.rpartition(" ")[2].lower() in FUNCTION_WORDS
    return b.text[0].islower() or full or (open_end and _alike(a, b))
