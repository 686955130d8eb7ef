"""The paragraphs of a PDF: wrapped lines joined, over the ends of columns and pages too, and broken words whole."""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import median_low

from clew.documents.pdf.blocks import BULLET, blocks_of
from clew.documents.pdf.layout import Line
from clew.text.names import FUNCTION_WORDS
from clew.types import Block

_FINAL = re.compile(r"[.!?:;…][\"'”’)\]]*$")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_HANGING = re.compile(r"[^\W_]-$")
_BROKEN_WORD = re.compile(r"([^\W\d_]+)-$")
_FIELD = re.compile(r"[^\W\d_a-z][^\W_]*(?:[ ,/'’-]{1,2}[^\W_]+){0,4}:\s+\S")
"""A line that tells one thing, as forms and letters have them below each other: "Place: Village hall"."""
_ALIKE = 0.6
"""Share of the letters of its longest line that another column has at least, if one goes on in the other."""
_NARROW = 40
"""Letters of the longest line of a box or column in which lines that tell one thing each may fill it, at most."""
_IDEOGRAPHIC = re.compile("[\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60]")


def joined(pages: list[list[Line]]) -> tuple[str, list[int], list[Block]]:
    """Lines to paragraphs, pages to one text; also the offset at which each page starts, and where each block lies."""
    compounds = {word.lower() for page in pages for line in page for word in _WORD.findall(line.text)}
    parts: list[str] = []
    starts: list[int] = []
    blocks: list[tuple[int, list[Line]]] = []
    length = 0
    last: Line | None = None
    for page in pages:
        width = max((len(line.text) for line in page if not line.alone), default=0)
        gap = _usual_gap(page)
        for number, line in enumerate(page):
            separator = "" if last is None else _between(last, line, last.width or width, gap, turned=number == 0)
            text = line.text
            if separator == " " and _ideographic(parts[-1][-1:]) and _ideographic(text[:1]):
                separator = ""
            if separator == " " and _HANGING.search(parts[-1]) and (text[0].isupper() or text[0].isdigit()):
                separator = ""  # the hyphen is its own
            if separator == " " and (broken := _BROKEN_WORD.search(parts[-1])) and text[0].islower():
                separator = ""
                word = re.match(r"[^\W\d_]+(?P<goes_on>-[^\W\d_])?", text)
                known = word and f"{broken.group(1)}-{word.group()}".lower() in compounds
                if word and not known and not word["goes_on"]:
                    parts[-1] = parts[-1][:-1]
                    length -= 1
            parts += [separator, text]
            if number == 0:
                starts.append(length + len(separator))
            if last is None or separator == "\n\n":
                blocks.append((length + len(separator), []))
            blocks[-1][1].append(line)
            length += len(separator) + len(text)
            last = line
        if not page:
            starts.append(length)
    text = "".join(parts)
    ends = [start - 2 for start, _ in blocks[1:]] + [len(text)]
    return text, starts, blocks_of(text, [(start, end, made) for (start, made), end in zip(blocks, ends, strict=True)])


def _ideographic(character: str) -> bool:
    """Whether a character is of a script that is written without spaces, or punctuation of one."""
    return bool(character) and _IDEOGRAPHIC.match(character) is not None


def _usual_gap(page: list[Line]) -> float:
    pairs = ((a, b) for a, b in pairwise(page) if not a.alone and not b.alone and _alike(a, b))
    gaps = [a.y - b.y for a, b in pairs if 0 < a.y - b.y < 4 * a.size]
    return median_low(gaps) if len(gaps) > 2 else 0.0


def _alike(a: Line, b: Line) -> bool:
    return abs(a.size - b.size) <= 0.08 * max(a.size, b.size) and a.bold == b.bold


def _between(a: Line, b: Line, width: int, gap: float, *, turned: bool) -> str:
    """A space where line ``b`` goes on with the sentence of line ``a``, a blank line where a new block begins."""
    ended = bool(_FINAL.search(a.text))
    if a.alone or b.alone:
        return "\n\n"
    if turned:
        return _over_an_end(a, b, width, ended=ended)
    if abs(a.y - b.y) < 0.3 * max(a.size, b.size):
        return " "
    goes_on = bool(_HANGING.search(a.text))
    if not _alike(a, b) or (BULLET.match(b.text) and not goes_on):
        return "\n\n"
    if b.y > a.y:
        return _over_an_end(a, b, width, ended=ended)
    if a.y - b.y > 1.3 * (gap or 1.25 * a.size):
        return "\n\n"
    if _FIELD.match(a.text) and _FIELD.match(b.text) and (len(a.text) < 0.75 * width or width < _NARROW):
        return "\n\n"
    short = len(a.text) < (0.75 if ended else 0.5) * width
    return "\n\n" if short and not goes_on and (ended or not b.text[0].islower()) else " "


def _over_an_end(a: Line, b: Line, width: int, *, ended: bool) -> str:
    """What stands between the last line of a page or column and the first one of the next."""
    beside = a.width and b.width and min(a.width, b.width) < _ALIKE * max(a.width, b.width)
    if beside and not b.text[0].islower():
        return "\n\n"  # a box beside the text
    full = _alike(a, b) and len(a.text) > 0.6 * width and not BULLET.match(b.text)
    open_end = a.text.endswith(",") or a.text.rpartition(" ")[2].lower() in FUNCTION_WORDS
    return " " if not ended and (b.text[0].islower() or full or (open_end and _alike(a, b))) else "\n\n"
