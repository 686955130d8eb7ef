"""When the dictionaries of the extra ``languages`` are missed."""

from __future__ import annotations

import pytest

from clew.text import dictionaries


@pytest.mark.parametrize(
    ("text", "missed"),
    [
        ("会议在三楼举行。", True),
        ("会議は三階で行われる。", True),
        ("회의는 삼층에서 열린다.", True),
        ("The meeting is on the third floor (三楼), as every month, and tea is served afterwards.", False),
        ("Собрание на третьем этаже.", False),
    ],
)
def test_they_are_missed_in_their_languages_alone(text: str, missed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dictionaries, "are_there", lambda: False)
    assert dictionaries.are_missed(text) == missed
    monkeypatch.setattr(dictionaries, "are_there", lambda: True)
    assert not dictionaries.are_missed(text)
