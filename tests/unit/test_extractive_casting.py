"""Who is said to play whom."""

from __future__ import annotations

import pytest

from clew.agent.extractive.candidates import Candidate, candidates
from clew.agent.extractive.cast_list import entries
from clew.agent.extractive.casting import ELSE, asks_for, played_by, plays, role_alone, role_words
from clew.agent.extractive.lexicon import stem

CAST = "Harbour stars Ada Finch as Mira Holm and Jon Vale as the old keeper, with Tess Orr (Captain Brand)."


def candidate(text: str, name: str) -> Candidate:
    at = text.index(name)
    return Candidate(name, at, at + len(name), "name")


def role(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


@pytest.mark.parametrize(
    ("name", "asked", "expected"),
    [
        ("Ada Finch", "mira holm", 1.0),
        ("Ada Finch", "keeper", -0.6),
        ("Jon Vale", "keeper", 1.0),
        ("Jon Vale", "young keeper", 0.5),
        ("Tess Orr", "captain brand", 1.0),
        ("Tess Orr", "keeper", -0.6),
        ("Harbour", "keeper", 0.0),
    ],
)
def test_an_actor_is_known_by_the_role_that_follows(name: str, asked: str, expected: float) -> None:
    assert plays(CAST, candidate(CAST, name), role(asked)) == pytest.approx(expected)


def test_an_actor_is_known_by_the_role_before() -> None:
    text = "The keeper, portrayed by Jon Vale, loses the lamp; Mira (Ada Finch) finds it."
    assert plays(text, candidate(text, "Jon Vale"), role("keeper")) == 1.0
    assert plays(text, candidate(text, "Ada Finch"), role("mira")) == 1.0
    assert plays(text, candidate(text, "Jon Vale"), role("mira")) == pytest.approx(-0.6)
    assert plays(text, candidate(text, "Jon Vale"), frozenset()) == 0.0


@pytest.mark.parametrize(
    ("actor", "character", "expected"),
    [("Ada Finch", "Mira Holm", 1.0), ("Ada Finch", "Captain Brand", 0.0), ("Jon Vale", "Mira Holm", 0.0)],
)
def test_a_character_is_known_by_its_actor(actor: str, character: str, expected: float) -> None:
    at = CAST.index(actor)
    assert played_by(CAST, candidate(CAST, character), (at, at + len(actor))) == expected


def test_a_character_is_not_its_own_actor() -> None:
    text = "In Harbour, Mira Holm meets the keeper."
    assert plays(text, candidate(text, "Mira Holm"), role("mira")) == -1.0


def test_a_page_about_an_actor_tells_the_roles() -> None:
    page = Candidate("Ada Finch", 0, 0, "name")
    assert plays("She is known for playing Mira Holm in Harbour.", page, role("mira holm")) == 1.0
    assert plays("She served as a keeper.", page, role("keeper")) == 0.0


def test_a_page_about_a_character_names_its_actor() -> None:
    page = Candidate("Mira Holm", 0, 0, "name")
    assert played_by("A keeper's daughter portrayed since 1994 by Ada Finch.", page, (41, 50)) == 0.0
    assert played_by("A keeper's daughter portrayed first by Ada Finch.", page, (39, 48)) == 1.0


def test_an_actor_may_open_the_sentence() -> None:
    text = "Played by Jon Vale, the keeper is Mira's half-brother."
    assert plays(text, candidate(text, "Jon Vale"), role("keeper")) == 1.0
    assert plays(text, candidate(text, "Jon Vale"), role("mira")) == pytest.approx(-0.6)


def test_a_character_may_stand_before_its_actor() -> None:
    text = "Mira Holm is played by Ada Finch."
    assert played_by(text, candidate(text, "Mira Holm"), (23, 32)) == 1.0
    assert played_by(text, candidate(text, "Mira Holm"), None) == 0.0


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("Who played {0} in {1}", "actor"),
        ("actor of {0} in {1}", "actor"),
        ("What character does {0} play in {1}", "character"),
        ("Who does {0} play in {1}", "character"),
        ("Where was {0} born", ""),
    ],
)
def test_what_is_asked_of_a_cast(template: str, expected: str) -> None:
    assert asks_for(template) == expected


def test_the_work_is_no_part_of_the_role() -> None:
    words = role_words("Who played {0} in the film {1}", ((0, "Mira Holm"), (1, "Harbour Lights")))
    assert words == role("mira holm")
    assert role_words("Who voices the old keeper in {0}", ((0, "Harbour"),)) == role("old keeper")


