"""Words of a text in any script, as Unicode parts them as far as that needs no dictionary (UAX 29)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_BEYOND = re.compile("[\u0900-\u1cff\u2e80-\ud7ff\uf900-\ufaff\uff66-\uff9f\U00011000-\U0003ffff]")
"""Letters of the scripts of South and East Asia, and what stands among them."""
_WORD = re.compile(r"[^\W_]+")
_NOT_WORD = re.compile(r"[\W_]+")
_SIGNS = "\u3005\u3007\u3041-\u3096\u309d-\u309f\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_EAST = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_BEFORE, _BEHIND = "\u0e40-\u0e44\u0ec0-\u0ec4", "\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3"
"""Vowels of Thai and Lao that stand before and behind their consonant."""
_SOUNDS = "\u0e01-\u0e2e\u0e81-\u0eae\u1000-\u102a\u1780-\u17b3"
"""Consonants of Thai, Lao, Burmese and Khmer."""
_MARKED = ((0x0900, 0x1AB0), (0x1B00, 0x1DC0), (0x3099, 0x309B), (0xA800, 0xAC00), (0x11000, 0x12000))
"""Where marks are vowels, tones and voices: without them another word is left."""
_CASELESS = re.compile(r"[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
_HIRAGANA = re.compile(r"[\u3041-\u309f]")


def is_caseless(text: str) -> bool:
    """Whether a text is written in a script without capital letters."""
    return not text.isascii() and len(_CASELESS.findall(text)) > len(re.findall(r"[A-Za-z]", text))


def is_unspaced(text: str) -> bool:
    """Whether a text has letters of a script that parts its words by no space."""
    return not text.isascii() and _UNSPACED.search(text) is not None


def pairs_of_signs(text: str) -> set[str]:
    """The letters of a text two by two, without hiragana, which is mostly no word of its own."""
    pairs = (text[at : at + 2] for at in range(len(text) - 1))
    return {pair for pair in pairs if not _HIRAGANA.search(pair) and all(map(_is_letter, pair))}


def _is_letter(character: str) -> bool:
    return character.isalpha() or unicodedata.category(character).startswith("M")


def is_accent(character: str) -> bool:
    """Whether a character is a mark that stands on a letter without making another of it: é, й, but not バ or की."""
    return unicodedata.combining(character) > 0 and not any(a <= ord(character) < b for a, b in _MARKED)


def spaced(text: str) -> str:
    """The words of a text, as ``words`` finds them, between single spaces."""
    if text.isascii() or not _BEYOND.search(text):
        return _NOT_WORD.sub(" ", text).strip()
    return " ".join(text[start:end] for start, end in words(text))


def words(text: str) -> Iterator[tuple[int, int]]:
    """Where the words of a text stand.

    Vowel signs belong to their letters. Chinese, hiragana and Thai, which no spaces part, are words of one sign or
    sound each, so that a name is found within a sentence; what is written in katakana or hangul ends where other
    letters or numbers begin.
    """
    pattern = _beyond() if not text.isascii() and _BEYOND.search(text) else _WORD
    return (match.span() for match in pattern.finditer(text))


@lru_cache(1)
def _beyond() -> re.Pattern[str]:
    codes = (code for first, end in _MARKED for code in range(first, end))
    marks = "".join(c for c in map(chr, codes) if unicodedata.category(c).startswith("M"))
    sound = rf"[{_BEFORE}]?[{_SOUNDS}](?:[{marks}{_BEHIND}]|(?<=[\u1039\u17d2])[{_SOUNDS}])*"
    spaced = rf"{_SIGNS}{_EAST}{_BEFORE}{_SOUNDS}"
    return re.compile(
        rf"[{_SIGNS}][{marks}]*|[{_EAST}][{_EAST}{marks}]*|{sound}|(?:(?![{spaced}])[^\W_]|[{marks}])+|[{_BEFORE}]"
    )
