"""Finding a quote in a text: exact in its words, tolerant of white space and typography, offsets into the original."""

from __future__ import annotations

import unicodedata

from clew.text.names import FUNCTION_WORDS, key
from clew.text.normalise import SIGNS

_VARIANTS = {**SIGNS, "\u00ad": "", "\u200b": "", "\ufeff": ""}
_LONG_WORD = 8
_AROUND = " '\"-.…"


class FoldedText:
    """A text in which a quote is looked for; folding it once serves many quotes."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._folded, self._offsets = _fold(text)

    def find(self, quote: str) -> tuple[int, int] | None:
        """Where the quote stands (start, end), or None; it must begin and end where words do.

        White space, quotation marks, dashes and compatibility characters count as equal; so do the quotation marks and
        dots that models put around a quote. Letters, case included, must be the same.
        """
        wanted, _ = _fold(quote)
        for candidate in dict.fromkeys((wanted.strip(), wanted.strip(_AROUND))):
            if candidate and (found := self._find(candidate)):
                return found
        return None

    def _find(self, wanted: str) -> tuple[int, int] | None:
        at = self._folded.find(wanted)
        while at >= 0:
            end = at + len(wanted)
            if not _inside_word(self._folded, at) and not _inside_word(self._folded, end):
                return self._offsets[at], self._offsets[end - 1] + 1
            at = self._folded.find(wanted, at + 1)
        return None


def says_something(quote: str) -> bool:
    """Whether a quote is more than a word or two that stand everywhere."""
    folded = key(quote)
    words = folded.split()
    return (len(words) >= 2 or len(folded) >= _LONG_WORD) and any(word not in FUNCTION_WORDS for word in words)


def _fold(text: str) -> tuple[str, list[int]]:
    """The folded text, and for each of its characters the offset it comes from."""
    folded: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(text):
        plain = _VARIANTS.get(character)
        if plain is None:
            plain = character if character.isascii() else unicodedata.normalize("NFKC", character)
        for one in plain:
            if one.isspace():
                if folded and folded[-1] == " ":
                    continue
                one = " "
            folded.append(one)
            offsets.append(offset)
    return "".join(folded), offsets


def _inside_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()
