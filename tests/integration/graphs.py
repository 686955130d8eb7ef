"""Documents that mention each other, and what the tests look at in their graph."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.snapshot import Snapshot, difference, snapshot
from clew.database.connection import Row
from clew.explore.schema import NODES
from clew.ids import digest, document_id
from clew.knowledge_base import KnowledgeBase
from clew.types import Document, IngestReport

CITIES = {
    "York": "York is a city in England. It gave its name to New York. YORK City and York are near. Its bells ring.",
    "New York": "New York is a state. The City of New York lies in it, and so does York County. Albany governs it.",
    "New York City": "New York City is the largest city of New York. It was York's namesake: New York City, NY.",
    "York City": "York City plays football in York. The new York city hall was built in 1891.",
    "Albany (New York)": "Albany is the capital of New York. New York City is larger than Albany.",
    "Old Maren Light": "The old Maren light shone over New York City and over Łódź. Nobody mentions York here.",
    "Lodz": "Łódź lies in Poland. LODZ has no light. The Light of York is far.",
    "Light": "A Light is a lamp. York has a Light. The Old Maren Light is one.",
    "12": "Twelve is no name. It follows New York City.",
}


def document(kb: KnowledgeBase, title: str, text: str, source: str = "") -> Document:
    source = source or f"upload:{title}"
    return Document(document_id(kb.name, source), kb.name, title, source, text, digest(f"{title}\n{text}"))


def cities(kb: KnowledgeBase, titles: Sequence[str] = tuple(CITIES)) -> list[Document]:
    return [document(kb, title, CITIES[title]) for title in titles]


def add(kb: KnowledgeBase, *documents: Document) -> IngestReport:
    return kb.ingest_documents(iter(documents))


def graph(kb: KnowledgeBase) -> Snapshot:
    return snapshot(kb.database, kb.name)


def same(expected: Snapshot, found: Snapshot) -> None:
    assert difference(expected, found) == []


def counts(kb: KnowledgeBase) -> dict[str, int]:
    found = kb.stats()
    return found["nodes"] | found["relationships"]


def links(kb: KnowledgeBase) -> set[tuple[str, str]]:
    """Pairs of a sentence and the name of a page that it links to."""
    nodes, relationships = dump(kb)
    return {
        (nodes[row["start"]]["text"][nodes[row["start"]]["lead"] :], nodes[row["end"]]["name"])
        for row in relationships
        if row["properties"].get("role") == "link"
    }


def dump(kb: KnowledgeBase) -> tuple[dict[str, Row], list[Row]]:
    """Properties of the nodes by id, and the relationships."""
    nodes = kb.database.read("benchmark/nodes", kb=kb.name, labels=list(NODES))
    return {row["id"]: row["properties"] for row in nodes}, kb.database.read(
        "benchmark/relationships", kb=kb.name, labels=list(NODES)
    )
