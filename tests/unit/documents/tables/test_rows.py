"""Tables: each row names its heads, merged cells count for what they cover, and nothing of a small table is lost."""

from __future__ import annotations

import docx
import pptx
import pytest

from clew.documents.tables import rows as tables
from clew.documents.tables.grid import Cell
from tests.unit.documents.made import blocks, one, row, saved, workbook


def table_blocks(table: list[list[Cell]], header: int | None = None) -> list[str]:
    """The words of a table's blocks."""
    return [draft.text for draft in tables.table_blocks(table, header=header)]


def rows(*lines: str) -> list[list[Cell]]:
    return [[Cell(cell.strip()) for cell in line.split("|")] for line in lines]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("Boat | Length", "Aurora | 12 m", "Tern | 9 m"), ["Boat: Aurora; Length: 12 m.", "Boat: Tern; Length: 9 m."]),
        (
            ("Length | 12 m", "Mast | 14 m", "Skipper | Anna Berg"),
            ["Length: 12 m.", "Mast: 14 m.", "Skipper: Anna Berg."],
        ),
        (
            ("Skipper | Anna Berg", "Length | 12 m", "Crew | 9 hands", "Built | 1911"),
            ["Skipper: Anna Berg.", "Length: 12 m.", "Crew: 9 hands.", "Built: 1911."],
        ),
        (("No. | Crew", "A1 | 9 hands", "A2 | 7 hands"), ["No.: A1; Crew: 9 hands.", "No.: A2; Crew: 7 hands."]),
        (("Skipper: | Anna Berg", "Yard: | Corran"), ["Skipper: Anna Berg.", "Yard: Corran."]),
        (("Skipper | Anna Berg", "Yard | Corran"), ["Skipper: Anna Berg.", "Yard: Corran."]),
        (("Norse | native", "Scots | fluent (C2)"), ["Norse: native.", "Scots: fluent (C2)."]),
        (("Who built it? | Anna Berg", "When? | In 1911."), ["Who built it? Anna Berg.", "When? In 1911."]),
        ((" | 2021 | 2022", "Sales | 14 | 15"), ["Sales; 2021: 14; 2022: 15."]),
        (("Aurora | 12 | 3", "Tern | 9 | 2"), ["Aurora; 12; 3.", "Tern; 9; 2."]),
        (("Only one row | of two cells",), ["Only one row", "of two cells"]),
        (("Head | Other", " | "), ["Head", "Other"]),
        (
            ("Mast: | 14 m | Beam: | 3 m", "Yard: | Corran | Hull: | oak"),
            ["Mast: 14 m.", "Beam: 3 m.", "Yard: Corran.", "Hull: oak."],
        ),
        ((" | ",), []),
    ],
)
def test_what_a_table_without_marks_says(lines: tuple[str, ...], expected: list[str]) -> None:
    assert table_blocks(rows(*lines)) == expected


def test_heads_in_two_rows_and_a_line_over_the_whole_table() -> None:
    table = [
        [Cell("Port", rows=2, head=True), Cell("Tons", columns=2, head=True)],
        [Cell("2021", head=True), Cell("2022", head=True)],
        [Cell("The north", columns=3)],
        [Cell("Corran"), Cell("14"), Cell("15")],
        [Cell("All ports", columns=2), Cell("40")],
    ]
    assert table_blocks(table) == [
        "The north.",
        "The north; Port: Corran; Tons 2021: 14; Tons 2022: 15.",
        "Port, Tons 2021: All ports; Tons 2022: 40.",
    ]


@pytest.mark.parametrize("header", [None, 2])
def test_a_line_over_the_whole_table_below_the_heads_is_said_though_it_is_marked(header: int | None) -> None:
    table = [
        [Cell("Lamp", head=True), Cell("Range", head=True), Cell("Colour", head=True)],
        [Cell("Northern lights", columns=3, head=True)],
        [Cell("Skerry"), Cell("9 nm"), Cell("red")],
        [Cell("Holm"), Cell("12 nm"), Cell("white")],
    ]
    assert table_blocks(table, header) == [
        "Northern lights.",
        "Northern lights; Lamp: Skerry; Range: 9 nm; Colour: red.",
        "Northern lights; Lamp: Holm; Range: 12 nm; Colour: white.",
    ]


def test_spans_that_lie_do_not_grow_the_table() -> None:
    table = [[Cell("a", columns=10**9, rows=10**9), Cell("b")], [Cell("c")]]
    assert "b" in " ".join(table_blocks(table))


