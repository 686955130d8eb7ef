"""What in a sentence could be an answer, and how well it fits."""

from __future__ import annotations

import pytest

from clew.agent.extractive.between import counts
from clew.agent.extractive.candidates import Candidate, candidates, date_alone
from clew.agent.extractive.evidence import Sentence
from clew.agent.extractive.fit import IMPOSSIBLE, is_name, type_fit, unit_wanted
from clew.agent.extractive.lexicon import country, find_relation, kinship_terms, relations, stem
from clew.agent.extractive.told import apposed, complements, fields, of_kind, purposes


def found(text: str, kind: str = "name", titles: frozenset[str] = frozenset()) -> list[str]:
    return [c.text for c in candidates(text, titles) if c.kind == kind]


def one(text: str, wanted: str) -> Candidate:
    return next(c for c in candidates(text, frozenset()) if c.text == wanted)


@pytest.mark.parametrize(
    ("text", "name", "event", "named"),
    [
        ("The keepers fought in the Battle of Ostby.", "Battle of Ostby", 1.0, 0.3),
        ("The rowers won the Northern Cup.", "Northern Cup", 1.0, 0.3),
        ("They met Ada Finch.", "Ada Finch", -0.3, 0.3),
        ("They came to Denmark.", "Denmark", -0.3, 0.3),
        ("They met a Danish keeper.", "Danish", IMPOSSIBLE, IMPOSSIBLE),
        ("They met in 1931.", "1931", IMPOSSIBLE, IMPOSSIBLE),
    ],
)
def test_what_takes_place_and_what_has_a_name(text: str, name: str, event: float, named: float) -> None:
    sentence = Sentence("Torp", text)
    assert type_fit("event", one(text, name), sentence, None) == event
    assert type_fit("named", one(text, name), sentence, None) == named


@pytest.mark.parametrize("wanted", ["person", "organisation", "place", "agent"])
def test_an_abbreviation_of_a_medium_or_a_degree_names_nobody(wanted: str) -> None:
    text = "It came out on LP and was praised by TBC."
    at = text.index("LP")
    medium = Candidate("LP", at, at + len("LP"), "name")
    assert type_fit(wanted, medium, Sentence("Torp", text), None) == IMPOSSIBLE
    assert type_fit(wanted, one(text, "TBC"), Sentence("Torp", text), None) > IMPOSSIBLE


def test_names_keep_initials_ranks_and_joining_words() -> None:
    text = "It was made by William C. McGann, J. R. Tolk and Albert III, Duke of Corran and Anna of Saxony."
    assert {"William C. McGann", "J. R. Tolk", "Albert III", "Albert III, Duke of Corran", "Anna of Saxony"} <= set(
        found(text)
    )


def test_first_names_part_people_that_nothing_else_does() -> None:
    assert {"Mary Finch", "John Vale", "Tom Reed"} <= set(found("Starring Mary Finch John Vale Tom Reed"))
    assert "George Bernard Shaw" in found("It is a play by George Bernard Shaw.")


def test_a_nationality_that_describes_what_follows_joins_no_name() -> None:
    assert "Ada Finch" in found("It is a duet with Ada Finch of Danish folk group Torp.")


@pytest.mark.parametrize("text", ["Prior to the war it stood empty.", "Originally, nobody came.", "Located in a wood."])
def test_what_only_begins_a_sentence_is_no_name(text: str) -> None:
    assert found(text) == []


def test_a_name_ends_with_a_word() -> None:
    names = found("She leads the Torp University School of Industrial and Labour Relations.")
    assert "Torp University School of Industrial and Labour Relations" in names
    assert not any(name.endswith("Labou") for name in names)


def test_years_that_belong_together_are_one_date() -> None:
    assert "1898 and 1959" in found("Torp won the cup in 1898 and 1959.", "date")
    assert "1898 and 1959" not in found("It was in use between 1898 and 1959.", "date")


