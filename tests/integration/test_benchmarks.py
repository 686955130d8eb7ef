"""The benchmarks of retrieval on a small knowledge base: few questions are enough for them."""

from __future__ import annotations

import pytest

from benchmarks import retrieval
from clew.errors import InputError
from clew.knowledge_base import KnowledgeBase

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
