"""Org: written again as Markdown, and read as that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from clew.documents.blocks import Layout
from clew.documents.encoding import decode
from clew.documents.format import Format, Input
from clew.documents.formats.markdown import markdown
from clew.documents.marks import left_out, raised
from clew.documents.metadata import add_line
from clew.documents.parsed import Parsed, notes, title_of_name
from clew.text.normalise import normalise, one_line
from clew.types import Json

_KEYWORD = re.compile(r"#\+(\w+):[ \t]*(.*)", re.IGNORECASE)
_BLOCK = re.compile(r"#\+(begin|end)_(\w+)(?:[ \t]+([\w-]*))?.*", re.IGNORECASE)
_HEADING = re.compile(r"(\*+)[ \t]+(?![ \t])(?:(?:TODO|DONE)[ \t]+)?(?:\[#\w\][ \t]+)?(.*?)(?:[ \t]+:[\w@:]+:)?")
_FIXED = re.compile(r"[ \t]*:(?:[ \t](.*))?")
_COMMENT = re.compile(r"[ \t]*#(?:[#\s]|\Z)")
_DRAWER = re.compile(r"[ \t]*:([\w-]+):[ \t]*")
_PLANNING = re.compile(r"[ \t]*(?:SCHEDULED|DEADLINE|CLOSED):.*")
_STAMP = re.compile(r"[<\[](\d{4}-\d{2}-\d{2})(?: [^\W\d]{1,12}\.?)?( [\d:–-]{4,11})?[^>\]\n]{0,40}[>\]]")
_LINK = re.compile(r"\[\[[^\]\n]*\]\[([^\]\n]*)\]\]|\[\[([^\]\n]*)\]\]")
_MARK = re.compile(r"(?<![\w/:])([*/=~+])(?=\S)([^\n]{0,300}?\S)\1(?!\w)")
_RULE = re.compile(r"[ \t]*\|[-+]+\|?[ \t]*")
_NOTE = re.compile(r"\[fn:([\w-]*)(?::([^\[\]\n]*))?\]")
_AS_IT_IS = frozenset({"src", "example"})
_ABOVE = re.compile(r"(?<=\w)\^(?:\{([^{}\n]{1,40})\}|(-?\d+))")
_TERM = re.compile(r"([ \t]*[-+][ \t]+)(?![ \t])(.+?)(?<![ \t])[ \t]+::[ \t]+(.*)")


def read(source: Input) -> Iterator[Parsed]:
    """Read Org: headings, lists, tables, blocks; drawers and comments are left out."""
    decoded = decode(source.data, charset=source.charset, encoding=source.encoding)
    metadata: Json = {}
    _, drafts, counts = markdown("\n".join(_markdown(_with_examples(normalise(decoded.text).split("\n")), metadata)))
    layout = Layout(drafts)
    title = metadata.pop("title", "") or layout.heading() or title_of_name(source.name)
    file_notes = notes(decoded.note, *left_out(counts))
    add_line(layout, metadata)
    yield Parsed(title, layout.text, notes=file_notes, metadata=metadata, blocks=tuple(layout.blocks))


def _with_examples(lines: Iterable[str]) -> Iterator[str]:
    """The lines, those that a colon sets off as they are (": make all") in a block of their own."""
    within = is_fixed = False
    for line in lines:
        if block := _BLOCK.fullmatch(line.strip()):
            within = block.group(1).lower() == "begin"
        fixed = None if within else _FIXED.fullmatch(line)
        if is_fixed != bool(fixed):
            is_fixed = bool(fixed)
            yield "#+begin_example" if is_fixed else "#+end_example"
        yield fixed.group(1) or "" if fixed else line
    if is_fixed:
        yield "#+end_example"


def _markdown(lines: Iterable[str], metadata: Json) -> Iterator[str]:
    within = ""
    table: list[str] = []
    for line in [*lines, ""]:
        if line.lstrip().startswith("|") and within not in {*_AS_IT_IS, "comment", "drawer"}:
            table.append(line)
            continue
        yield from _table(table)
        table = []
        if block := _BLOCK.fullmatch(line.strip()):
            begins, kind = block.group(1).lower() == "begin", block.group(2).lower()
            within = kind if begins else ""
            yield "```" + (block.group(3) or "" if begins else "") if kind in _AS_IT_IS else ""
        elif within in _AS_IT_IS:
            yield line
        elif within == "comment":
            continue
        elif keyword := _KEYWORD.fullmatch(line.strip()):
            yield from _keyword(keyword.group(1).lower(), one_line(keyword.group(2)), metadata)
        elif within == "drawer" or _DRAWER.fullmatch(line):
            within = "" if line.strip().lower() == ":end:" else "drawer"
        elif _PLANNING.fullmatch(line):
            yield "\n" + _STAMP.sub(r"\1\2", line.strip()) + "\n"
        elif not _COMMENT.match(line):
            yield _line(line)


def _keyword(name: str, value: str, metadata: Json) -> Iterator[str]:
    """Keep what a keyword says of the document; a caption is text."""
    if name in {"title", "author", "date", "language"} and value:
        metadata[name] = _STAMP.sub(r"\1\2", value)
    elif name == "filetags" and value:
        metadata["tags"] = [tag for tag in value.split(":") if tag.strip()]
    elif name == "caption":
        yield f"\n{value}\n"


def _table(rows: list[str]) -> Iterator[str]:
    """A table as Markdown's: apart from what is above, and with a line under its heads, which may be empty."""
    if not rows:
        return
    lines = [_inline(row) for row in rows if not _RULE.fullmatch(row)]
    columns = max((line.count("|") - 1 for line in lines), default=0)
    if len(rows) < 2 or not _RULE.fullmatch(rows[1]):
        lines.insert(0, "|" + " |" * columns)
    yield from ("", *lines[:1], "|" + "---|" * columns, *lines[1:], "")


def _line(line: str) -> str:
    if heading := _HEADING.fullmatch(line):
        return f"\n{'#' * min(6, len(heading.group(1)))} {_inline(heading.group(2))}\n"
    if note := re.fullmatch(rf"({_NOTE.pattern})[ \t]+(.+)", line):
        return f"\n[^{note.group(2)}]: {_inline(note.group(4))}\n"
    if term := _TERM.fullmatch(line):
        return f"{term.group(1)}{_inline(term.group(2))}: {_inline(term.group(3))}"
    return _inline(line)


def _inline(text: str) -> str:
    text = _NOTE.sub(lambda note: f"^[{note.group(2)}]" if note.group(2) else f"[^{note.group(1)}]", text)
    text = _ABOVE.sub(lambda above: raised(above.group(1) or above.group(2)), text)
    plain = _LINK.sub(lambda link: link.group(1) or link.group(2), text)
    return _MARK.sub(lambda mark: f"~~{mark.group(2)}~~" if mark.group(1) == "+" else mark.group(2), plain)


FORMAT = Format("org", "an Org file", "text/x-org", read, media_types=("text/org",))
