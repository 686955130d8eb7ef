"""What tells two runs of an evaluation apart, on a real graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.evaluation.datasets import Question
from clew.evaluation.runs import configuration
from clew.extraction.extractor import LlmExtractor
from clew.knowledge_base import KnowledgeBase
from clew.resolution import merges
from clew.testing import ModelServer, extractor
from clew.types import Json
from tests.integration.conftest import EXAMPLES

QUESTIONS = [Question("1", "Who keeps the light?", ("Orla Finch",))]
TEXT = "Orla Finch keeps the Ansby Light. O. Finch was born in Iskeld."


def ingest(kb: KnowledgeBase, folder: Path) -> None:
    file = folder / "light.txt"
    file.write_text(TEXT)
    assert kb.ingest(str(file)).documents == 1


def config(kb: KnowledgeBase) -> Json:
    return configuration("retrieval", EXAMPLES, kb, QUESTIONS, {})


def test_a_graph_whose_counts_stay_is_another_one_after_a_merge(kb: KnowledgeBase, tmp_path: Path) -> None:
    ingest(kb, tmp_path)
    before = config(kb)
    assert config(kb) == before
    one, other = (merges.find_entity(kb, name) for name in ("Orla Finch", "O. Finch"))
    assert merges.merge(kb, one, other)
    after = config(kb)
    assert after["construction"] == before["construction"]
    assert after != before


def test_construction_says_what_its_model_has_cost(kb: KnowledgeBase, tmp_path: Path) -> None:
    file = tmp_path / "light.txt"
    file.write_text(TEXT)
    with ModelServer(extractor()) as server:
        own = {"llm_model": server.model, "llm_base_url": server.base_url, "home": tmp_path}
        prices = {"llm_input_price": 1.0, "llm_output_price": 1.0}
        kb.ingest(str(file), extractor=LlmExtractor(kb.settings.model_copy(update=own | prices)))
        tokens = server.usage.prompt_tokens + server.usage.completion_tokens
    found = config(kb)["construction"]
    assert found["model_tokens"] == tokens > 0
    assert found["model_cost"] == pytest.approx(tokens / 1e6)
    assert found["cost_per_1m_tokens"] == pytest.approx(tokens / (len(TEXT) / 4))


def test_another_reranker_makes_another_run(kb: KnowledgeBase, tmp_path: Path) -> None:
    ingest(kb, tmp_path)
    before = config(kb)
    kb.settings = kb.settings.model_copy(update={"reranker": "/models/reranker"})
    assert config(kb) != before
