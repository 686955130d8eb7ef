"""Questions as people type them: without capitals, with one on every word, and with names misspelt."""

from __future__ import annotations

import pytest

from clew.agent.extractive.evidence import Evidence
from clew.agent.extractive.spelling import respelled, with_capitals
from clew.agent.extractive.wording import plain
from clew.agent.protocol import DIALECTS
from clew.types import Fact, Passage, Source, Step

TEXT = (
    "The Vessel Rock Lighthouse was kept by Tamsin Orrell. A keeper of the light sailed the Kittiwake to Corran in "
    "1866. The lamp was the work of Ole Dahl and of Ole Dahlberg."
)
NAMES = ("Vessel Rock Lighthouse", "Tamsin Orrell", "Kittiwake", "Ole Dahl", "Ole Dahlberg")


@pytest.fixture
def evidence() -> Evidence:
    titles = ("Vessel Rock Lighthouse", "Kittiwake (ship)", "Keeper", "Corran")
    passages = tuple(Passage(title, title, title, TEXT, 0, len(TEXT), 1.0) for title in titles)
    fact = Fact("f1", TEXT, NAMES, 1.0, (Source("d1", titles[0], "c1", 0, len(TEXT)),))
    return Evidence([Step("", "question", (fact,), passages, "")], DIALECTS["graph-r1"])


@pytest.mark.parametrize(
    ("question", "meant", "changed"),
    [
        ("Who kept the Vessel Rock Lightohuse?", "Who kept the Vessel Rock Lighthouse?", "Vessel Rock Lightohuse"),
        ("Who kept the vessel rock lightouse?", "Who kept the Vessel Rock Lighthouse?", "vessel rock lightouse"),
        ("Where was Tamsin Orrll's lamp?", "Where was Tamsin Orrell's lamp?", "Tamsin Orrll"),
        ("Who sailed the Kittiwkae?", "Who sailed the Kittiwake?", "Kittiwkae"),
        ("Where did Tasmin Orrlel live?", "Where did Tamsin Orrell live?", "Tasmin Orrlel"),
        ("Who sailed the kittiwkae?", None, None),  # in lower case any word may be one of the question's own
        ("Who is Ole Dahls?", None, None),  # no letter may be wrong in a word of four
        ("Where is Corrn?", None, None),  # nor in a short name with no word beside it
        ("Who is Daniel Orrell?", None, None),  # another person
        ("Who is Tamsin Sorrell?", None, None),  # another first letter
        ("Who kept the Vessel Rock Lighthouse in 1867?", None, None),  # years are no words
    ],
)
def test_an_error_in_a_name_is_mended(evidence: Evidence, question: str, meant: str, changed: str) -> None:
    names = () if meant is None else ((changed, next(name for name in NAMES if name in meant)),)
    assert respelled(question, evidence) == (meant or question, names)


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("who kept the vessel rock lighthouse?", "who kept the Vessel Rock Lighthouse?"),
        ("did tamsin orrell sail the kittiwake", "did Tamsin Orrell sail the Kittiwake"),
        ("who was the keeper of corran?", "who was the keeper of Corran?"),  # Keeper is a title, and a word as well
        ("Who sailed with tamsin orrell?", "Who sailed with Tamsin Orrell?"),
        ("who is Tamsin's friend ole dahl?", "who is Tamsin's friend ole dahl?"),  # it has capitals of its own
    ],
)
def test_names_get_their_capitals(evidence: Evidence, question: str, meant: str) -> None:
    assert with_capitals(question, evidence) == meant


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("Who Is The Keeper Of Corran?", "who is the keeper of corran?"),
        ("WHO KEPT CORRAN?", "who kept corran?"),
        ("Vessel Rock Lighthouse", "Vessel Rock Lighthouse"),
        ("Who wrote The Keeper Of Corran?", "Who wrote The Keeper Of Corran?"),
    ],
)
def test_capitals_on_every_word_say_nothing(question: str, meant: str) -> None:
    assert plain(question) == meant
