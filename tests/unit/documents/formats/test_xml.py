"""XML as programs export it: values in attributes, units, sentences with notes and raised figures, sections."""

from __future__ import annotations

import pytest

from tests.unit.documents.made import blocks, one


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('<posts><row Id="1" Title="Where to moor?" Body="&lt;p&gt;By &lt;b&gt;night&lt;/b&gt;.&lt;/p&gt;"/>'
         '<row Id="2" Body="At the quay."/></posts>',
         ["Id: 1; Title: Where to moor?; Body: By night.", "Id: 2; Body: At the quay."]),
        ('<lot><kind>Rope</kind><length unit="m">40</length><price currency="NOK">1,200.50</price></lot>',
         ["kind: Rope; length: 40 m; price: 1,200.50 NOK."]),
        ('<doc><field name="port">Ardg</field><field name="depth">9</field></doc>', ["port: Ardg; depth: 9."]),
        ('<man><name>Per</name><phone kind="home">17</phone><phone kind="work">18</phone><age/></man>',
         ["name: Per; phone home: 17; phone work: 18."]),
        ('<man><name>Per Vik</name><town since="1990">Moss</town></man>',
         ["name: Per Vik; town: Moss; town since: 1990."]),
        ("<log><entry><title>Crane sold</title><by><who>Ida Berg</who></by><day>3 May</day></entry></log>",
         ["title: Crane sold; by: Ida Berg; day: 3 May."]),
    ],
    ids=["rows of attributes", "units", "fields by name", "values by kind", "an attribute beside", "one in another"],
)  # fmt: skip
def test_attributes_of_values_are_read(written: str, expected: list[str]) -> None:
    assert blocks(written, "a.xml") == expected


def test_what_a_sentence_holds_above_and_below_it() -> None:
    article = (
        "<article><front><article-meta><title-group><article-title>Nests on <italic>Ardg</italic></article-title>"
        "</title-group></article-meta></front><body><sec><title>Count</title><p>We saw 10<sup>4</sup> gulls"
        '<xref ref-type="bibr" rid="a">3</xref> on 2 km<sup>2</sup> [<xref ref-type="bibr" rid="b">4</xref>], see '
        '<xref ref-type="fig" rid="f">Fig. 2</xref><fn><p>In May.</p></fn> below.</p></sec></body></article>'
    )
    found = one(article, "a.xml")
    assert found.title == "Nests on Ardg"
    assert "We saw 10⁴ gulls on 2 km², see Fig. 2 below.\n\nIn May." in found.text
    assert [found.text[b.start : b.end] for b in found.blocks if b.kind == "note"] == ["In May."]
    letter = "<TEI><p>The <del>old</del> quay is <choice><sic>opne</sic><corr>open</corr></choice>.</p></TEI>"
    assert blocks(letter, "a.xml") == ["The quay is open."]


def test_a_section_is_read_in_its_order_and_its_code_as_code() -> None:
    written = (
        '<book><chapter id="c"><title>Use</title><para>Lift it.</para><screen>gate --up\ngate --down</screen>'
        "</chapter></book>"
    )
    found = one(written, "a.xml")
    assert [(b.kind, found.text[b.start : b.end]) for b in found.blocks] == [
        ("heading", "Use"),
        ("paragraph", "Lift it."),
        ("code", "gate --up\ngate --down"),
    ]


def test_a_long_value_keeps_its_paragraphs() -> None:
    page = "<page><title>Ardg</title><text>A port.\n\nIt has two quays.</text></page>"
    assert blocks(page, "a.xml")[-2:] == ["A port.", "It has two quays."]
