"""Pieces of web pages as values of JSON, JSON lines and tables."""

from __future__ import annotations

import json

import pytest

from clew.documents.isolated import Reader
from clew.documents.markup import is_markup
from clew.documents.web.blocks import plain
from tests.unit.documents.made import one


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("<p>The <b>Orrin</b> kiln.</p><p>Built&nbsp;in 1911.</p>", "The Orrin kiln.\n\nBuilt in 1911."),
        ("Low<br>wall", "Low\nwall"),
        ("<ul><li>Clay</li><li>Wood</li></ul>", "Clay\n\nWood"),
        (
            "<table><tr><th>Year</th><th>Bricks</th></tr><tr><td>1911</td><td>4</td></tr></table>",
            "Year: 1911; Bricks: 4.",
        ),
        ('See <a href="https://example.org">the list</a>.', "See the list."),
        ("<DIV class='x'>Kept</DIV><script>no()</script>", "Kept"),
        ("Salt &amp; Sons caf\u00e9", "Salt & Sons caf\u00e9"),
    ],
)
def test_values_that_are_pieces_of_pages_are_read_as_such(written: str, text: str) -> None:
    line = json.dumps({"title": "Kiln", "text": written})
    for name, data in (("a.jsonl", line), ("a.json", f"[{line}]"), ("b.json", f'{{"rows": [{line}]}}')):
        assert one(data, name).text == text
    escaped = line.replace("<", "\\u003c").replace(">", "\\u003e")
    assert one(escaped, "a.jsonl").text == text


@pytest.mark.parametrize(
    "written",
    [
        "Use 3 < 5, and x<y>z, and List<String>.",
        "The element <b> makes letters bold, AT&T says.",
        "Write `<p>text</p>` for a paragraph.",
        "```html\n<ul><li>one</li></ul>\n```",
        "A <p stands alone.",
        "",
    ],
)
def test_what_only_speaks_of_markup_is_left_as_it_is(written: str) -> None:
    assert not is_markup(written)
    assert plain(written) == written


def test_fields_of_any_name_and_depth_and_lists_of_paragraphs() -> None:
    found = one(json.dumps({"name": "Lamp", "about": {"long": "<p>Two <i>bulbs</i>.</p>"}, "price": 12}), "a.json")
    assert "Two bulbs." in found.text
    assert "<" not in found.text
    several = one(json.dumps({"title": "A", "text": ["<p>One.</p>", "Two."]}), "a.jsonl")
    assert several.text == "One.\n\nTwo."
    alone = one(json.dumps(["<p>The <b>lock</b> is open.</p>", "It is wide."]), "a.json")
    assert "The lock is open." in alone.text
    assert "<" not in alone.text


def test_the_process_of_its_own_reads_them_and_a_bad_one_costs_nothing() -> None:
    with Reader(seconds=2) as reader:
        assert reader.plain("<p>One</p><p>Two</p>") == "One\n\nTwo"
        assert reader.plain("One < two") == "One < two"
        deep = "<div>" * 200_000 + "x" + "</div>"
        assert "x" in reader.plain(deep)
        assert reader.plain("Low<br>wall") == "Low\nwall"
