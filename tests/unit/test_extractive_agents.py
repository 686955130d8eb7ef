"""Who does what a verb says, or holds an office, where the name stands before it."""

from __future__ import annotations

import pytest

from clew.agent.extractive.agents import told_of
from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.lexicon import relations
from tests.unit.test_extractive_policy import ask


@pytest.mark.parametrize(
    ("relation", "text", "name", "expected"),
    [
        ("producer", "Sven Arlo directed the film, and Hal Orrin produced it.", "Hal Orrin", True),
        ("producer", "Sven Arlo directed the film, and Hal Orrin produced it.", "Sven Arlo", False),
        ("director", "Sven Arlo wrote and directed it.", "Sven Arlo", True),
        ("director", "Sven Arlo directed Low Water before.", "Sven Arlo", False),
        ("founder", "Ruth Amberly and Ida Moe founded it in 1899.", "Ruth Amberly", True),
        ("composer", "Nora Finch wrote the libretto.", "Nora Finch", False),
        ("cinematographer", "Ruben Falk served as cinematographer.", "Ruben Falk", True),
        ("ruler", "Dora Quill has been its president since 2010.", "Dora Quill", True),
        ("ruler", "Dora Quill was president of Norland.", "Dora Quill", False),
        ("ruler", "Jon Vale, the club's secretary, resigned.", "Jon Vale", True),
        ("ruler", "Jon Vale became the second keeper of the light.", "Jon Vale", True),
    ],
)
def test_a_name_before_the_verb_does_it(relation: str, text: str, name: str, expected: bool) -> None:
    at = text.index(name)
    assert (
        told_of(relations()[relation], text, Candidate(name, at, at + len(name), "name"), frozenset()) >= 0.9
    ) is expected


CLUB = {
    "Marlow Chess Club": "The Marlow Chess Club is a chess club in Marlow. Ruth Amberly founded it in 1899. Dora Quill "
    "has been its president since 2010, and Greta Lodge is the secretary. The Board of Games owns the building.",
    "Tern Island Light": "Tern Island Light is a lighthouse off Lorne. Felix Norland was its architect. The Board of "
    "Lights built it in 1844.",
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who founded the Marlow Chess Club?", "Ruth Amberly"),
        ("Who is the president of the Marlow Chess Club?", "Dora Quill"),
        ("Who is the secretary of the Marlow Chess Club?", "Greta Lodge"),
        ("Who designed Tern Island Light?", "Felix Norland"),
        ("Who built Tern Island Light?", "The Board of Lights"),
    ],
)
def test_what_is_told_of_one_is_not_told_of_the_next(question: str, answer: str) -> None:
    assert ask(question, pages=CLUB)[0] == answer
