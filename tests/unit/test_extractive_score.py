"""What a sentence is worth to a hop, and what is kept of it from one turn to the next."""

from __future__ import annotations

import pytest

from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.evidence import Evidence, Sentence
from clew.agent.extractive.found import Found
from clew.agent.extractive.given import in_form
from clew.agent.extractive.planning import planned
from clew.agent.extractive.policy import _trust
from clew.agent.extractive.rating import bare, same
from clew.agent.extractive.score import BORN_AS, LED, NATIVE, ON_THE_MAP, OPENING, PLAYED_IN, RELEASES, WEIGHTS, score
from clew.agent.extractive.setting import setting
from clew.agent.extractive.subject import Subject, locate
from tests.unit.test_extractive_search import evidence_of


def features(question: str, pages: dict[str, str], name: str, kind: str = "name", role: str = "") -> dict[str, float]:
    """The features of a name of the first sentence that has it, for a question of one hop."""
    plan = planned(question)
    [hop] = plan.hops
    evidence = evidence_of(question, pages)
    sentence = next(s for s in evidence.sentences if name in s.text)
    at = sentence.text.index(name)
    here = setting(hop, Subject.of(plan.anchors[0]), (), sentence, evidence)
    return score(here, Candidate(name, at, at + len(name), kind, role), evidence)


BORN = {"Ada Finch": "Ada Finch was a keeper. She was born Ada Jane Finch in Torp."}
SONG = {"Low Water": "Low Water is a song by Ada Finch, released by Torp Records."}
PLAYER = {"Jon Vale": "Jon Vale is a footballer who plays for Torp Gulls in the Northern League."}
PLACE = {
    "Bub Light": "Bub Light is a lighthouse in Denmark. Its lamp was made in Norway.",
}


def test_who_releases_a_song_has_not_sung_it() -> None:
    question = "Who performed Low Water?"
    assert features(question, SONG, "Torp Records")["type"] <= RELEASES
    assert features(question, SONG, "Ada Finch")["type"] > RELEASES
    assert features("Which label released Low Water?", SONG, "Torp Records")["type"] > RELEASES


def test_what_a_team_plays_in_is_no_team() -> None:
    question = "Which team does Jon Vale play for?"
    assert features(question, PLAYER, "Northern League")["type"] <= PLAYED_IN
    assert features(question, PLAYER, "Torp Gulls")["type"] > PLAYED_IN
    assert features("Which league does Jon Vale play in?", PLAYER, "Northern League")["type"] > PLAYED_IN


def test_the_name_that_somebody_was_born_under_is_no_place() -> None:
    question = "Where was Ada Finch born?"
    assert features(question, BORN, "Ada Jane Finch")["type"] < 0 < features(question, BORN, "Torp")["type"]


def test_what_stands_between_born_and_a_place_is_a_name() -> None:
    pages = {"Ada Finch": "Ada Finch (born Ida Hale in Torp) was a keeper."}
    question = "Where was Ada Finch born?"
    assert features(question, pages, "Ida Hale")["type"] == BORN_AS < features(question, pages, "Torp")["type"]


@pytest.mark.parametrize(("country", "lead"), [("Denmark", OPENING), ("Norway", 0.0)])
def test_the_first_sentence_says_of_which_country_something_is(country: str, lead: float) -> None:
    assert features("What is the country of Bub Light?", PLACE, country, "country")["lead"] == lead


@pytest.mark.parametrize(
    ("subject", "text", "before", "found"),
    [
        ("Ada Finch", "She met Ada Finch in Torp.", "", "Ada Finch"),
        ("Jon Møller", "The choir of Jon Moller sang.", "", "Moller"),
        ("The Lorne Bridge", "They closed Lorne Bridge in May.", "", "Lorne Bridge"),
        ("Lorne County", "It borders Fife and Lorne counties.", "", "Lorne counties"),
        ("Denmark", "She is a Danish painter.", "", "Danish"),
        ("Ada Finch", "She was born in Torp.", "This is Ada Finch.", "She"),
        ("Ada Finch", "Finch was born in Torp.", "This is Ada Finch.", "Finch"),
        ("Ada Finch", "Jon Vale was born in Torp.", "This is Ada Finch.", ""),
        ("Ada Finch", "Jon Vale was born in Torp.", "", ""),
    ],
)
def test_a_sentence_without_a_word_of_the_name_is_not_read_for_it(
    subject: str, text: str, before: str, found: str
) -> None:
    span = locate(Subject.of(subject), Sentence("News", text, previous=before, before=before), False)
    assert (text[slice(*span)] if span else "") == found


def test_a_sentence_keeps_the_titles_that_it_mentions() -> None:
    sentence = Sentence("Torp", "Ada Finch met Jon Vale.")
    few, more = frozenset({"jon vale", "ada"}), frozenset({"jon vale", "ada finch", "finch met", "vale of tarn"})
    assert sentence.mentioned(few) == few
    assert sentence.mentioned(more) == more - {"vale of tarn"}
    assert sentence.mentioned(few) == few
    assert sentence == Sentence("Torp", "Ada Finch met Jon Vale.")


def identity(pages: dict[str, str], text: str) -> int:
    evidence = evidence_of("Who is Jon Vale?", pages)
    return evidence.identity(next(s for s in evidence.sentences if s.text == text))


