"""Numbers that Word counts itself are in the text where others refer to them."""

from __future__ import annotations

import re

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from tests.unit.documents.made import one, saved

CLAUSES = (("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)"))


def levels(*told: tuple[str, str], styles: tuple[str, ...] = ()) -> str:
    out = ""
    for at, (kind, text) in enumerate(told):
        style = f'<w:pStyle w:val="{styles[at]}"/>' if at < len(styles) else ""
        inner = f'<w:start w:val="1"/><w:numFmt w:val="{kind}"/>{style}<w:lvlText w:val="{text}"/>'
        out += f'<w:lvl w:ilvl="{at}">{inner}</w:lvl>'
    return out


def document(abstract: str, nums: str = "", *paragraphs: tuple[str, str], styles: tuple[str, ...] = ()) -> str:
    """What is read of paragraphs, each with its properties in XML, under one list (numId 77), which ``styles`` name."""
    made = docx.Document()
    made.core_properties.title = ""
    for name in styles:
        xml = f'<w:numPr {nsdecls("w")}><w:numId w:val="77"/></w:numPr>'
        made.styles[name].element.get_or_add_pPr().insert(0, parse_xml(xml))
    numbering = made.part.numbering_part.element
    first = numbering.find("{*}num")
    first.addprevious(parse_xml(f'<w:abstractNum w:abstractNumId="77" {nsdecls("w")}>{abstract}</w:abstractNum>'))
    for id, inner in ((77, ""), (78, nums)):
        xml = f'<w:num w:numId="{id}" {nsdecls("w")}><w:abstractNumId w:val="77"/>{inner}</w:num>'
        numbering.append(parse_xml(xml))
    for properties, text in paragraphs:
        xml = f"<w:p {nsdecls('w')}><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        made.element.body.insert(-1, parse_xml(xml))
    read = one(saved(made), "lease.docx")
    assert not re.match(r"\d", read.title)
    return read.text


def at(level: int, list_id: int = 77) -> str:
    return f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>'


def test_clauses_have_their_numbers_which_begin_anew_under_each() -> None:
    text = document(
        levels(*CLAUSES), "",
        (at(0), "Rent"), (at(1), "The rent is 900 euros."), (at(2), "It is due monthly."), (at(1), "It may rise."),
        (at(0), "Repairs"), (at(1), "The landlord repairs the roof."),
    )  # fmt: skip
    assert text.split("\n\n") == [
        "1. Rent", "1.1 Rent: The rent is 900 euros.", "(a) Rent: It is due monthly.", "1.2 Rent: It may rise.",
        "2. Repairs", "2.1 Repairs: The landlord repairs the roof.",
    ]  # fmt: skip


def test_a_plain_list_of_steps_has_none() -> None:
    text = document(levels(("decimal", "%1."), ("lowerLetter", "%2.")), "", (at(0), "Open it."), (at(0), "Close it."))
    assert text.split("\n\n") == ["Open it.", "Close it."]


@pytest.mark.parametrize(
    ("kind", "text", "third"),
    [("upperRoman", "Article %1", "Article III"), ("decimal", "§ %1", "§ 3"), ("upperLetter", "Annex %1:", "Annex C:"),
     ("decimalZero", "No. %1", "No. 03"), ("ordinal", "Part %1", "Part 3")],
)  # fmt: skip
def test_ways_of_writing(kind: str, text: str, third: str) -> None:
    assert f"{third} Of boats" in document(levels((kind, text)), "", *[(at(0), "Of boats")] * 3)


def test_headings_are_numbered_by_their_styles() -> None:
    text = document(
        levels(("decimal", "%1"), ("decimal", "%1.%2"), styles=("Heading1", "Heading2")), "",
        ('<w:pStyle w:val="Heading1"/>', "Scope"),
        ('<w:pStyle w:val="Heading2"/>', "Boats"),
        ('<w:pStyle w:val="Heading1"/>', "Fees"),
        styles=("Heading 1", "Heading 2"),
    )  # fmt: skip
    assert text.split("\n\n")[0] == "1 Scope"
    assert "1.1 Boats" in text
    assert "2 Fees" in text


def test_a_list_that_starts_elsewhere_does() -> None:
    start = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>'
    text = document(levels(*CLAUSES), start, (at(0), "A"), (at(0), "B"), (at(0, 78), "C"), (at(0, 78), "D"))
    assert [line.split()[0] for line in text.split("\n\n")] == ["1.", "2.", "7.", "8."]
