"""What documents that an older Clew has read would gain if their files were ingested again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from clew.database.connection import Database

ADDED: Mapping[int, str] = {
    1: "headings, lists, tables and pairs as what they are, what documents say of themselves (author, date, tags), and "
    "tables, notes, columns and encodings as they are meant",
    2: "markup in the fields of exports, SmartArt, numbers of clauses, and lines of PDFs that were taken for "
    "running heads",
    3: "tables and titles of sections in plain text, and what stands above and below a csv's table",
    4: "text on shapes and in parts of Office files, forms as pairs, text in boxes of "
    "Markdown and reStructuredText, attributes and units of XML, whole e-mails, lines of cells, rows of JSON, and "
    "words, formulas and tables of PDFs that were torn",
    5: "lines of tables that lead their rows, heads of units, what is written about pictures, boxes and "
    "tables of two columns in PDFs, names, sentences and labels of other languages as these write them, and UTF-8 that "
    "was encoded twice",
    6: "tables that go on over the end of a page, parts of budgets and csv that lead their rows, tables right below "
    "each other, titles of workbooks, wide heads and bullets in PDFs, code of Org, packed ods and e-books, authors, "
    "dates and tags of web pages, notebooks and front matter, and names in scripts without capitals",
    7: "the cells of tables with their columns and typed values, and whole web pages and tables of PDFs as they are",
    8: "headings, cells and right-to-left lines of PDFs as their fonts set them, and what web pages say they are about",
    9: "the names of sheets, where places in workbooks are said",
    10: "units that the corner or a row of a table states, heads above several columns or an empty row, and fewer "
    "words that only begin a sentence, prices and times among the names",
}
"""What each version of the readers in ``formats`` reads that the one before did not."""
READING = max(ADDED)
"""The version of the readers: one more whenever they read known files otherwise."""
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Older:
    """Documents that one older version of the readers has read, the titles of some, and what they would gain."""

    documents: int
    titles: tuple[str, ...]
    gain: str

    @property
    def notice(self) -> str:
        """A sentence for people."""
        many = "document was" if self.documents == 1 else "documents were"
        return f"{self.documents:,} {many} read by an older Clew. Ingested again they would gain {self.gain}."


def older_readings(database: Database, kb: str) -> list[Older]:
    """The documents of a knowledge base that older readers have read, the oldest first."""
    rows = database.read("document/read_before", kb=kb, reading=READING, shown=SHOWN)
    return [Older(row["documents"], tuple(row["titles"]), _gain(row["reading"])) for row in rows]


def _gain(reading: int) -> str:
    return "; ".join(added for version, added in ADDED.items() if version > reading)
