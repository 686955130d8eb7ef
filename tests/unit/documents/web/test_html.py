"""Web pages: forms, struck and raised text, bylines, lists of terms and of questions."""

from __future__ import annotations

import pytest

from tests.unit.documents.made import blocks, one


def test_a_page_inside_a_form_is_read_and_a_form_alone_is_not() -> None:
    page = """<body><form method=post><input type=hidden value=abc><div><h1>Corran Mill</h1>
      <p>The mill was built in 1840.</p><label for=q>Find</label><input id=q><button>Go</button></div></form></body>"""
    assert blocks(page, "x.html") == ["Corran Mill", "The mill was built in 1840."]
    search = "<p>The mill.</p><form><label>Find <input></label><select><option>All</select></form>"
    assert blocks(search, "x.html") == ["The mill."]
    told = "<form id=aspnetForm><div><span>Anna Berg</span> has run it since 1999.</div><input type=submit></form>"
    assert blocks(told, "x.html") == ["Anna Berg has run it since 1999."]
    filled = "<form><table><tr><th>Yard<td>Corran<tr><th>Year<td>1840</table></form>"
    assert blocks(filled, "x.html") == ["Yard: Corran.", "Year: 1840."]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<form name=form1 method=post action='ferry.aspx'><div class=aspNetHidden><input type=hidden "
         "name=__EVENTVALIDATION value='/wEd'></div><h1>Sula Ferry</h1><p>It was built in 1912 by Per Vik.</p>"
         "<table><tr><th>Deck<th>Seats<tr><td>Upper<td>40</table><input type=submit value=Find></form>",
         ["Sula Ferry", "It was built in 1912 by Per Vik.", "Deck: Upper; Seats: 40."]),
        ("<form action='/s'><input type=search><button>Find</button></form><form id=aspnetForm><ul><li>Oars of ash"
         "<li>Sails of flax</ul><select><option>10 a page<option>20 a page</select></form>",
         ["Oars of ash", "Sails of flax"]),
        ("<form><main><article><h2>Alm Fair</h2><p>It was held in 1907.</p><dl><dt>Keel<dd>The lowest timber.</dl>"
         "</article></main><input type=hidden name=token value=1></form>",
         ["Alm Fair", "It was held in 1907.", "Keel: The lowest timber."]),
    ],
    ids=["heading and table", "list beside a search", "article"],
)  # fmt: skip
def test_whatever_a_form_around_a_page_holds_is_read(page: str, expected: list[str]) -> None:
    assert blocks(f"<body>{page}</body>", "x.html") == expected


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("<label for=b>Berth</label><input id=b value=7>", "Berth 7"),
        ("<label>Note <textarea>Ring twice</textarea></label>", "Note Ring twice"),
        ("<label for=p>Port</label><select id=p><option>Ardg<option selected>Corran</select>", "Port Corran"),
        ("<label><input type=radio checked> by sea</label><label><input type=radio> by land</label>", "by sea"),
        ("<p><input type=checkbox checked> Pets</p><p><input type=checkbox> Smoking</p>", "☒ Pets ☐ Smoking"),
        ("<label for=w>Word</label><input id=w type=password value=secret>", ""),
        ("<label for=o>Keeper</label><b id=o>Jon</b>", "Keeper Jon"),
    ],
)
def test_what_fields_hold_stands_with_their_labels(field: str, expected: str) -> None:
    page = f"<form><h2>Order</h2>{field}<input type=hidden value=x></form>"
    assert " ".join(one(page, "x.html").text.split()) == f"Order {expected}".strip()


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<h3><button>Who runs it?</button></h3><div>Anna Berg.</div>", ["Who runs it?", "Anna Berg."]),
        ("<p>Lost.<a href='#n'><sup>3</sup></a></p><aside class=footnotes><p>Found.<a href='#r'>↩</a></p></aside>",
         ["Lost.", "Found."]),
        ("<article><p>It is old.</p><aside><p>A box says that it leaks.</p></aside></article>"
         "<aside><p>Sign up for our letter now.</p></aside>", ["It is old.", "A box says that it leaks."]),
        ("<p>Of <math><msup><mi>r</mi><mn>2</mn></msup><mo>+</mo><mfrac><mn>1</mn><mi>n</mi></mfrac></math></p>",
         ["Of r²+1/n"]),
        ("<p>Sealed in 1712<a epub:type=noteref href='#n1'>1</a>, held<a role=doc-noteref href='#fn2'>2</a>. See <a "
         "href='#s2'>part 2</a>.</p>", ["Sealed in 1712, held. See part 2."]),
        ("<table><thead><tr><th>Coast<th>Port<th>Boats<tbody><tr><td rowspan=9>West<td>Ardg<td>9<tr><td>Molde<td>4"
         "<tbody><tr><td>East<td>Osby<td>2</table>", ["Coast: West; Port: Ardg; Boats: 9.",
         "Coast: West; Port: Molde; Boats: 4.", "Coast: East; Port: Osby; Boats: 2."]),
    ],
)  # fmt: skip
def test_what_is_content_in_its_place(page: str, expected: list[str]) -> None:
    assert blocks(page, "x.html") == expected


