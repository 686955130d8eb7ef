"""Questions in other languages than English, as far as their question words tell what is asked for.

The grammar of questions is that of English. A question that begins with, or in a script without capitals has, a
question word of another language stays whole, but what sort of value answers it is known.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import cast

from clew.questions.plan import Expected
from clew.questions.words import ABROAD, AUXILIARIES, QUESTION_WORDS, SHARED
from clew.text.names import FUNCTION_WORDS

_OPENING = re.compile(r"[¿\s]*([^\W\d_]+)(?:\s+([^\W\d_]+))?")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CASELESS = re.compile(r"[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ENDS = " ?.!؟？;；。¿\t"


@lru_cache(maxsize=256)
def asked_abroad(question: str) -> tuple[str, Expected] | None:
    """The question without its marks, its question word in small letters, and what it asks for; None for English."""
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
            if _CASELESS.match(word) and word in (question if inside else words):
                return bare, cast(Expected, expects)
    return None


def _is_foreign(first: str, question: str) -> bool:
    """Whether a question that may begin in English ("Was kostet …") goes on in the other language that has the word."""
    words = [word.lower() for word in re.findall(r"[^\W\d_]+", question)[1:]]
    own = SHARED.get(first, frozenset())
    return sum(word in own for word in words) > sum(word in FUNCTION_WORDS - own for word in words if len(word) > 2)


def is_caseless(text: str) -> bool:
    """Whether a text is written in a script without capital letters."""
    return len(_CASELESS.findall(text)) > len(re.findall(r"[A-Za-z]", text))
