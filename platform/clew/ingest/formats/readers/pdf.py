"""PDF: wrapped lines joined to paragraphs, running heads left out, and the offset at which each page starts."""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import groupby, pairwise
from operator import itemgetter
from statistics import median
from typing import Any

from clew.ingest.formats import ocr
from clew.ingest.formats.blocks import Layout
from clew.ingest.formats.format import Format, Input
from clew.ingest.formats.marks import HIDDEN, STRUCK, left_out
from clew.ingest.formats.metadata import add_author, tags_of
from clew.ingest.formats.parsed import Parsed, Unreadable, headline, meant_title, notes, title_of_name
from clew.ingest.formats.pdf_blocks import BULLET, blocks_of
from clew.ingest.formats.pdf_bullets import with_bullets
from clew.ingest.formats.pdf_grids import rules_of, with_tables
from clew.ingest.formats.pdf_hidden import address, hidden_of
from clew.ingest.formats.pdf_initials import with_initials
from clew.ingest.formats.pdf_layout import Glyph, Line, Piece, pieces
from clew.ingest.formats.pdf_margins import without_running_heads
from clew.ingest.formats.pdf_paths import paths_of
from clew.ingest.formats.pdf_strikes import Strike, annotations_of, strikes, struck
from clew.ingest.formats.pdf_tables import lines
from clew.ingest.formats.pdf_vertical import IDEOGRAPHIC, from_column, runs_down, without_gaps
from clew.text.names import FUNCTION_WORDS
from clew.text.normalise import normalise, one_line
from clew.types import Block, Json

MOST_PAGES = 20_000
"""Pages of a PDF, at most; more is no document."""

_FINAL = re.compile(r"[.!?:;…][\"'”’)\]]*$")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_HANGING = re.compile(r"[^\W_]-$")
_BROKEN_WORD = re.compile(r"([^\W\d_]+)-$")
_FIELD = re.compile(r"[^\W\d_a-z][^\W_]*(?:[ ,/'’-]{1,2}[^\W_]+){0,4}:\s+\S")
"""A line that tells one thing, as forms and letters have them below each other: "Place: Village hall"."""
_LEADERS = re.compile(r"\s*(?:\.\s?){4,}\s*(?=\S)|\s*(?:…\s?){2,}\s*(?=\S)")
"""The dots between an entry of a table of contents and its page."""


_IDEOGRAPHIC = re.compile(f"[{IDEOGRAPHIC}]")
_SHOWN_PAGES = 10
_LONGEST_VALUE = 10_000
_PORTFOLIO = re.compile(rb"/Collection\b")
_SHELL = 400
_BLANKS = frozenset({9, 10, 13, 32, 0xA0})
_HYPHENS = frozenset({2, 0xFFFE})
_LETTER_HEIGHT = 1.2
"""Height of a letter, in means of its height and width."""
_TRIED = 500
"""Characters that are looked at to see how a page lies."""
_FIRST_HALVES, _SECOND_HALVES = range(0xD800, 0xDC00), range(0xDC00, 0xE000)
_OF_FORMULAS = range(0x1D400, 0x1D800)
_MOST_INK = 1.5
"""Height of a character, in sizes at which its font is set, at most; more shows that the font counts otherwise."""
UNKNOWN = "\ufffd"
"""What stands for a character whose font does not tell which one it is."""