def test_html_cells_over_rows_and_columns() -> None:
    page = """<h1>Ferries</h1><table><thead><tr><th>Line<th>Ship<th>Berths</thead>
      <tr><td rowspan=3>Corran–Ardg<td>Maid<td>28<tr><td>Rhona<td>18<tr><td colspan=2>none in winter
      <tr><td>Skye<td>Glen<td>6</table>"""
    assert blocks(page, "x.html")[1:] == [
        "Line: Corran–Ardg; Ship: Maid; Berths: 28.",
        "Line: Corran–Ardg; Ship: Rhona; Berths: 18.",
        "Line: Corran–Ardg; Ship, Berths: none in winter.",
        "Line: Skye; Ship: Glen; Berths: 6.",
    ]


def test_word_tables() -> None:
    document = docx.Document()
    document.add_paragraph("Boats")
    one_row = document.add_table(1, 2)
    one_row.cell(0, 0).text = "Corran yard"
    one_row.cell(0, 1).text = "Anna Berg built boats here.\nShe built the Tern in 1931."
    sheet = document.add_table(3, 2)
    for cell, text in zip(sheet._cells, ["Length", "12 m", "Draught", "2 m", "Builder", "Anna Berg"], strict=True):
        cell.text = text
    merged = document.add_table(4, 3)
    for cell, text in zip(merged._cells, "Yard Boat Year Corran Tern 1931 . Gull 1933 . . 1940".split(), strict=True):
        cell.text = text.replace(".", "")
    merged.cell(1, 0).merge(merged.cell(2, 0))
    merged.cell(3, 0).merge(merged.cell(3, 1)).text = "Sold boats"
    assert blocks(saved(document), "x.docx") == [
        "Boats",
        "Corran yard",
        "Anna Berg built boats here.\nShe built the Tern in 1931.",
        "Length: 12 m.",
        "Draught: 2 m.",
        "Builder: Anna Berg.",
        "Yard: Corran; Boat: Tern; Year: 1931.",
        "Yard: Corran; Boat: Gull; Year: 1933.",
        "Yard, Boat: Sold boats; Year: 1940.",
    ]


SIDE, BODY = "Alm yard, since 1907", "Ruth Adler runs the yard of Alm. She has built nine boats."


def on_a_slide(*cells: str) -> bytes:
    deck = pptx.Presentation()
    table = deck.slides.add_slide(deck.slide_layouts[6]).shapes.add_table(1, len(cells), 0, 0, 9, 9).table
    for at, text in enumerate(cells):
        table.cell(0, at).text = text
    return saved(deck)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.html", f"<table><tr><td>{SIDE}<td>{BODY}</table>"),
        ("heads.html", f"<table><tr><th>{SIDE}<th>{BODY}</table>"),
        ("x.md", f"| {SIDE} | {BODY} |\n|---|---|\n"),
        ("x.org", f"| {SIDE} | {BODY} |\n"),
        ("x.rtf", rf"{{\rtf1\ansi\trowd\cellx100\cellx200 {SIDE}\cell {BODY}\cell\row\pard\par}}"),
        ("x.xlsx", workbook({"Sheet1": row(1, SIDE, BODY)})),
        ("x.pptx", on_a_slide(SIDE, BODY)),
    ],
)
def test_a_table_of_one_row_is_text_in_every_format(name: str, data: bytes | str) -> None:
    assert blocks(data, name) == [SIDE, BODY]


def test_a_form_in_word_whose_labels_are_bold_beside_each_other() -> None:
    document = docx.Document()
    table = document.add_table(3, 4)
    texts = [
        "Vessel",
        "Tern",
        "Owner",
        "Ruth Adler",
        "Berth",
        "North mole, place 7",
        "",
        "",
        "Draught",
        "2 m",
        "Flag",
        "",
    ]
    for cell, text in zip(table._cells, texts, strict=True):
        cell.text = text
    for filled in table.rows:
        for at in (0, 2):
            filled.cells[at].paragraphs[0].runs[0].bold = True
    table.cell(1, 1).merge(table.cell(1, 3))
    assert blocks(saved(document), "x.docx") == [
        "Vessel: Tern.",
        "Owner: Ruth Adler.",
        "Berth: North mole, place 7.",
        "Draught: 2 m.",
        "Flag.",
    ]


