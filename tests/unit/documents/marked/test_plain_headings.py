"""Headings of plain text, which has no marks: short lines that stand alone and end like no sentence, or ask."""

from __future__ import annotations

import pytest

from clew.documents.marked.plain_blocks import paragraphs


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("Early life\n\nShe was born.", ["Early life"]),
        ("It ends.\n\n3. Rent\n3.1 The rent is due.", ["3. Rent"]),
        ("Who may go?\n\nAnybody.\n\nWhen may they go?\n\nToday.", ["Who may go?", "When may they go?"]),
        ("Q: Who may go?\n\nA: Anybody.\n\nQ: When?\n\nA: Today.", ["Q: Who may go?", "Q: When?"]),
        ("Dear Tom,\n\nit ends.\n\nCould we talk at 14:00?\n\nBest regards", []),  # asked by a letter
        ("It ends.\n\n17\n\nShe was born.", []),
        ("It ends.\n\nEarly life.\n\nShe was born.", []),
        ("It ends.\n\nThe boats:\n\nShe was born.", []),
        ("It ends.\n\n3 May: spring concert\n\nShe was born.", []),
        ("It ends.\nEarly life\nShe was born.", []),
        ("It ends.\n\nEarly life", []),
        ("It ends.\n\nOne two three four five six seven eight nine\n\nShe was born.", []),
        ("水库的历史\n\nx", ["水库的历史"]),
        ("编者：何敏\n\nx", []),
        ("संख्या: पाँच\n\nx", []),
        ("昨年の大雨で壊れた白川ダムの堤防は今年の春に市の予算で作り直されることが議会で正式に決まりました\n\nx", []),
    ],
)
def test_headings_by_their_look(text: str, headings: list[str]) -> None:
    assert [draft.text for draft in paragraphs(text) if draft.kind == "heading"] == headings
