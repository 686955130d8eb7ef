"""Names in texts: as a whole, in any spelling."""

from __future__ import annotations

import pytest

from clew.text.mentions import mentions


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("The toll of the Ørsta-Bridge rose.", "orsta bridge", True),
        ("Annex B is void.", "Ann", False),
        ("Lease C", "Lease C", True),
        ("Lease CD", "Lease C", False),
        ("Anything", "…", False),
    ],
)
def test_a_name_is_mentioned_as_a_whole(text: str, name: str, expected: bool) -> None:
    assert mentions(text, name) is expected
