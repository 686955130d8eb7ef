"""XML of any kind: texts as paragraphs, records as rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from clew.documents.blocks import Draft, Layout
from clew.documents.data.xml_text import attributes_of, fields, flat, name_of, notes_in
from clew.documents.encoding import codec
from clew.documents.format import Format, Input
from clew.documents.marked.plain_blocks import paragraphs
from clew.documents.metadata import add_author
from clew.documents.parsed import Parsed, Unreadable, title_of_name
from clew.documents.tables.grid import Cell, count_of
from clew.documents.tables.rows import row_draft, row_line, table_blocks
from clew.documents.web.blocks import plain
from clew.text.normalise import one_line
from clew.types import Json

_LABEL = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})""")
_LATIN = frozenset({"iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "us-ascii", "ascii"})
_LONGEST_VALUE = 200
_STOPS = (".", "!", "?")
_TITLES = ("article-title", "title", "name", "heading")
"""What the title of a document is called, the surest first."""
_OF_RECORDS = "name"
"""The title that may be a record itself: a name with its parts."""
_NAME = ("given-names", "surname")
_HUMP = re.compile(r"([a-z])([A-Z])")
_TABLES = {"table", "informaltable"}
_CAPTIONS = {"title", "caption"}
_SECTIONS = {"sec", "section", "chapter", "sect1", "sect2", "sect3", "div", "div1", "div2", "div3"}
_CODE = {"programlisting", "screen", "literallayout", "code"}
_PARAGRAPHS = {"p", "para", "simpara", "ab", "l"}
"""What holds text and nothing else, so that its name says nothing."""
_CELLS = {"td", "th", "cell", "entry"}
_MOST_COVERED = 1000
_RECORD = 2
"""Attributes from which an element without text is a record."""
_BLANK_LINE = re.compile(r"\n[ \t]*\r?\n")


def read(source: Input) -> Iterator[Parsed]:
    """Read XML; the title is its first title element (``_TITLES``).

    Raises Unreadable where it is not well-formed.
    """
    from lxml import etree

    declaration = _LABEL.match(source.data.lstrip())
    # Browsers take a page that says iso-8859-1 for windows-1252; the library does not, and loses its quotes and dashes.
    label = source.encoding or (declaration[1].decode("ascii") if declaration else "")
    parser = etree.XMLParser(
        encoding=codec(label) if source.encoding or label.lower() in _LATIN else None,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(source.data.strip(), parser)
    except etree.XMLSyntaxError as error:
        raise Unreadable(f"It is not well-formed XML ({one_line(str(error), 100)}).") from error
    layout = Layout(_blocks(root))
    titles = ((name, one) for name in _TITLES for one in root.iter(f"{{*}}{name}"))
    named = (flat(one) for name, one in titles if name != _OF_RECORDS or not len(one))
    title = next(filter(None, named), "")
    metadata = _of_article(root)
    add_author(layout, metadata)
    title = one_line(title) or title_of_name(source.name)
    yield Parsed(title, layout.text, metadata=metadata, blocks=tuple(layout.blocks))


def _of_article(root: Any) -> Json:
    """Who wrote an article in JATS, when it came out, and its keywords."""
    meta = root.find(".//{*}article-meta")
    if meta is None:
        return {}
    named = meta.iterfind(".//{*}contrib[@contrib-type='author']/{*}name")
    authors = [" ".join(filter(None, (one.findtext(f"{{*}}{part}") for part in _NAME))) for one in named]
    dated = meta.find("{*}pub-date")
    date = [] if dated is None else [dated.findtext(f"{{*}}{part}") or "" for part in ("year", "month", "day")]
    digits = [part.zfill(2) for part in takewhile(str.isdecimal, date)]
    found: Json = {"author": [name for name in authors if name], "date": "-".join(digits)}
    found["tags"] = [flat(word) for word in meta.iter("{*}kwd")]
    return {key: value for key, value in found.items() if value}


def _blocks(root: Any) -> Iterator[Draft]:
    """A walk with a stack, because XML may be nested deeply."""
    parts = _parts(root)
    todo = [root]
    while todo:
        element = todo.pop()
        if not isinstance(element.tag, str):
            continue
        if special := _special(element):
            yield from special
            continue
        children = [child for child in element if isinstance(child.tag, str)]
        if not children or _has_text(element, children):
            yield from _text(element, parts)
            continue
        leaves = _leaves(children)
        attributes = [(key.rpartition("}")[2], value) for key, value in element.attrib.items() if "//" not in value]
        if len(leaves) > 1 or (leaves and attributes):
            pairs = [("", _part_of(element, parts)), *attributes, *fields(leaves)]
            yield row_draft([(name,) if name else () for name, _ in pairs], [plain(value) for _, value in pairs])
            held = set(leaves)
            children = [child for child in children if child not in held]
        todo.extend(reversed(children))


def _special(element: Any) -> list[Draft]:
    """The blocks of a table or a stretch of code; none for any other element."""
    name = name_of(element)
    if name in _TABLES and (rows := _rows(element)):
        captions = [Draft(flat(child), "caption") for child in element if name_of(child) in _CAPTIONS]
        return [*captions, *table_blocks(rows)]
    if name in _CODE:
        return [Draft("".join(element.itertext()).strip("\n"), "code")]
    return []


def _has_text(element: Any, children: list[Any]) -> bool:
    """Whether text stands beside the elements in an element."""
    return bool((element.text or "").strip()) or any((child.tail or "").strip() for child in children)


def _text(element: Any, parts: dict[Any, str]) -> Iterator[Draft]:
    """A text: a heading, the paragraphs of one, or a value with its name; then the notes in it."""
    if _is_heading(element):
        yield Draft(flat(element), "heading", _depth(element))
    elif not len(element) and _BLANK_LINE.search((element.text or "").strip()):
        yield from paragraphs(plain(element.text))
    else:
        part, value = _part_of(element, parts), _value_text(element)
        is_record = not len(element) and not (element.text or "").strip()
        value = f"{part}; {value}" if part and value.startswith(f"{name_of(element)}: ") else value
        yield Draft(value, "row" if is_record else "paragraph")
    yield from (Draft(note, "note") for note in notes_in(element))


def _leaves(children: list[Any]) -> list[Any]:
    """The values of a record; none in a section, where all stands in its order.

    What has a value in it and nothing else is one ("author" with a "name"), beside others. What has attributes alone,
    and several, is a record of its own.
    """
    if any(map(_is_heading, children)):
        return []
    values = [child for child in children if _is_value(child) and name_of(child) not in _CODE | _PARAGRAPHS]
    values = [child for child in values if flat(child) or len(attributes_of(child)) < _RECORD]
    if not any(map(flat, values)):
        return values
    around = [child for child in children if len(child) == 1 and not child.attrib and _is_value(child[0])]
    held = {*values, *(child for child in around if flat(child) and not (child.text or "").strip())}
    return [child for child in children if child in held]


def _parts(root: Any) -> dict[Any, str]:
    """What the parts of a document are called that stand there once, as supplier and customer do in an invoice."""
    names = Counter(map(name_of, root))
    single = [child for child in root if len(child) and names[name_of(child)] == 1]
    return {child: _HUMP.sub(r"\1 \2", name_of(child)).replace("_", " ") for child in single if len(single) > 1}


def _part_of(element: Any, parts: dict[Any, str]) -> str:
    """What the part is called that an element lies in; empty where it lies in none."""
    around = (element, *element.iterancestors()) if parts else ()
    return next((parts[one] for one in around if one in parts), "")


def _rows(table: Any) -> list[list[Cell]]:
    """The rows of a table as HTML, JATS, TEI (tr, row) and DocBook (row, entry) write it, heads marked as such."""
    rows = []
    for row in table.iter("{*}tr", "{*}row"):
        above = {name_of(one) for one in row.iterancestors()}
        cells = [child for child in row if name_of(child) in _CELLS]
        rows.append(
            [
                Cell(
                    flat(cell),
                    _covered(cell, "colspan", "cols"),
                    _covered(cell, "rowspan", "rows"),
                    name_of(cell) == "th" or "thead" in above or row.get("role") == "label",
                )
                for cell in cells
            ]
        )
    return [row for row in rows if row]


def _covered(cell: Any, *names: str) -> int:
    """How many columns or rows a cell covers, by the first of these attributes that it has."""
    written = next(filter(None, map(cell.get, names)), None)
    return min(max(count_of(written), 1), _MOST_COVERED)


def _is_heading(element: Any) -> bool:
    """Whether an element is the heading of a section, as JATS, DocBook and TEI write it."""
    above = element.getparent()
    return name_of(element) in {"title", "head"} and above is not None and name_of(above) in _SECTIONS


def _depth(element: Any) -> int:
    """How many sections an element lies in."""
    return sum(name_of(above) in _SECTIONS for above in element.iterancestors())


def _is_value(element: Any) -> bool:
    if len(element):
        return False
    text = flat(element)
    return len(text) <= _LONGEST_VALUE and not text.endswith(_STOPS)


def _value_text(element: Any) -> str:
    """An element with text of its own: long text as it is, a short value with its name and attributes."""
    text = flat(element)
    if (piece := plain(text)) != text:
        return piece
    if len(element) or len(text) > _LONGEST_VALUE or text.endswith(_STOPS) or name_of(element) in _PARAGRAPHS:
        return text
    attributes = {key.rpartition("}")[2]: value for key, value in element.attrib.items() if "//" not in value}
    return row_line([*attributes, name_of(element)], [*map(plain, attributes.values()), text])


FORMAT = Format(
    "xml", "XML", "application/xml", read, media_types=("text/xml", "application/rss+xml", "application/atom+xml")
)
