"""docs/integrations.md: every block runs, with the real packages, on the example encyclopaedia."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.knowledge_base import KnowledgeBase
from clew.testing import ModelServer
from clew.types import Json

PAGE = Path(__file__).parents[2] / "docs" / "integrations.md"
SECTIONS = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]


def _said(messages: list[Json], request: Json) -> str:
    """What it was shown, and a count of entities where Cypher is wanted."""
    asked = str(messages)
    if "Cypher" not in asked:
        return "Ruben Calloway" if "Ruben Calloway" in asked else "I was shown nothing."
    [kb] = set(re.findall(r"knowledge base ([\w-]+)\?", asked))
    return f"MATCH (e:ClewEntity {{kb: '{kb}'}}) RETURN count(e) AS entities"


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with ModelServer(_said) as server:
        yield server


@pytest.fixture(scope="module")
def names(encyclopaedia: KnowledgeBase, model: ModelServer) -> Iterator[dict[str, Any]]:
    """What the blocks share; ``KnowledgeBase.open`` gives the example knowledge base of the tests, with a model."""
    own = {"llm_base_url": model.base_url, "llm_model": model.model, "policy": "reader"}
    base = KnowledgeBase(encyclopaedia.name, encyclopaedia.database, encyclopaedia.settings.model_copy(update=own))
    base.__dict__["embedder"] = encyclopaedia.embedder
    shared = {"__name__": "integrations"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KnowledgeBase, "open", lambda name: base)
        yield shared


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.splitlines()[0])
def test_the_page_runs(section: str, names: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
    assert blocks
    if section.startswith("LlamaIndex"):
        pytest.importorskip("llama_index.core", reason="llama-index-core, which brings 30 packages, is not installed")
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    told = capsys.readouterr().out
    if section.startswith("Models that write Cypher"):
        counted = names["kb"].stats()["nodes"]["Entity"]
        assert str(counted) in told
    else:
        assert "Calloway" in told
