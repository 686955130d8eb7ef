"""Word: paragraphs, lists, tables, notes and text boxes as blocks of text."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from clew.documents.blocks import Draft, Layout, nested
from clew.documents.format import Format, Input
from clew.documents.formula import M, formula
from clew.documents.marks import COMMENTS, HIDDEN, SIGNS, STRUCK, left_out, margins, raised, symbol
from clew.documents.metadata import add_author
from clew.documents.office.charts import DIAGRAM, chart_blocks, diagram_blocks
from clew.documents.office.word_chunks import Chunks
from clew.documents.office.word_numbers import Numbers
from clew.documents.office.word_styles import Style, depth_of_style, is_on, marks_of
from clew.documents.package import (
    as_document,
    beside_main,
    check_package,
    in_transitional,
    opened,
    properties_of,
    property_title,
    xml_root,
)
from clew.documents.parsed import Parsed, headline, notes, title_of_name
from clew.documents.pictures import picture_blocks
from clew.documents.tables.grid import Cell, count_of
from clew.documents.tables.rows import table_blocks

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_DRAWN = re.compile(r"/charts/chart|/diagrams/data")
_NAMED_BY = {f"{_CHART}chart": f"{_R}id", f"{DIAGRAM}relIds": f"{_R}dm"}
"""What stands in a paragraph for a drawing, and the attribute that names its part."""
_DESCRIBED = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
_SHAPE = "{urn:schemas-microsoft-com:vml}shape"
_DRAWINGS: dict[str, Callable[[Any], Iterable[Draft]]] = {
    f"{_CHART}chartSpace": chart_blocks,
    f"{DIAGRAM}dataModel": diagram_blocks,
    _DESCRIBED: lambda picture: picture_blocks(picture.get("title"), picture.get("descr")),
    _SHAPE: lambda picture: picture_blocks(picture.get("alt")),
}
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_GONE = frozenset({f"{_W}del", f"{_W}moveFrom"})
_HIDING = ("vanish", "strike", "dstrike")
_LINKED = "documents that it takes from other files"
_CONTENTS = "Table of Contents"
_MARGIN = re.compile(r"word/(?:header|footer)\d*\.xml")
_FIELDS = (f"{_W}instrText", f"{_W}fldSimple")
_NOTES = {f"{_W}footnoteReference": "footnote", f"{_W}endnoteReference": "endnote"}


def read(source: Input) -> Iterator[Parsed]:
    """Read a Word document: body, boxes, tables and notes.

    Headers, footers, comments, hidden, struck and deleted text are left out, and said; what was moved stands where it
    was moved to. The title is the document's property, else the first title or heading. Raises Unreadable where it is
    damaged, protected, unpacks to more than ``limit`` bytes, or declares XML entities.
    """
    import docx

    check_package(source.data, source.limit)
    counts: Counter[str] = Counter()
    chunks = Chunks(source, as_document(in_transitional(source.data)), counts)
    data = chunks.data
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        found, lines, numbers = _notes(package), list(_margins(package)), Numbers(package)
    document = opened(docx.Document, data, "Word document")
    styles = {style.style_id: Style.of(style) for style in document.styles}
    drawn = {id: one.blob for id, one in document.part.related_parts.items() if _DRAWN.search(str(one.partname))}
    walker = _Walker(styles, found, drawn, numbers, chunks, counts)
    layout = Layout(walker.blocks(document.element.body))
    first = layout.heading() or headline(layout.text)
    title = property_title(document.core_properties) or walker.unnumbered.get(first, first)
    title = title or title_of_name(source.name)
    metadata = properties_of(document.core_properties)
    add_author(layout, metadata)
    file_notes = notes(*left_out(counts), margins(lines, f"{title}\n{layout.text}"))
    yield Parsed(title, layout.text, notes=file_notes, metadata=metadata, blocks=tuple(layout.blocks))


def _notes(package: zipfile.ZipFile) -> dict[tuple[str, str], Any]:
    """The footnotes and endnotes of a document, by kind and id."""
    found: dict[tuple[str, str], Any] = {}
    for kind in ("footnote", "endnote"):
        root = xml_root(beside_main(package, f"{kind}s"))
        for note in root.iter(f"{_W}{kind}") if root is not None else ():
            if note.get(f"{_W}type", "normal") == "normal":
                found[kind, note.get(f"{_W}id", "")] = note
    return found


def _margins(package: zipfile.ZipFile) -> Iterator[tuple[str, bool]]:
    """The paragraphs of headers and footers, each with whether it numbers the pages."""
    for name in package.namelist():
        if _MARGIN.fullmatch(name) and (root := xml_root(package.read(name))) is not None:
            for paragraph in root.iter(f"{_W}p"):
                text = "".join(text.text or "" for text in paragraph.iter(f"{_W}t"))
                fields = (f"{one.text or ''}{one.get(f'{_W}instr', '')}" for one in paragraph.iter(*_FIELDS))
                yield text, any("PAGE" in field for field in fields)


class _Walker:
    """A walk over the XML, because the library leaves out content controls, text boxes and tracked insertions."""

    def __init__(
        self,
        styles: dict[str, Style],
        notes: dict[tuple[str, str], Any],
        drawn: dict[str, bytes],
        numbers: Numbers,
        chunks: Chunks,
        counts: Counter[str],
    ) -> None:
        self.styles = styles
        self.notes = notes
        self.drawn = drawn
        self.numbers = numbers
        self.unnumbered: dict[str, str] = {}
        self.chunks = chunks
        self.counts = counts
        self._parents: list[str] = []

    def blocks(self, root: Any) -> Iterator[Draft]:
        """Every paragraph, table, chart and note under ``root``, in order."""
        from lxml import etree

        stack: list[tuple[Any, list[str], list[Any]]] = []
        begun: dict[Any, tuple[list[str], list[Any]]] = {}
        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            tag = element.tag
            if event == "end":
                if tag == f"{_W}p" and stack:
                    paragraph, parts, marks = stack.pop()
                    following = _goes_on(paragraph)
                    if following is not None and not self._is_gone(following):
                        begun[following] = parts, marks
                        continue
                    yield self._paragraph(paragraph, "".join(parts))
                    for inner in marks:
                        yield from _DRAWINGS.get(inner.tag, self._note)(inner)
            elif self._is_gone(element):
                walk.skip_subtree()
            elif tag == f"{_W}tbl":
                yield from self._table(element)
                walk.skip_subtree()
            elif tag == f"{_W}altChunk":
                yield from self.chunks.blocks(element.get(f"{_R}id", ""))
            elif tag == f"{_W}subDoc":
                self.counts[_LINKED] += 1
            elif tag == f"{_W}p":
                stack.append((element, *begun.pop(element, ([], []))))
            elif stack and tag in {f"{M}oMath", f"{M}oMathPara"}:
                stack[-1][1].append(formula(element))
                walk.skip_subtree()
            elif stack:
                self._within(element, *stack[-1][1:])

    def _within(self, element: Any, parts: list[str], marks: list[Any]) -> None:
        """Read what stands in a paragraph: its text goes to ``parts``, what follows it as blocks to ``marks``."""
        tag = element.tag
        if tag in _NOTES:
            note = self.notes.pop((_NOTES[tag], element.get(f"{_W}id", "")), None)
            marks += [] if note is None else [note]
        elif tag in _NAMED_BY:
            drawing = xml_root(self.drawn.pop(element.get(_NAMED_BY[tag], ""), b""))
            marks += [] if drawing is None else [drawing]
        elif tag in {_DESCRIBED, _SHAPE}:
            marks.append(element)
        elif tag == f"{_W}commentReference":
            self.counts[COMMENTS] += 1
        else:
            parts.append(self._run_text(element))

    def _is_gone(self, element: Any) -> bool:
        """Whether an element is not to be read: deleted, moved away, hidden, struck, a hint, or said twice."""
        tag = element.tag
        if tag in _GONE:
            self.counts[STRUCK] += tag == f"{_W}del"
            return True
        if tag == f"{_W}p":
            style = self.styles.get(_style_of(element))
            return style is not None and style.is_contents
        if tag == f"{_W}r":
            marks = self._marks(element)
            self.counts[HIDDEN] += "vanish" in marks
            self.counts[STRUCK] += not marks.isdisjoint({"strike", "dstrike"}) and "vanish" not in marks
            return not marks.isdisjoint(_HIDING)
        if tag == f"{_W}sdt":
            gallery = element.find(f"{_W}sdtPr/{_W}docPartObj/{_W}docPartGallery")
            is_contents = gallery is not None and gallery.get(f"{_W}val") == _CONTENTS
            return is_contents or is_on(element.find(f"{_W}sdtPr"), "showingPlcHdr")
        return tag in {_FALLBACK, f"{_W}rt"}  # of words with a reading above them, the words

    def _marks(self, run: Any) -> set[str]:
        """What a run is by its own properties, else by its style, else by that of its paragraph."""
        properties = run.find(f"{_W}rPr")
        above = next(run.iterancestors(f"{_W}p"), None)
        marks: set[str] = set()
        for named in (None if above is None else above.find(f"{_W}pPr/{_W}pStyle"), run.find(f"{_W}rPr/{_W}rStyle")):
            style = None if named is None else self.styles.get(named.get(f"{_W}val", ""))
            marks |= set() if style is None else style.marks
        own = marks_of(properties)
        return (marks - own.keys()) | {mark for mark, on in own.items() if on}

    def _run_text(self, element: Any) -> str:
        tag = element.tag
        if tag == f"{_W}t":
            text = element.text or ""
            return raised(text) if "raised" in self._marks(element.getparent()) else text
        if tag in {f"{_W}br", f"{_W}cr"}:
            return "\n"
        if tag == f"{_W}noBreakHyphen":
            return "-"
        if tag == f"{_W}sym":
            sign = symbol(element.get(f"{_W}font", ""), element.get(f"{_W}char", ""))
            self.counts[SIGNS] += not sign
            return sign
        if tag == f"{_W}ffData":
            return _field_value(element)
        # A tab stop in a paragraph's properties has the same name as a tab in its text.
        is_tab = tag in {f"{_W}tab", f"{_W}ptab"} and element.getparent().tag == f"{_W}r"
        return "\t" if is_tab else ""

    def _note(self, note: Any) -> Iterator[Draft]:
        return (replace(one, kind="note") if one.kind == "paragraph" else one for one in self.blocks(note))

    def _paragraph(self, paragraph: Any, text: str) -> Draft:
        properties = paragraph.find(f"{_W}pPr")
        style_id = _style_of(paragraph)
        style = self.styles.get(style_id, Style())
        kind, deep = style.kind(properties, text.strip())
        number = self.numbers.label(paragraph, style_id, heading=kind == "heading")
        level = None if properties is None else properties.find(f"{_W}numPr/{_W}ilvl")
        listed = level is not None or style.name.startswith("list")
        if not listed or not text.strip():
            self._parents = self._parents if not text.strip() else []
            return Draft(self._numbered(number, text), kind, deep)
        depth = int(level.get(f"{_W}val", "0") or 0) if level is not None else depth_of_style(style.name)
        self._parents = self._parents[: min(depth, 9)]
        led = self._numbered(number, nested(self._parents, text))
        self._parents += [""] * (min(depth, 9) - len(self._parents)) + [text]
        return Draft(led, kind, deep) if kind == "heading" else Draft(led, "item", depth)

    def _numbered(self, number: str, text: str) -> str:
        if not number or not text.strip():
            return text
        self.unnumbered[f"{number} {text.strip()}"] = text.strip()
        return f"{number} {text.lstrip()}"

    def _table(self, table: Any) -> list[Draft]:
        """A block for each row under the heads, "header: value; …"; tables inside a cell count as its text."""
        rows: list[list[Cell]] = []
        open_cells: dict[int, tuple[int, int]] = {}
        heads = 0
        for row in _own(table, "tr"):
            if row.find(f"{_W}trPr/{_W}del") is not None:
                self.counts[STRUCK] += 1
                continue
            heads += len(rows) == heads and is_on(row.find(f"{_W}trPr"), "tblHeader")
            cells: list[Cell] = []
            column = _number(row.find(f"{_W}trPr/{_W}gridBefore"), 0)
            cells += [Cell("", column)] if column else []
            for cell in _own(row, "tc"):
                properties = cell.find(f"{_W}tcPr")
                columns = _number(None if properties is None else properties.find(f"{_W}gridSpan"), 1)
                merge = None if properties is None else properties.find(f"{_W}vMerge")
                goes_on = merge is not None and merge.get(f"{_W}val", "continue") == "continue"
                if goes_on and column in open_cells:
                    at_row, at_cell = open_cells[column]
                    above = rows[at_row][at_cell]
                    rows[at_row][at_cell] = replace(above, rows=len(rows) - at_row + 1)
                else:
                    held = list(self.blocks(cell))
                    open_cells[column] = (len(rows), len(cells))
                    if merge is None:
                        open_cells.pop(column)
                    cells.append(Cell.of(held, columns, head=self._is_bold(cell)))
                column += columns
            rows.append(cells)
        return table_blocks(rows, header=heads or None)

    def _is_bold(self, cell: Any) -> bool:
        runs = [run for run in cell.iter(f"{_W}r") if run.find(f"{_W}t") is not None]
        return bool(runs) and all("b" in self._marks(run) for run in runs)


def _field_value(field: Any) -> str:
    """What an old field of a form holds where it is no text: the entry of a list, or a box with or without a tick."""
    entries = [one.get(f"{_W}val", "") for one in field.iterfind(f"{_W}ddList/{_W}listEntry")]
    if entries:
        default = _number(field.find(f"{_W}ddList/{_W}default"), 0)
        chosen = _number(field.find(f"{_W}ddList/{_W}result"), default)
        return entries[chosen] if chosen < len(entries) else ""
    box = field.find(f"{_W}checkBox")
    if box is None:
        return ""
    return "☑" if is_on(box, "checked" if box.find(f"{_W}checked") is not None else "default") else "☐"


def _style_of(paragraph: Any) -> str:
    """The id of a paragraph's style, "" where it has none of its own."""
    named = paragraph.find(f"{_W}pPr/{_W}pStyle")
    return "" if named is None else named.get(f"{_W}val", "")


