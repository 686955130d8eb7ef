"""Whole pages: what the content is, formulas as pictures, tables within tables, pages that say a wrong encoding."""

from __future__ import annotations

import pytest

from tests.unit.ingest.formats.made import blocks, one

LONG = "The pier was sold to Per Vik, who let it to the fishermen of the town and to the ferries. "


def test_a_single_article_beside_more_text_is_not_the_page() -> None:
    card = f"<article class=card><p>{LONG * 3}</p></article>"
    page = f"<body><div><h1>Piers</h1></div><div><p>{LONG * 9}</p></div>{card}</body>"
    assert blocks(page, "x.html") == ["Piers", (LONG * 9).strip(), (LONG * 3).strip()]
    news = f"<body><p>Sign up.</p><article><p>{LONG * 3}</p></article><footer><p>{LONG * 9}</p></footer></body>"
    assert blocks(news, "x.html") == [(LONG * 3).strip()]
    titled = f"<body><p>{LONG * 9}</p><article><h1>Piers</h1><p>{LONG}</p></article></body>"
    assert blocks(titled, "x.html") == ["Piers", LONG.strip()]


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<span class=mwe><span style=\"display: none;\"><math><mi>F</mi><mo>=</mo><mi>k</mi><msup><mi>x</mi><mn>2</mn>"
         "</msup></math></span><img class=mwe-math-fallback alt='{F=kx^2}'></span>", "Let F=kx² hold."),
        ("<img class=latex src=a.gif alt='x_1 + 2'>", "Let x_1 + 2 hold."),
        ("<img class=photo src=a.jpg alt='a boat'>", "Let hold."),
    ],
    ids=["hidden beside its picture", "picture", "no formula"],
)  # fmt: skip
def test_formulas_that_are_shown_as_pictures_are_read(inner: str, expected: str) -> None:
    assert blocks(f"<p>Let {inner} hold.</p>", "x.html") == [expected]


def test_a_table_of_data_keeps_the_tables_in_its_cells() -> None:
    inner = "<table><tr><th>Length<td>40 m<tr><th>Beam<td>9 m</table>"
    page = f"<table><tr><th>Boat<th>Size<tr><td>Tern<td>{inner}<tr><td>Gull<td>small</table>"
    assert blocks(page, "x.html") == ["Boat: Tern; Size: Length: 40 m. Beam: 9 m.", "Boat: Gull; Size: small."]
    laid_out = f"<table><tr><td><h2>Boats</h2>{inner}</table>"
    assert blocks(laid_out, "x.html") == ["Boats", "Length: 40 m.", "Beam: 9 m."]


def test_a_page_that_says_utf_16_in_letters_of_one_byte_is_utf_8() -> None:
    page = '<html><head><meta charset="utf-16"></head><body><p>Æsa bought the pier.</p></body></html>'
    assert one(page, "x.html").text == "Æsa bought the pier."


@pytest.mark.parametrize(
    "head",
    [
        "<h2><button aria-controls=a>Who pays?</button></h2>",
        "<h2><div>Who <b>pays?</b></div></h2>",
        "<h2>Who pays?</h2>",
    ],
    ids=["button", "block", "plain"],
)
def test_a_heading_is_one_whatever_is_in_it(head: str) -> None:
    found = one(f"<h1>Fees</h1>{head}<div id=a>Ida Berg.</div>", "x.html")
    assert [(block.kind, block.level) for block in found.blocks] == [("heading", 1), ("heading", 2), ("paragraph", 0)]


def test_a_time_stands_apart_from_the_name_before_it() -> None:
    assert blocks("<p><b>ida</b><time>3 May</time><i>said</i></p>", "x.html") == ["ida 3 May said"]
