"""RTF: what is written on shapes, headers and footers, and headings by the base of their style."""

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


def test_headers_and_footers_are_told_but_for_numbers_of_pages() -> None:
    page = r"{\field{\*\fldinst PAGE}{\fldrslt 3}}"
    margins = rf"{{\headerf\pard\f0 \'c8\'ee\'ed Ek, ferries\par}}{{\footer\pard Page {page}\par}}"
    found = one(rtf(rf"{margins}\pard The ferry is red.\par"), "x.rtf")
    assert found.text == "The ferry is red."
    assert found.notes == ("Left out: headers and footers of pages (“Ион Ek, ferries”).",)


def test_a_style_is_one_of_headings_by_its_base() -> None:
    styles = (
        r"{\stylesheet{\s0 Normal;}{\s2\sbasedon0 heading 2;}{\s14\sbasedon2\b Kapitel;}{\s15\sbasedon14 Kapitel rot;}"
        r"{\s16\sbasedon17 A;}{\s17\sbasedon16 B;}}"
    )
    body = r"\pard\plain \s15\b {The ferry}\par \pard\plain \s16 {It is red.}\par"
    found = one(rtf(styles + body), "x.rtf")
    assert [(block.kind, block.level) for block in found.blocks] == [("heading", 2), ("paragraph", 0)]