@pytest.mark.parametrize(
    "text",
    [
        "Ada Finch (11 March 1887 – 31 December 1980) was a keeper.",
        "Ada Finch( March 11, 1887 December 31, 1980) was a keeper.",
        "Ada Finch (March 11, 1887December 31, 1980) was a keeper.",
        "Ada Finch (11 March 188731 December 1980) was a keeper.",
        'Ada Finch (in Danish: "Finch–Vale Ada"; 11 March 1887, Torp – 31 December 1980, Ostby) was a keeper.',
    ],
)
def test_the_dates_of_a_life_have_their_roles(text: str) -> None:
    roles = {c.text: c.role for c in candidates(text, frozenset()) if c.kind == "date"}
    assert sorted(roles.values()) == ["birth", "death"]
    assert next(date for date, role in roles.items() if role == "death").endswith("1980")


def test_a_known_title_is_a_name_even_with_small_words() -> None:
    assert "Salt road of Corran" in found(
        "They took the Salt road of Corran.", titles=frozenset({"salt road of corran"})
    )


@pytest.mark.parametrize(
    "date", ["12 May 1920", "May 12, 1920", "May 1920", "1920", "3rd of June 1801", "44 BC", "the 15th century"]
)
def test_dates(date: str) -> None:
    assert found(f"It happened on {date}, they say.", "date") == [date.removeprefix("the ")]


@pytest.mark.parametrize(
    ("wanted", "text", "better", "worse"),
    [
        ("person", "Blue Harvest was certified by the RCA and sung by Ada Finch.", "Ada Finch", "RCA"),
        ("person", "It was painted by the Danish Golden artist Tom Reed.", "Tom Reed", "Danish Golden"),
        ("place", "He was born in Corran and sat in the Ostby Senate.", "Corran", "Ostby Senate"),
        (
            "organisation",
            "The President of Torp Rowing Club sold it to Torp Bank.",
            "Torp Bank",
            "The President of Torp Rowing Club",
        ),
        ("organisation", "Torp Rowing Club won the Northern Cup.", "Torp Rowing Club", "Northern Cup"),
        ("person", "Tom Reed wrote for The Torp Sun.", "Tom Reed", "The Torp Sun"),
        ("person", "After World War II came Tom Reed.", "Tom Reed", "World War II"),
        ("person", 'Jon Vale made his mother\'s film "Blue Harvest".', "Jon Vale", "Blue Harvest"),
        ("place", "He fell in the Siege of Corran, near Ostby.", "Ostby", "Siege of Corran"),
        ("person", "The painter Quill Orrin left the village Vesta Morn.", "Quill Orrin", "Vesta Morn"),
        ("person", "Quill Orrin, a Danish painter, left Vesta Morn, a village.", "Quill Orrin", "Vesta Morn"),
        ("person", "The prize went to Orrin, who gave it to Torp.", "Orrin", "Torp"),
    ],
)
def test_a_name_fits_by_its_shape(wanted: str, text: str, better: str, worse: str) -> None:
    sentence = Sentence("", text)
    fits = {c.text: type_fit(wanted, c, sentence, None) for c in candidates(text, frozenset()) if c.kind == "name"}
    assert fits[better] > fits[worse] + 0.5


def test_numbers_with_units_are_no_dates() -> None:
    assert found("It is 1488 metres high and has 14,800 people.", "date") == []
    assert found("It is 1488 metres high and has 14,800 people.", "number") == ["1488 metres", "14,800"]


def test_days_of_a_month_are_no_numbers() -> None:
    text = "From 9 to 25 February 2018 they sent 58 rowers, and on May 7 came 1, then 2 more."
    assert found(text, "number") == ["58", "1", "2"]


def test_roles_of_dates_and_places() -> None:
    text = "Ada Finch (12 May 1920, Corran – 3 June 1990, Bub) was a poet."
    assert [one(text, wanted).role for wanted in ("12 May 1920", "Corran", "3 June 1990", "Bub")] == [
        "birth",
        "birth",
        "death",
        "death",
    ]
    assert one("She was born in Corran and died in Bub.", "Bub").role == "death"


