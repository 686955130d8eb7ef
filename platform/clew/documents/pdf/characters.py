"""The characters of a page of a PDF: which each one is, its box and base line, turned so that it stands upright."""

from __future__ import annotations

import ctypes
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from clew.documents.marks import symbol
from clew.documents.parsed import Unreadable
from clew.documents.pdf.hidden import address, hidden_of
from clew.documents.pdf.layout import Glyph

UNKNOWN = "\ufffd"
"""What stands for a character whose font does not tell which one it is."""
_BLANKS = frozenset({9, 10, 13, 32, 0xA0})
_HYPHENS = frozenset({2, 0xFFFE})
_TRIED = 500
"""Characters that are looked at to see how a page lies."""
_FIRST_HALVES, _SECOND_HALVES = range(0xD800, 0xDC00), range(0xDC00, 0xE000)
_PLACES = range(0xF020, 0xF100)
"""Where fonts of symbols have their signs."""
_OF_FORMULAS = range(0x1D400, 0x1D800)
UPRIGHT: dict[float, Callable[[float, float, float, float, float], tuple[float, float, float, float, float]]] = {
    1.57: lambda left, bottom, right, top, x: (bottom, -right, top, -left, -x),
    4.71: lambda left, bottom, right, top, x: (-top, left, -bottom, right, x),
}
"""From the box of a letter that runs upwards (or downwards) and its base line to those of an upright one."""
_RIGHT_ANGLES = (0.0, 1.57, 3.14, 4.71, 6.28)
_SLANT = 0.1
"""How far from upright or level letters stand that are slanted: a scan that lies a little askew is read as it is."""


def glyphs_of(
    page: Any, text: Any, limit: int, turn: Any, turned: list[tuple[float, Glyph]], unseen: set[int]
) -> Iterator[Glyph]:
    """The characters of a page in the order in which it draws them, but for those of hidden objects: to ``unseen``.

    Those that run upwards or downwards on it go to ``turned`` with their angle, as they stand once the page is turned;
    none do where ``turn`` tells how the whole of it is.
    """
    import pypdfium2.raw as pdfium

    count = text.count_chars()
    if count > limit:
        raise Unreadable(f"It unpacks to more than {limit / 1e6:g} MB of text (CLEW_MAX_FILE_MB).")
    hidden = hidden_of(page)
    box = pdfium.FS_RECTF()
    x, y = ctypes.c_double(), ctypes.c_double()
    raw, box_at, x_at, y_at = text.raw, ctypes.byref(box), ctypes.byref(x), ctypes.byref(y)
    box_of, origin_of = pdfium.FPDFText_GetLooseCharBox, pdfium.FPDFText_GetCharOrigin
    space, guess = Glyph(" ", 0, 0, 0, 0, False), Glyph("", 0, 0, 0, 0, False)
    shown = _shown(page)
    bold, last, size, angle, line = False, 0.0, 0.0, 0.0, None
    for at, code in _codes(raw, count):
        unknown = pdfium.FPDFText_HasUnicodeMapError(raw, at) == 1
        if hidden and (drawn_by := address(pdfium.FPDFText_GetTextObject(raw, at))) in hidden:
            unseen.update([] if code in _BLANKS else [drawn_by])
            continue
        if code in _BLANKS and not unknown:
            last = 0.0
            glyph = guess if pdfium.FPDFText_IsGenerated(raw, at) == 1 else space
        elif box_of(raw, at, box_at) and origin_of(raw, at, x_at, y_at) and _lies_in(shown, box):
            if turn is None and y.value != line:  # the angle costs a call, and is that of the letter before on its line
                angle, line = _angle_of(raw, at), y.value
            left, bottom, right, top, base = _upright(box, x.value, y.value, angle, turn)
            height = max(top - bottom, 0.1)
            if height != last:
                name, last = _font_of(raw, at), height
                bold = b"bold" in name or pdfium.FPDFText_GetFontWeight(raw, at) >= 600
                size = _size_of(raw, at) or height
            glyph = Glyph(_text_of(raw, at, code, unknown=unknown), left, right, base, size, bold)
        else:
            continue
        if angle:
            turned.append((angle, glyph))
        else:
            yield glyph


def _codes(text: Any, count: int) -> Iterator[tuple[int, int]]:
    """The place and the code of each character; one that PDFium tells in two halves stands at the first of them."""
    import pypdfium2.raw as pdfium

    for at in range(count):
        code = pdfium.FPDFText_GetUnicode(text, at)
        if code in _FIRST_HALVES:
            yield at, _whole(code, pdfium.FPDFText_GetUnicode(text, at + 1))
        elif code not in _SECOND_HALVES:
            yield at, code


def _lies_in(shown: tuple[float, float, float, float], box: Any) -> bool:
    """Whether a character is on the page: one that was cut out of another keeps what lay around it."""
    across, up = float(box.left + box.right) / 2, float(box.bottom + box.top) / 2
    return shown[0] <= across <= shown[2] and shown[1] <= up <= shown[3]


