"""Questions whose question word stands in the place of the answer."""

from __future__ import annotations

import pytest

from tests.unit.test_extractive_grammar import plan_of


@pytest.mark.parametrize(
    ("question", "hops"),
    [
        ("Gull Song is a ballad by a singer born where?", ["{0} is a ballad by what singer", "where was {1} born"]),
        ("Mira Holm is a keeper who plays for which club?", ["{0} plays for what club"]),
        (
            "Tarn Air was bought in 2005 by an airline founded in what year?",
            ["{0} was bought in 2005 by what airline", "in what year was {1} founded"],
        ),
        (
            "Mira Holm is married to the singer of a band that disbanded in which year?",
            ["{0} is married to what singer", "{1} is the singer of what band", "in what year did {2} disbanded"],
        ),
        (
            "The Corran Museum stands on an island with a population of what?",
            ["on what island did {0} stands", "{1} has what population"],
        ),
        (
            "Blue Harvest featured Ada Finch, who was voiced by a singer who has sung in what opera?",
            ["{1} was voiced by what singer", "{2} has sung in what opera"],
        ),
        (
            "Isko Verr worked in a hotel near Torp that has how many rooms?",
            ["{0} worked in what hotel near {1}", "{2} has how many rooms"],
        ),
        ("Isko Verr was a member of which chamber of the Salt League?", ["{0} was a member of what chamber of {1}"]),
        ("The director of Blue Harvest was born in what year?", ["director of {0}", "in what year was {1} born"]),
        ("Torp lies in what county in Danland?", ["in what county in {1} did {0} lies"]),
    ],
)
def test_a_statement_is_asked_for_what_its_last_clause_speaks_of(question: str, hops: list[str]) -> None:
    assert [hop.template for hop in plan_of(question).hops] == hops


@pytest.mark.parametrize(
    ("question", "hops"),
    [
        ("In which county does the river that Isko Verr crossed rise?", None),
        ("Was Isko Verr a keeper who knew what he did?", None),
        ("Isko Verr took a leading part in what?", ["{0} took a leading part in what"]),
    ],
)
def test_other_questions_are_left_as_they_are(question: str, hops: list[str] | None) -> None:
    asked = [hop.template for hop in plan_of(question).hops]
    assert asked == hops if hops else all(not hop.startswith("{0} ") for hop in asked)


@pytest.mark.parametrize(
    ("question", "relation", "expects"),
    [
        ("In what year was Isko Verr born?", "birth_date", "date"),
        ("On what date did Blue Harvest come out?", "publication_date", "date"),
        ("In which month and year was the Salt League founded?", "founding_date", "date"),
    ],
)
def test_a_year_or_a_day_is_asked_for_as_when(question: str, relation: str, expects: str) -> None:
    hop = plan_of(question).hops[-1]
    assert (hop.relation and hop.relation.name, hop.expects) == (relation, expects)