def test_a_sentence_is_the_same_as_long_as_nothing_changes_around_it() -> None:
    text = "Jon Vale met Ada Finch."
    vale, finch = {"Jon Vale": f"Jon Vale is a keeper. {text}"}, {"Ada Finch": "Ada Finch is a poet."}
    known = identity(vale, text)
    assert identity(vale, text) == known
    assert identity(vale | {"Torp": "Torp is a town."}, text) == known, "it does not mention the town"
    assert identity(vale | finch, text) != known, "it mentions a page that was not there"
    assert identity(vale | {"Ada Finch": "Ada Finch is a lighthouse."}, text) != identity(vale | finch, text)
    assert identity({"Jon Vale": f"Jon Vale is a painter. {text}"}, text) != known


def given(question: str, value: str, text: str, hop: int = -1) -> str:
    """The form in which a value is given that a sentence tells."""
    plan = planned(question)
    evidence: Evidence = evidence_of(question, {"Torp": text})
    found = Found(value, 1.0, evidence.sentences[-1], start=evidence.sentences[-1].text.index(value))
    return in_form([found], plan.hops[hop], plan, evidence, 1)[0].value


@pytest.mark.parametrize(
    ("question", "value", "text", "expected"),
    [
        ("In what year was Torp Hall built?", "3 May 1931", "It was built on 3 May 1931.", "1931"),
        ("In which century was Torp Hall built?", "1931", "It was built in 1931.", "20th century"),
        ("What sport does Jon Vale play?", "footballer", "Jon Vale is a footballer.", "football"),
        ("Where was Ada Finch born?", "Ostby, Norland", "She was born in Ostby, Norland.", "Ostby"),
        ("Who built Torp Hall?", "Vale", "Jon Vale was a mason. Vale built it.", "Jon Vale"),
    ],
)
def test_a_value_is_given_as_it_is_asked_for(question: str, value: str, text: str, expected: str) -> None:
    assert given(question, value, text) == expected


def test_a_place_that_more_is_asked_of_keeps_its_region() -> None:
    question = "Who is the mayor of the town where Ada Finch was born?"
    assert given(question, "Ostby, Norland", "She was born in Ostby, Norland.", hop=0) == "Ostby, Norland"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Finch", True),
        ("Dr. Ada Finch", True),
        ("Ada Finch", True),
        ("Jon Finch", False),
        ("Ada Vale", False),
        ("Ada Finch Bridge", False),
    ],
)
def test_a_name_is_the_subjects_own(name: str, expected: bool) -> None:
    assert same(bare(name), Subject.of("Ada Finch")) is expected


HOUSE = {"Corran House": "Corran House is a museum at 3 Mill Lane, Torp, Danland. It is the only house in Bub County."}
GULL = {"Gull": "The Tarn Aerospace Gull is a glider of the Bub Air Force. It flew over Torp Works."}
CORMORANT = {"Cormorant": "Reedsoft's Cormorant is a game for the Tarn Micro. It was sold by mail."}


def test_the_first_sentence_says_where_something_lies() -> None:
    question = "In which jurisdiction is Corran House located?"
    assert features(question, HOUSE, "Torp")["lead"] == LED
    assert features(question, HOUSE, "Bub County")["lead"] < LED


def test_a_street_with_a_number_is_no_place_that_something_lies_in() -> None:
    question = "Where is Corran House located?"
    assert features(question, HOUSE, "Mill Lane")["type"] < features(question, HOUSE, "Torp")["type"]


@pytest.mark.parametrize(
    ("question", "pages", "maker", "other"),
    [
        ("What company makes Gull?", GULL, "Tarn Aerospace", "Bub Air Force"),
        ("Who is the publisher of Cormorant?", CORMORANT, "Reedsoft", "Tarn Micro"),
    ],
)
def test_a_product_may_have_its_maker_before_its_name(
    question: str, pages: dict[str, str], maker: str, other: str
) -> None:
    assert features(question, pages, maker)["inverse"] > 0.5
    assert "self" not in features(question, pages, maker)
    assert features(question, pages, other)["inverse"] == 0.0


def test_somebody_without_a_place_of_birth_was_likeliest_born_in_their_country() -> None:
    pages = {"Ada Finch": "Ada Finch is a Danish keeper who works with a Norwegian crew in Torp."}
    question = "Where was Ada Finch born?"
    assert features(question, pages, "Norwegian", "country", "demonym")["type"] < NATIVE
    assert features(question, pages, "Danish", "country", "demonym")["type"] == NATIVE
    assert features(question, BORN, "Torp")["type"] > NATIVE


@pytest.mark.parametrize(
    ("question", "more"), [("Where did Ada Finch live?", ON_THE_MAP), ("Which river did Ada Finch live on?", 0.0)]
)
def test_the_name_of_a_larger_town_is_likelier_a_place(question: str, more: float) -> None:
    known, unknown = (
        features(question, {"Ada Finch": f"Ada Finch was a keeper, lived with {name} and sang."}, name)["type"]
        for name in ("Szczecin", "Szczepol")
    )
    assert known == pytest.approx(unknown + more)


def test_that_a_town_is_on_the_map_says_nothing_of_whom_a_sentence_speaks() -> None:
    [hop] = planned("Where did Ada Finch live?").hops
    sentence = Sentence("Ada Finch", "Ada Finch was a keeper, lived with Szczecin and sang.")
    known, unknown = (Found(name, 9.0, sentence, cued=False) for name in ("Szczecin", "Szczepol"))
    assert _trust(hop, known, last=True) == _trust(hop, unknown, last=True) - WEIGHTS["type"] * ON_THE_MAP
