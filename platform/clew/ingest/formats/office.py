"""Word and PowerPoint: paragraphs, tables and slides as blocks of text."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from clew.ingest.formats.parsed import (
    Parsed,
    Unreadable,
    headline,
    meant_title,
    title_of_name,
)
from clew.ingest.formats.rows import row_line
from clew.text.normalise import normalise, one_line

MOST_PARTS = 20_000
"""Files inside one Office file, at most."""

_PIECE = 1 << 16
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_DECLARATIONS = (b"<!DOCTYPE", b"<!ENTITY")


def parse_docx(data: bytes, name: str, *, limit: int) -> Parsed:
    """Read a Word document: its body, text boxes and tables, without headers, footers and deleted text.

    The title is the document's property, else the first title or heading. Raises Unreadable where it is damaged,
    protected, unpacks to more than ``limit`` bytes, or declares XML entities.
    """
    import docx

    check_package(data, limit)
    document = _opened(docx.Document, data, "Word document")
    styles = {style.style_id: style.name or "" for style in document.styles}
    heading = ""
    blocks = []
    for style, text in _paragraphs(document.element.body):
        kind = styles.get(style, "").lower()
        if not heading and text.strip() and kind.startswith(("title", "heading")):
            heading = one_line(normalise(text))
        blocks.append(text)
    text = normalise("\n\n".join(filter(str.strip, blocks)))
    title = _property_title(document.core_properties) or heading or headline(text) or title_of_name(name)
    return Parsed(title, text)


def parse_pptx(data: bytes, name: str, *, limit: int) -> Parsed:
    """Read a presentation: titles, text, tables and notes, a page for each slide.

    The title is the presentation's property, else the first slide's. Raises Unreadable as ``parse_docx`` does.
    """
    import pptx

    check_package(data, limit)
    deck = _opened(pptx.Presentation, data, "PowerPoint file")
    heading = ""
    text = ""
    pages = []
    for slide in deck.slides:
        title = slide.shapes.title
        if not heading and title is not None and title.has_text_frame:
            heading = one_line(normalise(title.text_frame.text))
        part = normalise("\n\n".join(block for block in _slide_blocks(slide) if block.strip()))
        if part and text:
            text += "\n\n"
        pages.append(len(text))
        text += part
    title_text = _property_title(deck.core_properties) or heading or headline(text) or title_of_name(name)
    return Parsed(title_text, text, pages=tuple(pages))


def check_package(data: bytes, limit: int) -> None:
    """Unpack an Office file piece by piece, keeping nothing, to see that it is whole and small enough.

    The directory's sizes are checked first, but a directory can lie, so that every part is inflated as well; no part
    may declare entities, which Office files never do. Raises Unreadable.
    """
    too_large = Unreadable(f"It unpacks to more than {limit / 1e6:g} MB (CLEW_MAX_FILE_MB).")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            parts = package.infolist()
            if len(parts) > MOST_PARTS:
                raise Unreadable(f"It holds {len(parts):,} files, far more than an Office file has.")
            if sum(part.file_size for part in parts) > limit:
                raise too_large
            if any(part.flag_bits & 1 for part in parts):
                raise Unreadable("It is password-protected; save it without a password.")
            total = 0
            for part in parts:
                total += _inflated(package, part, limit - total)
                if total > limit:
                    raise too_large
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError) as error:
        raise Unreadable(f"The Office file is damaged ({one_line(str(error), 100)}).") from error


def _inflated(package: zipfile.ZipFile, part: zipfile.ZipInfo, limit: int) -> int:
    is_xml = part.filename.lower().endswith((".xml", ".rels", ".vml"))
    size = 0
    tail = b""
    with package.open(part) as stream:
        while size <= limit and (piece := stream.read(_PIECE)):
            size += len(piece)
            if is_xml:
                seen = (tail + piece).replace(b"\0", b"").upper()  # UTF-16 as well
                if any(word in seen for word in _DECLARATIONS):
                    raise Unreadable("It declares XML entities, which no Office program writes; it may be malicious.")
                tail = piece[-32:]
    return size


def _opened(open_package: Any, data: bytes, what: str) -> Any:
    try:
        return open_package(io.BytesIO(data))
    except Exception as error:  # the libraries let KeyError, AttributeError and their own through for a broken package
        problem = one_line(str(error), 100) or type(error).__name__
        raise Unreadable(f"It is no whole {what} ({problem}).") from error


def _property_title(properties: Any) -> str:
    try:
        return meant_title(normalise(properties.title or ""))
    except Exception:
        return ""  # a property that cannot be read is no reason to refuse the text


def _paragraphs(body: Any) -> Iterator[tuple[str, str]]:
    """Every paragraph of a Word document with the id of its style, and every table row; in the order of the file.

    A walk over the XML, because the library leaves out content controls, text boxes and tracked insertions.
    """
    from lxml import etree  # type: ignore[import-untyped]

    open_paragraphs: list[tuple[str, list[str]]] = []
    walk = etree.iterwalk(body, events=("start", "end"))
    for event, element in walk:
        tag = element.tag
        if event == "end":
            if tag == f"{_WORD}p":
                style, parts = open_paragraphs.pop()
                yield style, "".join(parts)
        elif tag == _FALLBACK:
            walk.skip_subtree()
        elif tag == f"{_WORD}tbl":
            yield from (("", line) for line in _table_lines(element))
            walk.skip_subtree()
        elif tag == f"{_WORD}p":
            style = element.find(f"{_WORD}pPr/{_WORD}pStyle")
            open_paragraphs.append(("" if style is None else style.get(f"{_WORD}val", ""), []))
        elif open_paragraphs:
            open_paragraphs[-1][1].append(_run_text(element))


def _run_text(element: Any) -> str:
    tag = element.tag
    if tag == f"{_WORD}t":
        return element.text or ""
    if tag in {f"{_WORD}br", f"{_WORD}cr"}:
        return "\n"
    if tag == f"{_WORD}noBreakHyphen":
        return "-"
    # A tab stop in a paragraph's properties has the same name as a tab in its text.
    is_tab = tag == f"{_WORD}tab" and element.getparent().tag == f"{_WORD}r"
    return "\t" if is_tab else ""


def _table_lines(table: Any) -> Iterator[str]:
    """A line for each row under the first, "header: value; …"; tables inside a cell count as its text."""
    names: list[str] = []
    for row in table.iter(f"{_WORD}tr"):
        if next(row.iterancestors(f"{_WORD}tbl")) is not table:
            continue
        cells = []
        for cell in row.iter(f"{_WORD}tc"):
            if next(cell.iterancestors(f"{_WORD}tr")) is row:
                cells.append(" ".join(" ".join(text for _, text in _paragraphs_of_cell(cell)).split()))
        if not names and len(cells) > 1:
            names = cells
        elif line := row_line(names, cells):
            yield line
            names = names or [""]


def _paragraphs_of_cell(cell: Any) -> Iterator[tuple[str, str]]:
    for paragraph in cell.iter(f"{_WORD}p"):
        yield "", "".join(map(_run_text, paragraph.iter()))


def _slide_blocks(slide: Any) -> Iterator[str]:
    first = slide.shapes.title
    if first is not None and first.has_text_frame:
        yield first.text_frame.text.replace("\v", "\n")
    todo = list(reversed(list(slide.shapes)))
    while todo:
        shape = todo.pop()
        if first is not None and shape.shape_id == first.shape_id:
            continue
        if hasattr(shape, "shapes"):
            todo.extend(reversed(list(shape.shapes)))
        elif shape.has_text_frame:
            yield from (paragraph.text.replace("\v", "\n") for paragraph in shape.text_frame.paragraphs)
        elif getattr(shape, "has_table", False):
            rows = [[" ".join(cell.text.split()) for cell in row.cells] for row in shape.table.rows]
            yield from (row_line(rows[0], row) for row in rows[1:])
    if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame) is not None:
        yield notes.text
