"""What cells hold: numbers with scale and unit, money, dates, yes or no, boxes."""

from __future__ import annotations

import pytest

from clew.text.cell_values import measure_of, stated_measure, value_of
from clew.types import Value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Alpha", Value("text")),
        ("", Value("empty")),
        ("–", Value("empty")),
        ("Yes", Value("yes")),
        ("no", Value("no")),
        ("☑", Value("ticked")),
        ("[ ]", Value("unticked")),
        ("42", Value("number", 42.0)),
        ("1,250", Value("number", 1250.0)),
        ("1.250,50", Value("number", 1250.5)),
        ("(3.5)", Value("number", -3.5)),
        ("4.5%", Value("number", 4.5, "%")),
        ("12 kg", Value("number", 12.0, "kg")),
        ("£4.50", Value("money", 4.5, "GBP")),
        ("€318m", Value("money", 318e6, "EUR")),
        ("USD 3 billion", Value("money", 3e9, "USD")),
        ("2026-11-28", Value("date", date="2026-11-28")),
        ("28 November 2026", Value("date", date="2026-11-28")),
        ("November 2026", Value("date", date="2026-11")),
        ("12 monkeys escaped", Value("text")),
        ("9467", Value("number", 9467.0)),
        ("1985", Value("number", 1985.0)),
    ],
)
def test_a_cell_is_typed(text: str, value: Value) -> None:
    assert value_of(text) == value


def test_a_line_above_a_table_brings_unit_and_scale_but_not_to_years_and_shares() -> None:
    measure = stated_measure("All amounts in millions of euros, unless stated otherwise")
    assert measure == ("EUR", 1e6)
    assert stated_measure("Sales in thousands") == ("", 1e3)
    assert stated_measure("Plants in Norway") == ("", 1.0)
    assert value_of("318", ("2024",), *measure) == Value("money", 318e6, "EUR")
    assert value_of("2024", ("Year",), *measure) == Value("number", 2024.0)
    assert value_of("1985", ("2024",), *measure) == Value("money", 1985e6, "EUR")
    assert value_of("4.5%", ("Share",), *measure) == Value("number", 4.5, "%")


@pytest.mark.parametrize(
    ("line", "measure"),
    [
        ("€ million", ("EUR", 1e6)),
        ("CHF million", ("CHF", 1e6)),
        ("(in thousands, except shares)", ("", 1e3)),
        ("Region", ("", 1.0)),
        ("Million Dollar Baby", ("", 1.0)),
    ],
)
def test_the_corner_of_a_table_measures_it_where_it_is_nothing_else(line: str, measure: tuple[str, float]) -> None:
    assert stated_measure(line) == measure


@pytest.mark.parametrize(
    ("head", "measure"),
    [
        ("Sales (a)", ("", 1.0)),
        ("2025 (restated)", ("", 1.0)),
        ("Income per head ($000) 1995", ("USD", 1e3)),
        ("Income/(expenses) (c)", ("", 1.0)),
        ("Length (m)", ("m", 1.0)),
        ("Total EURbn", ("EUR", 1e9)),
        ("Revenue €m", ("EUR", 1e6)),
        ("Length", ("", 1.0)),
    ],
)
def test_what_stands_in_the_brackets_of_a_head(head: str, measure: tuple[str, float]) -> None:
    assert measure_of(head) == measure


def test_a_row_of_shares_or_people_is_not_measured_by_its_table() -> None:
    assert value_of("17.2", ("2024",), "EUR", 1e6, "Margin (%)") == Value("number", 17.2, "%")
    assert value_of("2.10", ("2024",), "EUR", 1e6, "Earnings per share (EUR)") == Value("money", 2.1, "EUR")
    assert value_of("5,200", ("2024",), "EUR", 1e6, "Employees") == Value("number", 5200.0)
    assert value_of("189", ("Nova 5",), row="Weight (g)") == Value("number", 189.0, "g")
    assert value_of("189", ("2024",), "EUR", 1e6, "Other items (g)") == Value("money", 189e6, "EUR")
