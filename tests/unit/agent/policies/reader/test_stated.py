"""Yes, no, reasons and definitions, read off the words of a sentence, and only where those leave little doubt."""

import pytest

from clew.agent.policies.reader.stated import definition, reason, yes_or_no
from clew.questions.grammar import plan


def said(question: str, sentence: str, title: str = "", heading: str = "") -> str:
    return yes_or_no(question, plan(question).anchors, title, f"{heading}\n{sentence}", sentence)


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("Is subletting permitted?", "Subletting is not permitted.", "no"),
        ("May the tenant keep animals?", "The tenant may not keep animals on the premises.", "no"),
        ("Can films be renewed?", "Films cannot be renewed.", "no"),
        ("Can films be renewed?", "Films were renewed in May.", ""),
        ("May I lean on the gate?", "Do not lean on the gate.", "no"),
        ("Can I pay by card?", "You can pay by card or in cash.", "yes"),
        ("Can children swim alone?", "Children under eight cannot swim alone.", ""),
        ("Was an employee killed?", "No employee was killed at work.", "no"),
        ("Was Ruth Fairlie elected treasurer?", "Ruth Fairlie was elected treasurer in his place.", "yes"),
        ("Is the Kestrel 300 in stock?", "Article: Kestrel 200, Price: €349, In stock: yes.", ""),
        ("Are dogs allowed?", "Dogs are allowed in the grounds but not in the tower.", ""),
        ("Are dogs allowed?", "Are dogs allowed?", ""),
        ("Did Ann Lee marry Tom Fox?", "Tom Fox married Ann Lee.", ""),
        ("Did Ann Lee sell the mill?", "Bo Rex did not sell the mill.", ""),
        ("Did they keep bees?", "They proposed to keep bees near the gate.", ""),
        ("Is it the tallest on the coast?", "It is the second tallest tower of the land.", ""),
    ],
)
def test_yes_and_no_are_what_a_sentence_says_in_the_same_words(question: str, sentence: str, answer: str) -> None:
    assert said(question, sentence) == answer


def test_a_sentence_that_goes_on_speaks_of_what_the_one_before_names() -> None:
    section = "Food\nThe Café Lantern is by the quay. It serves no meat. It was not old and sold 40 boats."
    assert yes_or_no("Does the Café Lantern serve meat?", ("Café Lantern",), "", section, "It serves no meat.") == "no"
    assert yes_or_no("Does the Café Rose serve meat?", ("Café Rose",), "", section, "It serves no meat.") == ""
    assert said("Was it old and did it sell 40 boats?", "It was not new and sold 40 boats.") == ""
    assert said("Did the council reject the plan?", "The council rejected the plan.") == "yes"


def test_an_answer_under_its_question_counts() -> None:
    assert said("Is there a lift in the Tarrow Lighthouse?", "No, there are 196 steps.", "Tarrow Lighthouse",
                "Is there a lift?") == "no"  # fmt: skip


def test_a_reason_goes_on_behind_a_decimal_point() -> None:
    text = "Interest rose in 2019 due to loans of $10.0 billion at 4.5 %."
    assert reason("Why did interest rise in 2019?", (), "", text, text) == "due to loans of $10.0 billion at 4.5 %"


def test_a_reason_is_given_by_because_and_the_like() -> None:
    text = "The proposal was rejected by three votes, because two holders are allergic."
    assert reason("Why was the proposal rejected?", (), "", text, text) == "because two holders are allergic"
    assert reason("Why was the pump repaired?", (), "", text, text) == ""
    since = "The pump has been broken since 3 May."
    assert reason("Why has the pump been broken?", (), "", since, since) == ""


@pytest.mark.parametrize(
    ("sentence", "what"),
    [
        ("Agnes Verrill was a Tarrow engineer who built lights.", "a Tarrow engineer"),
        ("Agnes Verrill, the designer of the tower, died.", "the designer of the tower"),
        ("It was designed by the engineer Agnes Verrill.", "engineer"),
        ("Agnes Verrill became chief engineer.", "chief engineer"),
        ("Agnes Verrill left the town.", ""),
        ("The long walk over Agnes Verrill was closed.", ""),
    ],
)
def test_who_somebody_is_stands_beside_the_name(sentence: str, what: str) -> None:
    assert definition("Agnes Verrill", sentence).strip() == what
