"""Names in scripts that have no capital letters."""

from __future__ import annotations

import pytest

from clew.text import dictionaries
from clew.text.attached import detached
from clew.text.names import key, names_in, title_key, title_mentions

needs_dictionaries = pytest.mark.skipif(
    not dictionaries.are_there(), reason="the extra `languages` is not installed: make install-languages"
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("小说《雾中灯塔》获得了奖。", ["雾中灯塔"]),
        ("『冬の駅』は映画になった。", ["冬の駅"]),
        ("「おはよう」と彼は言った。", []),
        ("会議にはアンナ・ベルグが出た。", ["アンナ・ベルグ"]),
        ("كتبت رواية «ظل القمر» هناك.", ["ظل القمر"]),
    ],
)
def test_what_is_marked_as_a_name_is_one_without_a_dictionary(
    text: str, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dictionaries, "are_there", lambda: False)
    assert list(names_in(text)) == names


@needs_dictionaries
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("马文涛在南京大学教物理。", ["马文涛", "南京大学"]),
        ("馆长赵大山去了成都。", ["赵大山", "成都"]),
        ("高橋直樹は名古屋市に住んでいる。", ["高橋直樹", "名古屋市"]),
        ("최민호는 대구에서 태어났다.", ["최민호", "대구"]),
    ],
)
def test_dictionaries_know_proper_nouns(text: str, names: list[str]) -> None:
    assert set(names) <= set(names_in(text))


@needs_dictionaries
@pytest.mark.parametrize("text", ["谁负责这个项目？", "責任者は誰ですか。", "누가 회의에 왔습니까?"])
def test_words_that_name_nothing_are_no_names(text: str) -> None:
    assert not list(names_in(text))


@pytest.mark.parametrize(
    ("word", "bare"), [("호수공원에서", "호수공원"), ("وللمكتبة", "مكتبة"), ("בחיפה", "חיפה"), ("Berlin", "")]
)
def test_what_is_written_together_with_a_word(word: str, bare: str) -> None:
    assert bare in (*detached(word), "")
    assert bool(detached(word)) == bool(bare)


@pytest.mark.parametrize(
    ("title", "sentence", "surface"),
    [
        ("호수공원", "아이들은 호수공원에서 놀았다.", "호수공원"),
        ("متحف البحر", "وصلنا وبمتحف البحر انتهت الرحلة.", "متحف البحر"),
        ("נמל הצפון", "הם נפגשו בנמל הצפון בערב.", "נמל הצפון"),
        ("成都", "她住在成都。", "成都"),
        ("青山师范大学附属中学", "他毕业于青山师范大学附属中学。", "青山师范大学附属中学"),
    ],
)
def test_a_title_is_found_with_what_is_written_together_with_it(title: str, sentence: str, surface: str) -> None:
    known = title_key(title)
    assert known == key(title)
    assert title_mentions(sentence, {known}) == {known: surface}
