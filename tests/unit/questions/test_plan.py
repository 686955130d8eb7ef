"""A question's plan: what is asked first, what of its answer, and that nothing is taken apart that is one."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.questions.grammar import LONGEST_QUESTION, plan

CHAINS = {
    "Where was the designer of the Skarn Light born?": ["Who is the designer of the Skarn Light?", "Where was A born?"],
    "When did Alda Voss's mother die?": ["Who is the mother of Alda Voss?", "When did A die?"],
    "Who is Alda Voss's paternal grandfather?": ["Who is the father of Alda Voss?", "Who is the father of A?"],
    "Who is the mother-in-law of Otto Kranz?": ["Who is the spouse of Otto Kranz?", "Who is the mother of A?"],
    "What is the place of birth of the director of film Ferry Lights?": [
        "Who is the director of the film Ferry Lights?",
        "Where was A born?",
    ],
    "Which sport is played in the town where Alda Voss was born?": [
        "In which town was Alda Voss born?",
        "Which sport is played in A?",
    ],
    "Who founded the school attended by the author of A Keeper's Almanac?": [
        "Who is the author of A Keeper's Almanac?",
        "Which school was attended by A?",
        "Who founded B?",
    ],
    "Who designed the lighthouse whose lens was made by the daughter of Josiah Marr?": [
        "Who is the daughter of Josiah Marr?",
        "Which lighthouse's lens was made by A?",
        "Who designed B?",
    ],
    "When was the company that Alda Voss founded sold?": ["Which company did Alda Voss found?", "When was A sold?"],
    "Who was the wife of the man who built the ship on which Otto Kranz sailed?": [
        "On which ship did Otto Kranz sail?",
        "Who built A?",
        "Who is the wife of B?",
    ],
    "Who is the head of the corporation that owns Tarn Rope Works?": [
        "Which corporation owns Tarn Rope Works?",
        "Who is the head of A?",
    ],
    "What is the highest mountain on the island where Alda Voss lives?": [
        "On which island does Alda Voss live?",
        "What is the highest mountain on A?",
    ],
}


def asked(question: str) -> list[str]:
    """The hops as they are asked when the first finds A, the next B …"""
    taken = plan(question)
    values = taken.names
    for letter, hop in zip("ABCDEFGH", taken.hops, strict=False):
        values[hop.target] = letter
    return [hop.question(values) for hop in taken.hops]


@pytest.mark.parametrize("question", CHAINS)
def test_the_innermost_is_asked_first(question: str) -> None:
    assert asked(question) == CHAINS[question]


@pytest.mark.parametrize(
    "question",
    [
        "Who designed the Skarn Light?",
        "How high is the tower of the Skarn Light?",
        "Who was the first director of the Elleray Observatory?",
        "Who was the leader of the Quillby Choir from 1997 to 1998?",
        "What was the first song released by Alda Voss after her return?",
        "In what year were the first trams used in Quillby?",
        "Why could a lawyer who moved to Quillby give legal advice?",
        "What happened at the end of the Rope War?",
        "When was the first convention held in Quillby?",
        "Is smoking allowed in the building?",
        "What is the notice period?",
        "Alda Voss founded which company?",
        "Are Alda Voss and Otto Kranz both painters?",
        "What is the most visited building in Quillby?",
        "When did Merrow become the capital of the Isles?",
        "What is Merrow's state flower?",
        "Was the ship built by Alda Voss?",
        "where was the director of ferry lights born",
        "Who are you?",
        "?",
        "",
    ],
)
def test_one_question_stays_whole(question: str) -> None:
    [hop] = plan(question).hops
    assert hop.question(plan(question).names).rstrip("?") == question.rstrip("?")[:1].upper() + question.rstrip("?")[1:]


@pytest.mark.parametrize(
    ("question", "expects", "head"),
    [
        ("Who painted Ferry Lights?", "person", ""),
        ("Where did Otto Kranz live?", "place", ""),
        ("When did Otto Kranz die?", "date", ""),
        ("In which year was Tarn Works founded?", "year", "year"),
        ("How many ships were lost?", "number", ""),
        ("How tall is Mount Ymmer?", "number", ""),
        ("On which island is Quillby?", "place", "island"),
        ("What was the population of Quillby?", "number", "population"),
        ("Which company owns the ferry?", "organisation", "company"),
        ("Which products cost more than 100 euros?", "any", "product"),
        ("Why did the ferry sink?", "reason", ""),
        ("How do I renew the contract?", "manner", ""),
        ("Did the ferry sink?", "yes/no", ""),
    ],
)
def test_the_sort_of_answer_is_told_by_the_question_word_and_its_noun(question: str, expects: str, head: str) -> None:
    [hop] = plan(question).hops
    assert (hop.expects, hop.head) == (expects, head)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who painted Ferry Lights?", "value"),
        ("How many ships were lost?", "count"),
        ("Which towns are on the island?", "list"),
        ("Name all towns on the island.", "list"),
        ("Did the ferry sink?", "yes/no"),
        ("Who is Alda Voss?", "definition"),
        ("What does demurrage mean?", "definition"),
        ("What is a laytime clause?", "definition"),
        ("What is the notice period?", "value"),
        ("Who is the landlord?", "value"),
        ("Why did the ferry sink?", "reason"),
        ("How do I renew the contract?", "manner"),
        ("Summarise the report.", "summary"),
        ("Who is older, Alda Voss or Otto Kranz?", "comparison"),
    ],
)
def test_the_kind_of_question(question: str, kind: str) -> None:
    assert plan(question).kind == kind


WORDS = st.sampled_from(
    """who what which where when is was did the a of in by that whose and or both same older than first director film
    mother paternal grandfather's country born founded Alda Voss Ferry Lights 's , ? ( ) { } 1999 between have has
    "quoted" to be more members not""".split()
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=60).map(" ".join)))
def test_every_text_has_a_plan_whose_hops_know_what_they_speak_of(text: str) -> None:
    taken = plan(text)
    known = set(taken.names)
    assert taken.hops
    for hop in taken.hops:
        assert set(hop.slots) <= known
        assert hop.target not in known
        known.add(hop.target)
    if taken.comparison:
        assert {*taken.comparison.options, *taken.comparison.left, *taken.comparison.right} <= known


@pytest.mark.parametrize(
    "part",
    [
        "the ",
        "who is the mother of ",
        "Alda's ",
        "is the Alda and the ",
        "which of Alda or ",
        "(",
        "a b ",
        "Alda, ",
        "\n",
    ],
)
def test_no_text_takes_long(part: str) -> None:
    for length in (LONGEST_QUESTION, 8_000):
        text = (part * length)[: length - 1] + "?"
        began = time.process_time()
        assert plan(text).hops
        assert time.process_time() - began < 0.5
