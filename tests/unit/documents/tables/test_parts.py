"""A line within a table leads the rows of its part, and parts of a page that a table lays out stay what they are."""

from __future__ import annotations

from collections.abc import Iterable

import docx
import pytest

from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import table_blocks
from tests.unit.documents.made import blocks, one, row, saved, workbook


def lines(rows: Iterable[str], *, bold: tuple[int, ...] = ()) -> list[str]:
    """The blocks of a table whose cells strokes part; those of ``bold`` rows are set off."""
    cells = [[Cell(text.strip(), head=at in bold) for text in line.split("|")] for at, line in enumerate(rows)]
    return [block.text for block in table_blocks(cells)]


def test_lines_over_a_whole_table_lead_the_rows_below_them() -> None:
    page = """<table><tr><th>Dish<th>Kroner</tr><tr><td colspan=2>From the sea</td></tr><tr><td>Pike<td>140
      <tr><td colspan=2>From the oven</td></tr><tr><td>Leek pie<td>95<tr><td>Barley loaf<td>40
      <tr><td colspan=2>Ask us about allergens, please.</td></tr><tr><td>Cheese<td>60</table>"""
    assert blocks(page, "menu.html") == [
        "From the sea.",
        "From the sea; Dish: Pike; Kroner: 140.",
        "From the oven.",
        "From the oven; Dish: Leek pie; Kroner: 95.",
        "From the oven; Dish: Barley loaf; Kroner: 40.",
        "Ask us about allergens, please.",
        "Dish: Cheese; Kroner: 60.",
    ]


def test_heads_that_are_said_again_above_each_part() -> None:
    heads = "<tr><th>Berth<th>Metres</tr>"
    page = f"<table><tr><th colspan=2>West quay</tr>{heads}<tr><td>W1<td>18<tr><td>W2<td>22"
    page += f"<tr><th colspan=2>East quay</tr>{heads}<tr><td>E1<td>30</table>"
    assert blocks(page, "quays.html") == [
        "West quay",
        "West quay; Berth: W1; Metres: 18.",
        "West quay; Berth: W2; Metres: 22.",
        "East quay.",
        "East quay; Berth: E1; Metres: 30.",
    ]


def test_a_marked_line_beside_which_nothing_stands() -> None:
    told = ["Post | Francs", "Stage: sound", "Microphones | 300.50", "Desk | 1,200", "Stage: light", "Lamps | 450"]
    assert lines(told, bold=(0, 1, 4)) == [
        "Stage: sound.",
        "Stage – sound; Post: Microphones; Francs: 300.50.",
        "Stage – sound; Post: Desk; Francs: 1,200.",
        "Stage: light.",
        "Stage – light; Post: Lamps; Francs: 450.",
    ]


def test_a_sheet_whose_parts_nothing_sets_off() -> None:
    told = ["Item|Year|Place", "Boats", "Tern|1931|Alm", "Gull|1933|Alm", "Nets", "Trawl|1950|Osby", "Drift|1951|Osby"]
    sheet = "".join(row(number, *line.split("|")) for number, line in enumerate(told, 1))
    assert blocks(workbook({"Sheet1": sheet}), "x.xlsx") == [
        "Boats.",
        "Boats; Item: Tern; Year: 1931; Place: Alm.",
        "Boats; Item: Gull; Year: 1933; Place: Alm.",
        "Nets.",
        "Nets; Item: Trawl; Year: 1950; Place: Osby.",
        "Nets; Item: Drift; Year: 1951; Place: Osby.",
    ]


@pytest.mark.parametrize(
    "rows",
    [
        ("Name | Phone", "Ida Falk", "Jon Ek | 4471", "Mara Lind", "Ole Dahl | 4480"),
        ("Name | Phone", "Jon Ek | 4471", "Ida Falk", "Ole Dahl | 4480", "Mara Lind", "Per Vik | 4490"),
    ],
)
def test_people_without_a_number_lead_nobody(rows: tuple[str, ...]) -> None:
    assert all(line.startswith("Name: ") for line in lines(rows))


def test_headings_in_cells_of_word_lead_rows_and_stay_headings_where_the_table_lays_out_a_page() -> None:
    document = docx.Document()
    data = document.add_table(5, 2)
    for cell, text in zip(data._cells, ["Who", "What", "Kitchen", "", "Ida", "Bread", "Yard", "", "Ole", "Wood"],
                          strict=True):  # fmt: skip
        cell.text = text
    for cell in data.rows[0].cells:
        cell.paragraphs[0].runs[0].bold = True
    for at in (1, 3):
        data.cell(at, 0).paragraphs[0].style = "Heading 3"
    parts = document.add_table(1, 2)
    for cell, name in zip(parts._cells, ("Summer", "Winter"), strict=True):
        cell.paragraphs[0].text, cell.paragraphs[0].style = name, "Heading 2"
        cell.add_paragraph(f"The {name.lower()} ferry leaves at nine.")
    found = one(saved(document), "x.docx")
    assert found.text.split("\n\n")[-8:] == [
        "Kitchen.",
        "Kitchen; Who: Ida; What: Bread.",
        "Yard.",
        "Yard; Who: Ole; What: Wood.",
        "Summer",
        "The summer ferry leaves at nine.",
        "Winter",
        "The winter ferry leaves at nine.",
    ]
    assert [one.kind for one in found.blocks[-4:]] == ["heading", "paragraph"] * 2


