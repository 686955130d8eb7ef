"""Of several values in a sentence, the one that is asked for; and names that are misspelt."""

import pytest

from clew.agent.evidence import Shown
from clew.agent.policies.reader.answer_span import asked_span, is_one_of_several, listed
from clew.agent.policies.reader.spelling import misspelt, unknown
from clew.questions.grammar import plan
from clew.reader.reader import Text
from clew.types import Block

LEASE = "The lease begins on 1 April 2022 and ends on 31 March 2027."
RUCK = "Ruck had served as keeper from 1959 until 1984."
LEFT = "The last keeper, Ruck, left in 1984."
REVENUE = "Revenue was £318 million in 2023 (2022: £301 million)."


def asked(question: str, text: str, value: str) -> str | None:
    at = text.index(value)
    found = asked_span(question, text, (0, len(text)), (at, at + len(value)), plan(question).hops[-1].expects)
    return found.value if found else None


@pytest.mark.parametrize(
    ("question", "text", "pointed", "value"),
    [
        ("When does the lease end?", LEASE, "1 April 2022", "31 March 2027"),
        ("When does the lease begin?", LEASE, "1 April 2022 and ends on 31 March 2027", "1 April 2022"),
        ("Until when did Ruck serve?", RUCK, "1959", "1984"),
        ("From when to when did Ruck serve?", RUCK, "1959", "1959 until 1984"),
        ("When did Ruck start?", LEFT, "1984", None),
        ("What was the revenue in 2022?", REVENUE, "£318 million", "£301 million"),
        ("What was the revenue in 2023?", REVENUE, "£318 million", "£318 million"),
        ("How tall is the tower?", "The tower is 44 metres tall.", "44 metres tall", "44 metres"),
        (
            "When is the parents' evening?",
            "Parents' evening: Friday 8 May, 4 pm – 6 pm",
            "6 pm",
            "Friday 8 May, 4 pm – 6 pm",
        ),
        ("When does the evening end?", "Parents' evening: Friday 8 May, 4 pm – 6 pm", "4 pm", "6 pm"),
        ("What is the rent?", "So the rent is €2,600.", "the rent is €2,600", "€2,600"),
    ],
)
def test_the_value_is_the_one_that_is_asked_span(question: str, text: str, pointed: str, value: str | None) -> None:
    assert asked(question, text, pointed) == value


def test_a_date_beside_that_of_a_name_in_the_question_is_not_clear() -> None:
    text = "Tancred Mayhew was born on 7 March 1888, his sister Isobel on 30 August 1890."
    found = asked_span("When was Isobel Mayhew born?", text, (0, len(text)), (27, 39), "date")
    assert found is not None
    assert not found.clear


def test_several_values_of_unclear_years_are_not_clear() -> None:
    text = "It was £318 million and £301 million in 2023 and 2022."
    found = asked_span("What was it in 2022?", text, (0, len(text)), (7, 19), "number")
    assert found is not None
    assert not found.clear


@pytest.mark.parametrize(
    ("text", "pointed", "several"),
    [
        ("Marlow asked £940, Fenn asked £1,120.", "£940", True),
        ("It was directed by Ann Lee and Tom Fox.", "Ann Lee", True),
        ("It was designed by Ann Lee and opened in 1931.", "Ann Lee", False),
        ("It was founded in 1887 by Ann Lee and Tom Fox.", "1887", False),
        ("It is 6 km long and takes two hours.", "6 km", False),
    ],
)
def test_one_of_several_values_of_a_kind(text: str, pointed: str, several: bool) -> None:
    assert is_one_of_several(text, pointed) is several


def test_one_of_two_is_a_list_only_where_several_are_asked_span() -> None:
    text = "It was directed by Ann Lee and Tom Fox."
    one, at = Shown(Text("", text), "d", 0, len(text), 0, True), text.index("Ann Lee")
    assert listed(one, (at, at + 7), plural=False) == ""
    assert listed(one, (at, at + 7), plural=True) == "Ann Lee; Tom Fox"


def test_the_items_of_a_list_are_its_blocks() -> None:
    text = "Tools\n\n- oak mallet\n- a chisel, and its case\n- rasp"
    starts = [text.index("oak"), text.index("a chisel"), text.index("rasp")]
    items = tuple(Block("item", start, len(text[start:].split("\n")[0]) + start) for start in starts)
    one = Shown(Text("", text), "d", 0, len(text), 0, True, blocks=(Block("heading", 0, 5, 1), *items))
    assert listed(one, (starts[0], starts[0] + 3), plural=True) == "oak mallet; a chisel, and its case; rasp"


def test_a_name_that_nothing_has_is_unknown_or_misspelt() -> None:
    shown = [Shown(Text("Dr Helena Voss", "Born in Graz. The Kestrel 200 weighs 2 kg."), "d", 0, 40, 0, True)]
    assert misspelt(["Helna Vos", "Graz", "Kestrel 300", "Falcon 9"], shown) == {"Helna Vos": "Helena Voss"}
    assert unknown(["Falcon 9", "Voss", "Helena Marie Voss"], shown) == ["Falcon 9"]
    leases = [Shown(Text("Leases", "Lease A is dear. Lease B is cheap. J. K. Moe pays."), "d", 0, 40, 0, True)]
    assert misspelt(["Lease C"], leases) == {}
    assert unknown(["Lease A", "Lease C", "Lease 4", "L. P. Moe"], leases) == ["Lease C", "Lease 4"]


@pytest.mark.parametrize(
    ("text", "pointed", "value"),
    [
        ("The fair is on 21 June.", "21", "21 June"),
        ("The fair is on 21 June at 9 a.m.", "21 June", "21 June at 9 a.m."),
    ],
)
def test_a_day_has_no_full_stop_of_its_sentence(text: str, pointed: str, value: str) -> None:
    assert asked("When is the fair?", text, pointed) == value
