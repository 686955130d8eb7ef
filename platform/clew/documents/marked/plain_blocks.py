"""Paragraphs, headings and tables of plain text, by their look."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.documents.blocks import Draft
from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import table_blocks
from clew.text.normalise import normalise
from clew.text.sentences import asks

_BLANK_LINES = re.compile(r"\n\s*\n")
_UNDERLINE = re.compile(r"\s*([=~*_-])\1{2,}\s*")
_RULE = re.compile(r"[\s|+:=_-]*")
_GAP = re.compile(r"[^\S\n]{2,}|\t")
_BEGINS = re.compile(r"\s*[\"“(*•–-]?\s*[A-Z\d]")
_LONGEST_HEADING = 80
_MOST_WORDS, _MOST_SIGNS = 8, 40
"""Words of a heading that stands alone, at most, and signs of one in a script without spaces between words."""
_SENTENCE_END = re.compile(r"[.,!?:;…。！｡।॥؟۔።։။།᠃][\"'”’)\]]*\Z")
_LABELLED = re.compile(r"\S: \w|\S：\S")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_CLAUSE = re.compile(r"\s*\d+(?:\.\d+)+\.?\s")
"""The number of a clause: 3.1."""
_LEAST_LETTERS = 3
_LEAST_ROWS = 3
"""Lines in columns from which they are a table."""
_LEVEL = 2


def paragraphs(text: str) -> list[Draft]:
    """The blocks of a text without marks."""
    blocks = _BLANK_LINES.split(normalise(text)) if text.strip() else []
    found = [_drafts(block.splitlines()) for block in blocks]
    asked = {block for block in blocks if "\n" not in block.strip() and asks(block.strip())}
    asked = asked if len(asked) > 1 else set()  # one alone is asked by a letter
    for block, drafts, below in zip(blocks, found, found[1:], strict=False):
        is_plain = len(drafts) == 1 and drafts[0].kind == "paragraph" and not drafts[0].cells
        if below and is_plain and (block in asked or _is_title(block)):
            drafts[0] = Draft(block.strip(), "heading", _LEVEL)
    return [draft for drafts in found for draft in drafts]


def _drafts(lines: list[str]) -> list[Draft]:
    """The blocks of lines without a blank one between them; a hostile file has any number of headings in a row."""
    drafts: list[Draft] = []
    at = 0
    while at < len(lines) - 1:
        underlined = _UNDERLINE.fullmatch(lines[at + 1]) and len(lines[at].strip()) <= _LONGEST_HEADING
        leads = _CLAUSE.match(lines[at + 1]) and _is_title(lines[at])
        if not (underlined or leads or _is_in_capitals(lines[at], lines[at + 1])):
            break
        drafts.append(Draft(lines[at], "heading", _LEVEL))
        at += 2 if underlined else 1
    return drafts + _body(lines[at:])


def _body(lines: list[str]) -> list[Draft]:
    for above in (0, 1):
        if (table := _columns(lines[above:])) and not (above and _GAP.search(lines[0].strip())):
            return [*(Draft(line, "caption") for line in lines[:above]), *table_blocks(table)]
    return [Draft("\n".join(lines))] if lines else []


def _is_title(block: str) -> bool:
    """Whether a block is one short line that ends like no sentence: a heading by its look."""
    line = block.strip()
    short = len(line.split()) <= _MOST_WORDS and len(_UNSPACED.findall(line)) <= _MOST_SIGNS
    states = _SENTENCE_END.search(line) or _LABELLED.search(line) or not any(map(str.isalpha, line))
    return "\n" not in line and short and not states


def _is_in_capitals(line: str, second: str) -> bool:
    """Whether a line is in capitals and ends no sentence, and the next one is not and begins one."""
    first = line.strip()
    letters = sum(map(str.isalpha, first))
    return (
        letters >= _LEAST_LETTERS
        and first.upper() == first
        and first.lower() != first
        and len(first) <= _LONGEST_HEADING
        and not first.endswith((".", ",", ";", "-"))
        and second.upper() != second
        and _BEGINS.match(second) is not None
    )


def _columns(lines: Sequence[str]) -> list[list[Cell]]:
    """The cells of lines that stand in columns, or between bars; none where they do not."""
    filled = [line for line in lines if not _RULE.fullmatch(line)]
    if filled and all("|" in line for line in filled):
        barred = [line.strip().strip("|").split("|") for line in filled]
        widths = set(map(len, barred))
        return _table(barred) if len(barred) >= _LEAST_ROWS and len(widths) == 1 and widths != {1} else []
    parts = [_parts(line) for line in filled]
    if len(parts) < _LEAST_ROWS or len(parts[0]) < 2 or len(set(map(len, parts))) > 1:
        return []
    padded = len({row[1][0] - row[0][1] for row in parts}) > 1
    rows = [[line[a:b] for a, b in row] for line, row in zip(filled, parts, strict=True)]
    return _table(rows) if padded and all(map(_is_column, zip(*parts, strict=True))) else []


def _is_column(cells: Sequence[tuple[int, int]]) -> bool:
    """Whether cells begin, or end, at the same place; their head need only stand above them."""
    (begin, end), below = cells[0], cells[1:]
    starts, ends = {start for start, _ in below}, {stop for _, stop in below}
    return (len(starts) == 1 or len(ends) == 1) and begin < max(ends) and end > min(starts)


def _parts(line: str) -> list[tuple[int, int]]:
    """Where the cells of a line stand, which more than a space parts."""
    begin, end = len(line) - len(line.lstrip()), len(line.rstrip())
    gaps = [at for gap in _GAP.finditer(line, begin, end) for at in gap.span()]
    edges = [begin, *gaps, end]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _table(rows: Sequence[Sequence[str]]) -> list[list[Cell]]:
    return [[Cell(cell.strip()) for cell in row] for row in rows]
