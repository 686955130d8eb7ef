"""The example of a strategy of one's own runs, and keeps the contract."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from clew import KnowledgeBase
from clew.retrieval.registry import RECIPES
from tests.integration.conftest import EXAMPLES


@pytest.fixture
def example() -> Iterator[ModuleType]:
    spec = importlib.util.spec_from_file_location("add_a_strategy", EXAMPLES / "add_a_strategy.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    RECIPES[module.NAME] = module.RECIPE
    yield module
    del RECIPES[module.NAME], sys.modules[spec.name]


def test_it_finds_what_is_asked_for_and_says_by_which_path(encyclopaedia: KnowledgeBase, example: ModuleType) -> None:
    (found,) = encyclopaedia.retrieve([example.QUESTION], 5, example.NAME)
    assert any("designed by Ruben Calloway" in passage.text for passage in found.passages)
    assert found.facts
    for fact in found.facts:
        assert fact.ranks.keys() <= set(example.RECIPE.paths)
    scores = [passage.score for passage in found.passages]
    assert scores == sorted(scores, reverse=True)
    assert encyclopaedia.retrieve([""], 5, example.NAME)[0].facts == ()
