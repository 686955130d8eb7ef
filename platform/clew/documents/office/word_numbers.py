"""Numbers of clauses that Word counts itself: "7.2", "Article 4".

They are given to headings, and to lists whose numbers tell a place in the whole: some level says the one above it, as
"7.2" does, or has words, as "Article 4" does. Of a plain list of steps the numbers are left out, as in every format
(ECMA-376 part 1, §17.9).
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from clew.documents.package import beside_main, xml_root
from clew.documents.tables.grid import count_of

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_PLACE = re.compile(r"%(\d)")
TELLING = re.compile(r"[^\W\d_]{2}|§|%\d\D+%\d")
"""What makes of a number a place that others name: words, or the number of the level above."""
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
          (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_MOST_STYLES = 20
_MOST_ROMAN = 5_000
_MOST_LETTERS = 30
"""Letters of one number: Word goes on from z with aa, bb."""


@dataclass(frozen=True, slots=True)
class Level:
    """How a list level is counted and written, and its ``style``."""

    start: int
    format: str
    text: str
    legal: bool
    style: str


class Numbers:
    """Counts the paragraphs of a document, which must come in their order."""

    def __init__(self, package: zipfile.ZipFile) -> None:
        lists = xml_root(beside_main(package, "numbering"))
        styles = xml_root(beside_main(package, "styles"))
        self._styles = {} if styles is None else {_get(one, "styleId"): one for one in styles.iter(f"{_W}style")}
        self._abstract: dict[str, str] = {}
        self._levels: dict[str, dict[int, Level]] = {}
        self._begin: set[tuple[str, int]] = set()
        self._counts: dict[str, dict[int, int]] = {}
        if lists is not None:
            self._read(lists)

    def label(self, paragraph: Any, style: str, *, heading: bool) -> str:
        """The number of a paragraph of a ``style``, else "".

        So is that of a plain list, unless the paragraph is a ``heading``.
        """
        properties = paragraph.find(f"{_W}pPr")
        if properties is not None and properties.find(f"{_W}rPr/{_W}del") is not None:
            return ""
        list_id, level = self._place(properties, style)
        levels = self._levels.get(list_id, {})
        if level not in levels:
            return ""
        counts = self._counts.setdefault(self._abstract[list_id], {})
        if (list_id, level) in self._begin:  # a list that says where it begins, begins there
            self._begin.discard((list_id, level))
            counts.pop(level, None)
        counts[level] = counts[level] + 1 if level in counts else levels[level].start
        for deeper in [one for one in counts if one > level]:
            del counts[deeper]
        tells = heading or any(TELLING.search(one.text) for one in levels.values())
        return written(levels, level, counts) if tells else ""

    def _read(self, lists: Any) -> None:
        abstract, linked = {}, {}
        for one in lists.iter(f"{_W}abstractNum"):
            id = _get(one, "abstractNumId")
            abstract[id] = dict(_levels_of(one))
            if (link := one.find(f"{_W}numStyleLink")) is not None:
                linked[id] = _get(link, "val")
        nums = list(lists.iter(f"{_W}num"))
        for one in nums:
            id = _get(one, "numId")
            self._abstract[id] = _value(one.find(f"{_W}abstractNumId"))
            self._levels[id] = abstract.get(self._abstract[id], {})
        for id, style in linked.items():
            target = self._abstract.get(self._of_style(style)[0], "")
            abstract[id] = abstract[id] or abstract.get(target, {})
        for one in nums:
            id = _get(one, "numId")
            self._levels[id] = dict(abstract.get(self._abstract[id], {}))
            self._override(id, one)

    def _override(self, id: str, num: Any) -> None:
        """Take over what a list says of levels that others of its kind have otherwise."""
        for override in num.iter(f"{_W}lvlOverride"):
            level = count_of(_get(override, "ilvl"), 0)
            self._begin.add((id, level))
            levels = dict(_levels_of(override))
            if level in levels:
                self._levels[id][level] = levels[level]
            elif level in self._levels[id]:
                start = count_of(_value(override.find(f"{_W}startOverride")), 1)
                self._levels[id][level] = replace(self._levels[id][level], start=start)

    def _place(self, properties: Any, style: str) -> tuple[str, int]:
        """The list and level of a paragraph, by its own properties, else by those of its style."""
        list_id, level = self._of_style(style)
        own = None if properties is None else properties.find(f"{_W}numPr")
        if own is not None:
            list_id = _value(own.find(f"{_W}numId")) or list_id
            level = count_of(_value(own.find(f"{_W}ilvl")), level)
        return list_id, level

    def _of_style(self, style: str) -> tuple[str, int]:
        asked, found = style, self._styles.get(style)
        for _ in range(_MOST_STYLES):
            if found is None:
                break
            numbering = found.find(f"{_W}pPr/{_W}numPr")
            if numbering is not None and (list_id := _value(numbering.find(f"{_W}numId"))):
                meant = (at for at, level in self._levels.get(list_id, {}).items() if level.style == asked)
                return list_id, next(meant, count_of(_value(numbering.find(f"{_W}ilvl")), 0))
            found = self._styles.get(_value(found.find(f"{_W}basedOn")))
        return "", 0


def written(levels: dict[int, Level], level: int, counts: dict[int, int]) -> str:
    """The number of a paragraph of a level, once it is counted."""
    if levels[level].format == "bullet":
        return ""

    def number(found: re.Match[str]) -> str:
        at = int(found[1]) - 1
        if at not in levels:
            return ""
        count = counts.get(at, levels[at].start)
        return str(count) if levels[level].legal else _as(levels[at].format, count)

    return _PLACE.sub(number, levels[level].text).strip()


def _levels_of(above: Any) -> Iterator[tuple[int, Level]]:
    for level in above.iter(f"{_W}lvl"):
        elements = {name: level.find(f"{_W}{name}") for name in ("start", "numFmt", "lvlText", "isLgl", "pStyle")}
        legal = elements["isLgl"] is not None and _get(elements["isLgl"], "val") not in ("0", "false", "off")
        start = count_of(_value(elements["start"]), 1)
        kind = _value(elements["numFmt"]) or "decimal"
        yield (
            count_of(_get(level, "ilvl"), 0),
            Level(start, kind, _value(elements["lvlText"])[:80], legal, _value(elements["pStyle"])),
        )


def _as(kind: str, count: int) -> str:
    """A number in a list's way of writing; in figures where the way is not known."""
    if kind == "none":
        return ""
    if kind == "decimalZero":
        return f"{count:02}"
    if kind in ("lowerLetter", "upperLetter") and 0 < count <= 26 * _MOST_LETTERS:
        letters = chr(ord("a") + (count - 1) % 26) * (1 + (count - 1) // 26)
        return letters if kind == "lowerLetter" else letters.upper()
    if kind in ("lowerRoman", "upperRoman") and 0 < count < _MOST_ROMAN:
        letters = ""
        for value, sign in _ROMAN:
            letters += sign * (count // value)
            count %= value
        return letters if kind == "lowerRoman" else letters.upper()
    return str(count)


def _get(element: Any, name: str) -> str:
    return str(element.get(f"{_W}{name}", ""))


def _value(element: Any) -> str:
    return "" if element is None else _get(element, "val")
