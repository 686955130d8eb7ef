"""Whether cited sentences state an answer, whoever gave it: one that nothing supports is the model's own words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from clew.agent.policies.reader.verdict import OWN_WORDS, judge, verdict
from clew.agent.protocol import get_dialect
from clew.reader.confidence import load_confidence
from clew.reader.reader import Reading, Text
from clew.reader.spans import Span
from clew.types import Citation


@dataclass
class Pointing:
    """A reader that is sure of one value, wherever it stands."""

    value: str

    def read(self, question: str, texts: Sequence[Text]) -> list[Reading]:
        found = []
        for text in texts:
            at = text.text.find(self.value)
            spans = (Span(at, at + len(self.value), 15.0),) if at >= 0 else ()
            found.append(Reading(spans, (0.0, -5.0)))
        return found


REVENUE = "Revenue was £318 million in 2023 (2022: £301 million)."
TOWER = "The Tarrow Lighthouse was designed by Agnes Verrill."
ROAD = "The road to Tarrow is 62 kilometres long."
PEOPLE = "In Tarrow live 4,300 people."
LEASE = "Subletting is not permitted."


@pytest.mark.parametrize(
    ("question", "answer", "quote", "points", "kind", "said"),
    [
        ("Who designed the Tarrow Lighthouse?", "Agnes Verrill", TOWER, "Agnes Verrill", "sure", "states it"),
        ("Who designed the Tarrow Lighthouse?", "Ruben Calloway", TOWER, "Agnes Verrill", "unsupported", OWN_WORDS),
        ("What was the revenue of Tarrow in 2022?", "£301 million", REVENUE, "£301 million", "probable", ""),
        ("What was the revenue of Tarrow in 2022?", "£7 million", REVENUE, "£318 million", "unsupported", OWN_WORDS),
        ("Is subletting permitted?", "yes", LEASE, "permitted", "unsupported", "says: no"),
        ("Is subletting permitted?", "no", LEASE, "permitted", "probable", ""),
        ("Is subletting permitted?", "No, it is not.", LEASE, "permitted", "probable", ""),
        ("Is subletting permitted?", "Yes: it is permitted.", LEASE, "permitted", "unsupported", "says: no"),
        ("How long is the road to Tarrow?", "62 km", ROAD, "62 kilometres", "sure", "states it"),
        ("How long is the road to Tarrow?", "62 miles", ROAD, "62 kilometres", "unsupported", "says: 62 kilometres"),
        ("How many live in Tarrow?", "4300", PEOPLE, "4,300", "sure", "states it"),
        ("How many live in Tarrow?", "4200", PEOPLE, "4,300", "unsupported", "says: 4,300"),
        ("Who designed it?", "1. Agnes Verrill\n2. Nobody", TOWER, "Agnes Verrill", "probable", ""),
        ("Who designed it?", "somebody else", TOWER, "Agnes Verrill", "unsupported", OWN_WORDS),
    ],
)
def test_numbers_names_years_and_polarity_must_agree(
    question: str, answer: str, quote: str, points: str, kind: str, said: str
) -> None:
    cited = [Citation("d", "Tarrow", 0, len(quote), quote)]
    given = verdict(question, answer, cited, Pointing(points), load_confidence())
    assert given.kind == kind, given
    assert said in given.reason


def test_an_answer_without_citations_is_the_models_own_words() -> None:
    given = verdict("Who?", "Agnes Verrill", (), Pointing("x"), load_confidence())
    assert (given.kind, given.reason) == ("unsupported", OWN_WORDS)


def test_the_badge_of_a_longer_answer_is_that_of_its_worst_sentence() -> None:
    cited = [Citation("d", "Tarrow", 0, len(TOWER), TOWER), Citation("d", "Tarrow", 100, 142, ROAD)]
    said = "## Of it\n\n| by | length |\n|---|---|\n| Agnes | 62 |\n\n- It was designed by **Agnes Verrill**.\n"
    said += "- The road is 62 kilometres long. It burnt down in 1901."
    reader, confidence, dialect = Pointing("Agnes Verrill"), load_confidence(), get_dialect("graph-r1")
    asked = "Who designed the Tarrow Lighthouse?"
    given, support = judge(asked, said, cited, (), reader, confidence, dialect)
    assert given.kind == "unsupported"
    assert [said[a:b] for a, b in given.unsupported] == ["It burnt down in 1901."]
    assert "1 of 4 sentences" in given.reason
    assert [one.start for one in support] == [0, 100]
    given, _ = judge(asked, said[:-24], cited, (), reader, confidence, dialect)
    assert given.kind in ("sure", "probable")