def read(source: Input) -> Iterator[Parsed]:
    """Read a PDF that has a text layer, columns one after the other, what a form was filled with beside its labels.

    Raises Unreadable where it is damaged, protected, has no text (a scan), is a shell for something else, or has more
    than ``limit`` characters or ``MOST_PAGES`` pages.
    """
    document = _opened(source.data)
    if len(document) > MOST_PAGES:
        raise Unreadable(f"It has more than {MOST_PAGES:,} pages; split it.")
    has_form = document.get_formtype() != 0
    if has_form:
        document.init_forms()
    pages: list[list[Line]] = []
    by_ocr: list[int] = []
    counts: Counter[str] = Counter()
    stamps: set[str] = set()
    characters = failed = 0
    for number in range(len(document)):
        try:
            found = _lines(document, number, source.limit, counts, stamps, has_form=has_form)
            if (
                not found
                and len(by_ocr) < ocr.MOST_PAGES
                and ocr.is_there()
                and (found := _seen(document[number], counts))
            ):
                by_ocr.append(number + 1)
        except _error():
            found = []
            failed += 1
        pages.append(found)
        characters += sum(len(line.text) for line in found)
        if characters > source.limit:
            raise Unreadable(f"It unpacks to more than {source.limit / 1e6:g} MB of text (CLEW_MAX_FILE_MB).")
        source.tick()
    if not pages or failed == len(pages):
        raise Unreadable("The PDF is damaged: not one of its pages can be read.")
    _check_shell(document, source.data, characters)
    if not any(pages):
        raise Unreadable(f"The PDF has no text (pages: {len(pages)}); where they are scans, {ocr.MISSING}.")
    metadata = _metadata(document)
    title = metadata.pop("title", "")
    layout = Layout()
    layout.add_laid_out(*_joined(without_running_heads(pages)))
    without = [number for number, page in enumerate(pages, 1) if not page]
    unknown = counts.pop(UNKNOWN, 0)
    told = notes(
        *left_out(counts),
        f"Characters that their font gives no meaning, {UNKNOWN} within other text: {unknown:,}." if unknown else "",
        _numbered("Pages read by OCR, whose letters may be wrong", by_ocr),
        _numbered(f"Pages without text; where they are scans, {ocr.MISSING}", without),
    )
    title = title or headline(layout.text) or title_of_name(source.name)
    starts = tuple(layout.pages)
    add_author(layout, metadata)
    yield Parsed(title, layout.text, pages=starts, notes=told, metadata=metadata, blocks=tuple(layout.blocks))


def _error() -> type[Exception]:
    import pypdfium2

    error: type[Exception] = pypdfium2.PdfiumError
    return error


def _opened(data: bytes) -> Any:
    import pypdfium2

    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "assword" in str(error):
            raise Unreadable("The PDF is password-protected; save it without a password.") from error
        if "ecurity" in str(error):
            raise Unreadable(
                "The PDF is encrypted in a way that cannot be read; save it without a password."
            ) from error
        raise Unreadable(f"The PDF is damaged ({one_line(str(error), 100)}).") from error


def _check_shell(document: Any, data: bytes, characters: int) -> None:
    """Raise Unreadable for a PDF that only wraps other files, or a form that only one program shows."""
    if characters > _SHELL:
        return
    if document.get_formtype() == 2:
        raise Unreadable("The PDF is a form of the kind XFA, which only Adobe Reader shows; print it to a PDF there.")
    attached = document.count_attachments()
    if attached and _PORTFOLIO.search(data):
        raise Unreadable(f"The PDF is a portfolio of other files ({attached:,}); save them and read those.")


def _numbered(what: str, numbers: list[int]) -> str:
    if not numbers:
        return ""
    shown = ", ".join(map(str, numbers[:_SHOWN_PAGES])) + (", …" if len(numbers) > _SHOWN_PAGES else "")
    return f"{what} ({len(numbers):,}): {shown}."


def _seen(page: Any, counts: Counter[str]) -> list[Line]:
    """The lines of a page that shows a picture, by OCR."""
    import pypdfium2.raw as pdfium

    try:
        if not any(part.type == pdfium.FPDF_PAGEOBJ_IMAGE for part in page.get_objects(max_depth=3)):
            return []
        dots = min(ocr.DOTS, ocr.MOST_DOTS / max(page.get_size()))
        return lines(ocr.pieces_of(page.render(scale=dots, rev_byteorder=True).to_numpy(), counts, dots))
    finally:
        page.close()


def _metadata(document: Any) -> Json:
    try:
        told = document.get_metadata_dict()
    except Exception:
        return {}  # properties that cannot be read are no reason to refuse the text
    found: Json = {"title": meant_title(normalise(told.get("Title", "")))}
    found["author"] = meant_title(normalise(told.get("Author", "")))
    if date := re.match(r"D:(\d{4})(\d{2})(\d{2})", told.get("CreationDate", "")):
        found["created"] = "-".join(date.groups())
    found["tags"] = tags_of(told.get("Keywords", ""))
    return {key: value for key, value in found.items() if value}


def _lines(
    document: Any, number: int, limit: int, counts: Counter[str], stamps: set[str], *, has_form: bool
) -> list[Line]:
    page = document[number]
    try:
        text = page.get_textpage()
        turned: list[tuple[float, Glyph]] = []
        try:
            unseen: set[int] = set()
            down = runs_down(text)
            turn = from_column if down else _turn(page, text)
            glyphs: Iterable[Glyph] = _glyphs(page, text, limit, turn, turned, unseen)
            upright = not down and not page.get_rotation()
            drawn = paths_of(page) if upright else []
            if upright and (found_strikes := strikes(page, drawn)):
                glyphs = _without_struck(list(glyphs), found_strikes, counts)
            rules = rules_of(drawn)
            found = pieces(_meant(glyphs, counts), rules[0])
            with_bullets(drawn, found)
            found = with_initials(found)
            counts[HIDDEN] += len(unseen)
        finally:
            text.close()
        if has_form:
            found += _filled(document, page, found)
        found = with_tables(rules, found)
        beside = _turned_lines(turned, found, counts, stamps)
        told = [_entry(line) for line in lines(found)] + [replace(line, alone=True) for line in beside]
        told = list(map(without_gaps, told)) if down else told
        return [line for line in told if line.text.strip(f"{UNKNOWN} ")]
    finally:
        page.close()


