"""A fact has one number for life, in whatever turn it comes and wherever it is named."""

from __future__ import annotations

from clew.agent.numbers import Numbers
from clew.agent.protocol import DIALECTS
from clew.types import Citation, Fact, Source, Step


def fact(id: str, start: int) -> Fact:
    """A fact that a document states."""
    return Fact(id, f"Fact {id}.", (), 1.0, (Source("d", "Title", "c", start, start + 10),))


def cited(start: int, end: int) -> Citation:
    """A sentence of the same document."""
    return Citation("d", "Title", start, end, "x" * (end - start))


STEPS = (
    Step("I look.", "first", (fact("a", 0), fact("b", 20))),
    Step("[2] leads on.", "second", (fact("b", 20), fact("c", 40))),
    Step("[3] and [1, 4] say so."),
)


def test_what_comes_back_keeps_its_number_in_lists_and_thoughts() -> None:
    numbers = Numbers(STEPS, DIALECTS["graph-r1"])
    assert [list(shown) for shown in numbers.turns] == [[1, 2], [2, 4], []]
    assert numbers.by_id == {"a": 1, "b": 2, "c": 4}
    assert numbers.named(STEPS[2].thought) == "[2] and [1, 4] say so."


def test_sources_have_the_numbers_of_their_facts() -> None:
    numbers = Numbers(STEPS, DIALECTS["graph-r1"])
    assert numbers.of([cited(41, 50), cited(20, 30), cited(90, 95), cited(96, 99)]) == [4, 2, 5, 6]
