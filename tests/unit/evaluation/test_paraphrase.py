"""Rewordings keep names and meaning, and each is another one."""

from __future__ import annotations

import pytest

from clew.evaluation.paraphrase import RULES, paraphrases


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


@pytest.mark.parametrize(
    "question",
    [
        "What is a lens?",
        "What was the name of the keeper?",
        "Which of the two is older?",
        "What makes bread rise?",
        "What happened to Ruben Calloway?",
        "What would have happened to Maud?",
        "What else did Maud Calloway build?",
    ],
)
def test_which_and_what_are_kept_where_no_noun_follows(question: str) -> None:
    assert not {q.split()[0] for q in paraphrases(question, 8)} & ({"What", "Which"} - {question.split()[0]})


@pytest.mark.parametrize("question", ["Where is Ana from?", "Where does Ana come from ?", "Where did Ana go to?"])
def test_a_place_with_a_preposition_gets_no_other(question: str) -> None:
    assert not [reworded for reworded in paraphrases(question, 8) if "place" in reworded]


@pytest.mark.parametrize(
    "question", ["", "?", "Where was X born?", "<script>", "Who is A's B?\nWho is C?", "Who " * 500]
)
def test_every_rewording_is_another_one(question: str) -> None:
    found = paraphrases(question, len(RULES))
    assert len({question, *found}) == len(found) + 1
    assert paraphrases(question, 0) == []
    assert paraphrases(question, 1) == found[:1]
