"""What texts say in the words of a question: the answer under it, a labelled line, the question as a sentence."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from clew.agent.abstain import FOUND
from clew.agent.evidence import Evidence, Shown
from clew.agent.policies.reader.pointed import _of_another_role
from clew.agent.policies.reader.policy import ReaderPolicy
from clew.agent.policies.reader.reading import _may_define, candidates
from clew.agent.policies.reader.rule_candidates import answered_below, stated_in_words, told_by_words
from clew.agent.protocol import normalise_query
from clew.questions.grammar import plan
from clew.reader.confidence import load_confidence
from clew.reader.reader import Reading, Text

FAQ = (
    "FAQ\n\nWho runs the ferry Sula?\n\nFjord Line does.\n\nQ: How much is a ticket?\nA: 45 crowns.\n\n"
    "3. Is it heated?\nYes."
)
LEASES = "Leases\n\nLease A\n\nThe tenant is Per Holm.\n\nRent: 900 crowns.\n\nLease B\n\nThe tenant is Ida Moe."


def stated(question: str, text: str) -> list[tuple[str, str]]:
    """The values with what is cited for each."""
    shown = [Shown(Text(text.partition("\n")[0], text), "d", 0, len(text), 0, True)]
    taken = plan(question)
    below = answered_below(question, taken.anchors, shown)
    said = stated_in_words(question, taken.anchors, taken.kind, shown)
    return [(one.value, text[slice(*one.sentence)]) for one in (*below, *said)]


@pytest.mark.parametrize(
    ("question", "text", "value", "cited"),
    [
        ("Who runs the ferry Sula?", FAQ, "Fjord Line does", "Who runs the ferry Sula?\n\nFjord Line does"),
        ("How much is a ticket?", FAQ, "45 crowns", "Q: How much is a ticket?\nA: 45 crowns"),
        ("Who is the tenant of Lease B?", LEASES, "Ida Moe", "The tenant is Ida Moe."),
        ("What is the rent of Lease A?", LEASES, "900 crowns", "Rent: 900 crowns."),
    ],
)
def test_what_is_stated_is_cited(question: str, text: str, value: str, cited: str) -> None:
    assert stated(question, text) == [(value, cited)]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who runs the ferry Alda?", FAQ),  # another question stands there
        ("What is the rent of Lease B?", LEASES),  # the field is that of another heading
        ("What was the rent of Quay House in 2020?", "Quay House\n\nThe rent was 700 crowns in 2019 and 800 in 2020."),
        ("Why is it closed?", "Why is it closed?\n\nWhen does it open?"),
    ],
)
def test_what_is_not_stated(question: str, text: str) -> None:
    assert stated(question, text) == []


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Can managers approve time sheets?", ["yes"]),
        ("Can managers delete projects?", ["no"]),
        ("Can cooks delete projects?", []),
    ],
)
def test_the_cell_of_a_row_says_yes_or_no(question: str, values: list[str]) -> None:
    rows = (
        "Role: Admin; Approve time sheets: yes; Delete projects: yes.",
        "Role: Manager; Approve time sheets: yes; Delete projects: no.",
    )
    text = "\n".join(rows)
    shown = [Shown(Text("Roles", text), "d", 0, len(text), 0, True)]
    assert [one.value for one in told_by_words(question, (), "yes/no", shown)] == values


@pytest.mark.parametrize(
    ("question", "before", "of_another"),
    [
        ("Who is the author of The Almanac?", "The Almanac is a book by ", False),
        ("Who is the composer of The Ferry?", "The Ferry is her only comic opera by ", False),
        ("Who is the owner of Quay House?", "Quay House is a house by ", True),
        ("Who is the author of The Almanac?", "The Almanac was the first printed by ", True),
    ],
)
def test_a_work_by_somebody_names_who_made_it(question: str, before: str, of_another: bool) -> None:
    assert _of_another_role(question, ("it",), before, before) is of_another


class Blank:
    """A reader that points at nothing: what is found is told by words alone."""

    def read(self, question: str, texts: Sequence[Text]) -> list[Reading]:
        return [Reading((), (0.0, 0.0)) for _ in texts]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What does the Kestrel 300 cost?", "€18,500"),
        ("How heavy is the Kestrel 300?", "3.5 kg"),
        ("What is the drive of the Kestrel 300?", "4"),  # what no unit is, is none
        ("What is the colour of the Kestrel 300?", "red"),
    ],
)
def test_a_number_of_a_row_has_the_unit_of_its_head(question: str, value: str) -> None:
    row = "Article: Kestrel 300, Cost (€): 18,500, Weight (kg): 3.5, Drive (wheels): 4, Colour (paint): red."
    text = f"{row}\n\n{row.replace('300', '200').replace('18', '17')}"
    shown = (Shown(Text("Prices", text), "d", 0, len(text), 0, True),)
    taken = plan(question)
    hop = taken.hops[0]
    evidence = Evidence({normalise_query(question): shown}, {})
    asked = question, question, taken.anchors, hop.expects, evidence
    assert candidates(*asked, Blank(), load_confidence())[0].value == value


@pytest.mark.parametrize(
    ("question", "value", "may"),
    [
        ("Who is Ida Falk?", "Jon Rex", False),
        ("Who is Ida Falk?", "the keeper of Osby", True),
        ("What is the Nova?", "Osby Lamp", True),
        ("What is the Nova?", "lamp; clock", False),
    ],
)
def test_nobody_is_defined_by_the_name_of_another(question: str, value: str, may: bool) -> None:
    assert _may_define(question, value) is may


def test_an_answer_that_was_none_is_nothing_to_ask_of() -> None:
    policy = ReaderPolicy(reader=Blank(), confidence=load_confidence())
    history = [("Where was Jon Rex born?", FOUND)]
    assert policy.restate("When did he die?", history) == "When did Jon Rex die?"