@pytest.mark.parametrize(
    "told",
    [
        '{"@type": "Article", "author": {"name": "Anna Berg"}, "datePublished": "2020-02-03"}',
        '{"@graph": [{"@type": "WebPage"}, {"author": [{"name": "Anna Berg"}], "datePublished": "2020-02-03"}]}',
        '[{"author": "Anna Berg"}, {"datePublished": "2020-02-03"}, 7]',
    ],
)
def test_linked_data_tells_author_and_date(told: str) -> None:
    page = f"<head><script type='application/ld+json'>{told}</script></head><p>The quay is old.</p>"
    assert one(page, "x.html").metadata == {"author": "Anna Berg", "date": "2020-02-03"}
    assert one(page.replace(told, "{broken"), "x.html").metadata == {}


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (
            '<meta name="DC.creator" content="Berg, Anna"><meta name="DC.creator" content="Ek, Jon">'
            '<meta name="DC.date.issued" content="2016-09"><meta name="DC.subject" content="tides; moon">'
            '<meta name="DC.publisher" content="Quay Press"><meta name="DC.language" content="nb">',
            {"author": "Berg, Anna; Ek, Jon", "date": "2016-09", "tags": ["tides", "moon"], "publisher": "Quay Press",
             "language": "nb"},
        ),
        (
            '<meta property="article:tag" content="boats"><meta property="article:tag" content="ropes">'
            '<meta name="keywords" content="all, of, it"><meta property="dcterms:creator" content="Liv Moen">'
            '<meta property="article:modified_time" content="2021-07-01">',
            {"tags": ["boats", "ropes"], "author": "Liv Moen", "updated": "2021-07-01"},
        ),
        (
            '<script type="application/ld+json">{"@graph": [{"@type": "WebSite", "name": "Quay", "inLanguage": "de"},'
            '{"@type": "Person", "@id": "#a", "name": "Liv Moen"}, {"@type": "NewsArticle", "headline": "Nets",'
            '"author": [{"@id": "#a"}, {"name": "Jon Ek"}, {"@id": "#gone"}], "dateModified": "2020-03-03",'
            '"keywords": "nets, hemp", "publisher": {"name": "The Quay"}, "inLanguage": "sv"}]}</script>',
            {"author": "Liv Moen, Jon Ek", "updated": "2020-03-03", "tags": ["nets", "hemp"], "publisher": "The Quay",
             "language": "sv"},
        ),
    ],
    ids=["Dublin Core", "Open Graph", "linked data"],
)  # fmt: skip
def test_heads_of_pages_tell_who_when_and_what_about(head: str, expected: dict[str, object]) -> None:
    assert one(f"<head>{head}</head><p>The quay is old.</p>", "x.html").metadata == expected


def test_marks_in_the_text_tell_who_and_when_but_not_of_comments() -> None:
    page = (
        "<div itemprop='comment'><b itemprop='author'>Kit Lowe</b></div><article><h1>Nets</h1><p itemprop='author'>By "
        "<b itemprop='name'>Liv Moen</b> on <time itemprop='datePublished' "
        "datetime='2019-05-06'>6 May</time></p></article>"
    )
    assert one(page, "x.html").metadata == {"author": "Liv Moen", "date": "2019-05-06"}


@pytest.mark.parametrize(
    "struck",
    ["<del>90</del>", "<s>90</s>", "<strike>90</strike>", "<span style='text-decoration: line-through'>90</span>"],
)
def test_struck_text_is_left_out_and_told(struck: str) -> None:
    found = one(f"<p>A seat costs {struck} <ins>70</ins> crowns.</p>", "x.html")
    assert found.text == "A seat costs 70 crowns."
    assert found.notes == ("Left out: struck or deleted text (1).",)


def test_raised_figures_stay_and_marks_of_notes_go() -> None:
    page = (
        "<p>It has 2·10<sup>8</sup> cells<sup><a href='#n'>a</a></sup> on 4 cm<sup>2</sup>.<sup>[7]</sup> "
        "10<sup>−3</sup> of the 3<sup>rd</sup> are CO<sub>2</sub>.</p>"
    )
    assert one(page, "x.html").text == "It has 2·10⁸ cells on 4 cm². 10⁻³ of the 3rd are CO2."


def test_terms_and_questions_are_pairs() -> None:
    page = """<dl><dt>Berth<dd>A place for a ship.<dt>Quay<dt>Wharf<dd><p>A wall to land at.</p><p>Of stone.</p></dl>
      <dl><dt>When does it open?<dd>At nine.</dl><details><summary>Who runs it?</summary>Anna Berg.</details>"""
    assert blocks(page, "x.html") == [
        "Berth: A place for a ship.",
        "Quay, Wharf: A wall to land at.",
        "Of stone.",
        "When does it open? At nine.",
        "Who runs it? Anna Berg.",
    ]
    assert blocks("<dl><dt>Alone</dl>", "x.html") == ["Alone"]


@pytest.mark.parametrize(
    "hidden",
    [
        "<div id=s hidden>Two days.</div>",
        "<button aria-controls=m aria-haspopup=true>More</button><div id=m hidden>Two days.</div>",
        "<button data-toggle=modal data-target='#m'>More</button><div id=m style='display:none'>Two days.</div>",
        "<a href='#m'>More</a><div id=m role=dialog hidden>Two days.</div>",
        "<a href='#m'>More</a><template id=m><div class=tab-pane>Two days.</div></template>",
        "<span aria-hidden=true>Two days.</span>",
    ],
)
def test_what_is_hidden_is_left_out(hidden: str) -> None:
    text = one(f"<p>It boils a litre.</p>{hidden}", "a.html").text
    assert "It boils a litre." in text
    assert "Two days." not in text
