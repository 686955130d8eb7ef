"""What a sentence says of a value is told from what it says of something else."""

from __future__ import annotations

import pytest

from clew.text.clauses import clause_around

SHIP = "The Tern is the sister of the Skua and was built in Ardg; the Skua was sold to Norway in 1931."
COOK = "We thank Rosa Berg, who cooked for ten years, and we welcome Per Holm, who comes from Corran."
HOURS = "The bath is open on weekdays from 7 to 21 and on Sundays from 9 to 17."


@pytest.mark.parametrize(
    ("sentence", "value", "has", "lacks"),
    [
        (SHIP, "Ardg", ["The Tern", "was built"], ["Skua", "sold"]),
        (SHIP, "1931", ["the Skua", "sold"], ["Tern", "built"]),
        (COOK, "ten years", ["Rosa Berg", "cooked"], ["Per Holm", "thank"]),
        (COOK, "Corran", ["Per Holm", "comes"], ["Rosa Berg", "cooked"]),
        (HOURS, "7 to 21", ["The bath", "weekdays"], ["Sundays"]),
        (HOURS, "9 to 17", ["The bath", "open", "Sundays"], []),
        ("The mill burned and it was built again in 1874.", "1874", ["built again", "The mill"], []),
        ("Ida Falk built it in 1911.", "1911", ["Ida Falk built it"], []),
        ("The toll is 4 crowns for cars, vans and lorries.", "lorries", ["The toll is 4 crowns"], []),
    ],
)
def test_a_clause_has_its_own_words_and_the_subject(
    sentence: str, value: str, has: list[str], lacks: list[str]
) -> None:
    at = sentence.rindex(value)
    said = clause_around(sentence, at, at + len(value))
    assert [words for words in has if words not in said] == []
    assert [words for words in lacks if words in said] == []
