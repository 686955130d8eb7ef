"""Tables that were flattened to running text: their labels, and which label a value stands behind."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.evidence import stems
from clew.agent.extractive.lexicon import stem
from clew.agent.extractive.name_spans import label_places


def labelled(text: str, c: Candidate, wanted: frozenset[str], question: str) -> float | None:
    """Whether the label before a value of a flattened table is asked for, 0 or 1; None where there is no label.

    ``wanted`` are the stems of a question in lower case, which may also say *first* or *last*.
    """
    label = label_of(text, c)
    order = {stem(word) for word in ("first", "last") if word in question.split()}
    return float(not label.isdisjoint(wanted | order)) if label else None


@lru_cache(maxsize=8192)
def label_of(text: str, c: Candidate) -> frozenset[str]:
    """Stems of the label right before a value of a flattened table: the voiced of "*Voiced by* Ada Finch Spouse …"."""
    at = next((start for start in reversed(label_places(text)) if start < c.start), None)
    if at is None or _LABEL.fullmatch(text, at, c.start) is None:
        return frozenset()
    return stems(text[at : c.start])


_LABEL = re.compile(r"[A-ZÀ-Þ][a-z]+(?: (?:[a-z]+|\([a-z]\)|[-–/])){0,3}:? ")
