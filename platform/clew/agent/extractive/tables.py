"""Tables that were flattened to running text: their labels, and which label a value stands behind."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.evidence import stems
from clew.agent.extractive.name_spans import label_places


@lru_cache(maxsize=8192)
def label_of(text: str, c: Candidate) -> frozenset[str]:
    """Stems of the label right before a value of a flattened table: the voiced of "*Voiced by* Ada Finch Spouse …"."""
    at = next((start for start in reversed(label_places(text)) if start < c.start), None)
    if at is None or _LABEL.fullmatch(text, at, c.start) is None:
        return frozenset()
    return stems(text[at : c.start])


_LABEL = re.compile(r"[A-ZÀ-Þ][a-z]+(?: (?:[a-z]+|\([a-z]\)|[-–/])){0,3}:? ")
