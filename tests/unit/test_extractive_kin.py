"""Whose relative, teacher or successor sentences say that somebody is, and what follows for who is none."""

from __future__ import annotations

import pytest

from clew.agent.abstain import UNKNOWN
from clew.agent.extractive import ExtractivePolicy
from clew.agent.extractive.evidence import Evidence
from clew.agent.extractive.kin import relatives_of
from clew.agent.extractive.kin_reading import SOMEBODY, About, kin_told, leading
from clew.agent.extractive.kin_words import Kin, answers, inverse, kin_nouns, kin_relation
from clew.agent.extractive.lexicon import relations
from clew.agent.extractive.persons import abbreviates, alike
from clew.agent.protocol import DIALECTS
from clew.types import Passage, Step

ADA = About("Ada Vale", "f")
TOM = About("Tom Vale", "m")


def told(text: str, about: About) -> set[tuple[str, str, str]]:
    return {(one.who, one.kin.relation, one.whose) for one in kin_told(text, about)}


@pytest.mark.parametrize(
    ("text", "about", "expected"),
    [
        ("Her brother, the miller Tom Vale, moved to Ostby.", ADA, ("Tom Vale", "sibling", "Ada Vale")),
        ("He was born in Ostby, the elder brother of the weaver Ada Vale.", TOM, ("Tom Vale", "sibling", "Ada Vale")),
        ("The painter Mira Holm was her aunt.", ADA, ("Mira Holm", "uncle", "Ada Vale")),
        ("Tom Vale married Ida Moe, a baker, in 1844.", TOM, ("Ida Moe", "spouse", "Tom Vale")),
        ("Ida Moe and Tom Vale, who were married in Ostby, left.", TOM, ("Tom Vale", "spouse", "Ida Moe")),
        ("He sailed with Ole Moe, whose daughter Ida he married.", TOM, ("Ida", "spouse", "Tom Vale")),
        ("Ada Vale was born in Ostby, to Jens Vale and Ida Moe.", ADA, ("Ida Moe", "parent", "Ada Vale")),
        ("The daughter of Jens Vale, she grew up in Ostby.", ADA, ("Ada Vale", "child", "Jens Vale")),
        ("Ole Moe (husband of the Danish weaver Ida Moe) left.", TOM, ("Ole Moe", "spouse", "Ida Moe")),
        ("He is survived by two sons, Jens and Ole Vale.", TOM, ("Ole Vale", "child", "Tom Vale")),
        ("He became the apprentice of the founder Ole Moe.", TOM, ("Tom Vale", "student", "Ole Moe")),
        ("Ada Vale studied under Ida Moe.", ADA, ("Ida Moe", "teacher", "Ada Vale")),
        ("The tuner Ole Moe, who taught Ada Vale, left.", ADA, ("Ada Vale", "student", "Ole Moe")),
        ("In 1990 Vale was succeeded by Ida Moe.", TOM, ("Ida Moe", "successor", "Tom Vale")),
    ],
)
def test_a_sentence_says_who_is_whose(text: str, about: About, expected: tuple[str, str, str]) -> None:
    assert expected in told(text, about)


def test_both_parents_are_told_and_not_the_other_way_round() -> None:
    found = told("He was the son of Jens Vale, 2nd Earl of Bub, and his wife Ida Moe.", TOM)
    assert ("Tom Vale", "child", "Ida Moe") in found
    assert not {one for one in found if one[1] == "child" and one[2] == "Tom Vale"}


def test_a_mother_is_not_listed_with_the_father() -> None:
    text = "His mother was the keeper Ida Moe, and his father, Jens Vale, drowned."
    assert {(one.who, one.kin.gender) for one in kin_told(text, TOM)} == {("Ida Moe", "f"), ("Jens Vale", "m")}


def test_their_child_is_that_of_the_spouse_as_well() -> None:
    found = told("Their only child was the baker Ada Vale.", About("Tom Vale", "m", ("Ida Moe",)))
    assert {whose for who, _, whose in found if who == "Ada Vale"} == {"Tom Vale", "Ida Moe"}


@pytest.mark.parametrize(
    "text",
    [
        "Her father's brother Jens was a miller.",
        "She sold it to Jens Moe, the son of a miller.",
    ],
)
def test_a_relative_of_somebody_without_a_name_is_nobody_elses(text: str) -> None:
    assert {whose for _, _, whose in told(text, ADA)} == {SOMEBODY}


def test_who_never_married_has_no_spouse() -> None:
    assert not told("He never married, spoke Low Torpish and kept bees.", TOM)


def test_an_apposition_after_in_is_a_place() -> None:
    assert told("He was born in Ostby, the son of Jens Vale.", TOM) == {("Tom Vale", "child", "Jens Vale")}


