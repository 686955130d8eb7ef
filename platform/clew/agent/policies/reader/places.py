"""Where a span of a passage stands: its sentence, its block, and the headings above it."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.agent.evidence import Shown
from clew.text.outline import above, block_at, section
from clew.text.sentences import sentences

_PARAGRAPH = re.compile(r"\S(?:.|\n(?!\s*\n))*")
_CODE = re.compile(r"[\w.@/+-]*[\d@/][\w.@/+-]*\w")
"""A number, code, address or path, of which a tokenizer may cut a part."""


@lru_cache(maxsize=512)
def sentences_of(text: str) -> tuple[tuple[int, int], ...]:
    """The sentences of a text that is looked at for each of its spans, and again at the next turn."""
    return tuple(sentences(text))


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The sentence or sentences of ``text`` that hold ``start:end``."""
    inside = [(a, b) for a, b in sentences_of(text) if a < end and start < b]
    return (min(inside[0][0], start), max(inside[-1][1], end)) if inside else (start, end)


def kind_at(one: Shown, start: int) -> str:
    """The kind of the block at a character of a text that is shown; "paragraph" where it has no blocks."""
    block = block_at(one.blocks, one.start + start)
    return block.kind if block else "paragraph"


def headings_of(one: Shown, start: int) -> str:
    """The headings above a character of a text that is shown, widest first: "Rent › Deposit"."""
    own = above(one.blocks, one.start + start)
    wider = one.section[: max(0, own[0].level - 2)] if own else one.section
    return section(one.text.title, (*wider, *(one.words(block) for block in own)))


def section_around(one: Shown, start: int, end: int) -> str:
    """The headings above a span, and in the lines below them its block or, without blocks, its paragraph."""
    block = block_at(one.blocks, one.start + start)
    if block is not None:
        paragraph = one.words(block)
    else:
        text = one.text.text
        around = [match.group() for match in _PARAGRAPH.finditer(text) if match.start() < end and start < match.end()]
        paragraph = "\n\n".join(around) or text[start:end]
    return f"{headings_of(one, start)}\n{paragraph}"


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without spaces and punctuation around it, and with the rest of a code or number that it cuts."""
    while start < end and (text[start].isspace() or text[start] in ",.;:!?–—-)]}"):
        start += 1
    while start < end and (text[end - 1].isspace() or text[end - 1] in ",;:!?–—-([{"):
        end -= 1
    for match in _CODE.finditer(text, max(0, start - 40), end + 40):
        if match.start() < end and start < match.end():
            start, end = min(start, match.start()), max(end, match.end())
    value = text[start:end]
    if value.endswith(".") and value.count(".") == 1:
        end -= 1
    for left, right in ("()", "[]", "“”", "«»", '""'):
        value = text[start:end]
        if value.startswith(left) and right not in value[1:]:
            start += 1
        elif value.endswith(right) and left not in value[:-1]:
            end -= 1
    return start, end
