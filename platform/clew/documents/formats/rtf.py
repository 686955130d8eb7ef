"""RTF: its text with notes after their paragraph, and its tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from clew.documents.blocks import Draft, Layout
from clew.documents.format import Format, Input
from clew.documents.marks import HIDDEN, STRUCK, left_out, raised
from clew.documents.metadata import add_author
from clew.documents.office.rtf_rows import Edge, Row, numbered_rows, row_of, spanned, without_numbers
from clew.documents.parsed import Parsed, headline, meant_title, notes, title_of_name
from clew.documents.tables.rows import table_blocks
from clew.text.normalise import one_line
from clew.types import Json

_TITLE = re.compile(r"\{\\title ([^{}\\]{1,400})\}")
_AUTHOR = re.compile(r"\{\\author ([^{}\\]{1,400})\}")
_DELETED = re.compile(
    r"\{(?:\\[a-z]+-?\d* ?)*\\(?:deleted|striked?1?|v)(?![a-z0-9])[^{}]*\}"
    r"|\\(deleted|striked?|v)1?(?![a-z0-9])[^{}]{0,10000}?\\\1(?:0(?!\d) ?)"
)
"""What is struck or hidden: a group that begins so, or all up to where that is turned off."""
_HIDING = re.compile(r"\\v(?![a-z])")
_MARK = re.compile(r"\{(?:\\[a-z]+-?\d* ?)*\\chftn ?\}|\\chftn(?![a-z]) ?")
_NOTE_OR_END = re.compile(
    r"(?P<note>\{(?:\\\*)?\\footnote(?![a-z])(?:\\ftnalt)? ?)|(?P<shape>\{\\shp(?![a-z]))"
    r"|\\par(?![a-z])|\\pard(?![a-z])|\\cell(?![a-z])"
)
"""Where a note or a shape begins, or the paragraph ends that it belongs to."""
_ON_SHAPE = re.compile(r"\{\\shptxt(?![a-z]) ?")
_BRACE = re.compile(r"\\[{}\\]|[{}]")
_IN_TABLE = re.compile(r"\\(intbl|cell|row|trowd|pard|par|line)(?![a-z]) ?")
_OUTLINE = re.compile(r"\\outlinelevel([0-8])(?!\d)")
_HEADING_STYLE = re.compile(r"\{\\s(\d{1,4})(?!\d)[^{};]{0,600}?[Hh]eading ([1-9]);\}")
_LEVELS, _LAST_LEVEL = "\ue100", "\ue108"
"""Signs of no meaning that stand for the level of a heading while the library turns the rest into text."""
_LEVEL = re.compile(f"[{_LEVELS}-{_LAST_LEVEL}]")
_BULLET = re.compile("[•▪◦‣●■–\uf0b7\uf0a7\uf0fc-]\\s*\\t\\s*")
_RAISED = re.compile(r"(?<=\{)((?:\\[a-z]+-?\d* ?)*?)\\super(?![a-z])((?:\\[a-z]+-?\d*)*) ?([^{}\\]{1,40})(?=\})")


def read(source: Input) -> Iterator[Parsed]:
    """Read RTF; a property or a lone first line is its title."""
    from striprtf.striprtf import rtf_to_text

    gone: Counter[str] = Counter()

    def leave_out(run: re.Match[str]) -> str:
        gone[HIDDEN if _HIDING.search(run[0]) else STRUCK] += 1
        return ""

    written = _with_notes(_DELETED.sub(leave_out, source.data.decode("latin-1")))
    written = _with_lines_joined(written)
    written, edges = numbered_rows(_with_levels(written))
    written = _RAISED.sub(
        lambda run: f"{run[1]}{run[2]}{' ' * bool(run[1] or run[2])}{_escaped(raised(run[3]))}", written
    )
    encoding = source.encoding or "cp1252"
    plain = rtf_to_text(written, encoding=encoding, errors="replace")
    layout = Layout(_blocks(plain, edges))
    found = {name: _TEXT.search(written) for name, _TEXT in (("title", _TITLE), ("author", _AUTHOR))}
    properties = {name: meant_title(one_line(match.group(1))) for name, match in found.items() if match}
    title = properties.pop("title", "") or headline(layout.text) or title_of_name(source.name)
    metadata: Json = {key: value for key, value in properties.items() if value}
    add_author(layout, metadata)
    told_of = notes(*left_out(gone))
    yield Parsed(title, layout.text, notes=told_of, metadata=metadata, blocks=tuple(layout.blocks))


def _with_lines_joined(written: str) -> str:
    """The same with a space for the end of a line within a cell, whose row the library would end there."""
    in_cell = False

    def joined(word: re.Match[str]) -> str:
        nonlocal in_cell
        if word[1] in {"intbl", "cell", "row", "trowd"}:
            in_cell = word[1] == "intbl"
        return " " if in_cell and word[1] in {"par", "line"} else word[0]

    return _IN_TABLE.sub(joined, written)


def _with_levels(written: str) -> str:
    """The same with a sign before each heading, by its place in the outline or its style; see ``_LEVELS``."""
    styles = {number: int(level) - 1 for number, level in _HEADING_STYLE.findall(written)}
    known = "|".join(styles)
    written = _OUTLINE.sub(lambda found: f"{found[0]} {_sign(int(found[1]))}", written)
    if not styles:
        return written
    return re.sub(
        rf"(\\pard\\plain ?[^{{}}]{{0,20}}?\\s({known})(?!\d)[^{{}}\n]{{0,400}}?)(?=[{{\n])",
        lambda found: f"{found[1]} {_sign(styles[found[2]])}",
        written,
    )


def _sign(level: int) -> str:
    return f"{{\\uc1\\u{ord(_LEVELS) + min(level, 8)}?}}"


def _with_notes(written: str) -> str:
    """Notes and what is written on shapes as paragraphs after their own; the library leaves them out."""
    written = _MARK.sub("", written)
    parts: list[str] = []
    aside: list[str] = []
    at = 0
    while found := _NOTE_OR_END.search(written, at):
        parts.append(written[at : found.start()])
        if found["note"]:
            at = _end_of_group(written, found.end())
            aside.append(f"\\par {{{written[found.end() : at - 1].strip()}}}")
        elif found["shape"]:
            at = _end_of_group(written, found.end())
            aside += (f"\\par {{{text}}}" for text in _groups(_ON_SHAPE, written[found.end() : at]))
        else:
            at = found.end()
            parts += [*aside, found[0]]
            aside.clear()
    return "".join([*parts, written[at:], *aside])


def _groups(begin: re.Pattern[str], written: str) -> Iterator[str]:
    """What stands in the groups that begin so, but for those within one of them."""
    at = 0
    while found := begin.search(written, at):
        at = _end_of_group(written, found.end())
        yield written[found.end() : at - 1].strip()


def _end_of_group(written: str, at: int) -> int:
    """Where the group that ``at`` lies in ends, behind its brace."""
    depth = 1
    for brace in _BRACE.finditer(written, at):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if not depth:
            return brace.end()
    return len(written)


def _escaped(text: str) -> str:
    return "".join(c if c.isascii() else f"\\u{ord(c)}?" for c in text)


def _blocks(plain: str, edges: list[list[Edge]]) -> Iterator[Draft]:
    """Paragraphs, and the rows of tables, whose cells the library ends with a stroke."""
    table: list[Row] = []
    for line in [*plain.split("\n"), ""]:
        if (row := row_of(line, edges)) is not None:
            table.append(Row([_LEVEL.sub("", text).strip() for text in row.texts], row.edges))
            continue
        yield from table_blocks(spanned(table))
        table = []
        line = without_numbers(line)
        level = next((ord(sign) - ord(_LEVELS) + 1 for sign in line if _LEVELS <= sign <= _LAST_LEVEL), 0)
        text = _LEVEL.sub("", line).strip()
        bullet = _BULLET.match(text)
        words = " ".join(text[bullet.end() if bullet else 0 :].split())
        yield Draft(words, "item", 1) if bullet else Draft(words, "heading", level) if level else Draft(words)


FORMAT = Format(
    "rtf",
    "an RTF file",
    "application/rtf",
    read,
    media_types=("text/rtf", "application/x-rtf"),
    recognise=lambda data: data.lstrip()[:5] == b"{\\rtf",
)
