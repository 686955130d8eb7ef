"""Words and keys in scripts whose marks are letters, or that leave no space between words."""

from __future__ import annotations

import pytest

from clew.text.names import key, title_mentions


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
