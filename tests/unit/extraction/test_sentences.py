"""The default extractor: sentences as hyperedges, names as entities."""

from __future__ import annotations

import pytest

from clew.documents.blocks import Draft, Layout
from clew.documents.marked.plain_blocks import paragraphs
from clew.documents.tables.rows import row_draft
from clew.extraction.sentences import SentenceExtractor
from clew.ids import document_id
from clew.ingest.split import chunks
from clew.types import Block, Document, ExtractedFact, Participant


def facts(text: str, title: str = "Old Maren Light", chunk_chars: int = 1600) -> list[ExtractedFact]:
    layout = Layout(paragraphs(text))
    document = Document(document_id("k", "s"), "k", title, "s", layout.text, "0", blocks=tuple(layout.blocks))
    return [f for chunk in chunks(document, chunk_chars) for f in SentenceExtractor().extract(document, chunk)]


def test_a_sentence_is_a_fact_with_its_page_and_its_names() -> None:
    text = "History\n\nIt was designed by Ruben Calloway\nin 1809. It stands."
    assert facts(text) == [
        ExtractedFact(
            "Old Maren Light: It was designed by Ruben Calloway in 1809.",
            9,
            51,
            (
                Participant("Old Maren Light", "subject"),
                Participant("Ruben Calloway", "mention"),
                Participant("1809", "mention"),
            ),
            17,
        ),
        ExtractedFact("Old Maren Light: It stands.", 52, 62, (Participant("Old Maren Light", "subject"),), 17),
    ]


def test_offsets_are_the_documents_own_in_every_chunk() -> None:
    text = " ".join(f"Keeper {i} lit the lamp of Ansby – 🜂 – in {1800 + i}." for i in range(40))
    found = facts(text, chunk_chars=200)
    assert len(found) == 40
    for fact in found:
        assert " ".join(text[fact.start : fact.end].split()) == fact.text[fact.lead :]


def test_names_in_the_title_are_topics() -> None:
    (fact,) = facts("It has a mill.", title="Springfield, Illinois (town)")
    assert fact.participants == (
        Participant("Springfield, Illinois", "subject"),
        Participant("Springfield", "topic"),
        Participant("Illinois", "topic"),
    )
    assert fact.text == "Springfield, Illinois (town): It has a mill."


def test_what_a_paper_names_beside_its_title_is_its_subject() -> None:
    (born,) = facts("Curriculum Vitae\n\nAnna Holm\n\nBorn: 4 May 1980, Tarn", "Curriculum Vitae")
    assert Participant("Anna Holm", "subject") in born.participants


def test_the_same_text_gives_the_same_facts() -> None:
    text = "Ada met Charles. " * 30
    assert facts(text) == facts(text)
    assert len({fact.text for fact in facts(text)}) == 1


def facts_under(text: str, *headings: tuple[str, int], title: str = "Things to see") -> list[ExtractedFact]:
    """The facts of a text whose lines of these words are headings of these levels."""
    outline = [Block("heading", text.index(words), text.index(words) + len(words), level) for words, level in headings]
    document = Document(document_id("k", "s"), "k", title, "s", text, str(outline), blocks=tuple(outline))
    return [f for chunk in chunks(document, 1600) for f in SentenceExtractor().extract(document, chunk)]


@pytest.mark.parametrize(
    ("draft", "roles"),
    [
        (
            row_draft([("Door",), ("Key",), ("Keeper",)], ["North Gate", "Brass", "Anna Berg"]),
            {"North Gate": "Door", "Brass": "Key", "Anna Berg": "Keeper"},
        ),
        (row_draft([("Plant",)], ["Osby"], "Norrland"), {"Osby": "Plant", "Norrland": "mention"}),
        (Draft("Skipper: Anna Berg.", "pair"), {"Anna Berg": "Skipper"}),
    ],
)
def test_cells_take_part_under_the_heads_of_their_columns(draft: Draft, roles: dict[str, str]) -> None:
    layout = Layout([draft])
    document = Document(document_id("k", "s"), "k", "it", "s", layout.text, layout.text, blocks=tuple(layout.blocks))
    (chunk,) = chunks(document, 1600)
    (fact,) = SentenceExtractor().extract(document, chunk)
    assert {one.name: one.role for one in fact.participants} == roles


def subjects(fact: ExtractedFact) -> list[str]:
    return [one.name for one in fact.participants if one.role == "subject"]


def test_a_sentence_is_about_what_the_heading_above_it_names() -> None:
    text = (
        "Corran Yard\n\nIt was built in 1840.\n\nHistory\n\nAnna Berg bought it in 1931.\n\n"
        "Ardg Light\n\nThe Ardg Light is white. Jon Ek kept it.\n\nOpening\n\nBoth are open in May."
    )
    found = facts_under(text, ("Corran Yard", 2), ("History", 3), ("Ardg Light", 2), ("Opening", 2))
    assert [fact.text for fact in found] == [
        "Things to see: Corran Yard: It was built in 1840.",
        "Things to see: Corran Yard: Anna Berg bought it in 1931.",
        "Things to see: Ardg Light: The Ardg Light is white.",
        "Things to see: Ardg Light: Jon Ek kept it.",
        "Things to see: Both are open in May.",
    ]
    assert [subjects(fact)[-1] for fact in found] == [
        "Corran Yard",
        "Corran Yard",
        "Ardg Light",
        "Ardg Light",
        "Things to see",
    ]
    for fact in found:
        assert text[fact.start : fact.end] == fact.text[fact.lead :]


def test_an_answer_is_led_by_its_question() -> None:
    text = "Who built it?\n\nAnna Berg did.\n\nQ: When?\n\nA: In 1840.\n\nIt is open. Why? Nobody knows."
    assert [fact.text for fact in facts(text, title="Yard")][:2] == [
        "Yard: Who built it? Anna Berg did.",
        "Yard: Q: When? A: In 1840.",
    ]


def test_lines_that_were_ended_where_more_had_room_are_facts_of_their_own() -> None:
    lines = (
        "11:00  Drive to Ansby (265 km)",
        "16:00  Check-in Hotel Maren, 4 nights",
        "Makes 16 pieces",
        "Baking: 35 min",
    )
    text = "Day 6\n\n" + "\n".join(lines)
    assert [fact.text[fact.lead :] for fact in facts(text)] == [
        "11:00 Drive to Ansby (265 km)",
        "16:00 Check-in Hotel Maren, 4 nights",
        "Makes 16 pieces",
        "Baking: 35 min",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The lamp of the old light was lit for the first time by Ruben\nCalloway, who lived there until 1809.",
        "The keeper was paid by\nAnsby.",
        "The lamp was\nlit in 1809.",
        "For the dough:\n- 400 g flour\n- 1 egg",
    ],
)
def test_lines_that_go_on_are_one_sentence(text: str) -> None:
    assert len(facts(text)) == 1
