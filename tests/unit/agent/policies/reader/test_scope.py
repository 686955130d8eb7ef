"""Sentences of another heading, row or field than the one that a question names."""

from __future__ import annotations

import pytest

from clew.agent.policies.reader.scope import (
    counts_others,
    field_alone,
    is_denied,
    is_named_later,
    is_no_option,
    of_another_attribute,
    of_another_deed,
    of_another_measure,
    of_something_else,
)

PARKS = (
    "Parks\n\nElm Park\n\nIt was laid out by Ruth Adler.\n\nOpening hours\n\nIt opens at nine.\n\n"
    "Lime Park\n\nIt has a pond."
)
CREW = "Name: Jon Ek; Mate: Ann Lee.\n\nName: Ann Lee; Mate: Bo Rex."
ROWS = "Port: Ardg; Berths: 7.\n\nPort: Osby; Berths: 9."


@pytest.mark.parametrize(
    ("name", "text", "sentence", "expected"),
    [
        ("Elm Park", PARKS, "It was laid out by Ruth Adler.", False),
        ("Lime Park", PARKS, "It was laid out by Ruth Adler.", True),
        ("Elm Park", PARKS, "It opens at nine.", False),  # a heading that names nothing belongs to the one before
        ("Lime Park", PARKS, "It opens at nine.", True),
        ("Elm Park", PARKS, "It has a pond.", True),
        ("Rose Garden", PARKS, "It has a pond.", False),  # no heading of its own: other checks decide
        ("Ardg", ROWS, "Port: Ardg; Berths: 7.", False),
        ("Osby", ROWS, "Port: Ardg; Berths: 7.", True),
        ("Molde", ROWS, "Port: Ardg; Berths: 7.", False),
        ("Jon Ek", CREW, "Name: Jon Ek; Mate: Ann Lee.", False),
        ("Ann Lee", CREW, "Name: Jon Ek; Mate: Ann Lee.", True),  # her own row is another
        ("Elm Park", "Elm Park\n\n1. Ponds\n\nIt has a pond.", "It has a pond.", False),  # what counts is no name
    ],
)
def test_what_is_said_of_something_else(name: str, text: str, sentence: str, expected: bool) -> None:
    start = text.index(sentence)
    assert of_something_else([name], text, (start, start + len(sentence))) is expected


@pytest.mark.parametrize(
    ("question", "line", "expected"),
    [
        ("What is the power of the pump P7?", "Power: 2 kW.", "2 kW"),
        ("How heavy is the pump P7?", "Weight: 14 kg", "14 kg"),
        ("What is the city of the applicant?", "Applicant: Per Vik.", ""),
        ("Who is the applicant?", "Applicant: Per Vik.", "Per Vik"),
        ("What is the power of the pump P7?", "Weight: 14 kg.", ""),
        ("What is the power of the fan P9?", "Power: 2 kW.", ""),
        ("What is the power that the fan of the P7 takes?", "Power: 2 kW.", ""),
        ("Who made the P7?", "P7: It was made by Norvik.", ""),
        ("What is the power of the pump P7?", "Pump: P7; Power: 2 kW.", ""),
    ],
)
def test_a_field_that_stands_alone(question: str, line: str, expected: str) -> None:
    assert field_alone(question, ["P7"], line, "Pump P7") == expected


@pytest.mark.parametrize(
    ("question", "value", "expected"),
    [
        ("What is the weight of the pump P7?", "50 l", True),
        ("What is the weight of the pump P7?", "14 kg", False),
        ("What is the price of the pump P7?", "14 kg", True),
        ("Who made the pump P7?", "Norvik", False),
    ],
)
def test_a_value_of_another_measure(question: str, value: str, expected: bool) -> None:
    assert of_another_measure(question, value) is expected


