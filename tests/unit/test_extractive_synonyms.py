"""The same told in other words: which word of a text stands for one that is asked, and from which end."""

from __future__ import annotations

import pytest

from clew.agent.extractive.lexicon import stem
from clew.agent.extractive.synonyms import DERIVED, SYNONYM, covered, in_other_words, told_back


def stems(*words: str) -> frozenset[str]:
    return frozenset(map(stem, words))


@pytest.mark.parametrize(
    ("asked", "told", "surely"),
    [
        ("executed", "executed", 1.0),
        ("executed", "execution", DERIVED),
        ("begin", "commenced", SYNONYM),
        ("constructed", "erected", SYNONYM),
        ("create", "invented", SYNONYM),
        ("invent", "composed", 0.0),
        ("begin", "painted", 0.0),
    ],
)
def test_another_word_tells_what_is_asked_less_surely(asked: str, told: str, surely: float) -> None:
    assert covered(stems(asked), stems(told)).get(stem(asked), 0.0) == surely


def test_a_word_of_the_text_counts_once() -> None:
    assert covered(stems("begin", "mill"), stems("mill", "commenced", "started")) == {
        stem("begin"): SYNONYM,
        stem("mill"): 1.0,
    }


def test_a_verb_of_several_words_is_found_in_all_its_forms() -> None:
    relation = in_other_words(stems("create"), "any")
    assert relation is not None
    assert relation.direct is not None
    assert relation.direct.search("the guild was set up by weavers")
    assert not relation.direct.search("the guild was created by weavers"), "its own words are looked for elsewhere"


@pytest.mark.parametrize(
    ("asked", "template", "told"),
    [
        ("defeat", "who did {0} defeat", "Torp lost to Lorne"),
        ("lose", "who lost to {0}", "Lorne defeated Torp"),
        ("buy", "who bought {0}", "the mill was sold to Lorne"),
    ],
)
def test_a_deed_is_told_from_the_other_end(asked: str, template: str, told: str) -> None:
    relation = told_back(stems(asked), template, "any")
    assert relation is not None
    assert relation.direct is not None
    assert relation.direct.search(told)


def test_what_has_no_other_end_is_not_told_from_there() -> None:
    assert told_back(stems("paint"), "who painted {0}", "any") is None
