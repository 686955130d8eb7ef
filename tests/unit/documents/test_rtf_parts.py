"""RTF: what is written on shapes."""

from __future__ import annotations

from tests.unit.documents.made import one


def rtf(body: str) -> bytes:
    fonts = r"{\fonttbl{\f0\fswiss\fcharset204{\*\panose 020b}Arial;}}"
    return rf"{{\rtf1\ansi\ansicpg1251\deff0{fonts}{body}}}".encode()


def shape(text: str) -> str:
    drawn = rf"{{\sp{{\sn shapeType}}{{\sv 202}}}}{{\shptxt \pard\plain {text}\par}}"
    return rf"{{\shp{{\*\shpinst\shpleft0 {drawn}}}{{\shprslt{{\*\do{{\dptxbxtext\pard {text}\par}}}}}}}}"


def test_what_is_written_on_a_shape_stands_after_its_paragraph_once() -> None:
    found = one(rtf(rf"The ferry {shape('Mind the step.')}is red.\par It runs daily.\par"), "x.rtf")
    assert found.text.split("\n\n") == ["The ferry is red.", "Mind the step.", "It runs daily."]
