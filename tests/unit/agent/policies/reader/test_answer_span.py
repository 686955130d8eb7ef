"""Of several values in a sentence, the one that is asked for; and names that are misspelt."""

import pytest

from clew.agent.evidence import Shown
from clew.agent.policies.reader.answer_span import answer_span, is_one_of_several, listed, of_other_measure
from clew.agent.policies.reader.spelling import misspelt, unknown
from clew.questions.grammar import plan
from clew.reader.reader import Text
from clew.types import Block


@pytest.mark.parametrize(
    ("question", "text", "pointed", "value"),
    [
        ("How tall is the tower?", "The tower is 44 metres tall.", "44 metres tall", "44 metres"),
        ("What is the rent?", "So the rent is €2,600.", "the rent is €2,600", "€2,600"),
        ("When is the fair?", "The fair is on 21 June.", "on 21 June.", "21 June"),
        ("When is the fair?", "The fair is at 9 a.m.", "9 a.m.", "9 a.m."),
        ("In which year was it built?", "It was built on 3 May 1854.", "3 May 1854", "1854"),
    ],
)
def test_a_value_has_the_form_that_is_expected(question: str, text: str, pointed: str, value: str) -> None:
    at = text.index(pointed)
    assert answer_span(question, text, (at, at + len(pointed)), plan(question).hops[-1].expects) == value


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


def test_the_list_that_a_value_is_in() -> None:
    text = "It was directed by Ann Lee and Tom Fox."
    one, at = Shown(Text("", text), "d", 0, len(text), 0, True), text.index("Ann Lee")
    assert listed(one, (at, at + 7)) == "Ann Lee; Tom Fox"


def test_the_items_of_a_list_are_its_blocks() -> None:
    text = "Tools\n\n- oak mallet\n- a chisel, and its case\n- rasp"
    starts = [text.index("oak"), text.index("a chisel"), text.index("rasp")]
    items = tuple(Block("item", start, len(text[start:].split("\n")[0]) + start) for start in starts)
    one = Shown(Text("", text), "d", 0, len(text), 0, True, blocks=(Block("heading", 0, 5, 1), *items))
    assert listed(one, (starts[0], starts[0] + 3)) == "oak mallet; a chisel, and its case; rasp"


def test_a_name_that_nothing_has_is_unknown_or_misspelt() -> None:
    shown = [Shown(Text("Dr Helena Voss", "Born in Graz. The Kestrel 200 weighs 2 kg."), "d", 0, 40, 0, True)]
    assert misspelt(["Helna Vos", "Graz", "Kestrel 300", "Falcon 9"], shown) == {"Helna Vos": "Helena Voss"}
    assert unknown(["Falcon 9", "Voss", "Helena Marie Voss"], shown) == ["Falcon 9"]
    leases = [Shown(Text("Leases", "Lease A is dear. Lease B is cheap. J. K. Moe pays."), "d", 0, 40, 0, True)]
    assert misspelt(["Lease C"], leases) == {}
    assert unknown(["Lease A", "Lease C", "Lease 4", "L. P. Moe"], leases) == ["Lease C", "Lease 4"]


@pytest.mark.parametrize(
    ("question", "value", "other"),
    [
        ("How much will the UV unit cost?", "18%", True),
        ("How much will the UV unit cost?", "£4,000", False),
        ("How much did costs rise?", "18%", False),
        ("What percentage of the staff is ill?", "12", True),
        ("What percent of the staff is ill?", "5 percent", False),
    ],
)
def test_a_share_is_no_sum(question: str, value: str, other: bool) -> None:
    assert of_other_measure(question, value) is other
