"""What the app does to hostile text, where a span is marked, and where a graph's nodes lie."""

from __future__ import annotations

import pytest

from clew.documents.blocks import Draft, Layout
from clew.documents.tables.rows import row_draft
from clew.types import Block, Citation, Fact, Source, Step
from clew.ui.components.document import pieces
from clew.ui.components.graph import MOST_NODES, graph_data
from clew.ui.text import markdown, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\n lines\tand\x00more", "two lines and�more"),
        ("invoice\u202efdp.exe", "invoice�fdp.exe"),
        ("\u200fשלום\u200e", "שלום"),
        ("👩\u200d🚀 and क्\u200dष", "👩\u200d🚀 and क्\u200dष"),
        ("x" * 500, "x" * 19 + "…"),
    ],
)
def test_a_name_is_one_visible_line(text: str, shown: str) -> None:
    assert visible(text, 20) == shown


def test_markdown_is_taken_at_its_word() -> None:
    assert markdown("![a](b) *c* `d`") == r"\!\[a\]\(b\) \*c\* \`d\`"
    assert markdown(":red[x] www.a.b a@b.c") == "\\:\u2060red\\[x\\] www\u2060\\.a\\.b a\\@\u2060b\\.c"


def test_the_marked_runs_are_the_span_across_pages() -> None:
    text = "First page. Second page. Third page."
    runs = pieces(text, (0, 12, 25), 6, 31)
    assert "".join(run["text"] for run in runs if run.get("mark")) == text[6:31]
    assert [run["page"] for run in runs if "page" in run] == [1, 2, 3]
    assert "".join(run.get("text", "") for run in runs) == text


def test_a_long_document_is_cut_around_the_span() -> None:
    text = "abc" * 1_000
    runs = pieces(text, (), 1_500, 1_510, around=20)
    assert runs[0] == {"left_out": 1_480}
    assert runs[-1] == {"left_out": 3_000 - 1_530}
    assert "".join(run["text"] for run in runs if run.get("mark")) == text[1_500:1_510]


def test_headings_and_code_are_runs_of_their_own() -> None:
    text = "The yard\n\nIt is old.\n\nx = 1"
    blocks = (Block("heading", 0, 8, 1), Block("paragraph", 10, 20), Block("code", 22, 27))
    runs = pieces(text, (), 4, 13, blocks=blocks)
    assert [(run.get("kind"), run["text"]) for run in runs if "kind" in run] == [
        ("heading", "The "),
        ("heading", "yard"),
        ("code", "x = 1"),
    ]
    assert "".join(run["text"] for run in runs if run["mark"]) == text[4:13]
    assert "".join(run["text"] for run in runs) == text


def test_a_table_is_drawn_as_one_with_the_cited_cell_marked() -> None:
    rows = [row_draft([("Boat",), ("Length",)], cells) for cells in (["Tern", "9 m"], ["Aurora", "12 m"])]
    layout = Layout([Draft("Boats", "heading", 1), *rows, Draft("All are old.")])
    at = layout.text.index("12 m")
    runs = pieces(layout.text, (), at, at + 4, blocks=layout.blocks, likely=[(at, at + 2)])
    (table,) = [run["table"] for run in runs if "table" in run]
    assert table["heads"] == ["Boat", "Length"]
    assert [[cell["text"] for cell in row] for row in table["rows"]] == [["Tern", "9 m"], ["Aurora", "12 m"]]
    assert [cell["text"] for row in table["rows"] for cell in row if cell["mark"] and cell["likely"]] == ["12 m"]
    assert "".join(run.get("text", "") for run in runs) == "Boats\n\n\n\nAll are old."


def test_a_text_cannot_turn_its_letters_where_it_is_shown() -> None:
    text = "Paid to \u202eyna eno\u202c by Ada."
    runs = pieces(text, (), 8, 17)
    assert "".join(run["text"] for run in runs if run["mark"]) == "\ufffdyna eno\u202c"
    assert len("".join(run["text"] for run in runs)) == len(text)


@pytest.mark.parametrize(("start", "end"), [(-5, -1), (50, 90), (7, 3), (0, 0)])
def test_a_span_outside_of_the_text_marks_nothing(start: int, end: int) -> None:
    runs = pieces("some text", (), start, end)
    assert [run for run in runs if run.get("mark") and run["text"]] == []
    assert "".join(run["text"] for run in runs) == "some text"


def fact(id: str, *entities: str, start: int = 0) -> Fact:
    """A fact of a document of its own name."""
    return Fact(id, f"Fact {id}", entities, 1.0, (Source(f"d-{id}", "Title", "c", start, start + 10),))


def test_nodes_belong_to_the_first_turn_that_brought_them() -> None:
    steps = [Step("t", "q1", (fact("a", "X", "Y"),)), Step("t", "q2", (fact("a", "X", "Y"), fact("b", "Y", "Z")))]
    data = graph_data(steps, (Citation("d-b", "Title", 2, 5, "abc"),), {"a": 1, "b": 4})
    turns = {(node["kind"], node.get("number") or node["text"]): node["turn"] for node in data["nodes"]}
    assert turns == {
        ("fact", 1): 0,
        ("fact", 4): 1,
        ("entity", "X"): 0,
        ("entity", "Y"): 0,
        ("entity", "Z"): 1,
    }
    assert [node["used"] for node in data["nodes"]] == [False, True, False, True, True]
    assert len(data["edges"]) == 4
    assert data["turns"] == 2


def test_positions_are_inside_apart_and_the_same_every_time() -> None:
    steps = [Step("t", "q", tuple(fact(str(i), "hub" if i < 5 else f"lone {i}", f"leaf {i}") for i in range(12)))]
    first, second = (graph_data(steps, (), {})["nodes"] for _ in range(2))
    assert first == second
    places = {(node["x"], node["y"]) for node in first}
    assert len(places) == len(first)
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in places)


def test_a_large_trajectory_keeps_the_entities_that_connect() -> None:
    facts = tuple(fact(str(i), "hub", *(f"leaf {i}-{j}" for j in range(8))) for i in range(100))
    data = graph_data([Step("t", "q", facts)], (), {})
    assert len(data["nodes"]) == MOST_NODES
    assert "hub" in {node["text"] for node in data["nodes"]}


def test_nothing_retrieved_draws_nothing() -> None:
    assert graph_data([Step("t")], (), {}) == {"nodes": [], "edges": [], "settled": 0, "turns": 1}
