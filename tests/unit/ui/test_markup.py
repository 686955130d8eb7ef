"""A model's Markdown as a tree: structure and markers are nodes, HTML, pictures and links are words."""

from __future__ import annotations

import json

from clew.ui.markup import Node, bracketed, plain, tree


def tags(nodes: list[Node]) -> list[str]:
    """The tags of all nodes, in their order."""
    found = [one for one in nodes if not isinstance(one, str) and "tag" in one]
    return [tag for one in found for tag in (one["tag"], *tags(one["children"]))]


def test_headings_lists_tables_and_code_are_nodes() -> None:
    text = "## Fees\n\n- adult\n- child\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n```\nx = [1]\n```\n"
    drawn = "h4 ul li p li p table thead tr th th tbody tr td td pre"
    assert tags(tree(text)) == drawn.split()
    assert tree(text)[-1] == {"tag": "pre", "children": ["x = [1]\n"]}


def test_markers_stand_where_the_model_put_them() -> None:
    [paragraph] = tree("It opened in **1911** [2, 4], not in 1912 [3].")
    assert isinstance(paragraph, dict)
    bold = {"tag": "strong", "children": ["1911"]}
    assert paragraph["children"] == ["It opened in ", bold, {"mark": 2}, {"mark": 4}, ", not in 1912", {"mark": 3}, "."]


def test_html_pictures_and_links_stay_words() -> None:
    hostile = "<img src=x onerror=a()> ![a](http://evil.example/a.png) [b](javascript:b()) <http://evil.example>"
    assert tags(tree(hostile)) == ["p"]
    assert tree(hostile)[0] == {"tag": "p", "children": [hostile]}


def test_what_nothing_supports_is_marked_beside_emphasis_markers_and_in_cells() -> None:
    said = "- It is **old.** And **big.** [2]\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    spans = [(said.index("And"), said.index(" [2]")), (said.index("| 1"), len(said))]
    drawn = tree(bracketed(said, spans))
    assert drawn[0] == {
        "tag": "ul",
        "children": [{"tag": "li", "children": [{"tag": "p", "children": [
            "It is ", {"tag": "strong", "children": ["old."]}, " ", {"doubt": "And "},
            {"tag": "strong", "children": [{"doubt": "big."}]}, {"mark": 2},
        ]}]}],
    }  # fmt: skip
    assert '{"doubt": "1"}' in json.dumps(drawn[1])
    assert '{"doubt": "2"}' in json.dumps(drawn[1])


def test_a_list_whose_items_nothing_supports_stays_a_list() -> None:
    said = "1. **Sales** rose.\n2. Staff fell."
    spans = [(0, 2), (3, said.index("\n")), (said.index("2."), said.index(" Staff")), (said.index("Staff"), len(said))]
    [drawn] = tree(bracketed(said, spans))
    assert isinstance(drawn, dict)
    assert (drawn["tag"], len(drawn["children"])) == ("ol", 2)


def test_thoughts_and_rows_of_lists_are_words_alone() -> None:
    text = "**First** I read [2]:\n\n- `a_b` and *two*\n- 2 * 3\n\n| x | y |\n|---|---|\n| 1 | <b> |\n"
    assert plain(text) == "First I read [2]: • a_b and two • 2 * 3 x y 1 <b>"
