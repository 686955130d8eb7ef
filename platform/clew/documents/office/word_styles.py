"""What Word's styles make of paragraphs and runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from clew.documents.tables.grid import count_of
from clew.text.normalise import LONGEST_TITLE
from clew.types import BlockKind

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADINGS = ("title", "heading")
_CONTENTS = re.compile(r"toc (?:\d|heading)|table of figures")
_OFF = frozenset({"0", "false", "off", "none"})
_MARKS = ("vanish", "strike", "dstrike", "b")
_MOST_STYLES = 20
"""Styles that one may be based on: a damaged file may have a circle of them."""
_DEEPEST = 9
"""A level of the outline from 0, which is that of text."""


@dataclass(frozen=True, slots=True)
class Style:
    """A style: its kind, the marks of its runs, its heading level.

    A style is one of captions where it, or one that it is based on, is called so.
    """

    name: str = ""
    marks: frozenset[str] = frozenset()
    level: int = 0
    is_caption: bool = False

    @classmethod
    def of(cls, style: Any) -> Style:
        """The style with what it inherits."""
        collected: dict[str, bool] = {}
        levels: list[int | None] = []
        names: list[str] = []
        for one in _with_bases(style):
            collected = marks_of(one.element.find(f"{_W}rPr")) | collected
            levels.append(_level(one))
            names.append((one.name or "").lower())
        level = next((one for one in levels if one is not None), 0)
        marks = frozenset(mark for mark, on in collected.items() if on)
        return cls(names[0], marks, level, any(name.startswith("caption") for name in names))

    @property
    def is_heading(self) -> bool:
        """Whether its name says that it is for headings, whatever their length."""
        return self.name.startswith(_HEADINGS)

    @property
    def is_contents(self) -> bool:
        """Whether it is for lists of what stands elsewhere in the document."""
        return bool(_CONTENTS.match(self.name))

    def kind(self, properties: Any, text: str) -> tuple[BlockKind, int]:
        """The kind and heading level of a paragraph of this style."""
        own = _outline(properties)
        level = own + 1 if own is not None and own < _DEEPEST else self.level
        if level and (self.is_heading or len(text) <= LONGEST_TITLE):
            return "heading", level
        return "caption" if self.is_caption else "paragraph", 0


def _with_bases(style: Any) -> Iterator[Any]:
    """A style, and those that it is based on."""
    most = _MOST_STYLES
    while style is not None and most:
        yield style
        style, most = getattr(style, "base_style", None), most - 1


def _level(style: Any) -> int | None:
    """The level of headings that a style says itself, 0 where it says that it is for text, None where it is silent."""
    outline = _outline(style.element.find(f"{_W}pPr"))
    name = (style.name or "").lower()
    if outline is not None and outline < _DEEPEST:
        return outline + 1
    if name.startswith(_HEADINGS):
        return depth_of_style(name) + 1
    return None if outline is None else 0


def _outline(properties: Any) -> int | None:
    """The level in the outline that properties of a paragraph speak of, from 0; None where they do not."""
    found = None if properties is None else properties.find(f"{_W}outlineLvl")
    return None if found is None else count_of(found.get(f"{_W}val"), _DEEPEST)


def depth_of_style(kind: str) -> int:
    """The depth of a style such as "list bullet 2", from 0."""
    last = kind.rpartition(" ")[2]
    return int(last) - 1 if last.isascii() and last.isdecimal() and last != "0" else 0


def marks_of(properties: Any) -> dict[str, bool]:
    """The marks that a run's properties set on or off."""
    if properties is None:
        return {}
    found = {mark: is_on(properties, mark) for mark in _MARKS if properties.find(f"{_W}{mark}") is not None}
    if (align := properties.find(f"{_W}vertAlign")) is not None:
        found["raised"] = align.get(f"{_W}val") == "superscript"
    return found


def is_on(properties: Any, name: str) -> bool:
    """Whether properties turn something on."""
    found = None if properties is None else properties.find(f"{_W}{name}")
    return found is not None and found.get(f"{_W}val", "true").lower() not in _OFF
