"""What the reader reads: a question, a title, and a run of a passage's tokens, at most ``MAX_TOKENS`` together.

Training and answering cut passages with the same functions, so that a model meets in use what it was trained on.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

MAX_TOKENS = 256
"""Tokens of one window: question, title and passage with their separators."""
OVERLAP = 48
"""Passage tokens that two windows share, so that an answer on a border stands whole in one of them."""
MAX_QUESTION = 56
MAX_TITLE = 24


@dataclass(frozen=True, slots=True)
class Window:
    """Token ids of one input and their segments (0 question, 1 title and passage).

    ``first`` is the place of the first passage token, and ``offsets`` the characters of each passage token in the
    passage, end exclusive.
    """

    ids: tuple[int, ...]
    first: int
    segment: int
    offsets: tuple[tuple[int, int], ...]

    @property
    def types(self) -> list[int]:
        """The segment of each token: 0 up to the question's separator, 1 after it."""
        return [0] * self.segment + [1] * (len(self.ids) - self.segment)


@dataclass(frozen=True, slots=True)
class Encoded:
    """A text's token ids with the characters of each."""

    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]


class Tokens:
    """The encoder's tokenizer as the reader uses it: without special tokens, never truncated."""

    def __init__(self, tokenizer: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        cls, sep = self._tokenizer.token_to_id("[CLS]"), self._tokenizer.token_to_id("[SEP]")
        assert cls is not None, "a tokenizer of BERT has [CLS]"
        assert sep is not None, "a tokenizer of BERT has [SEP]"
        self.cls, self.sep = cls, sep

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """The tokens of each text."""
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [Encoded(tuple(e.ids), tuple(e.offsets)) for e in encodings]


@lru_cache(maxsize=2)
def tokens(tokenizer: Path) -> Tokens:
    """The tokenizer of a file, read once."""
    return Tokens(tokenizer)


def room(question: Encoded, title: Encoded) -> int:
    """How many passage tokens fit beside a question and a title."""
    return MAX_TOKENS - 3 - min(len(question.ids), MAX_QUESTION) - min(len(title.ids), MAX_TITLE)


def window(tokens: Tokens, question: Encoded, title: Encoded, passage: Encoded, begin: int) -> Window:
    """The window whose first passage token is number ``begin``."""
    asked = question.ids[:MAX_QUESTION]
    head = (tokens.cls, *asked, tokens.sep, *title.ids[:MAX_TITLE])
    end = begin + room(question, title)
    return Window((*head, *passage.ids[begin:end], tokens.sep), len(head), len(asked) + 2, passage.offsets[begin:end])


def windows(tokens: Tokens, question: Encoded, title: Encoded, passage: Encoded) -> list[Window]:
    """The windows that cover a passage, each overlapping the one before; none for a passage without tokens."""
    size = room(question, title)
    if not passage.ids:
        return []
    last = max(len(passage.ids) - size, 0)
    begins = [*range(0, last, size - OVERLAP), last]
    return [window(tokens, question, title, passage, begin) for begin in begins]


def token_span(passage: Encoded, start: int, end: int) -> tuple[int, int] | None:
    """The first and last token (inclusive) of the characters ``start:end`` of a passage; None where none lie there."""
    ends = [offset[1] for offset in passage.offsets]
    first = bisect_left(ends, start + 1)
    starts = [offset[0] for offset in passage.offsets]
    last = bisect_left(starts, end) - 1
    return (first, last) if first <= last < len(starts) else None
