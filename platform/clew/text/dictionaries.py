"""Words of Chinese, Japanese and Korean with their sort, by the dictionaries of the extra ``languages``.

Lindera carries IPADIC and ko-dic, rjieba the dictionary of jieba; all of it is in their wheels. They are loaded when a
text in such a script comes first, which takes half a second, and tell 20,000 sentences a second.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

MISSING = (
    "Few of its names are found: `pip install lindera-python-cjk rjieba`, or `make install-languages` in a checkout, "
    "brings the dictionaries of its language."
)
"""What to do where they are not installed."""

_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]{3,}")
_OPENING, _LEAST_SHARE = 5000, 0.2
"""Letters that tell which language a document is in, and the share of them that is of it, at least."""
_NO_NOUN = frozenset({"数", "代名詞", "非自立", "副詞可能", "サ変接続", "形容動詞語幹", "特殊", "接続詞的"})
"""Sorts of Japanese nouns that stand in no name, except for those behind a name."""
_COUNTED = frozenset({"助数詞", "特殊", "助動詞語幹", "副詞可能", "サ変接続", "形容動詞語幹"})
_OF_PERSON = "人名"
_CHINESE_NAMES = frozenset({"nr", "nrt", "nrfg", "ns", "nt", "nz"})
_SURNAMES, _GIVEN = frozenset({"nr", "n", "ng"}), 2
"""What the dictionary takes a sign alone for that is the surname before a name of so many signs."""
_DOTS = frozenset("·・‧•＝")
"""What joins the parts of a name from another script: ジョン・スミス."""


class Sort(Enum):
    """What a word is to a name: one itself, a noun, the end of one (駅, 市), a dot within, or nothing."""

    NAME = "name"
    NOUN = "noun"
    END = "end"
    DOT = "dot"
    OTHER = "other"


class Word(NamedTuple):
    """Where a word stands, and its sort."""

    start: int
    end: int
    sort: Sort


def language_of_signs(text: str) -> str:
    """The language whose dictionary knows a text, ``ja``, ``ko`` or ``zh``, by its letters; empty for others."""
    if _KANA.search(text):
        return "ja"
    if _HANGUL.search(text):
        return "ko"
    return "zh" if _HAN.search(text) else ""


@cache
def are_there() -> bool:
    """Whether the dictionaries are installed."""
    return find_spec("lindera") is not None and find_spec("rjieba") is not None


def are_missed(text: str) -> bool:
    """Whether a text is in one of the languages, and the dictionaries are not installed."""
    if text.isascii() or are_there():
        return False
    opening = text[:_OPENING]
    return _LEAST_SHARE * len(opening) < sum(len(one.findall(opening)) for one in (_KANA, _HANGUL, _HAN))


def sorted_words(text: str) -> list[Word]:
    """The words of a text with their sorts; none in another language, or without the dictionaries."""
    language = language_of_signs(text)
    if not language or not are_there():
        return []
    if language == "zh":
        return list(_chinese(text))
    return list(_by_lindera(text, *(("ipadic", _japanese) if language == "ja" else ("ko-dic", _korean))))


def _chinese(text: str) -> Iterator[Word]:
    import rjieba

    end, surname = 0, -1
    for word, tag in rjieba.tag(text):
        start, end = end, end + len(word)
        if word in _DOTS:
            yield Word(start, end, Sort.DOT)
        elif tag in _CHINESE_NAMES and len(word) > 1 and _HAN.match(word):
            yield Word(start if surname < 0 or len(word) > _GIVEN else surname, end, Sort.NAME)
        else:
            yield Word(start, end, Sort.NOUN if tag == "n" else Sort.OTHER)
        surname = start if len(word) == 1 and tag in _SURNAMES else -1


def _by_lindera(text: str, dictionary: str, sort_of: Callable[[str, list[str]], Sort]) -> Iterator[Word]:
    data, at, start = text.encode("utf-8", "replace"), 0, 0
    for token in _tokenizer(dictionary).tokenize(text):
        start += len(data[at : token.byte_start].decode("utf-8", "replace"))
        word = data[token.byte_start : token.byte_end].decode("utf-8", "replace")
        yield Word(start, start + len(word), sort_of(word, token.details))
        start, at = start + len(word), token.byte_end


@cache
def _tokenizer(dictionary: str) -> Any:
    from lindera import Tokenizer, load_dictionary

    return Tokenizer(load_dictionary(f"embedded://{dictionary}"), mode="normal")


def _japanese(word: str, details: list[str]) -> Sort:
    if word in _DOTS:
        return Sort.DOT
    if details[0] != "名詞":
        return Sort.OTHER
    kind, within = details[1], details[2]
    if kind == "固有名詞":
        return Sort.NAME
    if kind == "接尾":
        return Sort.OTHER if within in _COUNTED or within == _OF_PERSON else Sort.END
    if len(details) > 6 and details[6] == "*" and _KATAKANA.fullmatch(word):
        return Sort.NAME  # in no dictionary
    return Sort.OTHER if kind in _NO_NOUN else Sort.NOUN


def _korean(word: str, details: list[str]) -> Sort:
    tag = details[0]
    if tag == "NNP":
        return Sort.NAME
    if tag == "XSN":
        return Sort.END
    return Sort.NOUN if tag == "NNG" else Sort.OTHER
