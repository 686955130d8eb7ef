"""Numbers of headings and clauses that OpenDocument counts itself.

An outline counts the headings, a list its items; a list may go on with the numbers of one before it (OpenDocument 1.3
part 3, §16.31 and §19.880).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from clew.documents.office.word_numbers import TELLING, Level, written
from clew.documents.tables.grid import count_of

_T = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_FORMAT = "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}num-list-format"
_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_LEVELS = (f"{_T}outline-level-style", f"{_T}list-level-style-number")
_KINDS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_PLACE = re.compile(r"%(\d)%")
_MOST_LEVELS = 9
_LONGEST = 80
_OUTLINE = ""


class Numbers:
    """Counts headings and list items, which must come in order."""

    def __init__(self, *trees: Any) -> None:
        self._levels: dict[str, dict[int, Level]] = {}
        for tree in trees:
            for style in tree.iter(f"{_T}outline-style", f"{_T}list-style") if tree is not None else ():
                name = _OUTLINE if style.tag == f"{_T}outline-style" else style.get(f"{_STYLE}name", "")
                self._levels[name] = dict(_levels_of(style))
        self._outline: dict[int, int] = {}
        self._of_list: dict[Any, dict[int, int]] = {}
        self._of_id: dict[str, dict[int, int]] = {}
        self._of_style: dict[str, dict[int, int]] = {}

    def label(self, paragraph: Any) -> str:
        """The number of a heading or item, else "".

        So is that of a plain list, unless the paragraph is a heading.
        """
        is_heading = paragraph.tag == f"{_T}h"
        item = paragraph.getparent()
        if item is not None and item.tag == f"{_T}list-item":
            if next(item.iterchildren(f"{_T}p", f"{_T}h", f"{_T}list"), None) is not paragraph:
                return ""
            style, level, counts = self._place(item)
            start = item.get(f"{_T}start-value")
        elif is_heading and paragraph.get(f"{_T}is-list-header") != "true":
            style, level, counts = _OUTLINE, count_of(paragraph.get(f"{_T}outline-level")) - 1, self._outline
            start = paragraph.get(f"{_T}start-value") if paragraph.get(f"{_T}restart-numbering") == "true" else None
        else:
            return ""
        levels = self._levels.get(style, {})
        if level not in levels:
            return ""
        following = counts[level] + 1 if level in counts else levels[level].start
        counts[level] = count_of(start, following)
        for deeper in [one for one in counts if one > level]:
            del counts[deeper]
        tells = is_heading or any(TELLING.search(one.text) for one in levels.values())
        return written(levels, level, counts) if tells and levels[level].format != "none" else ""

    def _place(self, item: Any) -> tuple[str, int, dict[int, int]]:
        """The style of an item's list, its level, and what has been counted in the whole list."""
        lists = [one for one in item.iterancestors() if one.tag == f"{_T}list"]
        style = next((name for one in lists if (name := one.get(f"{_T}style-name"))), "")
        outer = lists[-1] if lists else item
        if outer not in self._of_list:
            counts = self._of_id.get(outer.get(f"{_T}continue-list", ""))
            if counts is None and outer.get(f"{_T}continue-numbering") == "true":
                counts = self._of_style.get(style)
            self._of_list[outer] = {} if counts is None else counts
            if name := outer.get(_XML_ID):
                self._of_id[name] = self._of_list[outer]
            self._of_style[style] = self._of_list[outer]
        return style, len(lists) - 1, self._of_list[outer]


def _levels_of(style: Any) -> Iterator[tuple[int, Level]]:
    found = {count_of(one.get(f"{_T}level")): one for one in style.iter(*_LEVELS)}
    kinds = {level: one.get(f"{_STYLE}num-format", "") for level, one in found.items()}
    for level, one in found.items():
        if not 0 < level <= _MOST_LEVELS:
            continue
        written = one.get(_FORMAT)
        if written is None:
            first = level - count_of(one.get(f"{_T}display-levels")) + 1
            shown = ".".join(f"%{at}" for at in range(max(1, first), level + 1) if kinds.get(at))
            written = f"{one.get(f'{_STYLE}num-prefix', '')}{shown}{one.get(f'{_STYLE}num-suffix', '')}"
        text = _PLACE.sub(r"%\1", written[:_LONGEST])
        kind = _KINDS.get(kinds[level], "decimal" if kinds[level] else "none")
        yield level - 1, Level(count_of(one.get(f"{_T}start-value")), kind, text, legal=False, style="")
