"""Which chunks are worth a model's time: those whose sentences alone tell the graph least, and matter most."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from heapq import nlargest

from clew.database.connection import Database, pages
from clew.text.sentences import sentences

PAGE = 5000
_VAGUE = re.compile(
    r"\b(?:he|she|they|him|her|them|his|hers|their|theirs|its|it|this|these|those|that one|the former|the latter)\b",
    re.I,
)
_FULL_SCALE = 1000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that a model may refine.

    ``ambiguity``: the share of its sentences that say *he* or *it* where a name is meant. ``degree``: how many facts
    of the knowledge base connect what it is about. ``failures``: unanswered questions whose search came over it.
    """

    id: str
    ambiguity: float
    degree: int
    failures: int
    characters: int
    refined: str


def score(candidate: Candidate) -> float:
    """How much a model is expected to add, from 0 to 3; chunks are refined in this order.

    Each part is between 0 and 1. References that a sentence does not resolve are what the zero-LLM graph is weakest
    at; a passage in the middle of the graph is on many ways; and where questions have failed, something is missing.
    """
    reach = min(1.0, math.log1p(candidate.degree) / math.log1p(_FULL_SCALE))
    failed = 1 - 0.5**candidate.failures
    return candidate.ambiguity + reach + failed


def ambiguity(text: str) -> float:
    """The share of the sentences that refer to something without naming it."""
    found = [bool(_VAGUE.search(text, start, end)) for start, end in sentences(text)]
    return sum(found) / len(found) if found else 0.0


def candidates(database: Database, kb: str) -> list[Candidate]:
    """All chunks of a knowledge base whose documents are whole, best first."""
    failures = {row["id"]: row["failures"] for row in database.read("extract/failed", kb=kb)}
    found: list[Candidate] = []
    for page in pages(database.read, "extract/candidates", kb=kb, limit=PAGE):
        found += [
            Candidate(
                row["id"],
                ambiguity(row["text"]),
                row["degree"] or 0,
                failures.get(row["id"], 0),
                len(row["text"]),
                row["refined"] or "",
            )
            for row in page
            if row["status"] != "partial"
        ]
    return nlargest(len(found), found, key=lambda one: (score(one), one.id))
