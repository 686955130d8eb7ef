"""Names in scripts that have no capital letters, by dictionaries where they are installed, and by what surrounds them.

What needs no dictionary: titles in their marks (《…》, 『…』), short quotations, and parts of names in katakana with a
dot between them. What a document says of its own names besides is ``clew.extraction.known``'s matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, pairwise

from clew.text.dictionaries import Sort, Word, sorted_words

UNCASED = (
    "\u0590-\u08ff\u0900-\u109f\u1100-\u11ff\u1200-\u139f\u1780-\u18af\u1950-\u1cff"
    "\u2e80-\ud7ff\uf900-\ufaff\ufb1d-\ufdff\ufe70-\ufefc\uff66-\uff9f\U00011000-\U0003ffff"
)
"""Letters of scripts without capitals, as the inside of a pattern's brackets."""
_UNCASED = re.compile(f"[{UNCASED}]")
_TITLE = re.compile("《([^《》\n]{1,60})》|『([^『』\n]{1,60})』")
_QUOTED = re.compile('「([^「」。、！？!?,，\n]{2,20})」|[“"„«]([^“”"„«»。、！？!?,،؟.\n]{2,40})[”"“»]')
_SPOKEN = re.compile("[\u3041-\u3096]\\Z")
"""What ends in hiragana is said by somebody, more often than it names something."""
_MOST_QUOTED = 5
"""Words of a quotation that may be a name, at most."""
_DOTTED = re.compile("[\u30a1-\u30fa\u30fc]+(?:[・＝][\u30a1-\u30fa\u30fc]+)+")
_MOST_NOUNS = 3
"""Nouns that belong to a name, at most."""


def is_uncased(text: str) -> bool:
    """Whether a text has letters of a script without capitals."""
    return not text.isascii() and _UNCASED.search(text) is not None


def uncased_names(text: str) -> Iterator[str]:
    """The names in a text that are written in a script without capitals; none in any other text."""
    if not is_uncased(text):
        return
    marked = []
    for pattern in (_TITLE, _QUOTED, _DOTTED):
        for match in pattern.finditer(text):
            name = (match.group(match.lastindex or 0)).strip()
            if pattern is not _QUOTED or _may_be_quoted(name):
                marked.append(match.span())
                yield name
    for is_part, group in groupby(sorted_words(text), key=lambda word: word.sort is not Sort.OTHER):
        run = list(group)
        if is_part and not any(start <= run[0].start and run[-1].end <= end for start, end in marked):
            yield from _of_run(text, run)


def compounds(text: str) -> Iterator[str]:
    """What several nouns of a dictionary make together, none of which it knows as a name, such as 青石镇."""
    for is_noun, group in groupby(sorted_words(text), key=lambda word: word.sort in {Sort.NOUN, Sort.END}):
        run = list(group)
        joined = all(one.end == other.start for one, other in pairwise(run))
        if is_noun and joined and 1 < len(run) <= _MOST_NOUNS:
            yield text[run[0].start : run[-1].end]


def _may_be_quoted(name: str) -> bool:
    return is_uncased(name) and len(name.split()) <= _MOST_QUOTED and not _SPOKEN.search(name)


def _of_run(text: str, run: list[Word]) -> Iterator[str]:
    """The names in a run of nouns: those of the dictionary that stand together, and each with the nouns around it.

    A space between two words parts them.
    """
    start = 0
    for i in range(1, len(run) + 1):
        if i < len(run) and run[i].start == run[i - 1].end:
            continue
        yield from _of_nouns(text, run[start:i])
        start = i


def _of_nouns(text: str, run: list[Word]) -> Iterator[str]:
    while run and run[-1].sort is Sort.DOT:
        run = run[:-1]
    first = next((i for i, word in enumerate(run) if word.sort is Sort.NAME), -1)
    if first < 0:
        return
    at = first
    while at < len(run):
        if run[at].sort is not Sort.NAME:
            at += 1
            continue
        end = at + 1
        while end < len(run) and run[end].sort in {Sort.NAME, Sort.END, Sort.DOT}:
            end += 1
        yield text[run[at].start : run[end - 1].end]
        at = end
    whole = run[first:] if len(run) - first <= _MOST_NOUNS + 1 else []
    if len(whole) > 1:
        yield text[whole[0].start : whole[-1].end]
