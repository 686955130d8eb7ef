"""Answers that are neither somebody nor somewhere: dates, numbers, long forms, fields, movements, series."""

from __future__ import annotations

import pytest

from clew.agent.extractive.abbreviations import GLOSSED, SPELT, spelt_out
from clew.agent.extractive.between import identified, of_another_number, shares
from clew.agent.extractive.candidates import Candidate, candidates
from clew.agent.extractive.lexicon import stem
from clew.agent.extractive.occasions import latest, long_before, of_another_year
from clew.agent.extractive.planning import planned
from clew.agent.extractive.quantities import century, month
from clew.agent.extractive.told import disciplines, occurrences
from clew.agent.extractive.turned import turned
from clew.agent.extractive.wording import plain
from tests.unit.test_extractive_policy import ask

PAGES = {
    "BNL": "The Board of Northern Lights (BNL; Danish: Nordlysrådet) keeps forty beacons. The BNL sits in Torp.",
    "Ada Finch": "Ada Finch was a Danish chemist and a proponent of the Second Tidalism. "
    "Ada Finch competed for Torp at the Northern Song Contest 1991.",
    "The Long Net": 'The Long Net is the third episode of the series "Harbour Lives" and is set in Torp.',
    "Fellow Sails": "Fellow Sails is a board game, a spoof of Fair Winds, and was sold in Torp.",
    "Tarn Guild": "The Tarn Guild won back the council in May 1998; it had not held the council since June 1974. "
    "Its halls were built early in the 20th century. It opens again on 5 May 2019, after 3 June 2017. "
    "The guild signed a 12-year lease with the town.",
    "Lorland": "Lorland is a county. Population Ranked 42nd Total 61,300 (2017 est.) 54 ° 20 ′ N.",
    "Torp, Lorland": "The population was 2,480 in 2010.",
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does BNL stand for?", "Board of Northern Lights"),
        ("What do the letters in BNL stand for?", "Board of Northern Lights"),
        ("What is the field of work of Ada Finch?", "chemistry"),
        ("What is the movement of Ada Finch?", "Second Tidalism"),
        ("What is the participant in of Ada Finch?", "Northern Song Contest 1991"),
        ("What is the part of the series of The Long Net?", "Harbour Lives"),
        ("What is the basis of Fellow Sails?", "Fair Winds"),
        ("When did the Tarn Guild win back the council?", "May 1998"),
        ("When were the halls of the Tarn Guild built?", "early in the 20th century"),
        ("What month did the Tarn Guild win back the council?", "May"),
        ("When does the Tarn Guild open again in 2019?", "5 May 2019"),
        ("What is the population of the county of Lorland?", "61,300"),
    ],
)
def test_things_are_found(question: str, answer: str) -> None:
    assert ask(question, pages=PAGES)[0].removeprefix("The ") == answer


def at(text: str, name: str, kind: str = "name") -> Candidate:
    start = text.index(name)
    return Candidate(name, start, start + len(name), kind)


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("The Board of Northern Lights sits in Torp.", "Board of Northern Lights", 0.0),
        ("The Board of Lights (BNL) sits in Torp.", "Board of Lights", GLOSSED),
        ("The BNL (Board of Lights) sits in Torp.", "Board of Lights", GLOSSED),
        ("The Bureau of Nets and Lines sits in Torp.", "Bureau of Nets and Lines", SPELT),
        ("The BNL met Ada Finch.", "Ada Finch", 0.0),
    ],
)
def test_an_abbreviation_is_spelt_out(text: str, name: str, expected: float) -> None:
    short = "BNL" if expected or "BNL" in text else "BLN"
    assert spelt_out(text, at(text, name), short) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It was lit in the late 1980s.", ["late 1980s"]),
        ("It was lit in the mid-18th century.", ["mid-18th century"]),
        ("It was lit early in the 20th century.", ["early in the 20th century"]),
    ],
)
def test_a_part_of_a_century_belongs_to_the_date(text: str, expected: list[str]) -> None:
    assert [c.text for c in candidates(text, frozenset()) if c.kind == "date"] == expected


def test_a_date_is_given_as_it_is_asked_for() -> None:
    assert month("9 October 1192") == "October"
    assert month("1192") == "1192"
    assert century("early 20th century") == "20th century"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They won it for the first time since June 1974.", True),
        ("They had not won it since June 1974.", True),
        ("They have held it since June 1974.", False),
    ],
)
def test_since_when_something_was_not_so_is_not_when_it_happened(text: str, expected: bool) -> None:
    assert long_before(text, at(text, "June 1974", "date")) is expected


