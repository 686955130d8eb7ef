"""Rewordings keep names and meaning, and each is another one."""

from __future__ import annotations

import pytest

from clew.evaluation.paraphrase import paraphrases


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What is the place of birth of Maud Calloway?", "Where was Maud Calloway born?"),
        ("Who is Raghnall Mac Ruaidhrí's father?", "Who is the father of Raghnall Mac Ruaidhrí?"),
        ("Where was Ruben Calloway born?", "In what place was Ruben Calloway born?"),
        ("Who was the founder of the Merrow Survey?", "Which person was the founder of the Merrow Survey?"),
        ("Which film was released first, Aas or Phool?", "What film was released first, Aas or Phool?"),
        ("What nationality is the director of Blood Street?", "Which nationality is the director of Blood Street?"),
        ("Are Sarn and Hallow in the same country?", "Please tell me: are Sarn and Hallow in the same country?"),
        ("Ansby lies on which island?", "Please tell me: Ansby lies on which island?"),
    ],
)
def test_the_first_rewording(question: str, first: str) -> None:
    assert paraphrases(question, 1) == [first]