def test_every_relation_has_an_inverse() -> None:
    assert all(inverse(inverse(kin.relation)) == kin.relation for kin in kin_nouns().values())


def test_the_other_gender_and_the_other_side_answer_nothing() -> None:
    assert answers(Kin("sibling", "m"), Kin("sibling"))
    assert not answers(Kin("sibling", "m"), Kin("sibling", "f"))
    assert not answers(Kin("grandparent", "m", "maternal"), Kin("grandparent", "m", "paternal"))
    assert kin_relation("bridge") is None


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Ada Vale", "Ada Mira Vale", True),
        ("J. K. Vale", "Jens Vale", True),
        ("Sir Tom Vale", "Tom Vale", True),
        ('Ada "Gull" Vale', "Gull Vale", True),
        ("Tom Vale, Earl of Bub", "Tom Vale", True),
        ("Tom Vale, Earl of Bub", "Tom Vale, Earl of Torp", False),
        ("Tom Vale Jr.", "Tom Vale", False),
        ("Tom II of Bub", "Tom III of Bub", False),
        ("Ada Mira Vale", "Ada Ida Vale", False),
        ("Ada", "Ada Vale", False),
    ],
)
def test_names_of_one_person(one: str, other: str, expected: bool) -> None:
    assert alike(one, other) is expected
    assert alike(other, one) is expected


def test_initials_abbreviate_a_name() -> None:
    assert abbreviates("J. K. Vale", "Jens Vale")
    assert not abbreviates("J. K. Vale", "A. Vale")


def test_a_sentence_leads_with_a_person() -> None:
    assert leading("The tuner Ole Moe left.") == "Ole Moe"
    assert leading("In 1990 it closed.") == ""


PAGES = {
    "Ada Vale": "Ada Vale (1 May 1822 – 3 June 1897) was a Danish weaver. She was born in Ostby, where her father "
    "mended nets. Her brother, the miller Tom Vale, had settled in Corran.",
    "Tom Vale": "Tom Vale (4 March 1818 – 2 May 1889) was a Danish miller. He was born in Ostby, the elder brother of "
    "the weaver Ada Vale. He married Ida Moe in 1844. Their daughter, the baker Mira Holm, was born in 1845. "
    "He died in Corran.",
    "Mira Holm": "Mira Holm (8 July 1845 – 1919) was a Danish baker. Her father was the miller Tom Vale. "
    "The weaver Ada Vale was her aunt.",
    "Torp Mill": "Torp Mill is a mill. Name: Tom Vale; From: 1844; To: 1870. Name: Ole Dahl; From: 1870; To: 1891.",
}


def passages() -> tuple[Passage, ...]:
    return tuple(Passage(title, title, title, text, 0, len(text), 1.0) for title, text in PAGES.items())


def evidence() -> Evidence:
    return Evidence([Step("", "Tom Vale", (), passages())], DIALECTS["graph-r1"])


def test_a_brother_is_no_father() -> None:
    kin = relatives_of("Ada Vale", relations()["father"], evidence())
    assert kin is not None
    assert kin.fits("Tom Vale") is False
    assert kin.fits("Ole Dahl") is None
    assert kin.sought_ones() == []


def test_a_woman_is_no_brother() -> None:
    kin = relatives_of("Tom Vale", relations()["brother"], evidence())
    assert kin is not None
    assert kin.fits("Ada Vale") is False


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who was the brother of Ada Vale?", "Tom Vale"),
        ("Who was the mother of Mira Holm?", "Ida Moe"),
        ("Who was the niece of Ada Vale?", "Mira Holm"),
        ("Who was the father of Ada Vale?", UNKNOWN),
        ("Who was the son of Ada Vale?", UNKNOWN),
        ("Who was the nephew of Ada Vale?", UNKNOWN),
        ("Who was the sister of Mira Holm?", UNKNOWN),
        ("Who was the husband of Ada Vale?", UNKNOWN),
        ("Who was the mother of Tom Vale?", UNKNOWN),
        ("Where did Mira Holm die?", UNKNOWN),
        ("Who was the successor of Tom Vale?", "Ole Dahl"),
        ("Who was the predecessor of Ole Dahl?", "Tom Vale"),
        ("Is Tom Vale the father of Mira Holm?", "yes"),
        ("Is Tom Vale the father of Ada Vale?", "no"),
    ],
)
def test_what_nobody_tells_is_not_known(question: str, answer: str) -> None:
    turn = ExtractivePolicy().act(question, [Step("", question, (), passages())], final=True)
    assert DIALECTS["graph-r1"].parse_turn(turn.text).answer == answer
