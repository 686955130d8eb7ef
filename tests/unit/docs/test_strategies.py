"""The page on strategies names each one that is registered."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.retrieval.registry import RECIPES

PAGE = Path(__file__).parents[3] / "docs" / "strategies.md"


@pytest.mark.parametrize("name", list(RECIPES))
def test_every_strategy_has_a_line(name: str) -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    assert any(f"`{name}`" in row for row in rows)