def _goes_on(paragraph: Any) -> Any:
    """The paragraph that goes on with this one, whose end is deleted or which is an initial; None where it ends."""
    properties = paragraph.find(f"{_W}pPr")
    frame = None if properties is None else properties.find(f"{_W}framePr")
    is_initial = frame is not None and frame.get(f"{_W}dropCap", "none") != "none"
    if properties is None or not (is_initial or any(properties.find(f"{_W}rPr/{tag}") is not None for tag in _GONE)):
        return None
    following = next(paragraph.itersiblings(*(f"{_W}{name}" for name in ("p", "tbl", "sdt"))), None)
    return following if following is not None and following.tag == f"{_W}p" else None


def _own(above: Any, name: str) -> Iterator[Any]:
    """The rows of a table, or the cells of a row: not those of tables inside, but those in content controls."""
    tag = f"{_W}{name}"
    for element in above:
        if element.tag == tag:
            yield element
        elif element.tag in {f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins", f"{_W}customXml"}:
            yield from _own(element, name)


def _number(element: Any, default: int) -> int:
    return default if element is None else count_of(element.get(f"{_W}val"), default)


FORMAT = Format(
    "docx",
    "a Word document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    read,
    endings=("docm",),
    media_types=("application/vnd.ms-word.document.macroenabled.12",),
    recognise=lambda data: data.startswith(b"PK\x03\x04") and b"word/document" in data,
)
