"""What tells two runs of an evaluation apart, on a real graph."""

from __future__ import annotations

from pathlib import Path

from clew.evaluation.datasets import Question
from clew.evaluation.runs import configuration
from clew.knowledge_base import KnowledgeBase
from clew.resolution import merges
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


def test_another_reranker_makes_another_run(kb: KnowledgeBase, tmp_path: Path) -> None:
    ingest(kb, tmp_path)
    before = config(kb)
    kb.settings = kb.settings.model_copy(update={"reranker": "/models/reranker"})
    assert config(kb) != before
