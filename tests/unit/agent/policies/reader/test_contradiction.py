"""What a sentence says of a deed: denied, planned, done by another, or with the value in another part."""

from __future__ import annotations

import pytest

from clew.agent.policies.reader.contradiction import contradicts, deed_asked, when_told

OTHERWISE = [
    # question, the sentence that it goes on from, the sentence, the value that the reader points at
    ("To whom did Mara Bell rent the barn?", "", "Mara Bell rented the barn from Otto Krane in 1990.", "Otto Krane"),
    ("From whom were the looms acquired?", "", "The looms were sold to the weaver Jan Holt.", "Jan Holt"),
    ("What did Piet use the ladder for?", "", "Piet used the ladder by Grell & Co. to paint.", "Grell & Co."),
    ("To whom was the boat lent?", "", "The boat was lent to us by Sven Aal.", "Sven Aal"),
    ("When was the pier repaired?", "", "The pier was damaged in 1962 and never repaired.", "1962"),
    ("When was the fine paid?", "The fine has not been paid yet.", "It is due on 4 April.", "4 April"),
    ("When did Ada Lund publish the atlas?", "", "Ada Lund hopes to publish the atlas in 2031.", "2031"),
    ("Who painted the hall?", "", "The hall should have been painted by Rolf Ek in May.", "Rolf Ek"),
    ("When was the second lift built?", "", "The second lift will be built in 2030.", "2030"),
    ("Who called Nina Vogt?", "", "Nina Vogt saw the smoke and called Per Aune.", "Per Aune"),
    ("Who wrote the opera?", "", "She wrote the opera together with Hugo Lenz.", "Hugo Lenz"),
    ("Who carved the door?", "", "The door was carved by two monks, helped by Anton Reis.", "Anton Reis"),
    ("Whom did Ivo Marek replace?", "", "The coach is Lea Brandt; she replaced Ivo Marek in 2011.", "Lea Brandt"),
    ("How much did Orrin House give to the Lark Fund?", "", "The Lark Fund gave Orrin House 900 euros.", "900 euros"),
    ("When did the Teal Mill burn?", "", "The Teal Mill opened in 1801; it burned in May 1922.", "1801"),
]
SAID_SO = [
    ("To whom did Mara Bell rent the barn?", "", "Mara Bell rented the barn to Otto Krane in 1990.", "Otto Krane"),
    ("From whom did the club buy the boat?", "", "The club bought the boat from the yard of Sven Aal.", "Sven Aal"),
    ("By whom was the pier repaired?", "", "The pier was repaired in 1962 by Jan Holt.", "Jan Holt"),
    ("When was the pier repaired?", "", "The pier was not repaired until 1962.", "1962"),
    ("When did Ada Lund publish the atlas?", "", "Ada Lund managed to publish the atlas in 2031.", "2031"),
    ("When will the lift be built?", "", "The lift will be built in 2030.", "2030"),
    ("Who called Nina Vogt?", "", "Per Aune saw the smoke and called Nina Vogt.", "Per Aune"),
    ("Who married Nina Vogt?", "", "Nina Vogt married Per Aune.", "Per Aune"),
    ("Who stood at the gate?", "", "At the gate stood Per Aune.", "Per Aune"),
    ("Who said that it rained?", "", "“It rained,” said Per Aune.", "Per Aune"),
    ("Who carved the door?", "", "The door, carved in 1511 by Anton Reis, is of oak.", "Anton Reis"),
    ("Whom did Lea Brandt replace?", "", "The coach is Lea Brandt; she replaced Ivo Marek in 2011.", "Ivo Marek"),
    ("When was Ivo Marek born?", "", "Ivo Marek (born 4 May 1950) is a coach.", "4 May 1950"),
    ("What did the Reds win in May 2006?", "", "In May 2006 they won the Harbour Cup.", "the Harbour Cup"),
    ("When did the Teal Mill burn?", "", "The Teal Mill opened in 1801; it burned in May 1922.", "May 1922"),
    ("Who runs the mill?", "", "The mill is under the sole run of Ivo Marek.", "Ivo Marek"),
]


@pytest.mark.parametrize(("question", "before", "sentence", "value"), OTHERWISE)
def test_a_sentence_that_says_otherwise(question: str, before: str, sentence: str, value: str) -> None:
    assert contradicts(question, before, sentence, value)


@pytest.mark.parametrize(("question", "before", "sentence", "value"), SAID_SO)
def test_a_sentence_that_says_so(question: str, before: str, sentence: str, value: str) -> None:
    assert not contradicts(question, before, sentence, value)


def test_the_deed_that_is_asked_of() -> None:
    sold = deed_asked("To whom did the Orrin Trust sell the mill?")
    assert sold is not None
    assert (sold.verb, sold.subject, sold.rest) == ("sell", "the Orrin Trust", "the mill")
    built = deed_asked("By whom was the mill built?")
    assert built is not None
    assert (built.verb, built.passive, built.agent) == ("build", True, True)
    assert deed_asked("Where is the mill?") is None


@pytest.mark.parametrize(
    ("question", "sentence", "value"),
    [
        ("When does the shop in Osby close?", "The shop opens at 8:15 and closes at 17:45.", "17:45"),
        (
            "When does the lease with Holt & Co. end?",
            "The lease starts on 2 May 2020 and ends on 1 May 2025.",
            "1 May 2025",
        ),
        ("When did the shop in Osby close?", "The shop opens at 8:15 and closes at 17:45.", ""),  # every day, not once
        ("When does the shop in Osby close?", "The shop closes at 17:45 if it rains.", ""),
        ("When does the bakery in Osby close?", "The shop closes at 17:45.", ""),
        ("When does the shop in Osby close?", "The shop closes at Easter.", ""),
    ],
)
def test_a_time_right_behind_the_verb(question: str, sentence: str, value: str) -> None:
    names = ["Osby"] if "Osby" in question else ["Holt & Co."]
    assert when_told(question, names, "Osby, Holt & Co.", sentence) == value
