"""LightRAG's levels: what each of them finds on a small graph, and what both tell together."""

from __future__ import annotations

from clew.knowledge_base import KnowledgeBase
from tests.integration.graphs import add, document

PAGES = {
    "Alda Voss": "Alda Voss was born in Quillby. Alda Voss painted ships.",
    "Quillby": "Quillby has one team, and it curls. Quillby lies by Lake Tarn.",
    "Merrow": "Merrow is a town where a sport is played. A painter was born in Merrow.",
    "Sallow": "Sallow is a town where a sport is played. A painter was born in Sallow.",
}
QUESTION = "Which sport is played in the town where Alda Voss was born?"


def test_lightrags_levels_look_at_names_and_at_the_rest(kb: KnowledgeBase) -> None:
    add(kb, *(document(kb, title, text) for title, text in PAGES.items()))
    (low,) = kb.retrieve(QUESTION, 3, "lightrag-local")
    assert "Alda Voss was born in Quillby" in low.facts[0].text
    assert all("Alda Voss" in fact.entities or "Quillby" in fact.entities for fact in low.facts)
    assert "Quillby" in [passage.title for passage in low.passages]
    (high,) = kb.retrieve(QUESTION, 2, "lightrag-global")
    assert {fact.sources[0].title for fact in high.facts} == {"Merrow", "Sallow"}
    (both,) = kb.retrieve(QUESTION, 4, "lightrag")
    assert [fact.ranks.get("low") == 1 for fact in both.facts[:2]] == [True, False]
    assert both.facts[1].ranks["high"] == 1
    (mix,) = kb.retrieve(QUESTION, 4, "lightrag-mix")
    (dense,) = kb.retrieve(QUESTION, 1, "chunks")
    assert dense.passages[0].id in [passage.id for passage in mix.passages[:3]]
