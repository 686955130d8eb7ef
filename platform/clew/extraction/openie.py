"""Files of facts: rows with title, text and OpenIE's (subject, relation, object) triples, or facts with their spans."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from clew.errors import InputError
from clew.extraction.given import read_facts
from clew.extraction.triples import make_triple, with_triples
from clew.ingest.load import load
from clew.settings import Settings
from clew.types import Document, Json, Skipped


def load_openie(path: str, *, kb: str, settings: Settings) -> Iterator[Document | Skipped]:
    """The documents of a jsonl or json file with their triples; a row without a list of triples is skipped.

    A row has a title, a text, and ``triples``, each a list of three texts (others are counted); or ``facts``, as
    ``clew export`` writes them. Its document is the one that ``clew ingest`` makes of the same row, so that one
    replaces the other. Raises InputError where there is no such file.
    """
    if not Path(path).expanduser().is_file():
        raise InputError(f"There is no file {path!r}: name a jsonl with title, text and triples in each row.")
    return load([path], kb=kb, settings=settings, of_row=_with_triples)


def _with_triples(document: Document, row: Json) -> Document | Skipped:
    if isinstance(row.get("facts"), list):
        return read_facts(document, row)
    triples = row.get("triples")
    if not isinstance(triples, list):
        return Skipped(document.source, f"The row {document.title!r} has no list of triples or facts.")
    made = (make_triple(*one) if isinstance(one, list) and len(one) == 3 else None for one in triples)
    return with_triples(document, made)