def test_nationalities() -> None:
    text = "She was a Danish poet of French descent, and saw the Gulf of Finland."
    assert one(text, "Danish").role == "demonym"
    assert one(text, "French").role == "origin"
    assert one(text, "Finland").inside
    assert country("Danish") == country("denmark") == "Denmark"
    assert country("Ruritania") is None


def test_every_relation_can_be_asked_for_and_every_kinship_term_is_made_of_relations() -> None:
    known = relations()
    assert all(name in known for chain in kinship_terms().values() for name in chain)
    assert all(relation.noun and relation.type for relation in known.values())
    asked = {name for chain in kinship_terms().values() for name in chain} | {
        "birth_date",
        "death_date",
        "founding_date",
    }
    assert all(find_relation(f"{known[name].noun} of x") is known[name] for name in asked)


def test_stems_meet() -> None:
    assert stem("founded") == stem("founder") == stem("founding") == "found"
    assert stem("illustrated") == stem("illustrator")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("He rode for Danland at the 2004 Summer Games in Ostby.", "2004 Summer Games"),
        ("It is on his album No Harbour Lights, they say.", "No Harbour Lights"),
        ("She left the Ostby College of Arts and Sciences early.", "Ostby College of Arts and Sciences"),
        ("He plays for the Corran State Herons of the National Rowing League.", "Corran State Herons"),
        ("It lies in the Torp District of Holm Province.", "Torp District"),
        ("It was sold to Ostby-based Bank of Corran in 2004.", "Bank of Corran"),
        ("She was made President of the Northern Rowing League.", "Northern Rowing League"),
        ("It was built by the Torp Company for the Corran Navy.", "Torp Company"),
    ],
)
def test_names_begin_and_end_where_their_thing_does(text: str, name: str) -> None:
    assert name in found(text)


def test_the_labels_of_a_flattened_table_are_no_part_of_names() -> None:
    table = (
        "Corran Cars Type Private Owner Torp Holdings Founded 1931 Founders Tom Reed Headquarters Ostby Products Cars"
    )
    assert {"Torp Holdings", "Tom Reed", "Ostby"} <= set(found(table))
    assert not any("Headquarters" in name or "Founders" in name for name in found(table))


@pytest.mark.parametrize("amount", ["48,500 euros", "60 m/s", "36 months", "five days", "₹96.8 billion", "−89.2 °C"])
def test_amounts_come_with_their_unit(amount: str) -> None:
    assert amount in {c.text for c in candidates(f"They say {amount}, at most.", frozenset())}


@pytest.mark.parametrize(
    ("text", "noun", "expected"),
    [
        ("It is a moist broadleaf forest that covers Corran.", "forest", ["moist broadleaf forest"]),
        ("The towers have rounded arches over their doors.", "arches", ["rounded arches"]),
        ("Rex is an old bulldog.", "dog", ["old bulldog"]),
        ("The forest is large.", "forest", []),
        ("A map of forests.", "forest", []),
    ],
)
def test_the_kind_of_a_thing_stands_before_its_noun(text: str, noun: str, expected: list[str]) -> None:
    assert [c.text for c in of_kind(text, noun)] == expected


def test_a_noun_phrase_after_an_article_has_two_words() -> None:
    terms = found("The engine drives an iron wheel and the pump.", "term")
    assert "iron wheel" in terms
    assert "pump" not in terms


@pytest.mark.parametrize(
    ("question", "fits", "fits_not"),
    [
        ("how many miles is it to the coast", "45 miles", "72 km"),
        ("how far is it in kilometres", "72 km", "45 miles"),
        ("how many square metres does it cover", "300 m²", "300 m"),
        ("how many metres is it long", "300 m", "300 square metres"),
    ],
)
def test_a_unit_that_a_question_names_is_the_answer_s(question: str, fits: str, fits_not: str) -> None:
    unit = unit_wanted(question)
    assert unit is not None
    assert unit.search(fits)
    assert not unit.search(fits_not)


def test_only_a_colour_is_a_colour() -> None:
    text = "It stands at the eastern end and is painted white."
    sentence = Sentence("", text)
    assert type_fit("colour", one(text, "white"), sentence, None) == 1.0
    assert type_fit("colour", one(text, "eastern end"), sentence, None) == IMPOSSIBLE


