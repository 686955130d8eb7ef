"""Who says *I* in a document."""

from __future__ import annotations

import pytest

from clew.agent.extractive.speaker import speaker


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("From: Ingrid Solberg\nTo: Marcus Okafor\n\nI looked at two places.", "Ingrid Solberg"),
        ("From: Ada Finch <ada@finch.example>\n\nI am late.", "Ada Finch"),
        ("The tide\n\nAn interview with the organ builder Katarzyna Wolff\n\nI build.", "Katarzyna Wolff"),
        ("Why we moved\n\nBy Ada Finch\n\nI came late.", "Ada Finch"),
        ("Dear Marcus,\n\nI am late.\n\nKind regards,\nAda", "Ada"),
        ("Dear Marcus,\n\nI am late.\n\nYours sincerely\n\nAda Finch", "Ada Finch"),
        ("From Lisbon to Nagasaki\n\nShe built 43 organs.", ""),
        ("By 1924 it was closed. Best wishes came from Ada Finch.", ""),
    ],
)
def test_whoever_sent_signed_or_is_interviewed_speaks(text: str, expected: str) -> None:
    assert speaker(text) == expected
