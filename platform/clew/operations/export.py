"""A knowledge base in the formats of other tools: GraphML, CSV, Parquet, RDF, and lines of JSON that can come back.

A fact may have any number of participants. In GraphML and RDF it is therefore a node that its participants hang on (in
RDF's words, it is reified); as a table it is a row for each participant (incidence), or for each pair of them (edges).
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from clew.database.connection import pages
from clew.errors import InputError
from clew.explore.base import Base
from clew.files import json_lines, write_whole
from clew.types import Json

PAGE = 1000
"""Facts or documents of one round trip."""
INCIDENCE = ("fact", "text", "origin", "time", "negated", "relation", "entity", "name", "type", "role")
EDGES = ("source", "target", "source_name", "target_name", "source_role", "target_role", "fact", "text")
"""Columns of the two tables."""

_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_TO_ESCAPE = re.compile(r'[\\"\n\r\t]')
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a spreadsheet takes for the beginning of a formula, in full width too."""
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


def export(base: Base, path: Path, *, edges: bool = False) -> int:
    """Write a knowledge base into a file, by its ending (``FORMATS``); how many facts, or of JSON lines documents.

    ``edges`` makes a table of pairs in place of one of participants. A file of that name is replaced at once. Raises
    InputError for another ending, and where the file cannot be written.
    """
    write = FORMATS.get(path.suffix.lower())
    if write is None:
        raise InputError(f"{path.name[:80]!r} has none of the endings {', '.join(FORMATS)}: choose one of them.")
    if edges and path.suffix.lower() not in TABLES:
        raise InputError(f"Only a table ({', '.join(TABLES)}) can be one of edges, not {path.suffix}.")
    count: Counter[str] = Counter()
    try:
        content = write(base, count, edges)
        write_whole(path, content, private=False)
    except OSError as error:
        raise InputError(f"{str(path)[:200]!r} cannot be written ({error.strerror}).") from error
    return count.total()


def rows_of(base: Base, statement: str, count: Counter[str]) -> Iterator[Json]:
    """All ``facts`` or ``documents`` of a knowledge base, page by page; ``count`` adds up how many."""
    for page in pages(base.database.read, f"export/{statement}", kb=base.name, limit=PAGE):
        count[statement] += len(page)
        yield from page


def _json(base: Base, count: Counter[str], _: bool) -> Iterator[str]:
    """A document a line with its facts; ``clew import`` reads it."""
    rows = (
        {
            "id": row["id"],
            "title": row["title"],
            "text": row["text"],
            "metadata": json.loads(row["metadata"] or "{}"),
            # By what they say, not by their ids, which another knowledge base has others of.
            "facts": sorted(
                row["facts"], key=lambda fact: (fact["start"], fact["end"], json.dumps(fact, sort_keys=True))
            ),
        }
        for row in rows_of(base, "documents", count)
    )
    yield from json_lines(rows, ascii=False)


