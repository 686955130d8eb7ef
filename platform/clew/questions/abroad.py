"""Questions in other languages than English, as far as their question words tell what is asked for.

The grammar of questions is that of English. A question that begins with, or in a script without capitals has, a
question word of another language stays whole, but what sort of value answers it is known.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import cast

from clew.questions.plan import Expected
from clew.questions.words import ABROAD, ABROAD_IN, AUXILIARIES, QUESTION_WORDS, SHARED
from clew.text.language import language_named, language_of
from clew.text.names import FUNCTION_WORDS

_OPENING = re.compile(r"[¿\s]*([^\W\d_]+)(?:\s+([^\W\d_]+))?")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CASELESS = re.compile(r"[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LEAST_ALONE = 4
"""Letters of a question word that tells its language alone."""
_ENDS = " ?.!؟？;；。¿\t"


@lru_cache(maxsize=256)
def asked_abroad(question: str) -> tuple[str, Expected] | None:
    """The question without its marks, its question word in small letters, and what it asks for; None for English.

    That is "yes/no" where it asks for no value that a question word tells.
    """
    opening = _OPENING.match(question)
    if opening is None:
        return None
    first = opening[1].lower()
    if first in QUESTION_WORDS or (first in AUXILIARIES and not _is_foreign(first, question)):
        return None
    bare = question[opening.start(1) :].rstrip(_ENDS)
    if expects := ABROAD.get(f"{first}_{(opening[2] or '').lower()}") or ABROAD.get(first):
        return bare[:1].lower() + bare[1:], cast(Expected, expects)
    if _CASELESS.search(question):
        words = re.findall(r"\w+", question)
        for word, expects in ABROAD.items():
            inside = _UNSPACED.match(word) or len(word) > 2
            if _CASELESS.match(word) and word.replace("_", " ") in (question if inside else words):
                return bare, cast(Expected, expects)
    if (asked := _asked_in(question)) is None:
        return (bare, "yes/no") if _is_abroad(question) else None
    word, told = asked
    opens = bare.lower().startswith(word.partition("_")[0])
    return (bare[:1].lower() + bare[1:] if opens else bare), told


def _is_abroad(question: str) -> bool:
    """Whether a question without a known question word is in another language: yes or no, a request, or by its script.

    Small words that stand inside names, as in "Place de la Concorde", tell that of a question alone.
    """
    if is_caseless(question):
        return True
    language = language_of(question, FUNCTION_WORDS)
    if language is None or question.rstrip().endswith("?"):
        return language is not None
    small = {word for word in re.findall(r"[^\W\d_]+", question) if word in language.words}
    return len(small - language.joining - language.surname) > 1


def _asked_in(question: str) -> tuple[str, Expected] | None:
    """The question word of a language in which it tells that only together with other words, and what it asks for.

    One that opens a question tells it alone, if it is long enough and nothing of the question is English.
    """
    written = re.findall(r"[^\W\d_]+", question)
    words = [word.lower() for word in written]
    pairs = [f"{one}_{other}" for one, other in pairwise(words)]
    for code, asking in ABROAD_IN.items():
        english = FUNCTION_WORDS - language_named(code).words
        told = language_of(question, english)
        is_told = told is not None and told.code == code
        alone = len(words[0]) >= _LEAST_ALONE and not written[0].isupper() and english.isdisjoint(words)
        opens = words[:1] if alone else []
        for word in (*pairs, *words) if is_told else opens:
            if word in asking:
                return word, asking[word]
    return None


def is_measure(bare: str) -> bool:
    """Whether a question, as ``asked_abroad`` gives it, asks how something is that its second word says: wie hoch."""
    first, second, *_ = [*bare.lower().split(), "", ""]
    return ABROAD.get(f"{first}_{second}") == "number"


def _is_foreign(first: str, question: str) -> bool:
    """Whether a question that may begin in English ("Was kostet …") goes on in the other language that has the word."""
    words = [word.lower() for word in re.findall(r"[^\W\d_]+", question)[1:]]
    own = SHARED.get(first, frozenset())
    return sum(word in own for word in words) > sum(word in FUNCTION_WORDS - own for word in words if len(word) > 2)


def is_caseless(text: str) -> bool:
    """Whether a text is written in a script without capital letters."""
    return len(_CASELESS.findall(text)) > len(re.findall(r"[A-Za-z]", text))