def test_cards_of_a_page_that_a_table_lays_out() -> None:
    card = "<td><h3>{}</h3><p>{}</p></td>"
    page = f"<table><tr>{card.format('Basic', 'Five users')}{card.format('Pro', 'Fifty users')}"
    page += f"<tr>{card.format('Team', 'Ten users')}{card.format('Free', 'One user')}</table>"
    found = one(page, "plans.html")
    assert [block.kind for block in found.blocks] == ["heading", "paragraph"] * 4
    assert found.text.split("\n\n")[2:4] == ["Pro", "Fifty users"]


@pytest.mark.parametrize(
    "rows",
    [
        ("Note|Boat|Tons", "new|Tern|12", "|Gull|9", "new|Skua|7", "|Auk|8"),
        ("Note|Boat|Tons", "|Tern|12", "new|Gull|9", "old|Skua|7", "|Auk|8"),
        ("Berth|Boat|Tons", "4|Tern|12", "|Gull|9", "5|Skua|7", "|Auk|8"),
        ("Berth|Boat|Tons", "A|Tern|12", "B|Gull|9", "C|Skua|7", "|Auk|8"),
    ],
)
def test_empty_places_that_repeat_nothing(rows: tuple[str, ...]) -> None:
    assert "Boat: Auk; Tons: 8." in lines(rows)


def test_a_row_of_labels_with_their_values() -> None:
    assert lines(["Skipper:|Ida Falk|Boat:|Tern"]) == ["Skipper: Ida Falk.", "Boat: Tern."]
    assert lines(["Ida Falk|Tern"]) == ["Ida Falk", "Tern"]


def test_a_line_that_interrupts_the_rows_leads_none() -> None:
    row = "<tr><td>{}<td>{}"
    page = f"<table><tr><th>From<th>Talk{row.format('9:00', 'Tides')}<tr><td colspan=2>Coffee in the hall</tr>"
    page += f"{row.format('10:30', 'Lamps')}<tr><td colspan=2>Lunch</tr>{row.format('13:00', 'Nets')}</table>"
    told = blocks(page, "x.html")
    assert [one for one in told if "From" in one] == [
        "From: 9:00; Talk: Tides.",
        "From: 10:30; Talk: Lamps.",
        "From: 13:00; Talk: Nets.",
    ]


def test_a_remark_right_below_a_table() -> None:
    told = ["Zone|Grown|Child", "North|9|4", "South|7|3", "From the first of May|"]
    assert lines(told)[-1] == "From the first of May."
    assert lines([*told[:3], "Ring|"])[-1] == "Zone: Ring."


def test_rows_that_begin_further_right_than_the_name_of_their_part() -> None:
    rows = [
        "Account | Post | 2023 | 2024",
        "Opening balance | | 40 | 55",
        "Income | | |",
        "| Berths | 210 | 230",
        "| Visitors | 30 | 35",
        "Balance before costs | | 280 | 320",
        "Costs | | |",
        "| Repairs | 90 | 70",
    ]
    assert lines(rows) == [
        "Account: Opening balance; 2023: 40; 2024: 55.",
        "Income.",
        "Income; Post: Berths; 2023: 210; 2024: 230.",
        "Income; Post: Visitors; 2023: 30; 2024: 35.",
        "Account: Balance before costs; 2023: 280; 2024: 320.",
        "Costs.",
        "Costs; Post: Repairs; 2023: 90; 2024: 70.",
    ]


def test_parts_within_parts() -> None:
    rows = [
        "A | B | C | Days",
        "Coast | | |",
        "| Survey | |",
        "| | Soundings | 4",
        "| | Buoys | 2",
        "| Works | |",
        "| | Pier | 9",
    ]
    assert lines(rows) == [
        "Coast.",
        "Coast; B: Survey.",
        "Coast; Survey; C: Soundings; Days: 4.",
        "Coast; Survey; C: Buoys; Days: 2.",
        "Coast; B: Works.",
        "Coast; Works; C: Pier; Days: 9.",
    ]


def test_lines_with_a_colon_lead_the_rows_below_them_wherever_they_begin() -> None:
    rows = ["Post | Kroner", "Carried over | 40", "Paid in: |", "Dues | 210", "Paid out: |", "Paint | 90"]
    assert lines(rows)[1:] == [
        "Paid in:",
        "Paid in; Post: Dues; Kroner: 210.",
        "Paid out:",
        "Paid out; Post: Paint; Kroner: 90.",
    ]


def test_parts_of_a_table_of_values() -> None:
    table = "Tool;Pieces;Shed\nDigging;;\nSpade;12;A\nFork;7;B\nPruning;;\nSaw;3;A\nKnife;5;A\n"
    assert blocks(table, "tools.csv")[0].split("\n") == [
        "Digging.",
        "Digging; Tool: Spade, Pieces: 12, Shed: A.",
        "Digging; Tool: Fork, Pieces: 7, Shed: B.",
        "Pruning.",
        "Pruning; Tool: Saw, Pieces: 3, Shed: A.",
        "Pruning; Tool: Knife, Pieces: 5, Shed: A.",
    ]


def test_a_row_with_gaps_in_a_table_of_values_leads_none() -> None:
    table = "Port;Berths;Depth\nHolm;12;4\nSkerry;;\nOsby;7;3\nVik;3;2\n"
    assert blocks(table, "ports.csv")[0].split("\n")[1:3] == ["Port: Skerry.", "Port: Osby, Berths: 7, Depth: 3."]


def test_a_first_part_below_the_heads_is_none_of_them() -> None:
    rows = [
        " | 2023 | 2024",
        "Boats | |",
        "Sail | 12 | 14",
        "Motor | 30 | 31",
        "People | |",
        "Members | 90 | 95",
        "Guests | 4 | 9",
    ]
    assert lines(rows)[:2] == ["Boats.", "Boats; Sail; 2023: 12; 2024: 14."]
