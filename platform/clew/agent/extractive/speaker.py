"""Who says *I* in a document: whoever has sent or signed it, or is interviewed in it."""

from __future__ import annotations

import re
from functools import lru_cache

_NAME = r"[A-ZÀ-Þ][\w’'.-]*(?: [A-ZÀ-Þ][\w’'.-]*){0,3}"
_SPEAKERS = (
    re.compile(rf"^(?:From|Author|By|Written by|Posted by):? ({_NAME})[ \t]*(?:<[^>\n]*>)?$", re.MULTILINE),
    re.compile(rf"\b[Ii]nterview(?:ed)? with (?:the )?(?:[a-z]+ ){{0,4}}({_NAME})"),
    re.compile(
        r"^(?:(?:[Kk]ind|[Bb]est|[Ww]arm) )?(?:[Rr]egards|[Ww]ishes|[Yy]ours(?: \w+)?|[Ss]incerely|[Ll]ove|[Cc]heers)"
        rf",?\n+({_NAME})$",
        re.MULTILINE,
    ),
)
OPENING = 600
"""Characters in which a document says who speaks, but for a signature."""
FIRST_PERSON = re.compile(r"\b(?:I|[Mm]y|me|myself|we|We|[Oo]ur)\b")


@lru_cache(maxsize=2048)
def speaker(text: str) -> str:
    """The name of whoever says *I* in a document, empty where nothing tells."""
    *opening, signed = _SPEAKERS
    found = next((m for pattern in opening if (m := pattern.search(text[:OPENING]))), None) or signed.search(text)
    return found.group(1) if found else ""
