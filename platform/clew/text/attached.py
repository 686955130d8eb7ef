"""What is written together with a word in scripts without capitals: particles of Korean, prefixes of Arabic and Hebrew.

In Latin, Greek and Cyrillic letters nothing is: there a space or an apostrophe parts it.
"""

from __future__ import annotations

import re
import unicodedata

_PARTICLES = (
    "은 는 이 가 을 를 의 에 에서 에게 에게서 에는 에도 와 과 도 만 만이 로 으로 로서 으로서 로부터 으로부터 부터 까지 "
    "보다 처럼 이나 나 이며 이고 이다 였다 이었다 라는 이라는 란 이란 께서 한테 마다 조차 밖에 에서는 에서도 와의 과의"
)
"""What Korean hangs on a noun: marks of its place in the sentence, and forms of "to be"."""
_KOREAN = re.compile("|".join(_PARTICLES.split()))
_LEAST_SYLLABLES, _LEAST_LETTERS = 2, 3
"""What is left of a word, at least: syllables of Korean, letters of Arabic and Hebrew."""
_IS_KOREAN = re.compile("[\uac00-\ud7a3]+")
_BEFORE = (
    (re.compile("[\u0620-\u064a]+"), re.compile("[وف]?(?:[بكل]?ال|لل|[بكل])?")),
    (re.compile("[\u05d0-\u05ea]+"), re.compile("ו?[שכ]?[בכלמ]?ה?")),
)
"""Words of Arabic and Hebrew, and what may be written before them: and, in, like, to, the."""
_LONGEST = 4


def detached(word: str) -> tuple[str, ...]:
    """A word without what may be attached to it, each way there is; none where nothing may be.

    >>> detached("경복궁에서")
    ('경복궁',)
    >>> detached("والقاهرة")
    ('القاهرة', 'قاهرة')
    """
    if word.isascii():
        return ()
    composed = unicodedata.normalize("NFC", word)  # a key has Hangul in its parts
    if _IS_KOREAN.fullmatch(composed):
        most = min(_LONGEST, len(composed) - _LEAST_SYLLABLES)
        ends = [composed[:-n] for n in range(1, most + 1) if _KOREAN.fullmatch(composed[-n:])]
        return tuple(unicodedata.normalize("NFD", end) if composed != word else end for end in ends)
    for letters, prefix in _BEFORE:
        if letters.fullmatch(word):
            most = min(_LONGEST, len(word) - _LEAST_LETTERS)
            return tuple(word[n:] for n in range(1, most + 1) if prefix.fullmatch(word[:n]))
    return ()