LISTED = "Ada Finch as Mira Jon Vale as Captain Brand Tess R. Orr as the keeper Ulla Berg as Young Mira"


def test_a_list_of_a_cast_is_taken_apart_where_its_separators_are_lost() -> None:
    assert [(LISTED[a:b], part) for a, b, part in entries(LISTED)] == [
        ("Ada Finch", "Mira"),
        ("Jon Vale", "Captain Brand"),
        ("Tess R. Orr", "the keeper"),
        ("Ulla Berg", "Young Mira"),
    ]
    found = {c.text for c in candidates(LISTED, frozenset()) if c.kind == "name"}
    assert {"Jon Vale", "Tess R. Orr"} <= found
    assert "Mira Jon Vale" not in found
    assert plays(LISTED, candidate(LISTED, "Jon Vale"), role("brand")) == 1.0
    assert plays(LISTED, candidate(LISTED, "Ada Finch"), role("brand")) == pytest.approx(-0.6)
    assert entries("Ada Finch worked as Mira, Jon Vale sailed as Brand, and Tess Orr came as Ulla.") == ()


def test_respectively_joins_the_first_with_the_first() -> None:
    text = "The film stars Ada Finch and Jon Vale as Mira and Captain Brand, respectively, with Tess Orr."
    assert plays(text, candidate(text, "Jon Vale"), role("captain brand")) == 1.0
    assert plays(text, candidate(text, "Ada Finch"), role("captain brand")) == pytest.approx(-0.6)
    assert plays(text, candidate(text, "Ada Finch"), role("mira")) == 1.0


@pytest.mark.parametrize(
    ("text", "asked", "name"),
    [
        ("Brand (Jon Vale) lives with his wife, Mira (Ada Finch), on an island.", "brand wife", "Ada Finch"),
        ("Jon Vale stars as Brand, who sails with his father (Tom Orr).", "brand dad", "Tom Orr"),
    ],
)
def test_a_relative_of_a_character_is_whoever_is_said_to_be_one(text: str, asked: str, name: str) -> None:
    words = role_words(f"Who plays {asked} in {{0}}", ((0, "Harbour"),))
    others = {"Jon Vale", "Ada Finch", "Tom Orr"} - {name}
    best = plays(text, candidate(text, name), words)
    assert best >= 0.6
    assert all(plays(text, candidate(text, other), words) < best for other in others if other in text)


def test_an_actors_page_lists_the_parts_with_their_works() -> None:
    text = "She is known for playing Kit Berg in Low Tide (1990), Mira Holm in Harbour (1995) and Ulla in Torp."
    page = Candidate("Ada Finch", 0, 0, "name")
    assert plays(text, page, role("mira holm")) == 1.0
    assert plays(text, page, role("captain brand")) == pytest.approx(ELSE)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The title character was played by Jon Vale.", "Jon Vale"),
        ("Mira Holm is a fictional character in the Harbour films, portrayed by Ada Finch.", "Ada Finch"),
        ("She is portrayed by Ada Finch.", "Ada Finch"),
        ("The play won a prize, and Ada Finch (in the title role) another.", "Ada Finch"),
    ],
)
def test_on_the_page_of_a_part_its_actor_needs_no_name_of_it(text: str, name: str) -> None:
    assert plays(text, candidate(text, name), role("mira"), titled=True) == 1.0
    assert plays(text, candidate(text, name), role("mira")) < 1.0


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The brothers are James (played by Jon Vale) and a keeper.", "James"),
        ("The keeper is loved by Mira (Ada Finch).", "Mira"),
        ("The film has Ada Finch as Mira.", "Mira"),
    ],
)
def test_whoever_is_played_plays_nobody(text: str, name: str) -> None:
    assert plays(text, candidate(text, name), role("brand")) == pytest.approx(ELSE)


def test_the_page_of_an_actor_lists_the_parts() -> None:
    text = (
        "She is known for playing the heir on Tarn Ho, M.D. (1989), Mira Holm on Harbour and Count Orr in Salt Roads."
    )
    actor = Candidate("Ada Finch", 0, 0, "name")
    assert plays(text, actor, role("mira")) == 1.0
    assert plays(text, actor, role("brand")) == pytest.approx(ELSE)
    assert plays("She voices M.I.R.A. in Harbour.", actor, role("mira")) == 1.0
    assert plays("She played the mother of Mira in Harbour.", actor, role("mira")) < 0.0


def test_a_part_is_known_without_a_name() -> None:
    assert role_alone("who plays the keeper's wife in harbour lights") == role("keeper wife")
    assert role_alone("who wrote harbour lights") == frozenset()