def test_slides_without_struck_runs_and_hidden_slides() -> None:
    deck = pptx.Presentation()
    deck.core_properties.author = "Anna Berg"
    slide, hidden = (deck.slides.add_slide(deck.slide_layouts[1]) for _ in range(2))
    hidden.shapes.title.text, slide.shapes.title.text = "Draft", "Cells"
    hidden.element.set("show", "0")
    paragraph = slide.placeholders[1].text_frame.paragraphs[0]
    for text, mark, value in (("2·10", "lang", "en"), ("8", "baseline", "30000"), (" of 9", "strike", "sngStrike")):
        run = paragraph.add_run()
        run.text = text
        run.font._element.set(mark, value)
    found = one(saved(deck), "x.pptx")
    assert found.text.split("\n\n") == ["Cells", "2·10⁸", "author: Anna Berg."]
    assert found.notes == ("Left out: hidden slides (1).", "Left out: struck or deleted text (1).")


def test_markdown_tables_with_empty_cells_and_strokes() -> None:
    table = "| Key | Means | Note |\n|---|---|---|\n| `x\\|y` | one of two | |\n| | alone | late |\n"
    assert blocks(table, "x.md") == ["Key: x|y; Means: one of two.", "Means: alone; Note: late."]
    without_heads = "| | |\n|---|---|\n| Built | 1911 |\n| Keeper | Jon |\n"
    assert blocks(without_heads, "x.md") == ["Built: 1911.", "Keeper: Jon."]
    pairs = "| Length | 12 m |\n|---|---|\n| Keeper | Jon |\n"
    assert blocks(pairs, "x.md") == ["Length: 12 m.", "Keeper: Jon."]
    years = "| Port | 2021 |\n|---|---|\n| Ardg | 12 |\n"
    assert blocks(years, "x.md") == ["Port: Ardg; 2021: 12."]


def test_rows_that_are_all_over_the_whole_table_are_text() -> None:
    rows = [[Cell("Contact", 3)], [Cell("Isla Marr, Corran", 3)], [Cell("About", 3)], [Cell("Fees of the harbour", 3)]]
    assert table_blocks(rows) == ["Contact", "Isla Marr, Corran", "About", "Fees of the harbour"]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([["Name\nof boat", "Year\nbuilt"], ["Tern", "1931"], ["Gull", "1933"]],
         ["Name of boat: Tern; Year built: 1931.", "Name of boat: Gull; Year built: 1933."]),
        ([["Landlord", "Tenant"], ["Anna Berg\nQuay 4", "Jon Ek\nMole 2"], ["12 May", "13 May"]],
         ["Landlord: Anna Berg, Quay 4; Tenant: Jon Ek, Mole 2.", "Landlord: 12 May; Tenant: 13 May."]),
    ],
)  # fmt: skip
def test_tables_with_cells_of_several_lines_stay_tables(rows: list[list[str]], said: list[str]) -> None:
    found = tables.table_blocks([[Cell(text) for text in row] for row in rows])
    assert [one.text for one in found] == said


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (  # a title beside another one
            ("CHF million |  |  | June 2026", " | Sales | Profit | Staff", "North | 9 | 2 | 40"),
            ["CHF million; June 2026", "North; Sales: 9; Profit: 2; Staff: 40."],
        ),
        (  # heads up to the next one
            (" | 2026 |  | 2025 | ", " | Sales | Profit | Sales | Profit", "North | 9 | 2 | 8 | 1"),
            ["North; 2026 Sales: 9; 2026 Profit: 2; 2025 Sales: 8; 2025 Profit: 1."],
        ),
        (  # heads of names that repeat, wherever they stand
            ("Zone |  | 2026 |  | 2025", " | Sales | Profit | Sales | Profit", "North | 9 | 2 | 8 | 1"),
            ["Zone: North; 2026 Sales: 9; 2026 Profit: 2; 2025 Sales: 8; 2025 Profit: 1."],
        ),
    ],
)
def test_a_row_that_stands_over_the_names_of_columns(lines: tuple[str, ...], expected: list[str]) -> None:
    assert table_blocks(rows(*lines)) == expected


def test_an_empty_row_between_heads_and_figures_of_a_sheet() -> None:
    sheet = row(1, "", "Sales", "Profit") + row(3, "North", 9, 2) + row(4, "South", 7, 1)
    data = workbook({"Sheet1": sheet})
    assert one(data, "a.xlsx").text == "North; Sales: 9; Profit: 2.\n\nSouth; Sales: 7; Profit: 1."