@pytest.mark.parametrize(
    ("text", "role", "value"),
    [
        ("He left because the night work is hard, and slept.", "reason", "the night work is hard"),
        ("Bring a jacket, since nights are cold.", "reason", "nights are cold"),
        ("Spare parts are kept in the cellar behind the store.", "spot", "the cellar behind the store"),
        ("It lies on the eastern border of the Tibetan Plateau.", "spot", "the eastern border of the Tibetan Plateau"),
        ("The mixer is cleaned every evening.", "frequency", "every evening"),
        ("It meets twice a week.", "frequency", "twice a week"),
        ("Fees are due on 1 April.", "day", "1 April"),
        ("She left the company in June.", "day", "June"),
        ("He died on Thursday in Steinfurt.", "day", "Thursday"),
        ("The museum is closed on Mondays.", "frequency", "Mondays"),
        ("The ferry sails on Fridays and Sundays; it is full.", "frequency", "Fridays and Sundays"),
        ("Service was restored at 12:52 after a restart.", "time", "12:52"),
        ("The cause of the fire was a candle in the attic.", "reason", "a candle in the attic"),
        ("The box is kept outside the caretaker's room.", "spot", "outside the caretaker's room"),
        ("Bidders meet at the northern pier.", "spot", "the northern pier"),
    ],
)
def test_what_why_where_how_often_and_when_may_be_answered_by(text: str, role: str, value: str) -> None:
    assert [c.text for c in candidates(text, frozenset()) if c.role == role] == [value]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("It took 3 hours 40 minutes.", "3 hours 40 minutes"),
        ("It lasted 2 years and 3 months, no more.", "2 years and 3 months"),
        ("The crossing costs 18 crowns.", "18 crowns"),
        ("2. Estimated value: 2.4 million dollars.", "2.4 million dollars"),
    ],
)
def test_numbers_are_told_with_their_units_and_a_point_has_none(text: str, number: str) -> None:
    assert [c.text for c in candidates(text, frozenset()) if c.kind == "number"] == [number]


def test_what_follows_a_word_and_its_preposition() -> None:
    text = "The garden was laid out by Niels Fogh and is famous for its orchids and valued at 3 million euros."
    assert [c.text for c in complements(text, stem("famous"), "for")] == ["its orchids"]
    assert [c.text for c in complements(text, stem("valued"), "at")] == ["3 million euros"]
    assert complements(text, stem("laid out"), "by") == ()


@pytest.mark.parametrize(
    ("line", "date"),
    [("28 May.", "28 May"), ("14 March 2025:", "14 March 2025"), ("May the fourth", ""), ("In May 1920 he left.", "")],
)
def test_a_line_that_is_a_date(line: str, date: str) -> None:
    assert date_alone(line) == date


def test_the_columns_of_a_row_are_no_names() -> None:
    assert [c.text for c in candidates("Feature: Motor; Value: Halden.", frozenset())] == ["Motor", "Halden"]
    assert "Motor" in [c.text for c in candidates("Motor: the Halden turns.", frozenset())]
    assert {"Ada Finch", "John Vale"} <= set(found("Ada Finch: soprano; John Vale: tenor."))


@pytest.mark.parametrize(("title", "name"), [("Symphony No. 5", True), ("NOTICE OF TENDER No. 5", False)])
def test_a_line_of_capitals_is_no_name(title: str, name: bool) -> None:
    assert is_name(title) is name


def test_since_a_date_gives_no_reason() -> None:
    assert not [c for c in candidates("He worked there, since 2008 alone.", frozenset()) if c.role == "reason"]


def test_an_institution_may_have_an_owner_in_its_name() -> None:
    assert "Ashgrove Children's Hospital" in found("It goes to the Ashgrove Children's Hospital.")
    assert "Ada Finch's Harbour Songs" not in found("It is on Ada Finch's Harbour Songs.")


