"""Whole pages: what the content is, formulas as pictures, tables within tables, pages that say a wrong encoding."""

from __future__ import annotations

import pytest

from tests.unit.documents.made import blocks, one

LONG = "The pier was sold to Per Vik, who let it to the fishermen of the town and to the ferries. "


def test_the_content_is_the_main_part_or_the_titled_article() -> None:
    assert blocks(f"<body><p>Sign up.</p><main><p>{LONG * 3}</p></main></body>", "x.html") == [(LONG * 3).strip()]
    titled = f"<body><p>{LONG * 9}</p><article><h1>Piers</h1><p>{LONG}</p></article></body>"
    assert blocks(titled, "x.html") == ["Piers", LONG.strip()]
    card = f"<body><p>{LONG}</p><article class=card><p>{LONG * 3}</p></article></body>"
    assert blocks(card, "x.html") == [LONG.strip(), (LONG * 3).strip()]


MENU = "".join(f'<li><a href="/{n}">Part {n}</a></li>' for n in range(20))
TABLE = (
    "<table><tr><th rowspan=2>Boat<th colspan=2>Seats<tr><th>In<th>Out<tr><td>Tern<td>12<td>8<tr><td>Gull<td>30<td>9"
    "</table>"
)
PAGE = f"""<head><title>The pier of Holm | Holm today</title><meta property=og:title content="The pier of Holm"></head>
<body><div class=top><h1>Holm today</h1><ul>{MENU}</ul></div><div class=content><h2>History</h2><p>{LONG * 4}</p>{TABLE}
<h2>Today</h2><p>{LONG * 3}It is 10<sup>3</sup> feet long.</p></div><div class=bar><p>Read our letter every day.</p>
<ul>{MENU}</ul></div></body>"""


def test_of_a_page_with_navigation_the_article_is_read_with_its_tables_and_headings() -> None:
    found = one(PAGE, "x.html")
    assert found.text.split("\n\n") == [
        "History",
        (LONG * 4).strip(),
        "Boat: Tern; Seats In: 12; Seats Out: 8.",
        "Boat: Gull; Seats In: 30; Seats Out: 9.",
        "Today",
        f"{LONG * 3}It is 10³ feet long.",
    ]
    assert found.title == "The pier of Holm"
    assert found.notes == ("Left out: words around the article (87).",)


def test_a_page_of_links_in_which_no_article_is_found_is_read_whole() -> None:
    assert blocks(f"<h1>Parts</h1><ul>{MENU}</ul>", "x.html") == ["Parts", *(f"Part {n}" for n in range(20))]


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<span class=mwe><span style=\"display: none;\"><math><mi>F</mi><mo>=</mo><mi>k</mi><msup><mi>x</mi><mn>2</mn>"
         "</msup></math></span><img class=mwe-math-fallback alt='{F=kx^2}'></span>", "Let F=kx² hold."),
        ("<img class=photo src=a.jpg alt='a boat'>", "Let hold."),
    ],
    ids=["hidden beside its picture", "no formula"],
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


def test_a_label_and_its_value_that_only_a_style_sheet_parts() -> None:
    page = "<div><span class=l>Berths</span><span class=v>14</span></div><p><span>Owner</span><span>Ida</span></p>"
    page += (
        "<p><span>Fare</span><span>€12</span>, <span>Ta</span><span>rn</span><b>X</b>, <span>H</span><span>2</span>O"
    )
    page += "<p>Call <code><span>get</span><span>Name</span></code> twice."
    assert blocks(page, "x.html") == ["Berths 14", "Owner Ida", "Fare €12, TarnX, H2O", "Call getName twice."]