def _turned_lines(
    turned: list[tuple[float, Glyph]], found: list[Piece], counts: Counter[str], stamps: set[str]
) -> list[Line]:
    """The lines that run in other directions than the text; what is stamped on many pages is said on the first one.

    Those that are slanted are no running heads, and so stand at the middle height of the text.
    """
    usual = median(piece.size for piece in found) if found else 0.0
    middle = median(piece.y for piece in found) if found else 0.0
    told: list[Line] = []
    for angle, some in groupby(turned, itemgetter(0)):
        for line in lines(pieces(_meant((glyph for _, glyph in some), counts))):
            if angle in _UPRIGHT:
                told.append(line)
            elif line.size < _STAMP * usual or line.text not in stamps:
                stamps.update([line.text] if line.size >= _STAMP * usual else [])
                told.append(replace(line, y=middle))
    return told


def _meant(glyphs: Iterable[Glyph], counts: Counter[str]) -> Iterator[Glyph]:
    """The characters; those whose font does not tell which they are come as ``UNKNOWN`` and their code.

    Where most are such, and their codes read like text, these are what is meant, as in papers with fonts of dots; else
    the page has as much text as a picture.
    """
    found = list(glyphs)
    codes = [glyph.text[1:] for glyph in found if glyph.text.startswith(UNKNOWN)]
    if 2 * len(codes) > sum(glyph.size > 0 for glyph in found):
        letters = sum(code.isascii() and code.isalpha() for code in codes)
        readable = sum(code.isascii() and code.isprintable() for code in codes)
        if 2 * letters > len(codes) and readable > 0.9 * len(codes):
            yield from (glyph._replace(text=glyph.text.lstrip(UNKNOWN)) for glyph in found)
        return
    counts[UNKNOWN] += len(codes)
    yield from (glyph._replace(text=UNKNOWN) if glyph.text.startswith(UNKNOWN) else glyph for glyph in found)


def _without_struck(glyphs: list[Glyph], found: list[Strike], counts: Counter[str]) -> Iterator[Glyph]:
    """The characters that no line goes through; each run of the others is counted."""
    gone = struck(glyphs, found)
    letters = [at in gone for at, glyph in enumerate(glyphs) if glyph.size]
    counts[STRUCK] += sum(now and not before for before, now in pairwise([False, *letters]))
    return (glyph for at, glyph in enumerate(glyphs) if at not in gone)


def _entry(line: Line) -> Line:
    """A line of a table of contents is a block of its own, its dots said once."""
    text = _LEADERS.sub(" … ", line.text)
    return line if text == line.text else replace(line, text=text, alone=True)


