"""Windows cover a passage whole, overlap, and keep the place of every token."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.embedding import BUILT_IN, local_folder
from clew.reader.windows import MAX_TOKENS, OVERLAP, Tokens, token_span, windows


@pytest.fixture(scope="module")
def tokens() -> Tokens:
    folder = local_folder(BUILT_IN)
    assert folder is not None
    return Tokens(folder / "tokenizer.json")


@pytest.mark.parametrize("words", [1, 40, 130, 400, 1500])
def test_windows_cover_every_token_and_fit(tokens: Tokens, words: int) -> None:
    text = " ".join(f"word{n}" for n in range(words))
    question, title, passage = tokens.encode(["Who opened the mill?", "Osby Mill", text])
    cut = windows(tokens, question, title, passage)
    assert all(len(window.ids) <= MAX_TOKENS for window in cut)
    assert {offset for window in cut for offset in window.offsets} == set(passage.offsets)
    for before, after in pairwise(cut):
        assert len(set(before.offsets) & set(after.offsets)) >= OVERLAP


def test_a_passage_without_words_has_no_window(tokens: Tokens) -> None:
    question, title, passage = tokens.encode(["Who?", "", "  \n "])
    assert windows(tokens, question, title, passage) == []


def test_a_long_question_and_title_leave_room_for_the_passage(tokens: Tokens) -> None:
    question, title, passage = tokens.encode(["who " * 900, "title " * 900, "Greta Lund founded it."])
    [window] = windows(tokens, question, title, passage)
    assert len(window.ids) <= MAX_TOKENS
    assert len(window.offsets) == len(passage.ids)


@settings(max_examples=60, deadline=None)
@given(text=st.text(min_size=1, max_size=400))
def test_characters_come_back_from_tokens(tokens: Tokens, text: str) -> None:
    """Any run of characters that holds a token is found again, and never outside the text."""
    [passage] = tokens.encode([text])
    span = token_span(passage, 0, len(text))
    if passage.ids:
        assert span == (0, len(passage.ids) - 1)
        assert all(0 <= start <= end <= len(text) for start, end in passage.offsets)
    else:
        assert span is None
