"""XML of any kind: texts as paragraphs, records as lines of "name: value"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from clew.ingest.formats.blocks import Draft, Layout
from clew.ingest.formats.encoding import codec
from clew.ingest.formats.format import Format, Input
from clew.ingest.formats.metadata import add_author
from clew.ingest.formats.parsed import Parsed, Unreadable, title_of_name
from clew.ingest.formats.readers.html import plain
from clew.ingest.formats.tables import Cell, count_of, row_line, table_blocks
from clew.text.normalise import one_line
from clew.types import Json

_LABEL = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})""")
_LATIN = frozenset({"iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "us-ascii", "ascii"})
_LONGEST_VALUE = 200
_STOPS = (".", "!", "?")
_TITLES = ("article-title", "title", "name", "heading")
"""What the title of a document is called, the surest first."""
_NAME = ("given-names", "surname")
_MOST_PARTS = 100
_HUMP = re.compile(r"([a-z])([A-Z])")
_TABLES = {"table", "informaltable"}
_CAPTIONS = {"title", "caption"}
_SECTIONS = {"sec", "section", "chapter", "sect1", "sect2", "sect3", "div", "div1", "div2", "div3"}
_CELLS = {"td", "th", "cell", "entry"}
_MOST_COVERED = 1000


def read(source: Input) -> Iterator[Parsed]:
    """Read XML; the title is the first element called so (``_TITLES``). No entity is resolved.

    Raises Unreadable where it is not well-formed.
    """
    from lxml import etree

    told = _LABEL.match(source.data.lstrip())
    # Browsers take a page that says iso-8859-1 for windows-1252; the library does not, and loses its quotes and dashes.
    label = source.encoding or (told[1].decode("ascii") if told else "")
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
    named = (_flat(element) for name in _TITLES for element in root.iter(f"{{*}}{name}") if not len(element))
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
    found["tags"] = [_flat(word) for word in meta.iter("{*}kwd")]
    return {key: value for key, value in found.items() if value}


def _blocks(root: Any) -> Iterator[Draft]:
    """A walk with a stack, because XML may be nested deeply."""
    parts = _parts(root)
    todo = [root]
    while todo:
        element = todo.pop()
        if not isinstance(element.tag, str):
            continue
        if _name(element) in _TABLES and (rows := _rows(element)):
            yield from (Draft(_flat(child), "caption") for child in element if _name(child) in _CAPTIONS)
            yield from table_blocks(rows)
            continue
        children = [child for child in element if isinstance(child.tag, str)]
        if not children or (element.text or "").strip() or any((child.tail or "").strip() for child in children):
            is_heading, part = _is_heading(element), _part_of(element, parts)
            said = _said(element)
            if part and said.startswith(f"{_name(element)}: "):
                said = f"{part}; {said}"
            yield Draft(_flat(element), "heading", _depth(element)) if is_heading else Draft(said)
            continue
        leaves = [child for child in children if _is_value(child) and not _is_heading(child)]
        attributes = [(key.rpartition("}")[2], value) for key, value in element.attrib.items() if "//" not in value]
        pairs = [*attributes, *((_name(child), _flat(child)) for child in leaves)]
        if len(leaves) > 1 or (leaves and attributes):
            pairs = [("", _part_of(element, parts)), *pairs]
            yield Draft(row_line([name for name, _ in pairs], [plain(value) for _, value in pairs]), "row")
            children = [child for child in children if child not in leaves]
        todo.extend(reversed(children))


def _parts(root: Any) -> dict[Any, str]:
    """The parts of a document that say the same of different things, and what each is called: supplier and customer.

    Those are children of the root, each of a name of its own, that hold elements of the same name with a value.
    """
    names = Counter(map(_name, root))
    single = [child for child in root if len(child) and names[_name(child)] == 1][:_MOST_PARTS]
    inside = {child: {_name(one) for one in child.iter() if one is not child and not len(one)} for child in single}
    shared = Counter(name for held in inside.values() for name in held)
    alike = [child for child, held in inside.items() if any(shared[name] > 1 for name in held)]
    tags = {child: {_name(one) for one in child.iterdescendants() if len(one)} for child in alike}
    return {
        child: _HUMP.sub(r"\1 \2", _name(child)).replace("_", " ")
        for child in alike
        if any(tags[child] & tags[other] for other in alike if other is not child)
    }


def _part_of(element: Any, parts: dict[Any, str]) -> str:
    """What the part is called that an element lies in; empty where it lies in none."""
    return next((parts[above] for above in element.iterancestors() if above in parts), "") if parts else ""


def _rows(table: Any) -> list[list[Cell]]:
    """The rows of a table as HTML, JATS, TEI (tr, row) and DocBook (row, entry) write it, heads marked as such."""
    rows = []
    for row in table.iter("{*}tr", "{*}row"):
        above = {_name(one) for one in row.iterancestors()}
        cells = [child for child in row if _name(child) in _CELLS]
        rows.append(
            [
                Cell(
                    _flat(cell),
                    _covered(cell, "colspan", "cols"),
                    _covered(cell, "rowspan", "rows"),
                    _name(cell) == "th" or "thead" in above or row.get("role") == "label",
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
    return _name(element) in {"title", "head"} and above is not None and _name(above) in _SECTIONS


def _depth(element: Any) -> int:
    """How many sections an element lies in."""
    return sum(_name(above) in _SECTIONS for above in element.iterancestors())


def _is_value(element: Any) -> bool:
    text = _flat(element)
    return not len(element) and len(text) <= _LONGEST_VALUE and not text.endswith(_STOPS)


def _said(element: Any) -> str:
    """An element with text of its own: long text as it is, a short value with its name and attributes."""
    text = _flat(element)
    if (told := plain(text)) != text:
        return told
    attributes = {key.rpartition("}")[2]: value for key, value in element.attrib.items() if "//" not in value}
    if len(element) or len(text) > _LONGEST_VALUE or text.endswith(_STOPS):
        return text
    return row_line([*attributes, _name(element)], [*attributes.values(), text])


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _flat(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())


FORMAT = Format(
    "xml", "XML", "application/xml", read, media_types=("text/xml", "application/rss+xml", "application/atom+xml")
)
