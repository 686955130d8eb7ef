"""Which of a sentence's names did what is asked, or has it done to them."""

from __future__ import annotations

import pytest

from clew.agent.extractive.answer_types import answer_type
from clew.agent.extractive.candidates import Candidate, candidates
from clew.agent.extractive.cues import by_others
from clew.agent.extractive.evidence import Evidence, Sentence
from clew.agent.extractive.fit import type_fit
from clew.agent.extractive.lexicon import find_relation, relations
from clew.agent.extractive.planning import make_plan
from clew.agent.extractive.reading import _closeness, _is_only, has_role
from clew.agent.extractive.search import look_up
from clew.agent.protocol import DIALECTS
from clew.types import Fact, Source, Step


def candidate(text: str, name: str) -> Candidate:
    at = text.index(name)
    return Candidate(name, at, at + len(name), "name")


def test_a_day_is_nobodys_name() -> None:
    text = "The Tarn Guild declared war on April 6 , 1917 , with Ada Finch."
    assert {c.text for c in candidates(text, frozenset()) if c.kind == "name"} == {"The Tarn Guild", "Ada Finch"}


def test_a_by_belongs_to_the_participle_before_it() -> None:
    lowered = "a song written by ada finch and sung by jon vale"
    cue = relations()["performer"].direct
    assert cue is not None
    assert [by_others(lowered, m) for m in cue.finditer(lowered)] == [True, False]


def test_whoever_sings_may_be_a_band() -> None:
    words = "who sang x".split()
    assert answer_type(words, find_relation(" ".join(words)))[0] == "agent"
    words = "who directed x".split()
    assert answer_type(words, find_relation(" ".join(words)))[0] == "person"


@pytest.mark.parametrize("words", ["who is part of x", "who took part in x"])
def test_whoever_is_part_of_something_may_be_a_body(words: str) -> None:
    assert answer_type(words.split(), find_relation(words))[0] == "agent"


@pytest.mark.parametrize("described", ["", "the northern singer ", "Danish folk singer-songwriter "])
def test_what_somebody_is_does_not_part_them_from_the_verb(described: str) -> None:
    text = f"The song was recorded by {described}Ada Finch and a choir."
    start = text.index("recorded by")
    assert _closeness(text, start, start + len("recorded by"), candidate(text, "Ada Finch")) == 1.0


@pytest.mark.parametrize(
    ("name", "person"), [("Silver Bowls", False), ("Torp, Northern Bub", False), ("Ada Finch", True)]
)
def test_contests_and_towns_with_their_region_are_nobody(name: str, person: bool) -> None:
    text = f"In that year {name} was much talked about."
    fit = type_fit("person", candidate(text, name), Sentence("Torp", text), None)
    assert (fit > 0) is person


def test_a_rank_behind_a_name_is_no_region() -> None:
    text = "In that year Jon Vale, Duke Torp of Bub was much talked about."
    ranked = type_fit("person", candidate(text, "Jon Vale, Duke Torp"), Sentence("Torp", text), None)
    assert ranked > type_fit("person", candidate(text, "Jon Vale"), Sentence("Torp", text), None)


def test_a_word_that_leads_into_a_name_is_no_part_of_it() -> None:
    text = "Despite Finch's efforts, the guild lost."
    assert [c.text for c in candidates(text, frozenset()) if c.kind == "name"] == ["Finch"]


@pytest.mark.parametrize("made", ["declared the first", "named", "elected"])
def test_who_is_made_something_is_it(made: str) -> None:
    text = f"Ada Finch was {made} warden, beside Jon Vale."
    assert has_role(frozenset(("warden",)), text, candidate(text, "Ada Finch"))
    assert not has_role(frozenset(("warden",)), text, candidate(text, "Jon Vale"))


COUPLE = "Salt Roads is a film directed by Tom Orr and written by Jane Orr, with John Holm and Mary Vale."


def best(question: str, text: str, *, title: str) -> str:
    """The likeliest answer from a document of one text."""
    source = Source("d", title, "d:0", 0, len(text))
    fact = Fact("d:0:0", f"{title}: {text}", (title,), 0.0, (source,))
    step = Step("", question, (fact,), ())
    hop, *rest = make_plan(question, evidence := Evidence([step], DIALECTS["graph-r1"])).hops
    assert not rest
    plan = make_plan(question, evidence)
    return look_up(hop, dict(enumerate(plan.anchors)), plan, evidence, 1)[0].value


@pytest.mark.parametrize(
    ("question", "answer"),
    [("Who is the spouse of John Holm?", "Mary Vale"), ("Who is the spouse of Mary Vale?", "John Holm")],
)
def test_a_spouse_is_of_the_other_gender_and_stands_near(question: str, answer: str) -> None:
    assert best(question, COUPLE, title="Salt Roads") == answer


def test_whoever_is_made_leader_leads_and_not_whom_they_replace() -> None:
    text = "Members of the Torp Guild chose Ada Finch as leader, replacing Jon Vale, who led the Torp Guild from 2004."
    assert best("Who is the leader of the Torp Guild?", text, title="Torp elections") == "Ada Finch"


@pytest.mark.parametrize(
    ("text", "head", "only"),
    [
        ("Lorne Mill is the only mill that grinds oats.", "mill", True),
        ("Lorne Mill was the first of the mills to grind oats.", "mill", True),
        ("Lorne Mill is the only barn that stores oats.", "mill", False),
        ("Lorne Mill is the oldest mill that grinds oats.", "mill", False),
    ],
)
def test_whoever_is_the_only_one_needs_no_other_word(text: str, head: str, only: bool) -> None:
    assert _is_only(head, text, Candidate("Lorne Mill", 0, len("Lorne Mill"), "name")) is only
