"""What may be called sure: the sentence of a question that is one step, and leaves nothing open."""

from __future__ import annotations

import pytest

from clew.reader.confidence import certain, features

SENTENCE = "Rosa Berg left Corran in 1931 for the yard at Ardg."


def _certain(question: str, name: str = "Rosa Berg") -> bool:
    seen = features(
        question, [name], title="Rosa Berg", text=SENTENCE, section=SENTENCE, sentence=SENTENCE, value="Corran",
        margin=9.0, rank=0,
    )  # fmt: skip
    return certain(seen)


@pytest.mark.parametrize(
    ("question", "may_be"),
    [
        ("Which town did Rosa Berg leave?", True),
        ("Who is the woman who left Corran?", True),
        ("Which town did Rosa Berg leave in 1931?", True),
        ("Which town did Rosa Berg leave in 1932?", False),
        ("Which town did Rosa Berg not leave?", True),
        ("Where was the engineer whose yard Rosa Berg joined born?", False),
    ],
)
def test_a_chain_and_another_year_are_never_sure(question: str, may_be: bool) -> None:
    assert _certain(question) is may_be


GUIDE = (
    "Pumps\nThe guarantee on the pump of Alm Mill lasts three years. The fan has none. The highest load is 80 kg. "
    "The tower on Gull Point has 164 steps. It was built in 1854 by Rory Alm. It lies 40 km from Dunmarrow."
)


@pytest.mark.parametrize(
    ("question", "name", "sentence", "value", "may_be"),
    [
        ("How long is the guarantee on the pump of Alm Mill?", "Alm Mill", 0, "three years", True),
        ("How long is the guarantee on the fan of Alm Mill?", "Alm Mill", 0, "three years", False),
        ("What is the lowest load of Alm Mill?", "Alm Mill", 2, "80 kg", False),
        ("When was the tower on Gull Point built?", "Gull Point", 4, "1854", True),
        ("When was the tower on Skerra built?", "Skerra", 4, "1854", False),
        ("How far is Dunmarrow?", "Dunmarrow", 5, "40 km", False),
        ("What is the weight of Gull Point?", "Gull Point", 3, "164", False),
    ],
)
def test_a_sentence_of_something_else_is_never_sure(
    question: str, name: str, sentence: int, value: str, may_be: bool
) -> None:
    told = GUIDE.partition("\n")[2].split(". ")[sentence].rstrip(".") + "."
    seen = features(
        question, [name], title="Notes", text=f"{GUIDE} Skerra is small.", section=GUIDE, sentence=told, value=value,
        margin=9.0, rank=0,
    )  # fmt: skip
    assert certain(seen) is may_be


def test_what_the_passage_does_not_speak_of_is_never_sure() -> None:
    assert not _certain("Which town did Anna Holm leave?", "Anna Holm")
