"""Scripts that run from right to left: the characters of a page in the order in which they are read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from clew.documents.pdf.layout import GAP, LETTER, Glyph, Piece

_LEFTWARD = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
"""A letter of a script that runs from right to left."""
_WORD_GAP = 0.17
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"), ("«", "»"))
_BRACKET_SIGNS = frozenset("()[]{}«»")
_OTHER = r"[^\W\d_\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]"
_LEFTWARD_RUN = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff](?:[^\W\d_a-zA-Z]|[ ״׳\"'-](?=[\u0590-\u08ff]))*")
_RIGHTWARD_RUN = re.compile(
    rf"{_OTHER}(?:[^\n\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]*(?:{_OTHER}|\d))?|[$€£₪]?\d+(?:[.,:/-]\d+)*[%$€£₪]?"
)
"""What runs from left to right within other text: words of other scripts with what is between them, and numbers."""


def in_order(glyphs: list[Glyph]) -> Iterable[Glyph]:
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


def runs_left(found: Iterable[Piece]) -> bool:
    """Whether most letters are of scripts that run from right to left."""
    text = "".join(piece.text for piece in found)
    leftward = len(_LEFTWARD.findall(text)) if _LEFTWARD.search(text) else 0
    return leftward > 0 and 2 * leftward > len(LETTER.findall(text))


def _line_in_order(line: list[Glyph]) -> list[Glyph]:
    """What stands on one base line as it is read, by where it stands; as it is where nothing runs from right to left.

    What runs against the direction of the most, such as a number or a foreign word, is moved to where it would stand if
    it did not, so that each character stands next to the one before it.
    """
    letters = [glyph.text for glyph in line if glyph.size and LETTER.match(glyph.text)]
    leftward = sum(bool(_LEFTWARD.match(letter)) for letter in letters)
    if not leftward:
        return line
    mostly = 2 * leftward > len(letters)
    spaced = _spaced(line)
    characters = "".join(glyph.text[:1] or " " for glyph in spaced)
    for run in (_RIGHTWARD_RUN if mostly else _LEFTWARD_RUN).finditer(characters):
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
        is_space = max(at, last) in blanks if abs(at - last) == 1 else gap > _WORD_GAP * glyph.size
        if found and _turns(found[-1].text, glyph.text):
            is_space = True  # a word of another script is one by itself
        if {glyph.text, shown[last].text} & _BRACKET_SIGNS:
            is_space = gap > _WORD_GAP * glyph.size and (is_space or at < last)
        if found and (is_space or gap > GAP * glyph.size):
            space = "\n" if gap > GAP * glyph.size else " "
            found.append(Glyph(space, found[-1].right, glyph.left, glyph.y, 0, glyph.bold))
        found.append(glyph)
        last = at
    return found


def _turns(a: str, b: str) -> bool:
    """Whether two letters run in opposite directions."""
    return bool(LETTER.match(a) and LETTER.match(b)) and bool(_LEFTWARD.match(a)) != bool(_LEFTWARD.match(b))


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
        is_letter = bool(glyph.size and _LEFTWARD.match(glyph.text) and (LETTER.match(glyph.text) or word))
        is_letter = is_letter and not unicodedata.category(glyph.text).startswith("P")
        is_separate = bool(word) and max(glyph.left - word[-1].right, word[-1].left - glyph.right) > glyph.size
        if not is_letter or is_separate or (word and abs(glyph.y - word[0].y) >= 0.25 * glyph.size):
            yield from _leftward(word)
            word.clear()
        if is_letter:
            word.append(glyph)
        else:
            yield glyph
    yield from _leftward(word)


def _leftward(word: list[Glyph]) -> list[Glyph]:
    return word[::-1] if word and word[0].left < word[-1].left else list(word)
