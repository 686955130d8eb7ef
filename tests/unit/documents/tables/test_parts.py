"""A line within a table leads the rows of its part, and parts of a page that a table lays out stay what they are."""

from __future__ import annotations

from collections.abc import Iterable

from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import table_blocks
from tests.unit.documents.made import blocks, row, workbook


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
