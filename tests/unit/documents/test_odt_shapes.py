"""OpenDocument: what is drawn in a text, captions, and margins of slides."""

from __future__ import annotations

import pytest

from tests.unit.documents.made import archive, blocks, one

_NAMES = ("office", "text", "table", "style", "drawing", "presentation", "svg-compatible")
_SHORT = {"drawing": "draw", "svg-compatible": "svg"}
_ODF = " ".join(f'xmlns:{_SHORT.get(name, name)}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in _NAMES)


def made(body: str, styles: str = "", kind: str = "text") -> bytes:
    content = (
        f"<office:document-content {_ODF}><office:automatic-styles>{styles}"
        f"</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}></office:body>"
        "</office:document-content>"
    )
    return archive({"mimetype": f"application/vnd.oasis.opendocument.{kind}", "content.xml": content})


def style(name: str, properties: str, base: str = "") -> str:
    return (
        f'<style:style style:name="{name}" style:family="paragraph" style:parent-style-name="{base}">'
        f"<style:text-properties {properties}/></style:style>"
    )


@pytest.mark.parametrize("shape", ["custom-shape", "rect", "ellipse", "caption"])
def test_what_is_written_on_a_shape_in_a_paragraph_stands_after_it(shape: str) -> None:
    drawn = f"<draw:{shape}><text:p>Mind the step</text:p></draw:{shape}>"
    assert blocks(made(f"<text:p>{drawn}The ferry is red.</text:p>"), "x.odt") == ["The ferry is red.", "Mind the step"]


def test_shapes_in_a_group_and_a_box_behind_a_link() -> None:
    shapes = "".join(f"<draw:rect><text:p>{text}</text:p></draw:rect>" for text in ("Holm", "Skerry"))
    box = "<draw:a><draw:frame><draw:text-box><text:p>Fares</text:p></draw:text-box></draw:frame></draw:a>"
    data = made(f"<text:p>Ports:<draw:g>{shapes}</draw:g>{box}</text:p>")
    assert blocks(data, "x.odt") == ["Ports:", "Holm", "Skerry", "Fares"]


def test_captions_by_the_base_of_their_style() -> None:
    styles = style("Illustration", "", "Caption") + style("P4", "", "Illustration") + style("P5", "", "P5")
    body = '<text:p text:style-name="P4">The ferry in 1931</text:p><text:p text:style-name="P5">It is red.</text:p>'
    assert [block.kind for block in one(made(body, styles), "x.odt").blocks] == ["caption", "paragraph"]


def test_margins_of_slides_are_told_and_their_numbers_go() -> None:
    def frame(kind: str, text: str) -> str:
        inner = f"<draw:text-box><text:p>{text}</text:p></draw:text-box>"
        return f'<draw:frame presentation:class="{kind}">{inner}</draw:frame>'

    page = (
        frame("title", "Ferries")
        + frame("footer", "Ferries of the north")
        + frame("page-number", "3")
        + f"<presentation:notes>{frame('notes', 'Speak of Holm.')}{frame('page-number', '#')}</presentation:notes>"
    )
    declared = '<presentation:footer-decl presentation:name="f">Council of Holm</presentation:footer-decl>'
    found = one(made(f"{declared}<draw:page>{page}</draw:page>", kind="presentation"), "x.odp")
    assert found.text == "Ferries\n\nSpeak of Holm."
    assert found.notes == ("Left out: headers and footers of pages (“Council of Holm”; “Ferries of the north”).",)


def test_what_is_written_about_a_picture_stands_after_its_paragraph() -> None:
    told = "<svg:title>Fairway</svg:title><svg:desc>Depths between Alm and Osby</svg:desc>"
    frame = f"<draw:frame><draw:image/>{told}</draw:frame>"
    frame += "<draw:frame><draw:image/><svg:title>a.png</svg:title></draw:frame>"
    found = one(made(f"<text:p>{frame}The quay is new.</text:p>"), "x.odt")
    assert found.text.split("\n\n") == ["The quay is new.", "Fairway: Depths between Alm and Osby"]
    assert found.blocks[1].kind == "caption"
