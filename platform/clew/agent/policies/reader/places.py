"""Where a value stands in a text: the value in full, its sentence, its paragraph with the heading above it."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.text.scripts import is_unspaced, words
from clew.text.sentences import is_heading, sentences

_BLOCK = re.compile(r"\S(?:.|\n(?!\s*\n))*")
HEADING = 90
"""Characters of a heading, at most."""
_WHOLE_TOKEN = re.compile(r"(?:(?:[.@/_+]|,(?=\d))?[^\W_])+")
"""What goes on with a word or code without a space, and belongs to it: "info@firm" of "info@firm.example"."""
_CODE = re.compile(r"[\d@/_]")
"""What a code, an address or a path has, and two sentences without a space between them have not."""
_BEGUN_TOKEN = re.compile(r"[^\W\d_][^\W_]*(?:[.@/_+-][^\W\d_][^\W_]*)*[.@/_+-]?\Z")
"""The same before it: "9921" of "KX-9921"."""


@lru_cache(maxsize=256)
def blocks_of(text: str) -> tuple[tuple[int, int], ...]:
    """The blocks of a text, which blank lines part, as spans."""
    return tuple(match.span() for match in _BLOCK.finditer(text))


def section_around(text: str, start: int, end: int) -> str:
    """The paragraph of ``text`` that holds ``start:end``, after the nearest heading above it in the passage."""
    blocks = blocks_of(text)
    own = [at for at, (a, b) in enumerate(blocks) if a < end and start < b]
    if not own:
        return text[start:end]
    above = (text[a:b] for a, b in reversed(blocks[: own[0]]))
    heading = next((block for block in above if len(block) < HEADING and block[-1] not in ".!:;,"), "")
    return f"{heading}\n{text[blocks[own[0]][0] : blocks[own[-1]][1]]}"


def is_title(text: str, start: int, end: int) -> bool:
    """Whether a sentence only says what follows it; a line that tells a list is none of those."""
    sentence = text[start:end]
    written = words(sentence) if is_unspaced(sentence) else sentence.split()
    return sum(1 for _ in written) < 3 or (is_heading(text, start, end) and "," not in sentence)


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The sentence or sentences of ``text`` that hold ``start:end``."""
    inside = [(a, b) for a, b in sentences_of(text) if a < end and start < b]
    return (min(inside[0][0], start), max(inside[-1][1], end)) if inside else (start, end)


@lru_cache(maxsize=512)
def sentences_of(text: str) -> tuple[tuple[int, int], ...]:
    """The sentences of a text that is looked at for each of its spans, and again at the next turn."""
    return tuple(sentences(text))


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space, punctuation and half of a pair of brackets or quotation marks around it."""
    while start < end and (text[start].isspace() or text[start] in ",.;:!?–—-)]}"):
        start += 1
    while start < end and (text[end - 1].isspace() or text[end - 1] in ",;:!?–—-([{"):
        end -= 1
    if start < end:
        before = _BEGUN_TOKEN.search(text[max(0, start - 40) : start]) if text[start].isalnum() else None
        rest = _WHOLE_TOKEN.match(text, end) if text[end - 1].isalnum() else None
        a, b = start - (len(before.group()) if before else 0), rest.end() if rest else end
        if _CODE.search(text[a:b].replace(text[start:end], "", 1)) or _CODE.search(text[start:end]):
            start, end = a, b
    value = text[start:end]
    if value.endswith(".") and value.count(".") == 1:
        end -= 1
    for left, right in ("()", "[]", "“”", "«»"):
        if value.startswith(left) and right not in value:
            start += 1
        if text[start:end].endswith(right) and left not in text[start:end]:
            end -= 1
    if text[start:end].count('"') == 1 and text[start:end].strip('"') != text[start:end]:
        start, end = start + (text[start] == '"'), end - (text[end - 1] == '"')
    return start, end
