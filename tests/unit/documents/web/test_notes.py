"""Notes of web pages and e-books stand after the block that refers to them."""

from __future__ import annotations

import pytest

from clew.documents.parsed import Parsed
from tests.unit.documents.made import archive, one

SAID = [("paragraph", "The quay is old."), ("note", "Of stone."), ("paragraph", "It leaks.")]


def told(found: Parsed) -> list[tuple[str, str]]:
    return [(block.kind, found.text[block.start : block.end]) for block in found.blocks]


@pytest.mark.parametrize(
    ("mark", "notes"),
    [
        ('<a href="#fn1" id="fnref1" role="doc-noteref"><sup>1</sup></a>',
         '<section role="doc-endnotes"><ol><li id="fn1"><p>Of stone.<a href="#fnref1">↩</a></p></li></ol></section>'),
        ('<sup id="r1"><a href="#n1">1</a></sup>',
         '<h2>Notes</h2><ol><li id="n1">Of stone. <a href="#r1">back</a></li></ol>'),
        ('<a epub:type="noteref" href="#n1">1</a>',
         '<aside epub:type="footnote" id="n1" hidden><p><sup>1</sup> Of stone.</p></aside>'),
        ('<a href="#_ftn1" name="_ftnref1"><span><sup>[1]</sup></span></a>',
         '<div><div id=ftn1><p class=MsoFootnoteText><a href="#_ftnref1" name="_ftn1">[1]</a> Of stone.</p></div>'),
        ('<sup><a href="#fn" id="r-1">1</a></sup>',
         '<ol><li id="fn" class="footnote"><p>Of stone. <a href="#r-1">↩</a> '
         '<a href="#r-2" class="footnote-backref">↩<sup>2</sup></a></p></li></ol>'),
        ('<sup><a href="#fn">*</a></sup>', '<p class="footnote" id="fn">Of stone.</p>'),
    ],
)  # fmt: skip
def test_a_note_stands_after_the_paragraph_of_its_mark(mark: str, notes: str) -> None:
    assert told(one(f"<p>The quay{mark} is old.</p><p>It leaks.</p>{notes}", "a.html")) == SAID


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ('<ul><li>Quays<a class=footnote href="#n">1</a><li>Fees</ul><p class=footnote id=n>Of stone.</p>',
         [("item", "Quays"), ("note", "Of stone."), ("item", "Fees")]),
        ('<table><tr><th>Port<th>Fee<tr><td>Ardg<sup><a href="#n">1</a></sup><td>5<tr><td>Osby<td>6</table>'
         "<p>End.</p><p class=footnote id=n>Of stone.</p>",
         [("row", "Port: Ardg; Fee: 5."), ("row", "Port: Osby; Fee: 6."), ("note", "Of stone."),
          ("paragraph", "End.")]),
        ('<dl><dt>Quay<sup><a href="#n">1</a></sup><dd>A wall.</dl><p class=footnote id=n>Of stone.</p>',
         [("pair", "Quay: A wall."), ("note", "Of stone.")]),
    ],
)  # fmt: skip
def test_where_no_paragraph_holds_the_mark(page: str, said: list[tuple[str, str]]) -> None:
    assert told(one(page, "a.html")) == said


@pytest.mark.parametrize(
    "page",
    [
        '<p>It is old.<sup id=cite_ref-1><a href="#cite_note-1">[1]</a></sup></p><p>It leaks.</p><h2>References</h2>'
        '<ol class=references><li id=cite_note-1><a href="#cite_ref-1">^</a> Of stone.</li></ol>',
        '<p>It is old.<sup><a href="#a">1</a></sup> It is wet.<sup><a href="#b">2</a></sup></p><p>It leaks.</p>'
        "<p class=footnotes><a id=a>1</a> Of stone.<br><a id=b>2</a> By rain.</p>",
        '<p>It is old.<sup><a href="#a">1</a></sup></p><p>It leaks.</p>'
        "<div class=footnotes><h4>Notes</h4><h5><a id=a>(1)</a></h5><p>Of stone.</p></div>",
        '<p>It is old.<sup><a href="#gone">1</a></sup></p><p>It leaks.</p><p>Of stone.</p>',
        '<p>It is old.<sup><a href="#part">1</a></sup></p><p>It leaks.</p><div id=part>Of stone.</div>',
        '<div class=footnotes id=a><p>Old.<sup><a href="#a">1</a></sup></p><p>It leaks.</p><p>Of stone.</p></div>',
    ],
)
def test_what_is_no_note_stays_where_it_is(page: str) -> None:
    text = one(page, "a.html").text
    assert text.index("It leaks.") < text.index("Of stone.")


def test_notes_that_lead_to_each_other_are_said_once() -> None:
    page = (
        '<p>Old.<sup><a href="#a">1</a></sup> Wet.<sup><a href="#a">1</a></sup></p><p>End.</p>'
        '<p class=footnote id=a>See the next.<sup><a href="#b">2</a></sup></p>'
        '<p class=footnote id=b>See above.<sup><a href="#a">1</a></sup></p>'
    )
    assert [text for _, text in told(one(page, "a.html"))] == ["Old. Wet.", "See the next.", "See above.", "End."]


def book(*files: str) -> bytes:
    items = "".join(f'<item id="i{n}" href="c{n}.xhtml"/>' for n in range(len(files)))
    spine = "".join(f'<itemref idref="i{n}"/>' for n in range(len(files)))
    return archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfiles><rootfile full-path="b/b.opf"/></rootfiles></container>',
            "b/b.opf": f"<package><manifest>{items}</manifest><spine>{spine}</spine></package>",
            **{f"b/c{n}.xhtml": f"<html><body>{content}</body></html>" for n, content in enumerate(files)},
        }
    )


def test_notes_of_an_e_book_that_stand_in_a_file_of_their_own_go_to_their_marks() -> None:
    notes = (
        '<section epub:type="endnotes"><h2>Notes</h2><ol><li id="n1"><p>Of stone. <a href="c0.xhtml#r1">back</a></p>'
        "</li></ol></section>"
    )
    marked = '<p>The quay<a id="r1" epub:type="noteref" href="c1.xhtml#n1">1</a> is old.</p><p>It leaks.</p>'
    found = one(book(marked, notes), "a.epub")
    assert told(found) == SAID
    assert len(found.pages) == 2
    read_before = one(book(notes, marked.replace("c1.", "c0.")), "a.epub")
    assert read_before.text.count("Of stone.") == 1
