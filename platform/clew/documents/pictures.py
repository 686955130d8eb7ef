"""Alternative text of pictures, where it tells something."""

from __future__ import annotations

import re

from clew.documents.blocks import Draft
from clew.text.normalise import normalise, one_line

_FILE = re.compile(r"\S*\.(?:avif|bmp|emf|gif|heic|jpe?g|pdf|png|svg|tiff?|webp|wmf)|\S+://\S+", re.IGNORECASE)
_BY_MACHINE = re.compile(r"automatically generated|AI-generated|automatisch generiert", re.IGNORECASE)
"""What Office adds to the descriptions that it guesses ("A picture containing text")."""
_LEAST_WORDS = 3
"""Words from which a description tells more than that there is a picture ("Our logo")."""
_LEAST_SIGNS = 6
_WITHOUT_SPACES = 0x2E80
"""From here on scripts stand that part no words."""
_LONGEST = 2_000


def words_of(*written: str | None) -> str:
    """Title and description of a picture as one line."""
    texts = [one_line(normalise(text or ""), _LONGEST) for text in written]
    texts = [text for text in texts if text and not _FILE.fullmatch(text) and not _BY_MACHINE.search(text)]
    kept: list[str] = []
    for text in sorted(texts, key=len, reverse=True):
        kept += [] if any(text.casefold() in other.casefold() for other in kept) else [text]
    return ": ".join(text for text in dict.fromkeys(texts) if text in kept)


def picture_blocks(*written: str | None) -> list[Draft]:
    """The description of a picture as a caption, if it tells something."""
    text = words_of(*written)
    signs = sum(ord(sign) >= _WITHOUT_SPACES for sign in text)
    return [Draft(text, "caption")] if len(text.split()) >= _LEAST_WORDS or signs >= _LEAST_SIGNS else []
