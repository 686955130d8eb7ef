"""OpenDocument: texts and presentations as blocks of text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from clew.documents.blocks import Draft, Layout, nested, text_of
from clew.documents.format import Format, Input
from clew.documents.formula import mathml
from clew.documents.marks import HIDDEN, STRUCK, left_out, margins, raised
from clew.documents.metadata import add_author
from clew.documents.office.odt_numbers import Numbers
from clew.documents.package import media_type_within, part, parts_of, properties_of_meta, xml_root
from clew.documents.parsed import Parsed, Unreadable, by_itself, headline, notes, title_of_name
from clew.documents.pictures import picture_blocks
from clew.documents.tables.grid import Cell, count_of
from clew.documents.tables.rows import table_blocks
from clew.types import BlockKind

_T = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
_SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
_DESCRIBED = (f"{_SVG}title", f"{_SVG}desc")
_LINK = "{http://www.w3.org/1999/xlink}href"
_MATH = "{http://www.w3.org/1998/Math/MathML}math"
_CAPTION = "Caption"
_TITLES = frozenset({"Title"})
_LEFT_OUT = frozenset(
    {f"{_T}tracked-changes", f"{_OFFICE}annotation", f"{_T}note-citation", f"{_T}table-of-content", f"{_T}ruby-text"}
)
_IN_MARGINS = frozenset({"date-time", "footer", "header", "page-number"})
_DECLARED = tuple(f"{_PRESENTATION}{name}-decl" for name in ("footer", "header"))
_MARGINS = tuple(f"{_STYLE}{name}{which}" for name in ("header", "footer") for which in ("", "-left", "-first"))
_MOST_STYLES = 20
"""Styles that one may be based on: a damaged file may have a circle of them."""
_HIDING = frozenset({f"{_T}hidden-text", f"{_T}hidden-paragraph"})
_SHAPES = frozenset(
    f"{_DRAW}{name}" for name in ("a", "caption", "circle", "connector", "custom-shape", "ellipse", "g", "line",
                                  "measure", "path", "polygon", "polyline", "rect", "regular-polygon")
)  # fmt: skip
"""What is drawn in a paragraph and may have a text of its own."""
_SPACES = {f"{_T}s": " ", f"{_T}tab": "\t", f"{_T}line-break": "\n"}
_OBJECT = re.compile(r"[^/]+/content\.xml")
"""The part of a formula or chart that is set into the text."""
_MOST_REPEATED = 100
_PACKAGES = tuple(f"application/vnd.oasis.opendocument.{kind}" for kind in ("text", "presentation"))


def read(source: Input) -> Iterator[Parsed]:
    """Read an OpenDocument text, or a presentation slide by slide.

    Deleted, struck and hidden text, hidden slides, comments, headers, footers and tables of contents are left out.
    Raises Unreadable where it is damaged or protected.
    """
    with parts_of(source.data, source.limit) as package:
        root = xml_root(part(package, "content.xml"))
        meta = xml_root(part(package, "meta.xml"))
        styles = xml_root(part(package, "styles.xml"))
        objects = {name: package.read(name) for name in package.namelist() if _OBJECT.fullmatch(name)}
        if b"manifest:encryption-data" in part(package, "META-INF/manifest.xml"):
            raise Unreadable("It is password-protected; save it without a password.")
    body = root.find(f"{_OFFICE}body") if root is not None else None
    if root is None or body is None:
        raise Unreadable("It is no whole OpenDocument file.")
    walker = _Walker(root, styles, objects)
    slides = list(body.iter(f"{_DRAW}page"))
    layout = Layout()
    lost: list[str] = []
    for number, piece in enumerate(slides or [body], 1):
        drafts: list[Draft] = []
        with by_itself(f"slide {number}" if slides else "what follows", lost):
            drafts.extend(() if walker.hides_slide(piece) else walker.blocks(piece))
        layout.add_page(drafts)
    if lost and not layout.size:
        raise Unreadable(lost[0])
    metadata = properties_of_meta(meta)
    first = layout.heading() or headline(layout.text)
    title = metadata.pop("title", "") or walker.unnumbered.get(first, first) or title_of_name(source.name)
    add_author(layout, metadata)
    lines = _said_on_slides(body, walker) if slides else list(_margins(styles))
    yield Parsed(
        title,
        layout.text,
        pages=tuple(layout.pages) if slides else (),
        notes=notes(*lost, *left_out(walker.counts), margins(lines, f"{title}\n{layout.text}")),
        metadata=metadata,
        blocks=tuple(layout.blocks),
    )


def _margins(styles: Any) -> Iterator[tuple[str, bool]]:
    """The paragraphs of headers and footers, each with whether it numbers the pages."""
    for margin in styles.iter(*_MARGINS) if styles is not None else ():
        for paragraph in margin.iter(f"{_T}p"):
            yield "".join(paragraph.itertext()), paragraph.find(f".//{_T}page-number") is not None


def _said_on_slides(body: Any, walker: _Walker) -> list[tuple[str, bool]]:
    """What stands on each slide, by its layout or in a place that layouts have for it."""
    return [("".join(one.itertext()), False) for one in body.iter(*_DECLARED)] + walker.margins


class _Walker:
    """A walk over a document's XML, with what its styles hide, strike and raise."""

    def __init__(self, root: Any, styles: Any, objects: dict[str, bytes]) -> None:
        self._objects = objects
        self._drawn: set[str | None] = set()
        self._numbers = Numbers(styles, root)
        self.unnumbered: dict[str, str] = {}
        self.counts: Counter[str] = Counter()
        self.margins: list[tuple[str, bool]] = []
        self._struck: set[str] = set()
        self._raised: set[str] = set()
        self._hidden: set[str] = set()
        self._hidden_slides: set[str] = set()
        self._bases: dict[str, str] = {}
        for style in (one for tree in (styles, root) if tree is not None for one in tree.iter(f"{_STYLE}style")):
            properties = style.find(f"{_STYLE}text-properties")
            of_page = style.find(f"{_STYLE}drawing-page-properties")
            name = style.get(f"{_STYLE}name", "")
            if of_page is not None and of_page.get(f"{_PRESENTATION}visibility") == "hidden":
                self._hidden_slides.add(name)
            self._bases[name] = style.get(f"{_STYLE}parent-style-name", "")
            if properties is None:
                continue
            if properties.get(f"{_STYLE}text-line-through-style", "none") != "none":
                self._struck.add(name)
            if properties.get(f"{_STYLE}text-position", "").startswith(("super", "33%")):
                self._raised.add(name)
            if properties.get(f"{_T}display") == "none":
                self._hidden.add(name)

    def blocks(self, root: Any, parents: tuple[str, ...] = ()) -> Iterator[Draft]:
        """Every paragraph, list item and table under ``root``, in order."""
        for element in root:
            tag = element.tag
            if read := _READERS.get(tag):
                yield from read(self, element, parents)
            elif element.get(f"{_PRESENTATION}class") in _IN_MARGINS:
                numbers = element.get(f"{_PRESENTATION}class") == "page-number"
                self.margins.append((text_of(self.blocks(element)), numbers))
            elif tag == f"{_PRESENTATION}notes":
                yield from (replace(draft, kind="note") for draft in self.blocks(list(element), parents))
            elif isinstance(tag, str) and tag not in _LEFT_OUT and not self._is_gone(element):
                yield from self.blocks(element, parents)

    def paragraph(self, element: Any, parents: tuple[str, ...]) -> Iterator[Draft]:
        """A paragraph or heading, and what is set into it."""
        if self._is_gone(element):
            return
        inner: list[Any] = []
        text = self._text(element, inner)
        number = self._numbers.label(element)
        if element.tag == f"{_T}h" or self._is_title(element):
            yield Draft(self._numbered(number, text), "heading", count_of(element.get(f"{_T}outline-level")))
        else:
            yield Draft(self._numbered(number, nested(list(parents), text)), self._kind(element), len(parents))
        for one in inner:
            is_note = one.tag == f"{_T}note-body"
            yield from (replace(draft, kind="note") if is_note else draft for draft in self.blocks(one))

    def item(self, element: Any, parents: tuple[str, ...]) -> Iterator[Draft]:
        """An item of a list; its first paragraph leads inner lists."""
        first = next((self._text(child, []) for child in element.iterchildren(f"{_T}p")), "")
        yield from self.blocks([child for child in element if child.tag != f"{_T}list"], parents)
        yield from self.blocks(list(element.iterchildren(f"{_T}list")), (*parents, first))

    def table(self, element: Any, _: tuple[str, ...] = ()) -> list[Draft]:
        """The rows of a table."""
        rows: list[list[Cell]] = []
        heads = 0
        for row in element.iter(f"{_TABLE}table-row"):
            if next(row.iterancestors(f"{_TABLE}table")) is not element:
                continue  # the text of a cell has the tables inside it
            heads += row.getparent().tag == f"{_TABLE}table-header-rows"
            cells = [cell for one in row.iterchildren(f"{_TABLE}table-cell") for cell in self._cells(one)]
            while cells and not cells[-1].text:
                cells.pop()  # an empty one may stand for all that there is room for
            rows.append(cells)
        return table_blocks(rows, header=heads or None)

    def _cells(self, cell: Any) -> list[Cell]:
        """A cell, as often as it is repeated."""
        held = [] if cell.get(f"{_OFFICE}value") == "NaN" else self.blocks(cell)
        columns = count_of(cell.get(f"{_TABLE}number-columns-spanned"))
        down = count_of(cell.get(f"{_TABLE}number-rows-spanned"))
        again = min(count_of(cell.get(f"{_TABLE}number-columns-repeated")), _MOST_REPEATED)
        return [Cell.of(held, columns, down)] * again

    def embedded(self, element: Any, _: tuple[str, ...]) -> list[Draft]:
        """A formula or a chart; a chart within itself has no numbers."""
        if formula := self._formula(element.getparent()):
            return [Draft(formula)]
        name = element.get(_LINK)
        found = None if name in self._drawn else self._object(element)
        self._drawn.add(name)
        first = None if found is None else next(found.iter(f"{_TABLE}table"), None)
        return [] if first is None else self.table(first)

    def description(self, element: Any, _: tuple[str, ...]) -> list[Draft]:
        """What is written about a picture, said once."""
        if element.getprevious() is not None and element.getprevious().tag in _DESCRIBED:
            return []
        return picture_blocks(*(one.text for one in element.getparent().iterchildren(*_DESCRIBED)))

    def _numbered(self, number: str, text: str) -> str:
        if not number or not text.strip():
            return text
        self.unnumbered[f"{number} {text.strip()}"] = text.strip()
        return f"{number} {text.lstrip()}"

    def hides_slide(self, page: Any) -> bool:
        """Whether a slide is not shown, which is counted."""
        hides = page.tag == f"{_DRAW}page" and page.get(f"{_DRAW}style-name", "") in self._hidden_slides
        self.counts["hidden slides"] += hides
        return hides

    def _is_title(self, element: Any) -> bool:
        """Whether a paragraph has the style of a title, or stands in the title of a slide."""
        frame = next(element.iterancestors(f"{_DRAW}frame"), None)
        if frame is not None and frame.get(f"{_PRESENTATION}class") == "title":
            return True
        return bool(_TITLES & {element.get(f"{_T}style-name"), self._bases.get(element.get(f"{_T}style-name", ""))})

    def _kind(self, element: Any) -> BlockKind:
        """What a paragraph that is no heading is, by what it lies in or by its style and those this is based on."""
        if any(above.tag == f"{_T}list-item" for above in element.iterancestors()):
            return "item"
        return "caption" if _CAPTION in self._lineage(element.get(f"{_T}style-name", "")) else "paragraph"

    def _is_gone(self, element: Any) -> bool:
        """Whether its style hides or strikes it, or the element itself hides what it holds."""
        name = element.get(f"{_T}style-name", "")
        hides = element.tag in _HIDING and element.get(f"{_T}is-hidden") != "false"
        hides = hides or "none" in {element.get(f"{_T}display"), element.get(f"{_DRAW}display")}
        is_hidden = name in self._hidden or hides
        self.counts[HIDDEN] += is_hidden
        self.counts[STRUCK] += name in self._struck and not is_hidden
        return is_hidden or name in self._struck

    def _text(self, element: Any, inner: list[Any]) -> str:
        """The text of a paragraph; notes and text boxes in it go to ``inner``."""
        parts = [element.text or ""]
        for child in element:
            tag = child.tag
            if not isinstance(tag, str) or self._is_gone(child):
                pass
            elif tag in _SPACES:
                parts.append(_SPACES[tag] * min(count_of(child.get(f"{_T}c")), _MOST_REPEATED))
            elif tag == f"{_T}note":
                inner += child.iterchildren(f"{_T}note-body")
            elif tag == f"{_DRAW}frame":
                formula = self._formula(child)
                parts.append(formula)
                inner += [] if formula else [child]
            elif tag in _SHAPES:
                inner.append(child)
            elif tag not in _LEFT_OUT and not tag.startswith(_DRAW):
                text = self._text(child, inner)
                parts.append(raised(text) if child.get(f"{_T}style-name", "") in self._raised else text)
            parts.append(child.tail or "")
        return "".join(parts)

    def _object(self, named: Any) -> Any:
        """The content of what is set into the text; None where the package has none."""
        name = (named.get(_LINK) or "").removeprefix("./").rstrip("/")
        return xml_root(self._objects.get(f"{name}/content.xml", b""))

    def _formula(self, frame: Any) -> str:
        """The formula that a frame shows; empty where it shows something else."""
        named = frame.find(f"{_DRAW}object")
        found = None if named is None else (named.find(_MATH) if len(named) else self._object(named))
        return mathml(found) if found is not None and found.tag == _MATH else ""

    def _lineage(self, style: str) -> Iterator[str]:
        """A style and those that it is based on, the nearest first."""
        for _ in range(_MOST_STYLES + 1):
            if not style:
                return
            yield style
            style = self._bases.get(style, "")


_READERS: dict[str, Callable[[_Walker, Any, tuple[str, ...]], Iterable[Draft]]] = {
    f"{_T}p": _Walker.paragraph,
    f"{_T}h": _Walker.paragraph,
    f"{_T}list-item": _Walker.item,
    f"{_TABLE}table": _Walker.table,
    f"{_DRAW}object": _Walker.embedded,
    **dict.fromkeys(_DESCRIBED, _Walker.description),
}


FORMAT = Format(
    "odt",
    "an OpenDocument file",
    "application/vnd.oasis.opendocument.text",
    read,
    endings=("odp",),
    media_types=("application/vnd.oasis.opendocument.presentation",),
    recognise=lambda data: media_type_within(data).startswith(_PACKAGES),
)
