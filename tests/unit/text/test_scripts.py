"""Words and keys in scripts whose marks are letters, or that leave no space between words."""

from __future__ import annotations

import pytest

from clew.text.names import key, title_mentions
from clew.text.scripts import words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("सीता", "सेता"),  # vowels of Devanagari
        ("কলি", "কালী"),  # of Bengali
        ("கலை", "கிளி"),  # of Tamil
        ("เสือ", "เสื้อ"),  # a tone of Thai
        ("ガス", "カス"),  # a voiced sign
        ("ぶどう", "ふとう"),
    ],
)
def test_marks_that_make_another_word_make_another_key(one: str, other: str) -> None:
    assert key(one) != key(other)


@pytest.mark.parametrize(("one", "other"), [("Zoë", "Zoe"), ("Йод", "Иод"), ("كِتاب", "كتاب"), ("ﾃﾞｰﾀ", "データ")])
def test_accents_and_forms_of_one_letter_have_one_key(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("गंगा नदी, 2020", ["गंगा", "नदी", "2020"]),
        ("白川はダム", ["白", "川", "は", "ダム"]),
        ("서울역은 1925년에", ["서울역은", "1925", "년에"]),
        ("เขื่อนกุหลาบ 2", ["เขื่", "อ", "น", "กุ", "ห", "ลา", "บ", "2"]),
        ("Tarn–Brücke", ["Tarn", "Brücke"]),
    ],
)
def test_words(text: str, parts: list[str]) -> None:
    assert [text[start:end] for start, end in words(text)] == parts


@pytest.mark.parametrize(
    ("sentence", "title"),
    [
        ("เราไปเขื่อนกันแล้ว", "เขื่อน"),
        ("去年修了红石水库大坝。", "红石水库"),
        ("昨日、白川ダムへ行った。", "白川ダム"),
        ("वह गंगा नदी के पास है।", "गंगा नदी"),
        ("زرنا حلب أمس", "حلب"),
    ],
)
def test_a_title_is_found_where_no_capital_or_space_marks_it(sentence: str, title: str) -> None:
    assert title_mentions(sentence, {key(title)}) == {key(title): title}
