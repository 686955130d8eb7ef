"""Names: keys, capitalised spans, titles and their mentions."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clew.text.names import LONGEST_TITLE, capitalised_spans, is_name, key, names_in, title_key, title_mentions


def spans(text: str) -> list[str]:
    return list(capitalised_spans(text))


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Østerbro, Ærø-St. Łódź", "osterbro aero st lodz"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("Œuvre", "oeuvre"),
        ("İstanbul", "istanbul"),
        ("ΟΔΟΣ", "οδοσ"),
        ("Renée\u0301 O’Neill", "renee o neill"),
        ("snake_case & more", "snake case more"),
        ("½ ﬁsh", "1 2 fish"),
        ("…", ""),
        ("", ""),
    ],
)
def test_key(name: str, folded: str) -> None:
    assert key(name) == folded


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ada Lovelace met Charles Babbage in London.", ["Ada Lovelace", "Charles Babbage", "London"]),
        ("The University of Oxford was visited.", ["University of Oxford"]),
        ("She sailed from the Bay of Biscay to La Rochelle.", ["Bay of Biscay", "La Rochelle"]),
        ("George R. R. Martin and J.R.R. Tolkien wrote.", ["George R. R. Martin and J.R.R. Tolkien"]),
        ("Ruben's lamp and the Calloways’ house.", ["Ruben", "Calloways"]),
        ("It was lit on 1 October 1809.", ["1 October 1809"]),
        ("In 1809 there were 12 keepers.", ["1809"]),
        ("He moved to St. Ives. Then he left.", ["St. Ives"]),
        ("It was drawn by Wm. Ek. He left.", ["Wm. Ek"]),
        ("It ended. Ansby rose.", ["Ansby"]),
        ("Marks & Spencer opened.", ["Marks & Spencer"]),
        ("no names here at all", []),
        ("", []),
        ("Élan Vital\n\nØrsted", ["Élan Vital", "Ørsted"]),
        ("Port\nElleray is a town.", ["Port Elleray"]),
    ],
)
def test_capitalised_spans(text: str, names: list[str]) -> None:
    assert spans(text) == names


@given(st.text())
def test_every_span_is_a_name_in_the_text(text: str) -> None:
    one_line = " ".join(text.split())
    for name in spans(text):
        assert is_name(name)
        assert name in one_line


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Please write to Anna Berg in Oslo.", ["Anna Berg", "Oslo"]),
        ("Based in Bergen, Tarn Foods sells fish.", ["Bergen", "Tarn Foods"]),
        ("Bergen is wet. Water is everywhere.", ["Bergen"]),
        ("We pay the Water Board.", ["Water Board"]),
        ("The Landlord pays.", ["Landlord"]),
        ("Soup is 14.50, served from 9:30 at Da Zeno.", ["Da Zeno"]),
        ("Anforderungen und Kosten sind hoch.", ["Anforderungen", "Kosten"]),
    ],
)
def test_a_word_that_only_begins_a_sentence_names_nothing(text: str, names: list[str]) -> None:
    assert list(names_in(text)) == names


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Mercury (planet)", "mercury"),
        ("New York City", "new york city"),
        ("Ely", None),
        ("The Of", None),
        ("1871", "1871"),
        (" ".join(["Word"] * (LONGEST_TITLE + 1)), None),
    ],
)
def test_title_key(title: str, expected: str | None) -> None:
    assert title_key(title) == expected


TITLES = {"york", "new york", "new york city", "old maren light", "light", "ansby", "the who"}


@pytest.mark.parametrize(
    ("sentence", "mentions"),
    [
        ("He left New York City for York.", {"new york city": "New York City", "york": "York"}),
        ("New York, new york and NEW YORK.", {"new york": "New York"}),
        ("The old Maren light shone.", {"old maren light": "old Maren light"}),
        ("A light shone over Ansby’s bay.", {"ansby": "Ansby"}),
        ("The Light shone.", {"light": "Light"}),
        ("Nothing is mentioned.", {}),
        ("New-York (City)", {"new york city": "New-York (City"}),
    ],
)
def test_mentions_of_titles(sentence: str, mentions: dict[str, str]) -> None:
    assert title_mentions(sentence, TITLES) == mentions


@given(st.text())
@example("x\u0302foo and हिन्दी ΟΔΟΣ'Α")
@example("0㋀")
def test_a_mention_is_found_by_a_phrase_search(sentence: str) -> None:
    """A title that comes later is looked for as a phrase of the sentence's key, so that must hold every mention."""
    words = f" {key(sentence)} "

    class Everything(set[str]):
        def __contains__(self, _: object) -> bool:
            return True

    for mention in title_mentions(sentence, Everything()):
        assert f" {mention} " in words or not mention
