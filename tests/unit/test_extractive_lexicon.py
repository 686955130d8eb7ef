"""The word lists: nothing stands in two of them that exclude each other, and what they say is found."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest

from clew.agent.extractive.fit import gender_of
from clew.agent.extractive.lexicon import APART, find_relation, first_names, in_lower, stem
from clew.text.names import key


def data(name: str) -> dict[str, Any]:
    return tomllib.loads(files("clew.agent.extractive").joinpath("data", name).read_text(encoding="utf-8"))


def test_each_head_noun_asks_for_one_type() -> None:
    counted = Counter(word for text in data("words.toml")["heads"].values() for word in text.split())
    assert [word for word, times in counted.items() if times > 1] == []


@pytest.mark.parametrize("section", sorted(set(data("words.toml")) - {"irregular", "regions"}))
def test_no_list_says_a_word_twice(section: str) -> None:
    for text in data("words.toml")[section].values():
        assert [word for word, times in Counter(text.split()).items() if times > 1] == []


@pytest.mark.parametrize("section", sorted(data("words.toml")))
def test_each_list_is_read(section: str) -> None:
    modules = files("clew.agent.extractive").iterdir()
    assert any(f'"{section}"' in one.read_text(encoding="utf-8") for one in modules if one.name.endswith(".py"))


@pytest.mark.parametrize("family", sorted(data("relations.toml")))
def test_no_relation_says_a_phrase_twice(family: str) -> None:
    for phrases in ("ask", "direct", "inverse"):
        counted = Counter(data("relations.toml")[family][phrases])
        assert [phrase for phrase, times in counted.items() if times > 1] == []


@pytest.mark.parametrize("family", sorted(data("relations.toml")))
def test_each_phrase_asks_for_its_own_family(family: str) -> None:
    for phrase in data("relations.toml")[family]["ask"]:
        found = find_relation(phrase.replace("*", "x"))
        assert found is not None
        assert found.name == family, phrase


def test_first_names_are_compared_without_accents() -> None:
    assert {key(name) for name in first_names()} == first_names()
    assert gender_of("José Reyes", None) == "m"


def test_words_far_apart_ask_for_nothing() -> None:
    assert find_relation("when was x founded") is not None
    assert find_relation("when " + "x" * APART + " founded") is None


def test_a_text_in_lower_case_keeps_its_places() -> None:
    text = "İzmir İstanbul was directed by Ada."
    assert len(in_lower(text)) == len(text)
    assert in_lower(text).index("directed") == text.index("directed")


def test_a_champion_has_won() -> None:
    assert {stem(word) for word in ("won", "winner", "winners", "champion")} == {"win"}


@pytest.mark.parametrize(
    ("words", "family"),
    [
        ("in what year was x born", "birth_date"),
        ("on which date and month did x die", "death_date"),
        ("in which century was the mill named after x built", "founding_date"),
    ],
)
def test_a_year_or_a_date_that_is_asked_for_is_when(words: str, family: str) -> None:
    found = find_relation(words)
    assert found is not None
    assert found.name == family