def test_a_date_is_of_the_year_asked_for_and_the_last_one_where_that_is_asked() -> None:
    text = "It opened on 5 May 2019 and on 3 June 2017."
    first, second = at(text, "5 May 2019", "date"), at(text, "3 June 2017", "date")
    dates = (first.text, second.text)
    assert of_another_year("when does it open in 2019?", second)
    assert not of_another_year("when does it open in 2019?", first)
    assert not of_another_year("when did the war that began in 2019 end?", second)
    assert [latest("last time {0} opened", c, dates) for c in (first, second)] == [0.0, -1.0]
    assert [latest("first time {0} opened", c, dates) for c in (first, second)] == [-1.0, 0.0]
    assert latest("when did {0} open", second, dates) == 0.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They signed a 12-year lease.", ["12-year"]),
        ("They found a 61-year-old keeper.", ["61"]),
        ("It ranks 42nd.", []),
        ("It lies at 54 ° 20 ′ N.", []),
        ("It was lit on June 3, 2013 (2013 - 06 - 03) with 5 lamps.", ["5"]),
        ("It was 7 °C.", ["7 °C"]),
    ],
)
def test_what_counts_and_measures(text: str, expected: list[str]) -> None:
    assert [c.text for c in candidates(text, frozenset()) if c.kind == "number"] == expected


def test_how_many_are_asked_for() -> None:
    text = "It has two dialects, Upper and Lower; the other has four dialects: Inner, Outer, Old and New."
    assert of_another_number(text, at(text, "Inner"), "what two dialects does {0} have")
    assert not of_another_number(text, at(text, "Upper"), "what two dialects does {0} have")
    assert not of_another_number(text, at(text, "Inner"), "what dialects does {0} have")


def test_the_first_of_its_kind_may_have_a_parenthesis_behind_it() -> None:
    text = "The Gull Ring (Danish: (mågering); a jewel) is the highest honour of Lorland."
    assert identified(text, at(text, "Gull Ring"), "highest honour of {0}") == 1.0
    text = "Ada surpassed Ida Finch, to become the oldest keeper."
    assert identified(text, at(text, "Ida Finch"), "oldest keeper") == 0.0


def test_a_field_is_told_by_who_works_in_it() -> None:
    assert [c.text for c in disciplines("Ada Finch, a Danish marine biologist, taught physics.")] == [
        "biology",
        "physics",
    ]


def test_questions_as_they_are_meant() -> None:
    assert turned("Which year witnessed the opening of the mill?") == "Which year was the opening of the mill?"
    assert plain("Number of lamps in Torp Mill?") == "How many lamps are in Torp Mill?"
    assert plain("What is the part of the series of The Long Net?") == "Which series is The Long Net part of?"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The song is on the 1989 album Sleeping with the Gulls.", "Sleeping with the Gulls"),
        ('She wrote the hymn "Ein neues Boot wir bauen" there.', "Ein neues Boot wir bauen"),
        ("It ended with ``I Row to Torp, ''in 2001.", "I Row to Torp"),
        ("She played in Gull - Man for years.", "Gull - Man"),
        ("They won the Northern Song Contest 1991.", "Northern Song Contest 1991"),
    ],
)
def test_titles_are_names_as_a_whole(text: str, expected: str) -> None:
    assert expected in [c.text for c in candidates(text, frozenset()) if c.kind == "name" and not c.inside]


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("It was lit in the nineteenth century.", "date", ["nineteenth century"]),
        ("It was lit in early 1931.", "date", ["1931"]),
        ("It was lit between 1898 and 1905.", "date", ["1898", "1905"]),
        ("It grew by 6 - 7 % a year.", "number", ["6 - 7 %"]),
        ("They lost by 4 -- 0.", "number", ["4", "0"]),
        ("It is 4.37 light - years away.", "number", ["4.37 light - years"]),
    ],
)
def test_dates_and_numbers_are_told_in_many_ways(text: str, kind: str, expected: list[str]) -> None:
    assert [c.text for c in candidates(text, frozenset()) if c.kind == kind] == expected


def test_how_often_something_happened() -> None:
    assert [c.text for c in occurrences("They won it twice, and the bowl on four occasions.")] == [
        "twice",
        "four occasions",
    ]


def test_a_share_is_of_what_stands_behind_it() -> None:
    text = "Of all people 56% were keepers, 2.8% rowers and 3% of Torp."
    wanted = frozenset((stem("rowers"),))
    assert [shares(text, at(text, n, "number"), wanted) for n in ("56%", "2.8%")] == [-1.0, 1.0]
    assert shares("It was 7%.", at("It was 7%.", "7%", "number"), wanted) == 0.0


@pytest.mark.parametrize(
    ("question", "name", "expects"),
    [
        ("Which cliff was painted by Ada Finch?", None, "any"),
        ("What hymn did Ada Finch write?", "author of", "work"),
        ("What lamp was used when Torp Mill was opened?", None, "any"),
        ("When was Torp Mill opened?", "founding_date", "date"),
        ("What temple did Ada Finch design?", "designer of", "place"),
        ("During what time span did Torp Mill run?", None, "date"),
    ],
)
def test_a_noun_of_another_sort_takes_no_relation_of_people(question: str, name: str | None, expects: str) -> None:
    hop = planned(question).hops[-1]
    assert (hop.relation and hop.relation.name, hop.expects) == (name, expects)
