"""The benchmarks of retrieval on a small knowledge base: few questions are enough for them."""

from __future__ import annotations

import pytest

from benchmarks import neighbourhood, retrieval
from clew.errors import InputError
from clew.knowledge_base import KnowledgeBase
from clew.retrieval.graph.walk import WalkSettings
from tests.integration.graphs import add, cities

QUESTIONS = ["Who designed the Old Maren Light?", "Where was Maud Calloway born?", "Who built the Kittiwake?"]


def test_few_questions_are_measured_in_the_batches_that_they_fill(
    encyclopaedia: KnowledgeBase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(retrieval, "WARM_SECONDS", 0.0)
    found = retrieval.print_figures(retrieval.figures(encyclopaedia, ["chunks"], QUESTIONS))
    assert found.keys() == {"questions", "index_recall@10", "chunks_ms_batch_1"}
    assert 0.9 <= found["index_recall@10"] <= 1
    assert len(capsys.readouterr().out.splitlines()) == len(found)
    assert retrieval.batch_sizes(8) == [1, 8]


def test_what_was_measured_is_told_before_the_rest_fails(
    encyclopaedia: KnowledgeBase, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match="no-such"):
        retrieval.print_figures(retrieval.figures(encyclopaedia, ["no-such"], QUESTIONS))
    assert "index_recall@10" in capsys.readouterr().out


def test_neighbourhoods_agree_on_few_questions(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb))
    found = dict(neighbourhood.figures(kb, ["Where is York?", "Which lamp does York have?"], WalkSettings()))
    assert found["agreement"] == pytest.approx(1, abs=0.01)
    assert {name for name in found if "batch" in name} == {"cypher_ms_batch_1", "memory_ms_batch_1"}