@pytest.mark.parametrize(
    ("question", "sentence", "expected"),
    [
        ("Who designed the mill?", "The mill was founded in 1931 by Per Vik.", True),
        ("Who founded the mill?", "The mill was founded in 1931 by Per Vik.", False),
        ("Who built the mill?", "The mill, which was built late, was sold by Per Vik.", False),  # left to the reader
        ("Who wrote the book?", "The book was written by Per Vik.", False),
        ("Who is the owner of the mill?", "The mill was bought by Per Vik.", False),
        ("Who designed the mill?", "Per Vik drew the mill.", False),
    ],
)
def test_who_did_something_else(question: str, sentence: str, expected: bool) -> None:
    assert of_another_deed(question, sentence, "Per Vik") is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It was never owned by Per Vik; Ida Moe owned it.", True),
        ("Ida Moe, not Per Vik, owned it.", True),
        ("Per Vik did not own it.", True),
        ("It was not for sale, and Per Vik owned it.", False),
        ("It was owned by Per Vik.", False),
    ],
)
def test_what_is_denied(sentence: str, expected: bool) -> None:
    assert is_denied("Who owned it?", sentence, "Per Vik") is expected
    assert not is_denied("Who did not own it?", sentence, "Per Vik")


@pytest.mark.parametrize(
    ("question", "value", "expected"),
    [
        ("Which is older, the Elm Gate or the Lime Gate?", "14", True),
        ("Which is older, the Elm Gate or the Lime Gate?", "Lime Gate", False),
        ("Who is taller: Ann Lee or Bo Rex?", "Jon Ek", True),
        ("Which gate was opened by Ann Lee, the mayor?", "Elm Gate", False),
        ("What right of way, lease or sale is granted?", "a narrow path", False),
    ],
)
def test_a_choice_is_answered_by_what_it_offers(question: str, value: str, expected: bool) -> None:
    assert is_no_option(question, value) is expected


@pytest.mark.parametrize(
    ("question", "sentence", "value", "expected"),
    [
        ("How many ovens does the bakery run?", "It runs ovens by day, with 30 bakers.", "30", True),
        ("How many bakers does the bakery have?", "It runs ovens by day, with 30 bakers.", "30", False),
        (
            "How many loaves are baked?",
            "It runs ovens by day, with 30 bakers.",
            "30",
            False,
        ),
        ("How many old ovens are there?", "There are 4 ovens.", "4", False),
    ],
)
def test_a_number_of_something_else(question: str, sentence: str, value: str, expected: bool) -> None:
    assert counts_others(question, f"{sentence} The ovens are old.", sentence, value) is expected


@pytest.mark.parametrize(
    ("name", "title", "expected"),
    [("Rose Yard", "Sights of Osby", True), ("Elm Park", "Sights of Osby", False), ("Rose Yard", "Rose Yard", False)],
)
def test_a_pronoun_stands_for_what_was_named_before(name: str, title: str, expected: bool) -> None:
    text = "Elm Park is the oldest. It has a lake of two hectares. Rose Yard followed in 1950."
    at = text.index("It has")
    assert is_named_later([name], title, text, (at, text.index(" Rose"))) is expected
    assert not is_named_later([name], title, text[at:], (0, 31))  # what it stands for may be in the passage before


@pytest.mark.parametrize(
    ("question", "sentence", "value", "expected"),
    [
        ("What was the debt of Osby in 2019?", "In 2019 the savings were 40,000 crowns.", "40,000 crowns", True),
        ("What were the savings of Osby in 2019?", "In 2019 the savings were 40,000 crowns.", "40,000 crowns", False),
        ("What was the profit of Osby in 2019?", "In 2019 the savings were 40,000 crowns.", "40,000 crowns", False),
        ("What was the debt of Osby in 2019?", "In 2019 it came to 40,000 crowns.", "40,000 crowns", False),
    ],
)
def test_a_value_of_another_attribute(question: str, sentence: str, value: str, expected: bool) -> None:
    assert of_another_attribute(question, f"The debt fell. {sentence}", sentence, value) is expected
