"""Two things: whether both are so, which of them is, what they have in common, and by what they are compared."""

from __future__ import annotations

import pytest

from clew.agent.abstain import UNKNOWN
from clew.agent.extractive.definitions import called_so, in_common
from clew.agent.extractive.pairs import ALIKE, BOTH, SHARED, WHICH
from clew.agent.extractive.planning import planned
from tests.unit.test_extractive_policy import ask

PAGES = {
    "Tom Reed": "Tom Reed (4 March 1890 – 2 May 1961) was a Danish film director, screenwriter and actor.",
    "Greta Holm": "Greta Holm (born Greta Lund, 12 July 1901 – 30 June 1950) was a Swedish poet and film director.",
    "Ada Finch": "Ada Finch (1 June 1899 – 9 August 1970) was a Danish composer associated with the Gull Choir.",
    "Jens Dahl": "Jens Dahl is a Norwegian novelist. He lives in Corran.",
    "Corrana": "Corrana is a genus of flowering plants in the family Lemaceae. It contains 12 species.",
    "Bubia": "Bubia is a genus of ferns in the family Pteraceae. There are four species.",
    "Gull Monthly": "Gull Monthly is a British magazine for sailors. It was first published in 1931.",
    "Salt Weekly": "Salt Weekly is a news magazine from Corran. It was first published in 1925.",
    "The Rivals of Gull Monthly": "The Rivals of Gull Monthly is a book. It was published in 1902.",
    "Bub Hound": "The Bub Hound is a breed of dog from Jutland.",
    "Corran Terrier": "The Corran Terrier is a small terrier dog.",
}


@pytest.mark.parametrize(
    ("question", "pick", "said"),
    [
        ("Are Tom Reed and Greta Holm both Danish poets?", BOTH, "Danish poets"),
        ("Were both Tom Reed and Greta Holm painters?", BOTH, "painters"),
        ("Are Tom Reed and Greta Holm Danish?", BOTH, "{2}"),
        ("Do Tom Reed and Greta Holm both have more than ten cats?", BOTH, "have more than ten cats"),
        ("Who painted boats, Tom Reed or Greta Holm?", WHICH, "painted boats"),
        ("Is Tom Reed or Greta Holm a poet?", WHICH, "a poet"),
        ("Which poet was born in Corran, Tom Reed or Greta Holm?", WHICH, "poet was born in {0}"),
        ("Which is a comedy film, Blue Harvest or Tin Gull?", WHICH, "is a comedy film"),
        ("What profession do Tom Reed and Greta Holm share?", SHARED, "profession"),
        ("Tom Reed and Greta Holm are both what?", SHARED, ""),
        ("What is the shared occupation of Tom Reed and Greta Holm?", SHARED, "occupation"),
        ("Tom Reed, and Greta Holm, are both what type of artist?", SHARED, "kind of artist"),
        ("In which country are Corran and Ostby located?", SHARED, "country"),
        ("Are Corrana and Bubia in the same family?", ALIKE, "family"),
    ],
)
def test_what_two_things_are_is_asked_of_each(question: str, pick: str, said: str) -> None:
    compared = planned(question).comparison
    assert compared is not None
    assert (compared.pick, compared.attribute) == (pick, said)


@pytest.mark.parametrize(
    ("question", "hops"),
    [
        ("Which genus has more species, Corrana or Bubia?", ["number of species of {0}", "number of species of {1}"]),
        (
            "Which playwright lived a longer life, Tom Reed or Jens Dahl?",
            ["date of birth of {0}", "date of death of {0}", "date of birth of {1}", "date of death of {1}"],
        ),
        (
            "Who was older when they died, Tom Reed or Greta Holm?",
            ["date of birth of {0}", "date of death of {0}", "date of birth of {1}", "date of death of {1}"],
        ),
        ("Which documentary is older, Blue Harvest or Tin Gull?", ["release date of {0}", "release date of {1}"]),
        ("Which game came out most recently, Tarn or Gull?", ["release date of {0}", "release date of {1}"]),
    ],
)
def test_what_is_measured(question: str, hops: list[str]) -> None:
    plan = planned(question)
    assert plan.comparison is not None
    assert [hop.template for hop in plan.hops] == hops


@pytest.mark.parametrize(
    "question",
    [
        "Which poet wrote both The Salt Road and Blue Harvest?",
        "When was the border between Corran and Ostby drawn?",
        "Who are the parents of Tom Reed and Greta Holm?",
    ],
)
def test_two_names_alone_are_no_pair(question: str) -> None:
    assert planned(question).comparison is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Are Tom Reed and Greta Holm both film directors?", "yes"),
        ("Are Tom Reed and Ada Finch both Danish?", "yes"),
        ("Are Jens Dahl and Greta Holm both writers?", "yes"),
        ("Who was a poet, Tom Reed or Greta Holm?", "Greta Holm"),
        ("Which magazine is from Corran, Gull Monthly or Salt Weekly?", "Salt Weekly"),
        ("Is Tom Reed or Ada Finch a composer?", "Ada Finch"),
        ("What profession do Tom Reed and Greta Holm share?", "film director"),
        ("What profession do Jens Dahl and Greta Holm have in common?", UNKNOWN),
        ("The Bub Hound and the Corran Terrier are both what kind of animal?", "dog"),
        ("Are Corrana and Bubia in the same family?", "no"),
        ("Do Tom Reed and Greta Holm have the same profession?", "yes"),
        ("Which genus has more species, Corrana or Bubia?", "Corrana"),
        ("Who lived to an older age, Greta Holm or Ada Finch?", "Ada Finch"),
        # Its own page tells when it was published, not the book on its rivals.
        ("Which magazine was published first, Gull Monthly or Salt Weekly?", "Salt Weekly"),
    ],
)
def test_answers(question: str, answer: str) -> None:
    assert ask(question, pages=PAGES)[0] == answer


def test_that_a_page_does_not_say_so_is_no_finding() -> None:
    assert ask("Are Tom Reed and Ada Finch both sailors?", pages=PAGES)[0] == UNKNOWN


def test_what_a_definition_calls_its_subject() -> None:
    assert called_so("Tom Reed (born 1890) was a Danish film director, a retired sailor and poet from Corran.") == [
        "Danish film director",
        "sailor",
        "poet",
    ]
    assert called_so("Bubia is a genus of ferns.") == ["ferns"]
    assert called_so("He lives in Corran.") == []


@pytest.mark.parametrize(
    ("left", "right", "noun", "alike"),
    [
        (["Danish film director", "poet"], ["Swedish film director"], "profession", "film director"),
        (["Danish nature documentary film"], ["documentary film"], "kind of films", "documentary film"),
        (["actor"], ["weaver"], "profession", ""),
    ],
)
def test_what_two_descriptions_have_in_common(left: list[str], right: list[str], noun: str, alike: str) -> None:
    assert in_common(left, right, noun) == alike
