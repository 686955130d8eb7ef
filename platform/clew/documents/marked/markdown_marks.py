"""Marks that other programs add to Markdown: wiki links, boxes, fields."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.token import Token

_EMBEDDED = re.compile(r"!\[\[([^\[\]|#\n]*)[^\[\]\n]*\]\]")
_WIKI = re.compile(r"\[\[(?=[^\[\]\n]*[^\W\d])(?! )([^\[\]\n|]+?)(?:\\?\|([^\[\]\n]+))?\]\]")
_FILE = re.compile(r".*\.\w{2,4}")
_PLACE = re.compile(r"#\^[\w-]+|_TOC_")
"""A place in a note that has no name, and GitLab's list of contents."""
_BRIGHT = re.compile(r"(?<![=\w])==(?=[^\s=])([^=\n]{1,500}?)(?<=\S)==(?![=\w])")
_FIELD = re.compile(r"\[([^\W\d_][\w -]{0,40})(?<=\S)::[ \t]+([^\[\]\n]+)\]")
_LINE_FIELD = re.compile(r"^([^\W\d_][\w -]{0,40})(?<=\S)::[ \t]+(?=\S)", re.MULTILINE)
_REMARK = re.compile(r"(?<![\w%])%%[^%\n]{1,500}%%|\{/\*[^{}]{0,1000}\*/\}")
_TEMPLATE = re.compile(
    r"\{\{(?:<[^{}]{0,500}>|%[^{}]{0,500}%)\}\}|\{%[^{}%]{0,500}%\}"
    r"|\{:(?:toc| ?[.#][^{}\n]{1,200}| \w+=\"[^{}\n]{1,200})\}"
)
"""Shortcodes of Hugo, tags of Jekyll, and what kramdown says of the looks of a block."""
_SHOWN = re.compile(r"\b(?:title|caption|alt)=\"([^\"]+)\"")
_BOX = re.compile(r"\[!(\w[\w-]{0,30})\][+-]?[ \t]*")
_NAMED_LINE = re.compile(r"[^\W\d_][^\n:：!?;,]{0,40}(?::{1,2}[ \t]+|：)\S.*")
_SPACES = re.compile(" {2,}")
_TABS = re.compile(r"^([ ]*)===[+!]?[ ]+(\"[^\"\n]+\")[ \t]*$", re.MULTILINE)


def without_links(text: str) -> str:
    """A text with wiki links as they show: ``[[River Olm|Olm]]`` is Olm."""
    if "[[" not in text:
        return text
    text = _EMBEDDED.sub(lambda link: "" if _FILE.fullmatch(link[1]) else link[1], text)
    return _WIKI.sub(lambda link: link[2] or _PLACE.sub("", link[1]).strip("# ").replace("#", " > "), text)


def without_marks(text: str) -> str:
    """A text without the marks of the programs that wrote it."""
    written = text
    text = without_links(text)
    if "==" in text:
        text = _BRIGHT.sub(r"\1", text)
    if "::" in text:
        text = _LINE_FIELD.sub(r"\1: ", _FIELD.sub(r"\1: \2", text))
    if "{" in text or "%%" in text:
        text = _TEMPLATE.sub(lambda mark: ". ".join(_SHOWN.findall(mark[0])), _REMARK.sub("", text))
    return text if text == written else _SPACES.sub(" ", text)


def tabs_as_boxes(source: str) -> str:
    """Markdown with tabs (MkDocs: ``=== "Linux"``) as boxes with a title."""
    return _TABS.sub(r"\1!!! tab \2", source) if "===" in source else source


def title_of_box(info: str) -> str:
    """The title of a box (``:::tip Good to know``), else its kind."""
    if "{" in info:
        return info.partition("}")[2].strip()  # classes and attributes, or what a program makes of it
    name, _, title = info.strip().partition(" ")
    name, bracket, inside = name.partition("[")
    title = f"{inside} {title}".strip().rstrip("]") if bracket else title.strip()
    return title or (name.capitalize() if name.isalpha() else "")


def callout(children: Sequence[Token]) -> tuple[str, list[Token]]:
    """The title of a callout (``[!NOTE]``), if any, and what it holds."""
    first = children[0] if children else None
    mark = _BOX.match(first.content) if first is not None and first.type == "text" else None
    if first is None or mark is None:
        return "", list(children)
    ends = next((at for at, child in enumerate(children) if child.type in {"softbreak", "hardbreak"}), len(children))
    first.content = first.content[mark.end() :]
    title = "".join(child.content for child in children[:ends]).strip()
    return without_marks(title) or mark[1].capitalize(), list(children[ends + 1 :])


def lines_apart(lines: Sequence[str]) -> str:
    """Lines joined, unless each is a field: "Owner: Ida Berg"."""
    are_fields = len(lines) > 1 and all(_NAMED_LINE.fullmatch(line.strip()) for line in lines)
    return ("\n" if are_fields else " ").join(lines)
