"""What a document says of itself answers who wrote it and when, and nothing that its title does not name."""

from __future__ import annotations

import pytest

from clew.agent.policies.reader.metadata_answers import said_of_itself

TITLE = "Survey of the Dunmore wells"
LINE = "author: Nils Aune; date: 2019-08-12; version: 3."


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who wrote the survey of the Dunmore wells?", "Nils Aune"),
        ("Who is the author of the Dunmore survey?", "Nils Aune"),
        ("Who wrote the report on the Dunmore wells?", "Nils Aune"),
        ("When was the survey of the Dunmore wells written?", "2019-08-12"),
        ("When was the survey of the Dunmore wells updated?", ""),
        ("Who wrote the survey of the Corran wells?", ""),
        ("Who wrote the report?", ""),
        ("Who dug the Dunmore wells?", ""),
        ("Who published the survey of the Dunmore wells?", ""),
    ],
)
def test_a_line_of_a_document_about_itself(question: str, value: str) -> None:
    assert said_of_itself(question, TITLE, LINE) == value


@pytest.mark.parametrize(
    ("question", "line", "value"),
    [
        ("Who sent the message about the ladder?", "From: Ola Moe <ola@yard.example>", "Ola Moe"),
        ("Who sent the message about the ladder?", "From: ola@yard.example", "ola@yard.example"),
        ("Who wrote the e-mail about the ladder?", "From: Moe, Ola", "Moe, Ola"),
        ("Who was the e-mail about the ladder sent to?", "To: Eva Lie <eva@yard.example>", "Eva Lie"),
        ("When was the e-mail about the ladder sent?", "Date: Fri, 3 May 2024 09:10:00 +0200",
         "Fri, 3 May 2024 09:10:00 +0200"),
        ("Who sent the message about the ladder?", "To: Eva Lie <eva@yard.example>", ""),
        ("Who sent the message about the ladder?", "Ladder: oak", ""),
    ],
)  # fmt: skip
def test_the_head_of_a_letter(question: str, line: str, value: str) -> None:
    assert said_of_itself(question, "The ladder of the drying loft", line) == value


def test_a_row_about_something_else_says_nothing_of_the_document() -> None:
    row = "author: Nils Aune; shelf: 4; date: 2019."
    assert said_of_itself("Who wrote the survey of the Dunmore wells?", TITLE, row) == ""
