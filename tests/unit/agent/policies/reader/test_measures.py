"""Values of another measure than the one that is asked for are none, and a field answers what asks for it alone."""

from __future__ import annotations

import pytest

from clew.agent.policies.reader.scope import field_alone, measure_asked, of_another_measure
from clew.reader.confidence import fits
from clew.text.values import measures


@pytest.mark.parametrize(
    ("question", "measure"),
    [
        ("How heavy is the Tern?", "mass"),
        ("How much does the Tern weigh?", "mass"),
        ("How much did the town pay for the quay?", "money"),
        ("What is the top speed of the Tern?", "speed"),
        ("What price did Orrin Ltd quote?", "money"),
        ("Which temperature does the kiln reach?", "temperature"),
        ("How far is it from Ardg to Osby?", "length"),
        ("How long is the quay?", ""),
        ("What is the name of the quay?", ""),
        ("How much is left?", ""),
        ("How much paid leave do employees get?", ""),
        ("How much time did she spend in Rome?", ""),
        ("How high is the fine?", ""),
        ("How much money did she lend?", ""),
    ],
)
def test_what_a_question_wants_measured(question: str, measure: str) -> None:
    assert measure_asked(question) == measure


@pytest.mark.parametrize(
    ("value", "measure"),
    [
        ("60 km", "length"), ("60 km/h", "speed"), ("12 knots", "speed"), ("210 mm", "length"),
        ("5 miles an hour", "speed"),
        ("4 °C", "temperature"), ("8 degrees", "temperature"), ("€12", "money"), ("35 guineas", "money"), ("640", ""),
    ],
)  # fmt: skip
def test_what_a_value_measures(value: str, measure: str) -> None:
    assert measures(value) == measure


@pytest.mark.parametrize(
    ("question", "value", "other"),
    [
        ("How heavy is the Tern?", "210 mm", True),
        ("How heavy is the Tern?", "4 kg", False),
        ("What is the top speed of the Tern?", "60 km", True),
        ("How much did the quay cost?", "1931", False),
    ],
)
def test_a_value_of_another_measure(question: str, value: str, other: bool) -> None:
    assert of_another_measure(question, value) is other


@pytest.mark.parametrize(
    ("question", "line", "value"),
    [
        ("Who is the tenant of Flat 3B?", "Tenant: Tobias Ek", "Tobias Ek"),
        ("How wide is the gate?", "Width: 3 m", "3 m"),
        ("What is the width of the gate?", "Width: 3 m", "3 m"),
        ("What did the tenant of Flat 3B pay before moving in?", "Tenant: Tobias Ek", ""),
        ("On what date was the deposit paid back?", "Date: 3 May 2024", ""),
        ("What discount do members get on a year ticket?", "Year ticket: €58", ""),
    ],
)
def test_a_field_answers_a_question_that_asks_for_it_alone(question: str, line: str, value: str) -> None:
    assert field_alone(question, ["Flat 3B"], line, "Flat 3B and its gate") == value


@pytest.mark.parametrize(
    ("value", "expects", "fitting"),
    [
        ("1931", "year", True), ("2291", "year", False), ("in May", "year", False), ("12", "date", False),
        ("Seventeen boats", "number", True), ("sixty-one", "number", True), ("Teenagers", "number", False),
        ("12 May", "date", True), ("18:50", "date", True), ("about 3,000 people", "number", True),
        ("Tobias Ek, formerly of 112 Mill Street", "number", False),
    ],
)  # fmt: skip
def test_forms_of_answers(value: str, expects: str, fitting: bool) -> None:
    assert fits(value, expects) is fitting
