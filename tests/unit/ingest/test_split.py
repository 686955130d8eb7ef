"""Splitting: sentences and chunks as offsets, on text of every kind."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.ids import document_id
from clew.ingest.split import chunks
from clew.text.sentences import LONGEST_SENTENCE, sentences
from clew.types import Block, Chunk, Document

LETTERS = st.sampled_from("ab A.B!?;:\n\n\t 1é字。？」।…\"'()")


def document(text: str) -> Document:
    return Document(document_id("k", "s"), "k", "Title", "s", text, "0")


def test_a_heading_stands_in_one_chunk_with_what_comes_after_it() -> None:
    text = "It is old.\n\nPart two\n\nThe rent\n\nIt is due in May of each year."
    blocks = tuple(
        Block("heading", text.index(words), text.index(words) + len(words), level)
        for words, level in (("Part two", 1), ("The rent", 2))
    )
    found = list(chunks(replace(document(text), blocks=blocks), 35))
    assert [one.text for one in found] == ["It is old.", text[text.index("Part two") :]]
    assert [text[one.start : one.end] for one in found] == [one.text for one in found]
    headings = replace(document("One\n\nTwo\n\nThree"), blocks=(Block("heading", 0, 3), Block("heading", 5, 8)))
    assert [one.text for one in chunks(headings, 4)] == ["One", "Two", "Three"]  # there is nothing that they stand over


def texts(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def test_sentences() -> None:
    text = "Ada wrote it. Mr. Babbage did not; he built.  It ended in 1871!\nWhy?\n\nA heading\n\nIt came"
    assert texts(text) == [
        "Ada wrote it.",
        "Mr. Babbage did not; he built.",
        "It ended in 1871!",
        "Why?",
        "A heading",
        "It came",
    ]


@pytest.mark.parametrize(
    "found",
    [
        ["灯塔建于1802年。", "谁建的？", "「是他。」", "他叫王。"],
        ["यह 1802 में बना।", "वह ऊँचा है।"],
        ["متى بني المنار؟", "بني عام 1802."],
        ["「本当！」", "Then 3.5 m. high it was."],
        ["Փարոսը կառուցվել է 1802 թվականին։", "Ով է կառուցել այն։"],
        ["မီးပြတိုက်ကို ဆောက်သည်။", "အလွန်မြင့်သည်။"],
        ["შუქურა 1802 წელს აშენდა. ", "ის მაღალია."],
    ],
)
def test_sentences_end_in_any_script(found: list[str]) -> None:
    bare = [sentence.strip() for sentence in found]
    assert texts(" ".join(found)) == bare
    assert texts("".join(found[:2])) == bare[:2]


@pytest.mark.parametrize(
    "found",
    [
        ["Der Turm wurde am 7. April 1802 eröffnet.", "Er stand bis zum 12. März 1940."],
        ["Im 18. Jahrhundert kam der 3. Bürgermeister.", "Die 2. Fähre fuhr seit dem 1. Juni."],
        ["Molde, 7. April 1802.", "Der Turm steht."],
        ["Vom 3. bis 5. Juli und am 9. und 10. August ist er offen."],
        ["It has 7.", "The others have none.", "See page 12.", "Then 3."],
    ],
)
def test_an_ordinal_with_its_point_ends_no_sentence(found: list[str]) -> None:
    assert texts(" ".join(found)) == found


@pytest.mark.parametrize(
    "found",
    [
        ["It counts for 10 %.", "The exam (90 %) is hard.", "A talk (10 %).", "It costs 5 €.", "Pay."],
        ["Points: price (60 %), duration (25 %), quality (15 %)."],
        ["Victoria Falls (Tokaleya Tonga: Mosi - oa - Tunya, ``The Smoke'') is a waterfall."],
        ["He left.", "(He came back.)", "It rained."],
        ["Reported by: Ada Finch", "Duration: 3 hours", "Customers: 40"],
        ["He said so\nto them: it rained."],
        ["3.1 The rent is £875, payable", "3.2 From the third year it rises by 2.5 per cent."],
        ["From the third year it rises by\n2.5 per cent."],
    ],
)
def test_parentheses_go_on_and_labelled_lines_stand_alone(found: list[str]) -> None:
    assert texts("\n".join(found)) == found


@pytest.mark.parametrize(
    "found",
    [
        ["It came out at Wren Bros. Records.", "After that she left."],
        ["It was made by Wren Bros.", "The film won."],
        ["It was designed by Sir Wm. St. John in Alda.", "It is old."],
        ["It was led by Ola Ek.", "He left."],
    ],
)
def test_an_abbreviation_may_stand_in_the_name_of_a_firm(found: list[str]) -> None:
    assert texts(" ".join(found)) == found


@given(st.text(LETTERS, max_size=300))
@settings(max_examples=200, deadline=None)
def test_sentences_are_ordered_apart_and_lose_no_word(text: str) -> None:
    found = list(sentences(text))
    assert all(0 <= start < end <= len(text) for start, end in found)
    assert all(first[1] <= second[0] for first, second in pairwise(found))
    assert all(text[start:end] == text[start:end].strip() for start, end in found)
    assert sum(c.isalnum() for c in text) == sum(c.isalnum() for start, end in found for c in text[start:end])


@given(st.text(LETTERS, max_size=2000), st.integers(20, 300))
@settings(max_examples=100, deadline=None)
def test_chunks_are_runs_of_whole_sentences(text: str, size: int) -> None:
    whole = document(text)
    found = list(chunks(whole, size))
    spans = list(sentences(text))
    assert [chunk.index for chunk in found] == list(range(len(found)))
    assert all(chunk.text == text[chunk.start : chunk.end] for chunk in found)
    inside = [[span for span in spans if chunk.start <= span[0] and span[1] <= chunk.end] for chunk in found]
    assert [span for some in inside for span in some] == spans
    assert all(chunk.end - chunk.start <= size or len(some) == 1 for chunk, some in zip(found, inside, strict=True))


@given(st.text(LETTERS, max_size=2000))
@settings(max_examples=50, deadline=None)
def test_a_chunk_splits_into_the_sentences_of_its_document(text: str) -> None:
    """Facts are made from the chunk, so its sentences must be those of the document."""
    whole = document(text)
    for chunk in chunks(whole, 200):
        assert [(chunk.start + start, chunk.start + end) for start, end in sentences(chunk.text)] == [
            span for span in sentences(text) if chunk.start <= span[0] and span[1] <= chunk.end
        ]


def test_long_sentences_are_cut_at_spaces() -> None:
    text = "word " * 1000
    found = texts(text)
    assert all(len(sentence) <= LONGEST_SENTENCE for sentence in found)
    assert sum(sentence.split().count("word") for sentence in found) == 1000
    assert [len(sentence) for sentence in texts("a" * 2500)] == [1000, 1000, 500]


def test_a_megabyte_without_a_full_stop_takes_seconds_at_most() -> None:
    began = time.perf_counter()
    assert sum(1 for _ in sentences("lorem ipsum " * 90_000)) >= 1000
    assert time.perf_counter() - began < 20


def test_chunk_ids_depend_on_place_and_text() -> None:
    def ids(text: str) -> list[str]:
        return [chunk.id for chunk in chunks(document(text), 200)]

    text = "One sentence is here. " * 30
    assert ids(text) == ids(text)
    assert len(set(ids(text))) == len(ids(text)) == 4
    assert ids(text)[:3] == ids(text + "One more.")[:3]


def test_chunk_is_what_the_types_say() -> None:
    (chunk,) = chunks(document("  Ada wrote it.  "), 200)
    assert chunk == Chunk(chunk.id, document("").id, 0, "Ada wrote it.", 2, 15)
