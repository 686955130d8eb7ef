"""Scripts that run from right to left: words, ligatures, columns and tables in the order in which they are read."""

from __future__ import annotations

import pytest

from clew.documents.pdf.layout import Glyph, Piece
from clew.documents.pdf.pieces import pieces
from clew.documents.pdf.tables import lines


def drawn(*signs: tuple[str, float], y: float = 700, size: float = 10) -> list[Glyph]:
    """Signs with their left edges, each 5 points wide; several letters in one lie in the same box."""
    return [
        Glyph(letter, left, left + 5, y, 0 if letter == " " else size, False) for sign, left in signs for letter in sign
    ]


def piece(text: str, left: float, right: float, y: float = 700) -> Piece:
    return Piece(left, right, y, 10, False, text=text)


@pytest.mark.parametrize(
    ("signs", "read"),
    [
        # As PDFium gives it: the run is in order, and the letters of the ligature are not.
        ((("ا", 120), ("إل", 110), ("ن", 105)), "الإن"),
        ((("خ", 120), ("ال", 110), ("ل", 105)), "خلال"),
        ((("ש", 120), ("ל", 115), ("ם", 110)), "שלם"),
        # As a browser prints it: some words are turned, others are not, and a comma stands behind.
        ((("ם", 110), ("ל", 115), ("ש", 120), (" ", 108), ("ב", 105), ("א", 100), ("،", 95)), "שלם בא،"),
    ],
)
def test_a_ligature_is_read_in_order(signs: tuple[tuple[str, float], ...], read: str) -> None:
    assert [one.text for one in pieces(drawn(*signs))] == [read]


@pytest.mark.parametrize(
    ("signs", "read"),
    [
        # Brackets, as either side of them is told: the first one opens.
        ((("א", 120), ("ב", 115), (" ", 0), (")", 105), ("ג", 100), ("ד", 95), ("(", 90)), "אב (גד)"),
        ((("א", 120), ("ב", 115), ("(", 105), (" ", 0), ("ג", 100), ("ד", 95), (")", 90)), "אב (גד)"),
        # What ends a sentence behind a number stands to its left; what is within a number stays there.
        ((("א", 140), ("ב", 135), (" ", 0), (".", 110), ("1", 115), (",", 120), ("9", 125)), "אב 1,9."),
        ((("ع", 140), ("ن", 135), (" ", 0), ("%", 115), ("4", 120), ("5", 125)), "عن 45%"),
        # Years from one to another, and words of other scripts.
        ((("ב", 140), ("ג", 135), (" ", 0), ("2", 110), ("3", 115), ("–", 120), ("1", 125)), "בג 1–23"),
        (
            (("א", 155), ("ב", 150), ("ג", 145), ("ד", 140), (" ", 0), ("G", 110), ("o", 115), (" ", 0), ("A", 125)),
            "אבגד Go A",
        ),
        # A word of another script is one by itself, also where no space is drawn.
        ((("א", 155), ("ב", 150), ("ו", 145), ("G", 135), ("o", 140)), "אבו Go"),
        # A word of such a script within text of another one.
        ((("t", 100), ("o", 105), (" ", 0), ("ש", 120), ("ל", 115), (" ", 0), ("i", 130), ("s", 135)), "to של is"),
    ],
)
def test_marks_numbers_and_foreign_words_stand_where_they_are_read(
    signs: tuple[tuple[str, float], ...], read: str
) -> None:
    assert [one.text for one in pieces(drawn(*signs))] == [read]


@pytest.mark.parametrize(
    ("row", "read"),
    [
        ((piece("Python", 100, 140), piece("من الأدوات", 160, 240)), "من الأدوات Python"),
        ((piece("12 מ׳", 100, 130), piece("גובה המגדלור", 160, 240)), "גובה המגדלור 12 מ׳"),
        ((piece("The light", 100, 140), piece("of Corran", 160, 240)), "The light of Corran"),
    ],
)
def test_a_row_runs_in_the_direction_of_its_script(row: tuple[Piece, ...], read: str) -> None:
    assert [line.text for line in lines(row)] == [read]


def test_a_table_has_its_labels_on_the_right() -> None:
    values = ("1403/09/19", "1403/10/04", "436")
    labels = ("تاريخ ارائه", "تاريخ پذيرش", "شماره جلسه")
    found = [
        one
        for at, (value, label) in enumerate(zip(values, labels, strict=True))
        for one in (piece(value, 100, 150, 700 - 14 * at), piece(label, 220, 300, 700 - 14 * at))
    ]
    assert [line.text for line in lines(found)] == [
        f"{label}: {value}." for label, value in zip(labels, values, strict=True)
    ]


def test_the_right_column_comes_first() -> None:
    right = ["בראש הגבעה עומד מגדלור ישן", "שבנה אדריכל מן העיר", "לפני מאה שנה בערך"]
    left = ["היום הוא משמש מוזיאון", "ופתוח למבקרים בקיץ", "בכל יום חוץ משבת"]
    found = [piece(text, 320, 500, 700 - 14 * at) for at, text in enumerate(right)]
    found += [piece(text, 80, 260, 700 - 14 * at) for at, text in enumerate(left)]
    assert [line.text for line in lines(found)] == right + left