def test_who_is_addressed_by_a_title_rules_nothing() -> None:
    names = found("Led by Dr. Amara Nwosu of Southern Cross University.")
    assert names[:2] == ["Dr. Amara Nwosu", "Southern Cross University"]
    assert "Lord Hale of Corran" in found("It was given to Lord Hale of Corran.")


@pytest.mark.parametrize(
    ("text", "number", "noun", "expected"),
    [
        ("Add four eggs one at a time.", "four", "eggs", True),
        ("Add four eggs one at a time.", "one", "eggs", False),
        ("Beat 200 g of butter with 150 g of sugar.", "200", "butter", True),
        ("Beat 200 g of butter with 150 g of sugar.", "150", "butter", False),
        ("It runs 5 of the campuses.", "5", "campuses", False),
    ],
)
def test_a_number_counts_the_noun_behind_it(text: str, number: str, noun: str, expected: bool) -> None:
    assert counts(text, one(text, number), noun) is expected


def test_a_field_of_the_label_that_is_asked_for_is_an_answer() -> None:
    row = "Week: 2; Topic: Meanders; Reading: Hartley, chapter 4."
    assert [c.text for c in fields(row, frozenset({stem("read")}))] == ["Hartley, chapter 4"]
    assert [row[c.start : c.end] for c in fields(row, frozenset({stem("topic")}))] == ["Meanders"]
    assert fields("The rule is simple: topic of the week", frozenset({stem("topic")})) == ()


@pytest.mark.parametrize(
    ("text", "verb", "expected"),
    [
        ("The dam was built in 1936 to protect the town of Ostrau.", "built", ["to protect the town of Ostrau"]),
        ("The captain was sent off for a foul on Ogilvie.", "sent", ["a foul on Ogilvie"]),
        ("He was sent to the hospital for three weeks.", "sent", []),
        ("It was built to last; others came to see it.", "came", ["to see it"]),
    ],
)
def test_what_something_was_done_for_is_a_reason(text: str, verb: str, expected: list[str]) -> None:
    assert [c.text for c in purposes(text, frozenset({stem(verb)}))] == expected


def test_a_word_beside_its_noun_is_its_name() -> None:
    assert [c.text for c in apposed("It has the active substance feltarine, which", "active substance")] == [
        "feltarine"
    ]
    assert apposed("The active substance and lactose.", "active substance") == ()


def test_a_name_is_read_without_what_its_bearer_is_and_without_a_score() -> None:
    assert "Ravi Nair" in _texts("Goalkeeper Ravi Nair broke a finger.")
    assert not [t for t in _texts("Goalkeeper Ravi Nair broke a finger.") if "Goalkeeper" in t]
    assert "Redvale Rovers" in _texts("Harbour City beat Redvale Rovers 3-2 at home.")
    assert "Students" not in _texts("Students should have passed the course.")
    assert "0800 4411" in _texts("Call the poison centre at 0800 4411.")


def _texts(sentence: str) -> list[str]:
    return [c.text for c in candidates(sentence, frozenset())]


def test_a_range_is_one_number() -> None:
    found = [c.text for c in candidates("It is between 4,100 and 4,900 euros a month.", frozenset())]
    assert "between 4,100 and 4,900 euros" in found
    assert not {"4,100", "4,900 euros"} & set(found)


@pytest.mark.parametrize("date", ["first week of September", "late June", "the end of May", "second Monday in March"])
def test_a_part_of_a_month_is_a_date(date: str) -> None:
    [found] = [c for c in candidates(f"They meet in {date} at noon.", frozenset()) if c.role == "day"]
    assert (found.text, found.kind) == (date, "date")


def test_the_field_of_a_number_or_a_date_has_a_digit() -> None:
    text = "Claim number: NG-48813; Phone number: none; Starts: 18:00"
    number = frozenset({stem("claim"), stem("number")})
    assert [c.text for c in fields(text, number, "number")] == ["NG-48813"]
    assert [c.text for c in fields(text, frozenset({stem("start")}), "date")] == ["18:00"]


def test_a_programme_is_nobody() -> None:
    assert not is_name("Programme of the Lanternfish Film Festival")
    assert is_name("Lanternfish Film Festival")
