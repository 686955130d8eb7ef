"""Whole pages: what the content is, formulas as pictures, tables within tables, pages that say a wrong encoding."""

from __future__ import annotations

import pytest

from tests.unit.documents.made import blocks, one

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


@pytest.mark.parametrize(
    "named",
    ['class="cookie-banner"', 'id="cookieConsent" class="cookieconsent-popup"', 'id="onetrust-banner-sdk"',
     'id="CybotCookiebotDialog"', 'class="site-gdpr-notice"', 'class="cc-window"'],
)  # fmt: skip
def test_the_question_whether_one_may_be_watched_is_not_of_the_page(named: str) -> None:
    page = f"<body><div {named}><p>We store small files to see what you like.</p></div><h2>Quay</h2><p>It is long.</p>"
    assert blocks(page, "x.html") == ["Quay", "It is long."]


@pytest.mark.parametrize("named", ["cookie-recipes", "consent-form-text", "cookies", "privacy-page"])
def test_what_is_told_of_cookies_stays(named: str) -> None:
    page = f"<div class='{named}'><p>Bake the cookies for nine minutes.</p></div><p>Let them cool.</p>"
    assert blocks(page, "x.html")[0] == "Bake the cookies for nine minutes."
    whole = "<body class='cookie-notice-on'><p>Bake.</p><div class='cookie-bar'><h1>Bars</h1>Cut them.</div>"
    assert blocks(whole, "x.html") == ["Bake.", "Bars", "Cut them."]


def test_a_label_and_its_value_that_only_a_style_sheet_parts() -> None:
    page = "<div><span class=l>Berths</span><span class=v>14</span></div><p><span>Owner</span><span>Ida</span></p>"
    page += (
        "<p><span>Fare</span><span>€12</span>, <span>Ta</span><span>rn</span><b>X</b>, <span>H</span><span>2</span>O"
    )
    page += "<p>Call <code><span>get</span><span>Name</span></code> twice."
    assert blocks(page, "x.html") == ["Berths 14", "Owner Ida", "Fare €12, TarnX, H2O", "Call getName twice."]


@pytest.mark.parametrize("named", ["tabcontent", "tab-pane fade", "my-tabpanel tabpanel", "w-tab"])
def test_what_a_tab_hides_until_somebody_opens_it(named: str) -> None:
    page = f"<h1>Ferry</h1><p>By day.</p><div class='{named}' style='display:none'><p>First boat at six.</p></div>"
    assert blocks(page, "x.html") == ["Ferry", "By day.", "First boat at six."]