def _graphml(base: Base, count: Counter[str], _: bool) -> Iterator[str]:
    """Facts and entities as nodes of a bipartite graph."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for of, name in (("node", "kind"), ("node", "label"), ("node", "type"), ("edge", "role")):
        yield f'<key id="{name}" for="{of}" attr.name="{name}" attr.type="string"/>\n'
    yield '<graph edgedefault="directed">\n'
    seen: set[str] = set()
    for fact in rows_of(base, "facts", count):
        yield _node(fact["id"], kind="fact", label=fact["text"], type=fact["relation"])
        for one in fact["participants"]:
            if one["id"] not in seen:
                seen.add(one["id"])
                yield _node(one["id"], kind="entity", label=one["name"], type=one["type"])
            ends = f"source={quoteattr(fact['id'])} target={quoteattr(one['id'])}"
            yield f'<edge {ends}><data key="role">{_xml(one["role"])}</data></edge>\n'
    yield "</graph>\n</graphml>\n"


def _node(id: str, **data: str) -> str:
    data_elements = "".join(f'<data key="{name}">{_xml(value)}</data>' for name, value in data.items() if value)
    return f"<node id={quoteattr(id)}>{data_elements}</node>\n"


def _xml(text: str) -> str:
    return escape(_UNFIT.sub("\ufffd", text))


def _triples(base: Base, count: Counter[str], _: bool) -> Iterator[str]:
    """N-Triples, which are Turtle too: a fact is a resource, and its roles are the predicates."""
    seen: set[str] = set()
    for fact in rows_of(base, "facts", count):
        own = f"<urn:clew:fact:{fact['id']}>"
        yield f"{own} <{_RDF}type> <urn:clew:Fact> .\n{own} <urn:clew:text> {_literal(fact['text'])} .\n"
        for name in ("origin", "time", "relation"):
            if fact[name]:
                yield f"{own} <urn:clew:{name}> {_literal(fact[name])} .\n"
        if fact["negated"]:
            yield f'{own} <urn:clew:negated> "true"^^<http://www.w3.org/2001/XMLSchema#boolean> .\n'
        for title in dict.fromkeys(source["title"] for source in fact["sources"]):
            yield f"{own} <urn:clew:statedIn> {_literal(title)} .\n"
        for one in fact["participants"]:
            entity = f"<urn:clew:entity:{one['id']}>"
            yield f"{own} <urn:clew:role:{quote(one['role'], safe='')}> {entity} .\n"
            if one["id"] not in seen:
                seen.add(one["id"])
                yield f"{entity} <{_LABEL}> {_literal(one['name'])} .\n"
                if one["type"]:
                    yield f"{entity} <urn:clew:type> {_literal(one['type'])} .\n"


def _literal(text: str) -> str:
    escaped = _TO_ESCAPE.sub(lambda sign: _ESCAPED[sign[0]], _UNFIT.sub("\ufffd", text))
    return f'"{escaped}"'


def _rows(base: Base, count: Counter[str], edges: bool) -> Iterator[tuple[str | bool, ...]]:
    for fact in rows_of(base, "facts", count):
        if edges:
            for a, b in combinations(fact["participants"], 2):
                ends = (a["id"], b["id"], a["name"], b["name"], a["role"], b["role"])
                yield *ends, fact["id"], fact["text"]
        else:
            for one in fact["participants"]:
                columns = (fact["id"], fact["text"], fact["origin"], fact["time"], fact["negated"], fact["relation"])
                yield *columns, one["id"], one["name"], one["type"], one["role"]


def _csv(base: Base, count: Counter[str], edges: bool) -> Iterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(EDGES if edges else INCIDENCE)
    for row in _rows(base, count, edges):
        writer.writerow(map(_harmless, row))
        if buffer.tell() > 1 << 16:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def _harmless(cell: str | bool) -> str | bool:
    """A cell that no spreadsheet takes for a formula: what begins like one gets an apostrophe."""
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip().startswith(_FORMULA) else cell


def _parquet(base: Base, count: Counter[str], edges: bool) -> bytes:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise InputError("A .parquet needs pyarrow (the extra `parquet`): install it, or write a .csv.") from error

    columns: Sequence[str] = EDGES if edges else INCIDENCE
    schema = pa.schema([(name, pa.bool_() if name == "negated" else pa.string()) for name in columns])
    sink = pa.BufferOutputStream()
    with parquet.ParquetWriter(sink, schema) as out:
        rows = _rows(base, count, edges)
        while some := [row for _, row in zip(range(100 * PAGE), rows, strict=False)]:
            out.write_table(pa.table([pa.array(column) for column in zip(*some, strict=True)], schema=schema))
    written: bytes = sink.getvalue().to_pybytes()
    return written


TABLES = (".csv", ".parquet")
FORMATS: dict[str, Callable[[Base, Counter[str], bool], Iterator[str] | bytes]] = {
    ".graphml": _graphml,
    ".csv": _csv,
    ".parquet": _parquet,
    ".nt": _triples,
    ".ttl": _triples,
    ".jsonl": _json,
}
"""What writes a file with an ending."""
