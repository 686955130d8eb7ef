"""PowerPoint: titles, text, tables and notes, a page for each slide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from clew.documents.blocks import Draft, Layout, nested
from clew.documents.format import Format, Input
from clew.documents.formula import formula
from clew.documents.marks import COMMENTS, HIDDEN, STRUCK, left_out, margins, raised
from clew.documents.metadata import add_author
from clew.documents.office.charts import DIAGRAM, chart_blocks, diagram_blocks
from clew.documents.package import (
    as_document,
    check_package,
    in_transitional,
    opened,
    properties_of,
    property_title,
    xml_root,
)
from clew.documents.parsed import Parsed, Unreadable, by_itself, headline, notes, title_of_name
from clew.documents.pictures import picture_blocks
from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import table_blocks
from clew.text.normalise import normalise, one_line
from clew.types import BlockKind

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_MARGINS = frozenset({"dt", "ftr", "hdr", "sldNum"})
"""Places of a layout that say the same on each slide."""
_FORMULA = "{http://schemas.microsoft.com/office/drawing/2010/main}m"


def read(source: Input) -> Iterator[Parsed]:
    """Read a presentation: text, tables, charts and notes, slide by slide.

    Struck text, hidden shapes and slides are left out, and so are footers, dates and numbers of slides.
    The title is the presentation's property, else the first slide's. Raises Unreadable where it is damaged,
    protected, unpacks to more than ``limit`` bytes, or declares XML entities.
    """
    import pptx

    check_package(source.data, source.limit)
    deck = opened(pptx.Presentation, as_document(in_transitional(source.data)), "PowerPoint file")
    heading = ""
    layout = Layout()
    counts: Counter[str] = Counter()
    lines: list[tuple[str, bool]] = []
    lost: list[str] = []
    for number, slide in enumerate(deck.slides, 1):
        drafts: list[Draft] = []
        if slide.element.get("show") in {"0", "false"}:
            counts["hidden slides"] += 1
        else:
            with by_itself(f"slide {number}", lost):
                drafts.extend(_slide_blocks(slide, counts, lines, lost))
        layout.add_page(drafts)
        heading = heading or next((one_line(normalise(one.text)) for one in drafts if one.kind == "heading"), "")
    if lost and not layout.size:
        raise Unreadable(lost[0])
    heading = property_title(deck.core_properties) or heading or headline(layout.text) or title_of_name(source.name)
    metadata = properties_of(deck.core_properties)
    add_author(layout, metadata)
    pages, blocks = tuple(layout.pages), tuple(layout.blocks)
    file_notes = notes(*lost, *left_out(counts), margins(lines, f"{heading}\n{layout.text}"))
    yield Parsed(heading, layout.text, pages=pages, notes=file_notes, metadata=metadata, blocks=blocks)


def _comments(slide: Any) -> int:
    """How many comments stand beside a slide."""
    related = [one for one in slide.part.rels.values() if one.reltype.endswith("/comments") and not one.is_external]
    parts = [one.target_part.blob for one in related]
    return sum(len(root.findall("{*}cm")) for blob in parts if (root := xml_root(blob)) is not None)


def _slide_blocks(slide: Any, counts: Counter[str], lines: list[tuple[str, bool]], lost: list[str]) -> Iterator[Draft]:
    """The blocks of a slide; what stands in its margins goes to ``lines``, notes on broken shapes to ``lost``."""
    counts[COMMENTS] += _comments(slide)
    _take_alternatives(slide.element)
    first = None
    with by_itself(f"the title of {slide.part.partname}", lost):
        first = slide.shapes.title
    if first is not None and first.has_text_frame:
        yield Draft(_text(first.text_frame, counts), "heading", 2)
    todo = list(reversed(list(slide.shapes._spTree.iter_shape_elms())))
    while todo:
        element = todo.pop()
        if first is not None and element is first.element:  # programs give one id to several shapes
            continue
        if _is_hidden(element):
            counts[HIDDEN] += 1
            continue
        if hasattr(element, "iter_shape_elms"):
            todo.extend(reversed(list(element.iter_shape_elms())))
        elif margin := _margin(element):
            lines.append(("\n".join(_lines_of(element)), margin == "sldNum"))
            continue
        else:
            yield from _blocks_of(slide, element, counts, lost)
        yield from _described(element)
    if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame) is not None:
        yield Draft(_text(notes, counts), "note")


def _blocks_of(slide: Any, element: Any, counts: Counter[str], lost: list[str]) -> list[Draft]:
    """The blocks of one shape; of one that the library cannot read its paragraphs, with a note."""
    blocks: list[Draft] = []
    failed: list[str] = []
    with by_itself(f"the form of a shape of {slide.part.partname}", failed):
        blocks = list(_shape_blocks(slide, slide.shapes._shape_factory(element), counts))
    lost += failed
    return list(map(Draft, _lines_of(element))) if failed else blocks


def _lines_of(element: Any) -> list[str]:
    return ["".join(text.text or "" for text in one.iter(f"{_A}t")) for one in element.iter(f"{_A}p")]


def _shape_blocks(slide: Any, shape: Any, counts: Counter[str]) -> Iterator[Draft]:
    """The blocks of a shape that is no group: text, a table, a chart or SmartArt."""
    if shape.has_text_frame:
        yield from _points(shape, counts)
    elif getattr(shape, "has_table", False):
        yield from _table(shape.table, counts)
    elif getattr(shape, "has_chart", False):
        yield from chart_blocks(xml_root(shape.chart.part.blob))
    else:
        yield from _diagram(slide, shape)


def _points(shape: Any, counts: Counter[str]) -> Iterator[Draft]:
    """The paragraphs of a shape; each point of a list is led by those that it lies under."""
    kind: BlockKind = "item" if shape.is_placeholder else "paragraph"
    above: list[str] = []
    for paragraph in shape.text_frame.paragraphs:
        text, level = _written(paragraph, counts), paragraph.level
        above = [*above[:level], *[""] * (level - len(above)), text]
        yield Draft(nested(above[:-1], text), kind, level)


def _is_hidden(element: Any) -> bool:
    """Whether a shape is not shown, as somebody has chosen in the list of what is on the slide."""
    named = next(element.iter(f"{_P}cNvPr"), None)
    return named is not None and named.get("hidden") in {"1", "true"}


def _described(element: Any) -> list[Draft]:
    """What somebody wrote about a picture, a chart or a group for those who do not see it."""
    named = next(element.iter(f"{_P}cNvPr"), None)
    return [] if named is None else picture_blocks(named.get("title"), named.get("descr"))


def _margin(element: Any) -> str:
    """The place of a layout that a shape fills, where all slides have the same there; "" for any other."""
    place = next(element.iter(f"{_P}ph"), None)
    kind = "" if place is None else place.get("type", "")
    return kind if kind in _MARGINS else ""


def _take_alternatives(slide: Any) -> None:
    """Put one of several ways to draw something in its place: the library passes over those with a formula."""
    for several in list(slide.iter(f"{_MC}AlternateContent")):
        chosen = next((list(way) for way in several.iterchildren(f"{_MC}Choice", f"{_MC}Fallback") if len(way)), [])
        if several.getparent() is not None and chosen:
            for one in chosen:
                several.addprevious(one)
            several.getparent().remove(several)


def _diagram(slide: Any, shape: Any) -> Iterator[Draft]:
    """The points of SmartArt, where a shape is that."""
    named = next(shape.element.iter(f"{DIAGRAM}relIds"), None)
    related = None if named is None else slide.part.rels.get(named.get(f"{_R}dm", ""))
    if related is not None and not related.is_external:
        yield from diagram_blocks(xml_root(related.target_part.blob))


def _text(frame: Any, counts: Counter[str]) -> str:
    return "\n".join(_written(paragraph, counts) for paragraph in frame.paragraphs)


def _written(paragraph: Any, counts: Counter[str]) -> str:
    """A paragraph without its struck runs, raised ones marked as such."""
    parts = []
    for element in paragraph._p.iterchildren(f"{_A}r", f"{_A}br", f"{_A}fld", _FORMULA):
        if element.tag == _FORMULA:
            parts.append(formula(element))
            continue
        text = "\n" if element.tag == f"{_A}br" else "".join(part.text or "" for part in element.iter(f"{_A}t"))
        properties = element.find(f"{_A}rPr")
        if properties is not None and properties.get("strike", "noStrike") != "noStrike":
            counts[STRUCK] += 1
        else:
            up = properties is not None and not properties.get("baseline", "0").startswith(("0", "-"))
            parts.append(raised(text) if up else text)
    return "".join(parts).replace("\v", "\n")


def _table(table: Any, counts: Counter[str]) -> list[Draft]:
    pairs = table.first_col and not table.first_row
    rows = [
        [
            Cell(
                _text(cell.text_frame, counts),
                cell.span_width if cell.is_merge_origin else 1,
                cell.span_height if cell.is_merge_origin else 1,
                pairs and at == 0,
            )
            for at, cell in enumerate(row.cells)
            if not cell.is_spanned
        ]
        for row in table.rows
    ]
    return table_blocks(rows, header=None if pairs or not table.first_row or len(rows[0]) == 2 else 1)


FORMAT = Format(
    "pptx",
    "a PowerPoint file",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    read,
    endings=("pptm", "ppsx"),
    media_types=(
        "application/vnd.ms-powerpoint.presentation.macroenabled.12",
        "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
    ),
    recognise=lambda data: data.startswith(b"PK\x03\x04") and b"ppt/presentation" in data,
)
