"""Marks on text: raised figures, symbols, and notes on omissions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from clew.text.normalise import one_line

_RAISED = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_SYMBOL = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑",
)
"""Adobe's Symbol, from the places 0x20 and 0xA0 on."""
_SYMBOLS = {
    "symbol": {
        first + at: sign for first, signs in zip((0x20, 0xA0), _SYMBOL, strict=True) for at, sign in enumerate(signs)
    },
    "wingdings": dict(
        zip(b"\x6c\x6e\x6f\x71\x76\x9f\xa7\xa8\xd8\xdf\xe0\xe8\xfb\xfc\xfd\xfe", "●■☐☐❖•▪☐➢←→➔✗✓☒☑", strict=True)
    ),
    "wingdings2": dict(zip(b"\x4f\x50\x51\x52\x53\x54\xa3", "✗✓☒☑☒☒☐", strict=True)),
}
"""The signs of fonts of symbols, of Wingdings those of lists and forms."""
_RAISABLE = re.compile(r"[0-9+\-−=()ni]+")
_NUMBER = re.compile(r"\[?[0-9*†‡§]+\]?")
_WORDS = re.compile(r"[^\W\d_]{3}.*[^\W\d_]{3}|[^\W\d_]{5}|[\u0590-\U0001ffff]{2}")
_NUMBERING = 25
"""Characters of a header or footer that only says which page it is on: "Page 3 of 12"."""
_LONGEST_MARGIN, _MOST_MARGINS = 80, 3
STRUCK = "struck or deleted text"
HIDDEN = "hidden text"
COMMENTS = "comments"
SIGNS = "signs of a font of symbols"


def raised(text: str) -> str:
    """Superscript text in characters that say so: ``6`` becomes ``⁶``.

    Letters ("5th") stay as they are, and what mixes figures with other signs is led by ``^``.
    """
    if _RAISABLE.fullmatch(text.strip()):
        return text.translate(_RAISED)
    return f"^{text}" if any(character.isdigit() for character in text) else text


def symbol(font: str, code: str) -> str:
    """The character at a place in a symbol font; "" if unknown."""
    try:
        place = int(code, 16)
    except ValueError:
        return ""
    known = _SYMBOLS.get("".join(font.split()).casefold())
    if known is None:
        return chr(place) if 0x20 <= place < 0xD800 else ""
    return known.get(place & 0xFF, "")


def is_reference(text: str) -> bool:
    """Whether superscript text is the mark of a note: "[2]", "*"."""
    mark = text.strip()
    return bool(_NUMBER.fullmatch(mark)) and not mark.isdigit()


def left_out(counts: Counter[str]) -> tuple[str, ...]:
    """A note for each kind of omission, with its number."""
    return tuple(f"Left out: {what} ({number:,})." for what, number in sorted(counts.items()) if number)


def margins(lines: Iterable[tuple[str, bool]], text: str) -> str:
    """A note on headers and footers that stand nowhere in ``text``.

    Each line comes with whether it numbers the pages; a short one that does says nothing else.
    """
    known = one_line(text).casefold()
    kept = [line for line, numbers in lines if _WORDS.search(line) and not (numbers and len(line) <= _NUMBERING)]
    shown_lines = [one_line(line, _LONGEST_MARGIN) for line in kept]
    shown_lines = [line for line in dict.fromkeys(shown_lines) if line.rstrip("…").casefold() not in known]
    shown = "; ".join(f"“{line}”" for line in shown_lines[:_MOST_MARGINS])
    more = f" and {len(shown_lines) - _MOST_MARGINS} more" if len(shown_lines) > _MOST_MARGINS else ""
    return f"Left out: headers and footers of pages ({shown}{more})." if shown_lines else ""
