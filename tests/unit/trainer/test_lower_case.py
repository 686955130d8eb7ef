"""Words that prose writes small, counted within sentences."""

from __future__ import annotations

from clew.trainer.data.lower_case import lower_case


def test_words_are_counted_where_a_sentence_goes_on() -> None:
    texts = ["We met Anna, and based on that we left Oslo.", "Based there, we walked. It is based here."] * 3
    assert lower_case(texts) == ["and", "based", "here", "is", "left", "met", "on", "that", "there", "walked", "we"]
    assert lower_case(["A bank of the Bank of England, and a bank."] * 3) == ["a", "and", "of", "the"]
