"""Sentences that say something else of a value: denied, planned, former, or of another thing."""

from __future__ import annotations

import pytest

from clew.agent.policies.reader.contradiction import contradicts, leaves_open, of_another_kind

OTHERWISE = [
    # question, sentence, the value that the reader points at
    ("To whom did Mara Bell rent the barn?", "Mara Bell rented the barn from Otto Krane in 1990.", "Otto Krane"),
    ("From whom were the looms acquired?", "The looms were sold to the weaver Jan Holt.", "Jan Holt"),
    ("When was the pier repaired?", "The pier was damaged in 1962 and never repaired.", "1962"),
    ("When did Ada Lund publish the atlas?", "Ada Lund hopes to publish the atlas in 2031.", "2031"),
    ("Who painted the hall?", "The hall should have been painted by Rolf Ek in May.", "Rolf Ek"),
    ("When was the second lift built?", "The second lift will be built in 2030.", "2030"),
    ("Who signed the contract?", "Instead of Bram Veld, Ilse Varga signed the contract.", "Bram Veld"),
    ("Who won the race?", "Mirja Aho almost won the race.", "Mirja Aho"),
    ("To whom does the Skua belong?", "The Skua formerly belonged to Jonas Pell.", "Jonas Pell"),
]
SAID_SO = [
    ("To whom did Mara Bell rent the barn?", "Mara Bell rented the barn to Otto Krane in 1990.", "Otto Krane"),
    ("From whom did the club buy the boat?", "The club bought the boat from the yard of Sven Aal.", "Sven Aal"),
    ("By whom was the pier repaired?", "The pier was repaired in 1962 by Jan Holt.", "Jan Holt"),
    ("When was the pier repaired?", "The pier was not repaired until 1962.", "1962"),
    ("When did Ada Lund publish the atlas?", "Ada Lund managed to publish the atlas in 2031.", "2031"),
    ("When will the lift be built?", "The lift will be built in 2030.", "2030"),
    ("When was Ivo Marek born?", "Ivo Marek (born 4 May 1950) is a coach.", "4 May 1950"),
    ("When did the Teal Mill burn?", "The Teal Mill opened in 1801; it burned in May 1922.", "May 1922"),
]


@pytest.mark.parametrize(("question", "sentence", "value"), OTHERWISE)
def test_a_sentence_that_says_otherwise(question: str, sentence: str, value: str) -> None:
    assert contradicts(question, sentence, value)


@pytest.mark.parametrize(("question", "sentence", "value"), SAID_SO)
def test_a_sentence_that_says_so(question: str, sentence: str, value: str) -> None:
    assert not contradicts(question, sentence, value)


def test_another_thing_of_the_same_sort_is_told_by_the_word_before_its_noun() -> None:
    around = "The north depot is led by Anke Roos. The south depot holds 65 crates."
    assert of_another_kind("Who leads the south depot?", around, "The north depot is led by Anke Roos.")
    assert not of_another_kind("Who leads the north depot?", around, "The north depot is led by Anke Roos.")
    assert not of_another_kind("Who leads the east depot?", around, "The north depot is led by Anke Roos.")


def test_a_word_of_contrast_leaves_yes_or_no_open() -> None:
    assert leaves_open("Must the Skua be insured?", "Every boat but the Skua must be insured.")
    assert leaves_open("Did Jonas Pell finish?", "Jonas Pell failed to finish it.")
    assert not leaves_open("Is the boat insured?", "The boat is insured.")
