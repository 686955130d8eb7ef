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
        ("In what county is the town that Rosa Berg left?", False),
        ("Where was the engineer whose yard Rosa Berg joined born?", False),
    ],
)
def test_a_chain_and_another_year_are_never_sure(question: str, may_be: bool) -> None:
    assert _certain(question) is may_be


def test_what_the_passage_does_not_speak_of_is_never_sure() -> None:
    assert not _certain("Which town did Anna Holm leave?", "Anna Holm")