def _angle_of(text: Any, at: int) -> float:
    """The angle of a character; 0 where it stands upright or nearly so."""
    import pypdfium2.raw as pdfium

    angle = round(pdfium.FPDFText_GetCharAngle(text, at), 2)
    return angle if angle in UPRIGHT or min(abs(angle - right) for right in _RIGHT_ANGLES) > _SLANT else 0.0


def _upright(box: Any, x: float, y: float, angle: float, turn: Any) -> tuple[float, float, float, float, float]:
    """The box and base line of a character as it stands once it, or its page, is turned."""
    left, bottom, right, top, base = box.left, box.bottom, box.right, box.top, y
    if angle in UPRIGHT:
        left, bottom, right, top, base = UPRIGHT[angle](left, bottom, right, top, x)
    if turn is not None:
        left, bottom, right, top, base = turn(left, bottom, right, top, x, base)
    return left, bottom, right, top, base


def _text_of(text: Any, at: int, code: int, *, unknown: bool) -> str:
    """What a character is; ``UNKNOWN`` where its font does not say."""
    character = "-" if code in _HYPHENS and not unknown else _character(code)
    if code in _PLACES:
        character = _sign(_font_of(text, at), code)
    return UNKNOWN if unknown else character


def known(glyphs: Iterable[Glyph], counts: Counter[str]) -> list[Glyph]:
    """The characters; none where the fonts of most do not say which they are, as on a picture."""
    found = list(glyphs)
    unknown = sum(glyph.text == UNKNOWN for glyph in found)
    if 2 * unknown > sum(glyph.size > 0 for glyph in found):
        return []
    counts[UNKNOWN] += unknown
    return found


def _shown(page: Any) -> tuple[float, float, float, float]:
    """The part of a page that is shown: left, bottom, right, top, with a point to spare."""
    boxes = [(min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in (page.get_mediabox(), page.get_cropbox())]
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    left, bottom, right, top = max(lefts), max(bottoms), min(rights), min(tops)
    if left >= right or bottom >= top:  # what readers do with a box that is none
        left, bottom, right, top = boxes[0]
    return left - 1, bottom - 1, right + 1, top + 1


def _character(code: int) -> str:
    """A character by its code; letters of formulas are the letters that they show."""
    if code in _OF_FORMULAS:
        return unicodedata.normalize("NFKC", chr(code))
    return chr(code) if code < 0x110000 else ""


def _sign(font: bytes, code: int) -> str:
    """What a font of symbols draws in a place that says nothing by itself, as Word's bullets are known."""
    name = font.decode("latin-1").rpartition("+")[2].removesuffix("-regular").removesuffix("mt")
    return symbol(name, f"{code:x}") or chr(code)


def _whole(first: int, second: int) -> int:
    """The character that PDFium tells in two halves."""
    if second not in _SECOND_HALVES:
        return first
    return 0x10000 + ((first - _FIRST_HALVES.start) << 10) + second - _SECOND_HALVES.start


def _font_of(text: Any, at: int) -> bytes:
    """The name of a character's font in small letters; one that the file draws itself (Type 3) has none."""
    import pypdfium2.raw as pdfium

    name = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(text, at, name, 128, ctypes.c_int())
    return name.value.lower()


def _size_of(text: Any, at: int) -> float:
    """The size of a character's font as it is drawn, in points."""
    import pypdfium2.raw as pdfium

    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(text, at, ctypes.byref(matrix))
    return float(pdfium.FPDFText_GetFontSize(text, at) * (matrix.c**2 + matrix.d**2) ** 0.5)


def turn_of(page: Any, text: Any) -> Any:
    """From a box and the point on its base line to those on a page that is shown turned; None where it is not."""
    width, height = page.get_mediabox()[2], page.get_mediabox()[3]
    rotation = page.get_rotation()
    if rotation and _lies(text):
        return None
    if rotation == 90:
        return lambda a, b, c, d, x, y: (b, width - c, d, width - a, width - x)
    if rotation == 180:
        return lambda a, b, c, d, x, y: (width - c, height - d, width - a, height - b, height - y)
    if rotation == 270:
        return lambda a, b, c, d, x, y: (height - d, a, height - b, c, x)
    return None


def _lies(text: Any) -> bool:
    """Whether the text of a page that is shown turned is not, so that it lies on its side: it is read as it is."""
    import pypdfium2.raw as pdfium

    tried = range(min(text.count_chars(), _TRIED))
    letters = [at for at in tried if pdfium.FPDFText_GetUnicode(text.raw, at) not in _BLANKS]
    level = sum(round(pdfium.FPDFText_GetCharAngle(text.raw, at), 1) in {0.0, 6.3} for at in letters)
    return 2 * level > len(letters)