def _glyphs(
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
    unicode_of, box_of, origin_of = (
        pdfium.FPDFText_GetUnicode,
        pdfium.FPDFText_GetLooseCharBox,
        pdfium.FPDFText_GetCharOrigin,
    )
    space, guess = Glyph(" ", 0, 0, 0, 0, False), Glyph("", 0, 0, 0, 0, False)
    shown = _shown(page)
    bold, last, size, angle, line = False, 0.0, 0.0, 0.0, None
    for at in range(count):
        code = unicode_of(raw, at)
        if code in _FIRST_HALVES:
            code = _whole(code, unicode_of(raw, at + 1))
        elif code in _SECOND_HALVES:
            continue
        unknown = pdfium.FPDFText_HasUnicodeMapError(raw, at) == 1
        if hidden and (drawn_by := address(pdfium.FPDFText_GetTextObject(raw, at))) in hidden:
            unseen.update([] if code in _BLANKS else [drawn_by])
            continue
        if code in _BLANKS and not unknown:
            last = 0.0
            blank = guess if pdfium.FPDFText_IsGenerated(raw, at) == 1 else space
            if angle:
                turned.append((angle, blank))
            else:
                yield blank
            continue
        if not box_of(raw, at, box_at) or not origin_of(raw, at, x_at, y_at):
            continue
        left, bottom, right, top, base = box.left, box.bottom, box.right, box.top, y.value
        if not (shown[0] <= (left + right) / 2 <= shown[2] and shown[1] <= (bottom + top) / 2 <= shown[3]):
            continue  # a page that was cut out of another keeps what lay around it
        if turn is None and base != line:  # the angle costs a call, and is that of the letter before on its line
            angle, line = round(pdfium.FPDFText_GetCharAngle(raw, at), 2), base
            angle = angle if angle in _UPRIGHT or min(abs(angle - right) for right in _RIGHT_ANGLES) > _SLANT else 0.0
        if angle in _UPRIGHT:
            left, bottom, right, top, base = _UPRIGHT[angle](left, bottom, right, top, x.value)
        elif angle:
            left, bottom, right, top, base = _slanted(angle, right - left + top - bottom, x.value, base)
        if turn is not None:
            left, bottom, right, top, base = turn(left, bottom, right, top, x.value, base)
        height = max(top - bottom, 0.1)
        if height != last:
            name, last = _font_of(raw, at), height
            bold = b"bold" in name or pdfium.FPDFText_GetFontWeight(raw, at) >= 600
            size = height if name else _size_set(raw, at, height)
        character = "-" if code in _HYPHENS and not unknown else _character(code)
        glyph = Glyph(UNKNOWN + character if unknown else character, left, right, base, size, bold)
        if angle:
            turned.append((angle, glyph))
        else:
            yield glyph


def _shown(page: Any) -> tuple[float, float, float, float]:
    """The part of a page that is shown: left, bottom, right, top, with a point to spare."""
    boxes = [(min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in (page.get_mediabox(), page.get_cropbox())]
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    left, bottom, right, top = max(lefts), max(bottoms), min(rights), min(tops)
    if left >= right or bottom >= top:  # what readers do with a box that is none
        left, bottom, right, top = boxes[0]
    return left - 1, bottom - 1, right + 1, top + 1


_UPRIGHT: dict[float, Callable[[float, float, float, float, float], tuple[float, float, float, float, float]]] = {
    1.57: lambda left, bottom, right, top, x: (bottom, -right, top, -left, -x),
    4.71: from_column,
}
"""From the box of a letter that runs upwards (or downwards) and its base line to those of an upright one."""
_RIGHT_ANGLES = (0.0, 1.57, 3.14, 4.71, 6.28)
_SLANT = 0.1
"""How far from upright or level letters stand that are slanted: a scan that lies a little askew is read as it is."""
_STAMP = 1.5
"""How many times as large as the text slanted letters are that are stamped on a page ("DRAFT"), at least."""


def _slanted(angle: float, extent: float, x: float, y: float) -> tuple[float, float, float, float, float]:
    """The box and base line of an upright letter for a slanted one, by its place and the sum of its box's sides."""
    along, across = math.cos(angle), -math.sin(angle)  # PDFium counts clockwise
    left, base = x * along + y * across, y * along - x * across
    size = extent / 2 / (abs(along) + abs(across)) * _LETTER_HEIGHT
    return left, base, left + 0.7 * size, base + size, base


def _character(code: int) -> str:
    """A character by its code; letters of formulas are the letters that they show."""
    if code in _OF_FORMULAS:
        return unicodedata.normalize("NFKC", chr(code))
    return chr(code) if code < 0x110000 else ""


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


def _size_set(text: Any, at: int, height: float) -> float:
    """The size at which a character is set whose box is no higher than its ink, as in Chinese printed by browsers."""
    import pypdfium2.raw as pdfium

    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFText_GetMatrix(text, at, matrix):
        return height
    size = float(pdfium.FPDFText_GetFontSize(text, at)) * math.hypot(matrix.c, matrix.d)
    return size if height <= _MOST_INK * size else height


def _lies(text: Any) -> bool:
    """Whether the text of a page that is shown turned is not, so that it lies on its side: it is read as it is."""
    import pypdfium2.raw as pdfium

    tried = range(min(text.count_chars(), _TRIED))
    letters = [at for at in tried if pdfium.FPDFText_GetUnicode(text.raw, at) not in _BLANKS]
    level = sum(round(pdfium.FPDFText_GetCharAngle(text.raw, at), 1) in {0.0, 6.3} for at in letters)
    return 2 * level > len(letters)


def _turn(page: Any, text: Any) -> Any:
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


def _filled(document: Any, page: Any, found: list[Piece]) -> list[Piece]:
    """What a form was filled with, as pieces at the place of its fields."""
    import pypdfium2.raw as pdfium

    form = document.formenv
    filled: list[Piece] = []
    for annotation in annotations_of(page):
        kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
        box = pdfium.FS_RECTF()
        if kind <= 0 or not pdfium.FPDFAnnot_GetRect(annotation, box):
            continue
        marked = kind in {pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON}
        if marked:
            value = "yes" if pdfium.FPDFAnnot_IsChecked(form, annotation) else "no"
        elif kind in {pdfium.FPDF_FORMFIELD_PUSHBUTTON, pdfium.FPDF_FORMFIELD_SIGNATURE}:
            continue
        else:
            value = _string(pdfium.FPDFAnnot_GetFormFieldValue, form, annotation)
        name = _string(pdfium.FPDFAnnot_GetFormFieldAlternateName, form, annotation)
        name = name or _string(pdfium.FPDFAnnot_GetFormFieldName, form, annotation)
        if not value.strip():
            continue
        value = one_line(normalise(value), _LONGEST_VALUE)
        # A line of a field belongs to the line of its label, whose base line lies between the field's bottom and top.
        beside = [p for p in found if box.bottom - 2 <= p.y <= box.top]
        label = max((p for p in beside if p.right <= box.left + 2), key=lambda piece: piece.right, default=None)
        if other := None if label and not marked else _label_of(found, beside, box, behind=marked):
            other.text = f"{other.text.rstrip(': ')}: {value}"
            continue
        said = value if label else f"{name.rpartition('.')[2]}: {value}"
        y, size = (label.y, label.size) if label else (box.bottom, 10.0)
        filled.append(Piece(box.left, box.right, y, size, False, text=one_line(normalise(said), _LONGEST_VALUE)))
    return filled


def _label_of(found: list[Piece], beside: list[Piece], box: Any, *, behind: bool) -> Piece | None:
    """The label of a field that has none before it: right above it; or behind it, of a box to tick."""
    if behind:
        near = [p for p in beside if -2 <= p.left - box.right <= 2 * (box.top - box.bottom)]
        return min(near, key=lambda piece: piece.left, default=None)
    above = [p for p in found if abs(p.left - box.left) < p.size and -2 <= p.y - box.top <= 1.5 * p.size]
    return min(above, key=lambda piece: piece.y, default=None)


def _string(get: Any, form: Any, annotation: Any) -> str:
    size = get(form, annotation, None, 0)
    if not 2 < size < 1_000_000:
        return ""
    buffer = ctypes.create_string_buffer(size)
    get(form, annotation, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return buffer.raw.decode("utf-16-le", "replace").partition("\0")[0]


def _joined(pages: list[list[Line]]) -> tuple[str, list[int], list[Block]]:
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
    return median(gaps) if len(gaps) > 2 else 0.0


def _alike(a: Line, b: Line) -> bool:
    return abs(a.size - b.size) <= 0.08 * max(a.size, b.size) and a.bold == b.bold


def _between(a: Line, b: Line, width: int, gap: float, *, turned: bool) -> str:
    """A space where line ``b`` goes on with the sentence of line ``a``, a blank line where a new block begins."""
    ended = bool(_FINAL.search(a.text))
    if a.alone or b.alone:
        return "\n\n"
    if turned:
        full = _alike(a, b) and len(a.text) > 0.6 * width and not BULLET.match(b.text)
        open_end = a.text.endswith(",") or a.text.rpartition(" ")[2].lower() in FUNCTION_WORDS
        return " " if not ended and (b.text[0].islower() or full or (open_end and _alike(a, b))) else "\n\n"
    if abs(a.y - b.y) < 0.3 * max(a.size, b.size):
        return " "
    goes_on = bool(_HANGING.search(a.text))
    if not _alike(a, b) or (BULLET.match(b.text) and not goes_on):
        return "\n\n"
    if b.y > a.y:
        return "\n\n" if ended else " "
    if a.y - b.y > 1.3 * (gap or 1.25 * a.size):
        return "\n\n"
    if _FIELD.match(a.text) and _FIELD.match(b.text) and len(a.text) < 0.75 * width:
        return "\n\n"
    short = len(a.text) < (0.75 if ended else 0.5) * width
    return "\n\n" if short and not goes_on and (ended or not b.text[0].islower()) else " "


FORMAT = Format(
    "pdf",
    "a PDF",
    "application/pdf",
    read,
    media_types=("application/x-pdf",),
    recognise=lambda data: b"%PDF-" in data[:1024] and (data.lstrip()[:5] == b"%PDF-" or b"\0" in data[:4096]),
)
