"""The data types: what can be done with them."""

from __future__ import annotations

from clew.types import Usage


def test_two_usages_add_up() -> None:
    assert Usage(1, 10, 5, 0.25) + Usage(2, 20, 7, 0.5) == Usage(3, 30, 12, 0.75)
    assert sum((Usage(1, 10, 5), Usage(1, 10, 5)), Usage()) == Usage(2, 20, 10)
