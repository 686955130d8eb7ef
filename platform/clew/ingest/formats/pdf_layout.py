"""The layout of a page: pieces of text with their places to lines in reading order."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from statistics import median
from typing import NamedTuple

from clew.ingest.formats.grid import Cell
from clew.ingest.formats.marks import raised
from clew.ingest.formats.tables import table_blocks
from clew.text.normalise import normalise

_GAP = 1.4
"""The space that parts two pieces on one line, in heights of a letter: more than justified text has between words."""
_CELL_GAP = 0.7
"""The space that may part cells where many have it below each other."""
_LEADERS = frozenset(".…·_")
INITIAL = 2.0
"""How many times as high as other letters one is that begins several lines, at least."""
_TOUCHING = 0.03
"""The space up to which letters touch, in heights of a letter."""
_GUTTER = 0.7
_EDGE = 0.12
_CROSSED = (0.0, 0.05, 0.1, 0.2, 0.35, 0.5)
_WIDEST = 20_000
_MOST_SPLITS = 6
_LEAST_PROSE = 14
_LEAST_ROWS = 3


_LEFTWARD = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
"""A letter of a script that runs from right to left."""
_LETTER = re.compile(r"[^\W\d_]")
_WORD_GAP = 0.17
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"), ("«", "»"))
_BRACKET_SIGNS = frozenset("()[]{}«»")
_OTHER = r"[^\W\d_\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]"
_LEFTWARD_RUN = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff](?:[^\W\d_a-zA-Z]|[ ״׳\"'-](?=[\u0590-\u08ff]))*")
_RIGHTWARD_RUN = re.compile(
    rf"{_OTHER}(?:[^\n\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]*(?:{_OTHER}|\d))?|[$€£₪]?\d+(?:[.,:/-]\d+)*[%$€£₪]?"
)
"""What runs from left to right within other text: words of other scripts with what is between them, and numbers."""


_PRIVATE = re.compile("[\ue000-\uf8ff]")
_BULLET = re.compile("[•▪◦‣●■○□➢✓–—*\ue000-\uf8ff-]")
_ENUMERATOR = re.compile(r"\(?(?:\d{1,3}(?:\.\d{1,3}){1,3}\.?|(?:\d{1,3}|[a-z]|[ivx]{1,5}|[IVX]{1,5})[.)])")
"""What counts a clause, a heading or an item: "2.", "3.1", "(a)", "iv)"."""
_BROKEN = re.compile(r"[^\W\d_]-$")
_COUNT = re.compile(r"\d{1,2}")
_COUNT_GAP = 2.0
"""The space between a bare number and the heading that it counts, at most: further away it is a cell."""
_LONGEST_LABEL = 6
_LABEL_GAP = 5.0
"""The space between those and their text, in heights of a letter, at most."""
_ACCENTS = dict(zip("`´^ˆ~˜¨˚¸˝ˇ˘¯˙˛", map(chr, (
    0x300, 0x301, 0x302, 0x302, 0x303, 0x303, 0x308, 0x30A, 0x327, 0x30B, 0x30C, 0x306, 0x304, 0x307, 0x328,
)), strict=True))  # fmt: skip
"""Accents that are signs of their own, and what makes one letter of each and the letter that it is drawn over."""
_DOTLESS = {"ı": "i", "ȷ": "j"}


class Glyph(NamedTuple):
    """A character on a page: its box and base line in points, counted from the lower left, and whether it is bold."""

    text: str
    left: float
    right: float
    y: float
    size: float
    bold: bool


@dataclass(slots=True)
class Piece:
    """Characters that stand together on one base line; ``alone`` is a whole line of a table."""

    left: float
    right: float
    y: float
    size: float
    bold: bool
    parts: list[str] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    gaps: list[tuple[int, float, float]] = field(default_factory=list)
    """Wide spaces, which may part cells: the number of the part, and where what is before it ends, and it begins."""

    text: str = ""
    alone: bool = False

    def finish(self) -> str:
        """Set and return ``text``: the characters, raised ones marked as such."""
        self.end_raised()
        self.text = " ".join(normalise("".join(self.parts)).split())
        return self.text

    def end_raised(self) -> None:
        """What was raised is whole."""
        if self.above:
            self.parts.append(raised("".join(self.above)))
            self.above.clear()


@dataclass(slots=True)
class Line:
    """A line on a page: its text, the height of its letters and of its base line in points, and whether it is bold.

    ``alone`` lines are blocks of their own, such as the rows of a table; ``width`` is the number of characters of the
    longest line in its column, 0 where there are no columns.
    """

    text: str
    size: float
    y: float
    bold: bool
    alone: bool = False
    width: int = 0


class Rule(NamedTuple):
    """A drawn line: its place across its direction, and where it starts and ends along it, in points."""

    at: float
    start: float
    end: float


def pieces(glyphs: Iterable[Glyph], walls: Sequence[Rule] = ()) -> list[Piece]:
    """Characters in the order in which a page draws them, as pieces; a space is a Glyph whose size is 0.

    One without text is PDFium's guess: a file that places every letter for itself has them within words.
    ``walls`` are upright lines in order, which part what stands on either side of them.
    """
    found: list[Piece] = []
    now: Piece | None = None
    left = right = 0.0
    space = guessed = False
    for glyph in _in_order(list(_accents_on_letters(glyphs))):
        if glyph.size == 0:
            space, guessed = space or bool(glyph.text), True
            continue
        away = max(glyph.left - right, left - glyph.right, 0.0)
        rise = glyph.y - now.y if now else 0.0
        small = now is not None and glyph.size < 0.85 * now.size
        if (
            now is None
            or away > _GAP * now.size
            or not (abs(rise) < 0.25 * now.size or (small and abs(rise) < 0.7 * now.size))
            or (rise > 0.3 * now.size and INITIAL * glyph.size <= now.size and "".join(now.parts).isupper())
            or (walls and (guessed or away > 0.2 * now.size) and _is_between(walls, right, glyph))
        ):
            now = Piece(glyph.left, glyph.right, glyph.y, glyph.size, glyph.bold)
            found.append(now)
        elif space or away > 0.5 * now.size or (guessed and away > _TOUCHING * glyph.size):
            now.end_raised()
            if away > _CELL_GAP * now.size and glyph.left > right and glyph.text not in _LEADERS:
                now.gaps.append((len(now.parts), right, glyph.left))
            now.parts.append(" ")
        space = guessed = False
        if small and now.parts and rise > 0.15 * now.size:
            now.above.append(glyph.text)
        else:
            now.end_raised()
            grows = glyph.size > 1.2 * now.size and not now.bold and len(now.parts) < 3
            if grows or (glyph.size < now.size and _is_label(now.parts)):
                now.size, now.y = glyph.size, glyph.y  # what came first was a mark before the line
            now.parts.append(glyph.text)
            now.bold = now.bold and glyph.bold
        now.left, now.right = min(now.left, glyph.left), max(now.right, glyph.right)
        left, right = glyph.left, glyph.right
    return [piece for piece in found if piece.finish()]


def _is_label(parts: list[str]) -> bool:
    """Whether what a line begins with is a bullet, or a number with a space behind it."""
    said = "".join(parts) if len(parts) < _LONGEST_LABEL else ""
    label = said.rstrip()
    counts = said != label and (_ENUMERATOR.fullmatch(label) or _COUNT.fullmatch(label))
    return bool(counts or _BULLET.fullmatch(label))


def _is_between(walls: Sequence[Rule], right: float, glyph: Glyph) -> bool:
    """Whether a wall stands between what ends at ``right`` and a character behind it."""
    middle = glyph.y + 0.3 * glyph.size
    for wall in walls[bisect_left(walls, (right - 1.0,)) :]:
        if wall.at > glyph.left + 1.0:
            return False
        if wall.start <= middle <= wall.end:
            return True
    return False


def _accents_on_letters(glyphs: Iterable[Glyph]) -> Iterator[Glyph]:
    """Letters with the accents that are drawn over them right before or behind them, as TeX does in its older fonts."""
    last: Glyph | None = None
    for glyph in glyphs:
        if last is not None and (glyph.text in _ACCENTS or last.text in _ACCENTS):
            letter, accent = (glyph, last) if last.text in _ACCENTS else (last, glyph)
            if whole := _accented(letter, accent):
                last = letter._replace(text=whole)
                continue
        if last is not None:
            yield last
        last = glyph
    if last is not None:
        yield last


def _accented(letter: Glyph, accent: Glyph) -> str:
    """A letter with the accent that lies over it; empty where it does not, or where there is no such letter."""
    lies_over = letter.left < (accent.left + accent.right) / 2 < letter.right
    if not lies_over or not _LETTER.match(letter.text) or abs(accent.y - letter.y) > 0.5 * letter.size:
        return ""
    whole = unicodedata.normalize("NFC", _DOTLESS.get(letter.text, letter.text) + _ACCENTS[accent.text])
    return whole if len(whole) == 1 else ""


def _in_order(glyphs: list[Glyph]) -> Iterable[Glyph]:
    """The characters in the order in which they are read, where some run from right to left."""
    if not _LEFTWARD.search("".join(glyph.text for glyph in glyphs)):
        return glyphs
    found: list[Glyph] = []
    line: list[Glyph] = []
    for glyph in _words_in_order(_ligatures_in_order(glyphs)):
        base = next((one for one in reversed(line) if one.size), glyph)
        if glyph.size and abs(glyph.y - base.y) >= 0.25 * base.size:
            found += _line_in_order(line)
            line = []
        line.append(glyph)
    return found + _line_in_order(line)


def _line_in_order(line: list[Glyph]) -> list[Glyph]:
    """What stands on one base line as it is read, by where it stands; as it is where nothing runs from right to left.

    What runs against the direction of the most, such as a number or a foreign word, is moved to where it would stand if
    it did not, so that each character stands next to the one before it.
    """
    letters = [glyph.text for glyph in line if glyph.size and _LETTER.match(glyph.text)]
    leftward = sum(bool(_LEFTWARD.match(letter)) for letter in letters)
    if not leftward:
        return line
    mostly = 2 * leftward > len(letters)
    spaced = _spaced(line)
    said = "".join(glyph.text[:1] or " " for glyph in spaced)
    for run in (_RIGHTWARD_RUN if mostly else _LEFTWARD_RUN).finditer(said):
        start, end = run.span()
        edges = spaced[start].left + spaced[end - 1].right
        spaced[start:end] = [
            one._replace(left=edges - one.right, right=edges - one.left) for one in reversed(spaced[start:end])
        ]
    return _with_brackets(spaced[::-1] if mostly else spaced)


def _spaced(line: list[Glyph]) -> list[Glyph]:
    """The characters of a line from the left to the right, with the spaces between them."""
    blanks: set[int] = set()
    shown: list[Glyph] = []
    places: list[float] = []
    for glyph in line:
        if not glyph.size:
            blanks.add(len(shown))
            continue
        is_mark = bool(places) and unicodedata.category(glyph.text[:1] or " ") == "Mn"
        places.append(places[-1] if is_mark else -(glyph.left + glyph.right))
        shown.append(glyph)
    found: list[Glyph] = []
    last = 0
    for at in sorted(range(len(shown)), key=places.__getitem__)[::-1]:
        glyph = shown[at]
        gap = glyph.left - found[-1].right if found else 0.0
        told = max(at, last) in blanks if abs(at - last) == 1 else gap > _WORD_GAP * glyph.size
        if {glyph.text, shown[last].text} & _BRACKET_SIGNS:
            told = gap > _WORD_GAP * glyph.size and (told or at < last)
        if found and (told or gap > _GAP * glyph.size):
            space = "\n" if gap > _GAP * glyph.size else " "
            found.append(Glyph(space, found[-1].right, glyph.left, glyph.y, 0, glyph.bold))
        found.append(glyph)
        last = at
    return found


def _with_brackets(line: list[Glyph]) -> list[Glyph]:
    """A line whose brackets open and close what stands between them: files and PDFium tell either side of them."""
    found = list(line)
    for first, second in _BRACKETS:
        places = [at for at, glyph in enumerate(line) if glyph.text in {first, second}]
        if len(places) % 2 == 0:
            for number, at in enumerate(places):
                found[at] = line[at]._replace(text=second if number % 2 else first)
    return found


def _ligatures_in_order(glyphs: Iterable[Glyph]) -> Iterator[Glyph]:
    """Letters of one sign, which lie in one box, in the order in which they are read.

    PDFium turns runs from right to left around as a whole, and with them the letters of a ligature (lam and alef).
    """
    same: list[Glyph] = []
    for glyph in glyphs:
        if same and (glyph.left, glyph.right, glyph.y) != (same[0].left, same[0].right, same[0].y):
            yield from reversed(same)
            same.clear()
        if glyph.size and _LEFTWARD.match(glyph.text):
            same.append(glyph)
        else:
            yield from reversed(same)
            same.clear()
            yield glyph
    yield from reversed(same)


def _words_in_order(glyphs: Iterable[Glyph]) -> Iterator[Glyph]:
    """The letters of words that run from right to left in that order: PDFs that browsers print turn some of them."""
    word: list[Glyph] = []
    for glyph in glyphs:
        is_letter = bool(glyph.size and _LEFTWARD.match(glyph.text) and (_LETTER.match(glyph.text) or word))
        is_letter = is_letter and not unicodedata.category(glyph.text).startswith("P")
        apart = bool(word) and max(glyph.left - word[-1].right, word[-1].left - glyph.right) > glyph.size
        if not is_letter or apart or (word and abs(glyph.y - word[0].y) >= 0.25 * glyph.size):
            yield from _leftward(word)
            word.clear()
        if is_letter:
            word.append(glyph)
        else:
            yield glyph
    yield from _leftward(word)


def _leftward(word: list[Glyph]) -> list[Glyph]:
    return word[::-1] if word and word[0].left < word[-1].left else list(word)


def runs_left(found: Iterable[Piece]) -> bool:
    """Whether most letters are of scripts that run from right to left."""
    text = "".join(piece.text for piece in found)
    leftward = len(_LEFTWARD.findall(text)) if _LEFTWARD.search(text) else 0
    return leftward > 0 and 2 * leftward > len(_LETTER.findall(text))


def ordered(found: Sequence[Piece], read: Callable[[list[Piece]], list[Line]]) -> list[Line]:
    """Pieces as lines in reading order: columns one after the other, what is none as ``read`` makes lines of it."""
    return _split(list(found), read, _MOST_SPLITS)


def _split(found: list[Piece], read: Callable[[list[Piece]], list[Line]], splits: int) -> list[Line]:
    gutter = _gutter(found) if splits else None
    if gutter is None:
        return read(found)
    across = sorted((piece for piece in found if piece.left < gutter < piece.right), key=lambda piece: -piece.y)
    rest = [piece for piece in found if not piece.left < gutter < piece.right]
    result: list[Line] = []
    for upper in [*across, None]:
        band = [piece for piece in rest if upper is None or piece.y > upper.y]
        rest = [piece for piece in rest if upper is not None and piece.y <= upper.y]
        sides = [[p for p in band if p.right <= gutter], [p for p in band if p.left >= gutter]]
        if all(map(_is_prose, sides)) and _beside(*sides):
            for side in sides[::-1] if runs_left(band) else sides:
                column = _split(side, read, splits - 1)
                width = max((len(line.text) for line in column if not line.alone), default=0)
                result += [replace(line, width=line.width or width) for line in column]
        else:
            result += read(band)
        if upper is not None:
            result += read([upper])
    return result


def _gutter(found: list[Piece]) -> float | None:
    """The middle of the strip that parts the most pieces from each other and is crossed by few; None where none does.

    What crosses it stands over both columns: a title, a wide table, the end of the page.
    """
    if len(found) < 4:
        return None
    left, right = min(piece.left for piece in found), max(piece.right for piece in found)
    size = median(piece.size for piece in found)
    width = int(right - left)
    if width < 10 * size or width > _WIDEST:
        return None
    cover = [0] * (width + 2)
    for piece in found:
        cover[int(piece.left - left)] += 1
        cover[min(width, int(piece.right - left)) + 1] -= 1
    cover = list(accumulate(cover))
    best: tuple[float, float, float] = (0.0, 0.0, 0.0)
    for most in sorted({int(share * len(found)) for share in _CROSSED}):
        for start, end in _strips(cover, most, _GUTTER * size):
            middle = left + (start + end) / 2
            sides = sum(p.right <= middle for p in found), sum(p.left >= middle for p in found)
            crossed = len(found) - sum(sides)
            if min(sides) > 1 and _EDGE * width < middle - left < (1 - _EDGE) * width:
                best = max(best, (min(sides) - crossed / 2, end - start, middle))
    return best[2] or None


def _strips(cover: list[int], most: int, least: float) -> Iterator[tuple[int, int]]:
    """The stretches of at least ``least`` points in which no more than ``most`` pieces stand above each other."""
    start = 0
    for at, covered in enumerate(cover):
        if covered > most:
            if at - start >= least:
                yield start, at
            start = at + 1


def _is_prose(side: list[Piece]) -> bool:
    """Whether the pieces on one side of a gutter are lines of text, and no cells of a table."""
    rows = rows_of(side)
    return len(rows) > 1 and median(sum(len(piece.text) for piece in row) for row in rows) >= _LEAST_PROSE


def _beside(left: list[Piece], right: list[Piece]) -> bool:
    """Whether two columns stand beside each other for at least half of the shorter one."""
    spans = [(min(piece.y for piece in side), max(piece.y for piece in side)) for side in (left, right)]
    shared = min(top for _, top in spans) - max(bottom for bottom, _ in spans)
    return 2 * shared >= min(top - bottom for bottom, top in spans)


def rows_of(found: list[Piece]) -> list[list[Piece]]:
    """Pieces on one base line, from top to bottom, each row in the direction of its script."""
    rows = on_lines(found)
    return [_with_label(row[::-1] if runs_left(row) else row) for row in rows]


def on_lines(found: Iterable[Piece]) -> list[list[Piece]]:
    """Pieces on one base line, from top to bottom, each row from the left."""
    rows: list[list[Piece]] = []
    for piece in sorted(found, key=lambda piece: -piece.y):
        if rows and abs(rows[-1][0].y - piece.y) < 0.4 * max(piece.size, rows[-1][0].size):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda piece: piece.left) for row in rows]


def _with_label(row: list[Piece]) -> list[Piece]:
    """A row in which a bullet, or the number of a clause or heading, is one piece with the text that it stands before.

    In a row of more than two pieces a number is a cell; a bullet is none anywhere.
    """
    if len(row) < 2 or not _LETTER.match(row[1].text.lstrip("“\"'(")):
        return row
    label, gap = row[0].text, row[1].left - row[0].right
    if not 0 <= gap <= _LABEL_GAP * row[1].size:
        return row
    counted = _ENUMERATOR.fullmatch(label) or (_COUNT.fullmatch(label) and gap <= _COUNT_GAP * row[1].size)
    if not (_BULLET.fullmatch(label) or (len(row) == 2 and counted)):
        return row
    first, text = row[0], row[1]
    said = "•" if _PRIVATE.match(label) else label
    joined = replace(text, left=min(first.left, text.left), text=f"{said} {text.text}")
    return [joined, *row[2:]]


def by_rows(found: list[Piece]) -> list[Line]:
    """Pieces as lines from top to bottom; rows of as many pieces are those of a table."""
    result: list[Line] = []
    table: list[list[Piece]] = []
    for row in [*rows_of(found), []]:
        if len(row) > 1 and (not table or _goes_on(table, row)):
            table.append(row)
            continue
        result += _table(table) if len(table) >= _LEAST_ROWS else list(map(line_of, table))
        table = []
        if len(row) > 1:
            table = [row]
        elif row:
            result.append(line_of(row))
    return result


def _goes_on(table: list[list[Piece]], row: list[Piece]) -> bool:
    """Whether a row belongs to the table above it: it has as many pieces as the fullest row, which are apart, or fewer,
    each under one of those."""
    if table[-1][0].y - row[0].y > 4 * row[0].size:
        return False
    full, other = sorted((max(table, key=len), row), key=len, reverse=True)
    if len(full) == len(other):
        full, other = (sorted(some, key=lambda piece: piece.left) for some in (full, other))
        return all(a.right < b.left for some in (full, other) for a, b in pairwise(some))
    return len(table) >= _LEAST_ROWS - 1 and len(row) < len(full) and _columns(full, row) is not None


def _columns(full: list[Piece], row: list[Piece]) -> list[int] | None:
    """The column of each piece of a row, counted in a full one; None where a piece lies under none or under two."""
    found = []
    for piece in row:
        under = [at for at, head in enumerate(full) if head.left <= piece.right and piece.left <= head.right]
        if len(under) != 1 or under[0] in found:
            return None
        found.append(under[0])
    return found


def _table(rows: list[list[Piece]]) -> list[Line]:
    full = max(rows, key=len)
    cells = []
    for row in rows:
        at = dict(zip(_columns(full, row) or range(len(row)), row, strict=False))
        cells.append([Cell(at[column].text if column in at else "") for column in range(len(full))])
    first = rows[0][0]
    return [
        Line(" ".join(block.text.split()), first.size, row[0].y, False, alone=True)
        for block, row in zip(table_blocks(cells), [*rows, *rows], strict=False)
    ]


def in_one(texts: Iterable[str]) -> str:
    """The lines of a cell as one text, words that they break whole."""
    said = ""
    for text in texts:
        broken = _BROKEN.search(said) and text[:1].islower()
        said = said[:-1] + text if broken else f"{said} {text}".lstrip()
    return said


def line_of(row: list[Piece]) -> Line:
    """The line of pieces that stand beside each other."""
    main = max(row, key=lambda piece: len(piece.text))
    alone = any(piece.alone for piece in row)
    return Line(" ".join(p.text for p in row), main.size, main.y, all(piece.bold for piece in row), alone)
