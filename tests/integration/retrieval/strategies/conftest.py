"""Towns of which one is two hops away from the painter who was born there, and others that look alike."""

from __future__ import annotations

import pytest

from clew.knowledge_base import KnowledgeBase
from clew.types import Retrieved
from tests.integration.graphs import add, document

PAGES = {
    "Alda Voss": "Alda Voss was born in Quillby. Alda Voss painted ships.",
    "Quillby": "Quillby has one team, and it curls. Quillby lies by Lake Tarn.",
    "Lake Tarn": "Lake Tarn freezes in winter.",
}
ALIKE = ["Ostby", "Ranfeld", "Merrow", "Sallow", "Dunhall", "Ivers", "Kettle", "Orrin"]
TWO_HOPS = "Which sport is played in the town where Alda Voss was born?"


@pytest.fixture
def towns(kb: KnowledgeBase) -> KnowledgeBase:
    pages = PAGES | {name: f"{name} is a town where a sport is played. A painter was born in {name}." for name in ALIKE}
    add(kb, *(document(kb, title, text) for title, text in pages.items()))
    return kb


def titles(found: Retrieved) -> list[str]:
    return [passage.title for passage in found.passages]


def texts(found: Retrieved) -> list[str]:
    return [fact.text for fact in found.facts]
