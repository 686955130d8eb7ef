"""A page of a PDF as a picture, with the places of cited words on it."""

from __future__ import annotations

import base64
import ctypes
import io
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any

from clew.types import Json

WIDTH, MOST_PIXELS = 1_300, 4_000_000
"""Pixels across a picture, and in all of it at most."""
_FOUND = 0.7
"""Share of a quote's letters that a page must have for their places to be given."""
_SHORTEST_RUN = 3
_NEXT_LETTER = 3
"""Letters of one line are no further apart than so many heights."""


def drawn(data: bytes, number: int, quote: str, spans: Sequence[Sequence[int]] = (), before: str = "") -> Json:
    """Page ``number`` (from 1): ``image`` (a data address), its size, and ``boxes`` as shares of that.

    Each box is left, top, width, height, and whether it lies in one of ``spans`` of the quote. ``before`` is what the
    page says before the quote, which tells apart what stands there twice. There are no boxes where the page does not
    have the quote.
    """
    import pypdfium2

    page = pypdfium2.PdfDocument(data)[number - 1]
    width, height = page.get_size()
    scale = min(WIDTH / width, (MOST_PIXELS / (width * height)) ** 0.5)
    picture = page.render(scale=scale, may_draw_forms=True).to_pil().convert("RGB")
    out = io.BytesIO()
    picture.save(out, "WEBP", quality=82)
    image = "data:image/webp;base64," + base64.b64encode(out.getvalue()).decode()
    boxes = list(_boxes(page, _places(page.get_textpage(), quote, spans, before), picture.size))
    return {"image": image, "width": picture.width, "height": picture.height, "boxes": boxes}


def letters(characters: Iterable[str]) -> tuple[str, list[int]]:
    """The letters and digits of characters without case, and which character each comes from."""
    found = [
        (letter, at)
        for at, character in enumerate(characters)
        for letter in unicodedata.normalize("NFKC", character).casefold()
        if letter.isalnum()
    ]
    return "".join(letter for letter, _ in found), [at for _, at in found]


def _places(text: Any, quote: str, spans: Sequence[Sequence[int]], before: str) -> Iterator[tuple[Any, bool]]:
    """The box of each character of the page that belongs to the quote, and whether it is in one of the spans."""
    import pypdfium2.raw as pdfium

    codes = (pdfium.FPDFText_GetUnicode(text.raw, at) for at in range(text.count_chars()))
    there, characters = letters(chr(code) if code < 0x110000 else "" for code in codes)
    wanted, origin = letters(quote)
    box = pdfium.FS_RECTF()
    for a, b in sorted(_matched(there, wanted, letters(before)[0].count(wanted))):
        if pdfium.FPDFText_GetLooseCharBox(text.raw, characters[a], ctypes.byref(box)):
            likely = any(start <= origin[b] < end for start, end in spans)
            yield (box.left, box.bottom, box.right, box.top), likely


def _matched(there: str, wanted: str, nth: int) -> list[tuple[int, int]]:
    """Pairs of places in the page and in the quote: the whole of it, else the runs that they have in common."""
    if not wanted:
        return []
    at = first = there.find(wanted)
    for _ in range(nth if first >= 0 else 0):
        at = there.find(wanted, at + 1)
        first = max(first, at)
    if first >= 0:
        return [(first + at, at) for at in range(len(wanted))]
    runs = SequenceMatcher(None, there, wanted, autojunk=False).get_matching_blocks()
    kept = [run for run in runs if run.size >= _SHORTEST_RUN]
    enough = sum(run.size for run in kept) >= _FOUND * len(wanted)
    return [(run.a + at, run.b + at) for run in kept for at in range(run.size)] if enough else []


def _boxes(page: Any, places: Iterable[tuple[Any, bool]], size: tuple[int, int]) -> Iterator[list[float | bool]]:
    """One box for the neighbours on a line, as shares of the picture."""
    for likely, same in groupby(places, key=lambda place: place[1]):
        lines: list[list[float]] = []
        for box, _ in same:
            if lines and _continues(lines[-1], box):
                last = lines[-1]
                last[1:] = [min(last[1], box[1]), max(last[2], box[2]), max(last[3], box[3])]
            else:
                lines.append(list(box))
        for line in lines:
            left, top, right, bottom = _on_picture(page, line, size)
            yield [left / size[0], top / size[1], (right - left) / size[0], (bottom - top) / size[1], likely]


def _continues(line: Sequence[float], box: Sequence[float]) -> bool:
    """Whether a letter stands on the line of those before it, and near to them."""
    left, bottom, _, top = box
    middle, height = (top + bottom) / 2, top - bottom
    return line[1] <= middle <= line[3] and -height < left - line[2] < _NEXT_LETTER * height


def _on_picture(page: Any, box: Sequence[float], size: tuple[int, int]) -> tuple[float, float, float, float]:
    """A box of the page on its picture, however the page is turned and cut."""
    import pypdfium2.raw as pdfium

    x, y = ctypes.c_int(), ctypes.c_int()
    corners = []
    for across, up in ((box[0], box[1]), (box[2], box[3])):
        pdfium.FPDF_PageToDevice(page.raw, 0, 0, *size, 0, across, up, ctypes.byref(x), ctypes.byref(y))
        corners.append((x.value, y.value))
    (a, b), (c, d) = corners
    return min(a, c), min(b, d), max(a, c), max(b, d)
