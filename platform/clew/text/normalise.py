"""Text in one form: to compare words, to count offsets, to stand in one line, and to go on a wire."""

from __future__ import annotations

import re
import unicodedata

from clew.errors import InputError

LONGEST_TITLE = 200
"""Characters of a title, at most."""

_BLOCK = 1 << 20
_LINE_ENDS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
# Control characters, byte order marks, soft hyphens, spaces without width, and what no database can store: surrogates
# and non-characters. A joiner has a meaning in Persian, Hindi and emoji, and none between Latin letters.
_DROPPED = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u180e\u200b\u2060\ufeff\ud800-\udfff\ufffe\uffff]"
    "|(?<=[A-Za-z\u00c0-\u024f])[\u200c\u200d]+(?=[A-Za-z\u00c0-\u024f])"
)
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
"""What typesetting makes of letters, and nobody searches for."""
_BLANK_LINES = re.compile("\n{3,}")
SIGNS = {"…": "...", **dict.fromkeys("“”„‟″«»", '"'), **dict.fromkeys("‐‑‒–—―−", "-")}
SIGNS |= dict.fromkeys("‘’‚‛‹›ʼ′`´", "'")
"""Typographic quotation marks, apostrophes, dashes and ellipses, each with what a keyboard types."""
_SIGNS = str.maketrans(SIGNS)


def normalise(text: str) -> str:
    r"""The normal form of extracted text; normalising twice changes nothing.

    Line ends become ``\n``, every other space an ordinary one; letters and their accents are one character (Unicode's
    NFC), ligatures their letters; control characters, soft hyphens, spaces without width and lone surrogates go; lines
    lose trailing white space, and at most one blank line stays in a row. It works block by block, because a single wide
    character makes Python keep four bytes for every character of one long string.
    """
    blocks = []
    start = 0
    while start < len(text):
        end = text.find("\n", start + _BLOCK) + 1 or len(text)
        block = _DROPPED.sub("", _SPACES.sub(" ", _LINE_ENDS.sub("\n", text[start:end])))
        if not block.isascii():
            block = unicodedata.normalize("NFC", block.translate(_LIGATURES))
        blocks.append(_BLANK_LINES.sub("\n\n", "\n".join(line.rstrip(" \t") for line in block.split("\n"))))
        start = end
    joined = _BLANK_LINES.sub("\n\n", "".join(blocks))
    first_line = len(joined) - len(joined.lstrip())
    return joined[first_line:].rstrip()


def plain_signs(text: str) -> str:
    """``normalise``, with quotation marks, apostrophes and dashes as a keyboard types them."""
    return text if text.isascii() else normalise(text).translate(_SIGNS)


def one_line(text: str, limit: int = LONGEST_TITLE) -> str:
    """``text`` with every run of white space as one space, cut at a word after ``limit`` characters."""
    line = " ".join(text[: 20 * limit].split())
    if len(line) <= limit:
        return line
    cut = line.rfind(" ", limit // 2, limit)
    return line[: cut if cut > 0 else limit - 1] + "…"


def fold(text: str) -> str:
    """Words of ``text`` without case, accents and punctuation, each between single spaces."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", plain).casefold())  # Hangul in syllables again
    return f" {' '.join(words)} "


def clean(text: str) -> str:
    """Without lone surrogates and null characters, which neither an encoder nor Neo4j nor JSON on the wire can take.

    Raises InputError where it is no text at all.
    """
    if not isinstance(text, str):
        raise InputError(f"A question is text, not {type(text).__name__}.")
    return text.encode("utf-8", "replace").decode().replace("\0", "")
