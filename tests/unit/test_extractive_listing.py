"""Questions that ask for several things, and the lists that answer them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.agent.extractive.listing import asks_several, whole_list
from clew.agent.extractive.plan import Hop


@pytest.mark.parametrize(
    ("template", "head", "expected"),
    [
        ("Which airlines fly to {0}", "airline", True),
        ("What two birds does {0} keep", "bird", True),
        ("Who were the founders of {0}", "", True),
        ("children of {0}", "child", True),
        ("brother of {0}", "brother", False),
        ("What county shares a border with {0}", "county", False),
        ("What was the other finalist besides {0}", "finalist", False),
        ("What is the name of {0}", "name", False),
        ("What culture's arrival changed {0}", "culture", False),
    ],
)
def test_several_are_asked_for_in_the_plural(template: str, head: str, expected: bool) -> None:
    assert asks_several(Hop(template, (0,), 1, None, "any", head)) is expected


def test_no_list_answers_when_or_how_many() -> None:
    assert not asks_several(Hop("In which years did {0} win", (0,), 1, None, "date", "year"))


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("It flies for Bub Air, Torp Air, and Corran.", "Torp Air", "Bub Air, Torp Air, and Corran"),
        (
            "It starred Ada Finch (as Mira) and Tom Reed (as Rex) in 1950.",
            "Ada Finch",
            "Ada Finch (as Mira) and Tom Reed (as Rex)",
        ),
        ("It led to new settlements and deforestation.", "new settlements", "new settlements and deforestation"),
        ("She studied rocks and birds.", "birds", "rocks and birds"),
        ("There are red deer and boars.", "boars", "red deer and boars"),
        ("They found iron and salt, mines of old.", "iron", "iron and salt"),
        ("The Bank of Torp or the Bank of Bub lent it.", "Bank of Torp", "Bank of Torp or the Bank of Bub"),
        ("Ada Finch was born in Torp and lived in Ostby.", "Torp", "Torp"),
        ("Ada Finch, a keeper, met Tom Reed.", "Tom Reed", "Tom Reed"),
    ],
)
def test_a_value_is_given_with_the_list_it_stands_in(text: str, value: str, expected: str) -> None:
    start = text.index(value)
    first, last = whole_list(text, start, start + len(value))
    assert text[first:last] == expected


@given(st.lists(st.sampled_from(["Ada", "rocks", ", ", " and ", " (as Rex)", " ", ".", "the ", "&"])), st.data())
def test_a_list_holds_its_value_and_ends_in_the_text(parts: list[str], data: st.DataObject) -> None:
    text = "".join([*parts, "Bub"])
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    first, last = whole_list(text, start, end)
    assert 0 <= first <= start
    assert end <= last <= len(text)
