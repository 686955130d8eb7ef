"""Values of a passage: what the reader points at, answers below a question, what a document says of itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from clew.agent.abstain import FOUND
from clew.agent.evidence import Evidence, Shown, shown_passages
from clew.agent.policies.reader.policy import ReaderPolicy
from clew.agent.policies.reader.reading import candidates
from clew.agent.policies.reader.verdict import sentences_near
from clew.agent.protocol import normalise_query
from clew.ingest.load import load
from clew.questions.grammar import plan
from clew.reader.confidence import load_confidence
from clew.reader.reader import Reading, Text
from clew.reader.spans import Span
from clew.settings import load_settings
from clew.types import Block, Document, Passage


@dataclass
class Pointing:
    """A reader that points at every one of some values, wherever it stands."""

    values: Sequence[str] = ()

    def read(self, question: str, texts: Sequence[Text]) -> list[Reading]:
        places = [[(one.text.find(value), value) for value in self.values] for one in texts]
        spans = [tuple(Span(at, at + len(value), 9.0) for at, value in own if at >= 0) for own in places]
        return [Reading(own, (0.0, 0.0)) for own in spans]


def shown_of(folder: Path, text: str, name: str = "a.md") -> Shown:
    """A text as its format's reader reads it, shown as one passage."""
    folder.joinpath(name).write_text(text, encoding="utf-8")
    [one] = load([str(folder / name)], kb="k", settings=load_settings(_env_file=None))
    assert isinstance(one, Document)
    place = one.id, one.id, one.title, one.text, 0, len(one.text), 1.0
    [shown] = shown_passages([Passage(*place, blocks=one.blocks, metadata=one.metadata)])
    return shown


def read(question: str, shown: Shown | Sequence[Shown], *points: str) -> list[str]:
    """The values of passages for a question, likeliest first."""
    taken = plan(question)
    evidence = Evidence({normalise_query(question): (shown,) if isinstance(shown, Shown) else tuple(shown)}, {})
    asked = question, question, taken.anchors, taken.hops[-1].expects, evidence
    return [one.value for one in candidates(*asked, Pointing(points), load_confidence(), taken.kind)]


def test_an_exact_title_beats_one_that_contains_it(tmp_path: Path) -> None:
    told = "The bridge was designed by {}."
    longer = shown_of(tmp_path, f"# New Heron Bridge\n\n{told.format('Jon Rex')}\n", "new.md")
    exact = shown_of(tmp_path, f"# Heron Bridge\n\n{told.format('Ida Falk')}\n", "exact.md")
    assert read("Who designed the Heron Bridge?", [longer, exact], "Jon Rex", "Ida Falk") == ["Ida Falk"]
    assert read("Who designed the New Heron Bridge?", [longer, exact], "Jon Rex", "Ida Falk")[0] == "Jon Rex"


LEASES = "# Leases\n\n## Lease A\n\nThe tenant is Per Holm.\n\n## Lease B\n\nThe tenant is Ida Moe.\n"


@pytest.mark.parametrize(("question", "value"), [("Who rents Lease A?", "Per Holm"), ("Who rents Lease B?", "Ida Moe")])
def test_what_stands_under_another_heading_is_no_value(tmp_path: Path, question: str, value: str) -> None:
    assert read(question, shown_of(tmp_path, LEASES), "Per Holm", "Ida Moe") == [value]


@pytest.mark.parametrize(
    ("question", "text", "pointed", "values"),
    [
        (
            "What was the rent of Quay House in 2020?",
            "The rent of Quay House was 700 crowns in 2019.",
            "700 crowns",
            [],
        ),
        ("When was release 2.0 of Havfisk made?", "Release 1.0 of Havfisk was made in 2016.", "2016", []),
        ("Who runs the ferry Sula?", "He sold it to Jon Ek. The ferry Sula is green.", "Jon Ek", []),
        ("Who runs the ferry Sula?", "Jon Ek runs the ferry Sula.", "Jon Ek", ["Jon Ek"]),
        ("Who runs the ferry Sula?", "Jon Ek runs the ferry Sula. In May it was sold to Ida Moe.", "Jon Ek", []),
        ("Who runs the ferry Sula?", "The ferry Sula", "The ferry Sula", []),  # it only repeats the question
    ],
)
def test_what_a_sentence_of_something_else_says(question: str, text: str, pointed: str, values: list[str]) -> None:
    assert read(question, Shown(Text("Notes", text), "d", 0, len(text), 0, True), pointed) == values


FAQ = "Notes\n\nWho runs the ferry Sula?\n\nFjord Line does.\n\nQ: How much is a ticket?\nA: 45 crowns.\n"


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Who runs the ferry Sula?", ["Fjord Line does"]),
        ("How much is a ticket?", ["45 crowns"]),
        ("Who runs the ferry Alda?", []),
    ],
)
def test_the_answer_below_the_same_question(question: str, values: list[str]) -> None:
    assert read(question, Shown(Text("Notes", FAQ), "d", 0, len(FAQ), 0, True)) == values


def test_who_wrote_a_document_is_told_by_its_metadata(tmp_path: Path) -> None:
    front = "---\ntitle: Tarn survey\nauthor: Karin Holt\n---\n\nThe tarn is deep.\n"
    one = shown_of(tmp_path, front)
    assert one.metadata["author"] == "Karin Holt"
    assert read("Who wrote the Tarn survey?", one) == ["Karin Holt"]
    assert read("Who wrote the Osby survey?", one) == []
    assert read("Who wrote the report?", replace(one, metadata={})) == []


def test_a_letter_is_no_email_and_who_wrote_one_is_a_name() -> None:
    text = "From: Colin Baxter <colin@osby.example>\nSubject: Re: Osby complaint\n\nWe owe them a reply."
    head = Block("metadata", 0, text.index("\n\n"))
    mail = Shown(Text("Re: Osby complaint", text), "d", 0, len(text), 0, True, blocks=(head,))
    one = replace(mail, metadata={"author": "Colin Baxter <colin@osby.example>"})
    assert read("Who wrote the Osby e-mail?", one) == ["Colin Baxter"]
    assert read("Who wrote the Osby letter?", one) == []


def test_an_answer_that_was_none_is_nothing_to_ask_of() -> None:
    policy = ReaderPolicy(reader=Pointing(), confidence=load_confidence())
    history = [("Where was Jon Rex born?", FOUND)]
    assert policy.restate("When did he die?", history) == "When did Jon Rex die?"


def test_the_lines_above_a_mail_bear_on_no_question_of_what_it_says(tmp_path: Path) -> None:
    head = "From: Ann <ann@rope.example>\nTo: Bo <bo@rope.example>\nSubject: Delayed zips\nMIME-Version: 1.0\n\n"
    shown = shown_of(tmp_path, head + "Dear Bo,\n\nA machine broke down on 11 May.\n", "mail.eml")
    near = [
        shown.text.text[slice(*seen.sentence)] for seen, *_ in sentences_near("Why were the zips delayed?", (), shown)
    ]
    assert near == ["Dear Bo,", "A machine broke down on 11 May."]
