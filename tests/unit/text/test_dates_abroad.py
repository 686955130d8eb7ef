"""Dates as other languages write them."""

from __future__ import annotations

import pytest

from clew.text.dates_abroad import dates_abroad, days_abroad


@pytest.mark.parametrize(
    ("text", "written", "date"),
    [
        ("Er kam am 9. Oktober 1934 an.", "9. Oktober 1934", (1934, 10, 9)),
        ("depuis le 1er août 1877", "1er août 1877", (1877, 8, 1)),
        ("el 7 de diciembre de 2003", "7 de diciembre de 2003", (2003, 12, 7)),
        ("dal febbraio 1999", "febbraio 1999", (1999, 2, 0)),
        ("9 sierpnia 1934 r.", "9 sierpnia 1934", (1934, 8, 9)),
        ("2 вересня 1911 р.", "2 вересня 1911", (1911, 9, 2)),
        ("1934. október 9-én", "1934. október 9", (1934, 10, 9)),
        ("9 Ekim 1934", "9 Ekim 1934", (1934, 10, 9)),
        ("4 Ιουλίου 1988", "4 Ιουλίου 1988", (1988, 7, 4)),
        ("٩ أكتوبر ١٩٣٤", "٩ أكتوبر ١٩٣٤", (1934, 10, 9)),
        ("7 अगस्त 2001", "7 अगस्त 2001", (2001, 8, 7)),
        ("1988年7月4日", "1988年7月4日", (1988, 7, 4)),
        ("1988년 7월", "1988년 7월", (1988, 7, 0)),
        ("ngày 4 tháng 7 năm 1988", "4 tháng 7 năm 1988", (1988, 7, 4)),
    ],
)
def test_dates(text: str, written: str, date: tuple[int, int, int]) -> None:
    assert [(text[a:b], told) for (a, b), told in dates_abroad(text)] == [(written, date)]


@pytest.mark.parametrize("text", ["4 July 1988", "maybe 1988", "Märzhase 12", "32", "1988"])
def test_what_is_no_date_abroad(text: str) -> None:
    assert dates_abroad(text) == []


def test_a_day_may_have_no_year() -> None:
    text = "am 9. Oktober und el 7 de mayo"
    assert [text[a:b] for a, b in days_abroad(text)] == ["9. Oktober", "7 de mayo"]
