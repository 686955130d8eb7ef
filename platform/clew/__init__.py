"""Clew: documents become a knowledge hypergraph in Neo4j, and an agent finds its way through it.

>>> from clew import KnowledgeBase
>>> with KnowledgeBase.open("notes") as kb:  # doctest: +SKIP
...     kb.ingest("notes/")
...     print(kb.ask("Who founded the school that the author attended?").answer)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clew.types import (
    Chunk,
    Citation,
    Document,
    Fact,
    IngestReport,
    Passage,
    Retrieved,
    Skipped,
    Source,
    Step,
    Trajectory,
    Usage,
)

if TYPE_CHECKING:
    from clew.knowledge_base import KnowledgeBase

__all__ = [
    "Chunk",
    "Citation",
    "Document",
    "Fact",
    "IngestReport",
    "KnowledgeBase",
    "Passage",
    "Retrieved",
    "Skipped",
    "Source",
    "Step",
    "Trajectory",
    "Usage",
]


def __getattr__(name: str) -> Any:
    """Load the facade only when it is asked for, so that importing one module of Clew stays cheap."""
    if name == "KnowledgeBase":
        from clew.knowledge_base import KnowledgeBase

        return KnowledgeBase
    raise AttributeError(f"module 'clew' has no attribute {name!r}")
