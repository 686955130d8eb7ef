"""The page on models names each mode of the test server, with what it plays."""

from __future__ import annotations

from pathlib import Path

from clew.testing import MODES

PAGE = Path(__file__).parents[3] / "docs" / "models.md"


def test_every_mode_has_a_line() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name, mode in MODES.items() if f"| `{name}` | {mode.says} |" not in page] == []
