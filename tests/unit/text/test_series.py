"""What stands side by side: items of lists."""

import pytest

from clew.text.series import items
from clew.text.values import measures


def listed(text: str, value: str) -> list[str]:
    at = text.index(value)
    return [text[a:b] for a, b in items(text, at, at + len(value))]


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("The members are Ada Ek, Bo Rex and Cy Fox.", "Bo Rex", ["Ada Ek", "Bo Rex", "Cy Fox"]),
        ("Present: Ada Ek (chair), Bo Rex, Cy Fox. Apologies: Di Lee.", "Ada", ["Ada Ek (chair)", "Bo Rex", "Cy Fox"]),
        ("He is liable for the roof, the outer walls and the heating.", "the heating",
         ["the roof", "the outer walls", "the heating"]),
        ("It plans three projects: a mill at Ebb, a road to Corby, and a survey.", "three projects",
         ["a mill at Ebb", "a road to Corby", "a survey"]),
        ("It was directed by Ann Lee and Tom Fox in 1987.", "Tom Fox", ["Ann Lee", "Tom Fox"]),
        ("Tasks\n\n- Ada: the lock\n- Bo: the pump\n\nNext", "pump", ["Ada: the lock", "Bo: the pump"]),
    ],
)  # fmt: skip
def test_the_whole_list_is_found_from_any_of_its_items(text: str, value: str, expected: list[str]) -> None:
    assert listed(text, value) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Born in Lowick, Kent. She lives in Bergen.", "Lowick"),
        ("Ida Moe, not Per Vik, built the mill.", "Ida Moe"),
        ("In 2022, the company, which was founded in Paris, sold bonds.", "Paris"),
        ("1. Term. The lease begins on 1 April 2022 and ends on 31 March 2027. The tenant may end it by letter.\n"
         "2. Rent. The rent is due in advance on the first working day of each month that the lease lasts, in euros.",
         "the rent"),
    ],
)  # fmt: skip
def test_places_clauses_and_paragraphs_with_numbers_are_no_lists(text: str, value: str) -> None:
    assert listed(text.lower() if value.islower() else text, value) == []


def test_what_a_number_measures() -> None:
    assert [measures(text) for text in ("44 metres", "€5", "12.5 million cubic metres", "27 people", "none")] == [
        "length", "money", "length", "", "",
    ]  # fmt: skip
