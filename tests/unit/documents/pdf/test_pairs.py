"""Tables of two columns in a PDF, without lines, whose cells wrap; what only stands like one is no table."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from tests.unit.documents.pdf.test_pdf import LEFT, RIGHT, lines
from tests.unit.documents.pdf.test_tables import blocks

Cells = tuple[Sequence[str], Sequence[str]]
PUMP: tuple[Cells, ...] = (
    (("Flow",), ("Up to ninety litres a minute, and sixty where", "the hose is longer than a hundred metres")),
    (("Noise",), ("54 dB",)),
    (("Seal between shaft", "and housing"), ("Carbon on clay; changed every four years,", "or when oil drips out")),
    (("Colour",), ("grey",)),
)  # fmt: skip
READ = [
    "Flow: Up to ninety litres a minute, and sixty where the hose is longer than a hundred metres.",
    "Noise: 54 dB.",
    "Seal between shaft and housing: Carbon on clay; changed every four years, or when oil drips out.",
    "Colour: grey.",
]


def draw(canvas: Canvas, rows: Sequence[Cells], y: float, space: float, middle: bool = False) -> float:
    """Rows with a space between them, their labels at the top or in the middle; where the next row would stand."""
    for label, value in rows:
        tall = max(len(label), len(value))
        for x, cell in ((60, label), (200, value)):
            lines(canvas, x, y - (tall - len(cell)) * 6.5 * middle, *cell, step=13)
        y -= 13 * tall + space
    return y


@pytest.mark.parametrize("middle", [False, True], ids=["at the top", "in the middle"])
@pytest.mark.parametrize("space", [0, 7], ids=["close", "apart"])
def test_labels_with_values_of_several_lines(space: float, middle: bool) -> None:
    if middle and not space:
        return  # nothing tells which row a line is of

    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 760, "The pump that is built into the cellar has these properties, as its maker tells us in")
        lines(canvas, 60, 746, "the leaflet.")
        y = draw(canvas, PUMP, 715, space, middle)
        lines(
            canvas,
            60,
            y - 10,
            "Whoever finds that it drips calls the number on its lid before he opens anything.",
        )

    assert blocks(page)[1:-1] == READ


def test_bold_heads_name_both_columns() -> None:
    rows = [
        (("Sign of wear on the rope",), ("What is done about it",)),
        (("Strands stick out by more than", "a hand's breadth"), ("The rope is cut there, and spliced by", "the mate")),
        (("It smells of tar no longer",), ("It is tarred",)),
        (("It has gone stiff",), ("It is soaked for a night in the water of", "the river")),
    ]  # fmt: skip

    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 11)
        canvas.drawString(60, 700, rows[0][0][0])
        canvas.drawString(290, 700, rows[0][1][0])
        canvas.setFont("Helvetica", 11)
        for at, (sign, deed) in enumerate(rows[1:]):
            for x, cell in ((60, sign), (290, deed)):
                lines(canvas, x, 675 - 38 * at, *cell, step=13)

    assert blocks(page) == [
        "Sign of wear on the rope: Strands stick out by more than a hand's breadth; "
        "What is done about it: The rope is cut there, and spliced by the mate.",
        "Sign of wear on the rope: It smells of tar no longer; What is done about it: It is tarred.",
        "Sign of wear on the rope: It has gone stiff; What is done about it: It is soaked for a night in the water of "
        "the river.",
    ]


def test_rows_of_one_line_each_are_rows_where_there_is_space_between_them() -> None:
    rows = [
        ("Report of the keeper of the chest", "Una Lie, keeper"),
        ("Choice of a new helmsman by lot", "Per Moe, oldest rower"),
        ("Repairs of the boat house roof", "Liv Aas, carpenter"),
        ("Feast on the first Sunday of May", "Jo Tveit and Nils Ro"),
    ]

    def page(canvas: Canvas) -> None:
        for at, (what, who) in enumerate(rows):
            canvas.drawString(60, 700 - 18 * at, what)
            canvas.drawString(320, 700 - 18 * at, who)

    assert blocks(page) == [f"{what}: {who}." for what, who in rows]


def test_bold_lines_begin_what_is_said_of_a_year() -> None:
    told = [
        ("1911–1914", "Cook, barque Solvei", "Fed eleven men on two oceans, and was wrecked off Skagen."),
        ("1915–1920", "Baker, Strandgate", "Baked rolls for the garrison."),
        ("1921–1958", "Keeper, Utvær light", "Trimmed the lamp each night, but for one in 1944."),
    ]

    def page(canvas: Canvas) -> None:
        for at, (years, post, deed) in enumerate(told):
            canvas.setFont("Helvetica", 11)
            lines(canvas, 60, 700 - 28 * at, years)
            lines(canvas, 160, 686 - 28 * at, deed)
            canvas.setFont("Helvetica-Bold", 11)
            lines(canvas, 160, 700 - 28 * at, post)

    assert blocks(page) == [f"{years}: {post}. {deed}" for years, post, deed in told]


def test_heads_may_name_all_columns_but_the_first() -> None:
    rows = [
        ("Price", "40 kr", "90 kr"),
        ("Berth", "on deck, under a sail", "below, with a door"),
        ("Food", "your own", "three meals"),
    ]

    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 11)
        canvas.drawString(200, 720, "Third class")
        canvas.drawString(400, 720, "First class")
        canvas.setFont("Helvetica", 11)
        for at, row in enumerate(rows):
            for x, cell in zip((60, 200, 400), row, strict=True):
                canvas.drawString(x, 700 - 20 * at, cell)

    assert blocks(page)[1] == "Berth; Third class: on deck, under a sail; First class: below, with a door."


def test_a_cell_of_several_lines_goes_on_with_a_capital_too() -> None:
    def page(canvas: Canvas) -> None:
        for y, cells in (
            (700, ("Wharf", "Who lands there", "Depth")),
            (686, ("North", "Colliers and the ferry of Captain", "9 m")),
            (672, ("", "Nils Ro and his brothers", "")),
            (658, ("South", "Yachts", "3 m")),
            (644, ("Mole", "Nobody", "2 m")),
        ):
            for x, cell in zip((60, 160, 400), cells, strict=True):
                canvas.drawString(x, y, cell)

    assert blocks(page)[0] == (
        "Wharf: North; Who lands there: Colliers and the ferry of Captain Nils Ro and his brothers; Depth: 9 m."
    )


def test_questions_with_answers_beside_them() -> None:
    asked = [
        (("Who lets me in when I come by night and", "the porter sleeps in bed?"), ("Nobody; it opens at five.",)),
        (("Are there beds for", "four?"), ("Yes, in the loft, where nobody", "minds the noise of children.")),
        (("Is there tea?",), ("All day.",)),
    ]  # fmt: skip

    def page(canvas: Canvas) -> None:
        for at, (question, answer) in enumerate(asked):
            for x, cell in ((60, question), (300, answer)):
                lines(canvas, x, 700 - 40 * at, *cell, step=13)

    assert blocks(page) == [
        "Who lets me in when I come by night and the porter sleeps in bed? Nobody; it opens at five.",
        "Are there beds for four? Yes, in the loft, where nobody minds the noise of children.",
        "Is there tea? All day.",
    ]


@pytest.mark.parametrize("label", ["{}.", "[{}]", "{}"])
def test_what_counts_items_or_lines_is_no_label(label: str) -> None:
    def page(canvas: Canvas) -> None:
        for at, name in enumerate("JKL"):
            canvas.drawString(60, 700 - 40 * at, label.format(name if label == "{}." else at + 7))
            lines(canvas, 110, 700 - 40 * at, "Keep the notes of the earlier keepers of", "this tower unaltered.")

    assert not any(":" in block for block in blocks(page))


def test_columns_whose_paragraphs_begin_side_by_side_now_and_then_stay_columns() -> None:
    def page(canvas: Canvas) -> None:
        for x, texts in ((60, LEFT), (320, RIGHT)):
            for at in range(3):
                lines(canvas, x, 740 - 78 * at, *texts)
        lines(canvas, 60, 700 - 3 * 78 + 40, *LEFT, "", *LEFT)
        lines(canvas, 320, 700 - 3 * 78 + 40, *RIGHT[:3], "", *RIGHT)

    text = " ".join(" ".join(blocks(page)).split())
    assert text.count(" ".join(LEFT)) == 5
    assert text.rindex("ferry") < text.index("lighthouse")


def test_the_columns_of_an_index_are_no_pairs() -> None:
    entries = ("boats, tarring of, 14", "cables and how", "to lay them, 31", "dykes, 7", "eels, 90", "ferries, 12")
    others = ("nets, 41", "oars, broken, 8", "pilots, 77", "quays, 3", "ropes, 66", "sails, 5")

    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 700, *entries)
        lines(canvas, 320, 700, *others)

    assert not any(":" in block for block in blocks(page))


def test_the_last_cell_of_the_first_column_may_wrap() -> None:
    rows = [
        (("Ward",), ("What there is for those", "who stay"), ("Beds",)),
        (("Upper", "east wing"), ("A stove, and tea from", "the kitchen below"), ("9",)),
        (("Lower", "east wing"), ("A stove",), ("12",)),
        (("Children", "and guests"), ("Nothing",), ("2",)),
    ]

    def page(canvas: Canvas) -> None:
        for at, row in enumerate(rows):
            for x, cell in zip((60, 200, 400), row, strict=True):
                lines(canvas, x, 700 - 40 * at, *cell, step=13)

    assert blocks(page)[-1] == "Ward: Children and guests; What there is for those who stay: Nothing; Beds: 2."


def test_the_longer_of_two_lists_goes_on_under_its_head() -> None:
    def page(canvas: Canvas) -> None:
        lists = (60, "On duty", ("Una Lie", "Per Moe", "Liv Aas", "Jo Tveit")), (300, "At sea", ("Nils Ro", "Eva Vik"))
        for x, head, names in lists:
            canvas.setFont("Helvetica-Bold", 11)
            canvas.drawString(x, 700, head)
            canvas.setFont("Helvetica", 11)
            lines(canvas, x, 686, *names)

    assert blocks(page) == [
        "On duty: Una Lie; At sea: Nils Ro.",
        "On duty: Per Moe; At sea: Eva Vik.",
        "On duty: Liv Aas.",
        "On duty: Jo Tveit.",
    ]


def test_a_timetable_without_heads_is_read_row_by_row() -> None:
    stops = ("Quay of the pilots", "Market", "Old hospital", "Bridge", "Upper mill")

    def page(canvas: Canvas) -> None:
        for at, stop in enumerate(stops):
            canvas.drawString(60, 700 - 14 * at, stop)
            for hour in range(6):
                canvas.drawString(200 + 60 * hour, 700 - 14 * at, f"{hour + 6}:{12 * at:02d}")

    assert blocks(page)[2] == "Old hospital; 6:24; 7:24; 8:24; 9:24; 10:24; 11:24."


@pytest.mark.parametrize("size", [8, 11], ids=["smaller", "as large"])
def test_references_of_a_letter_stand_under_their_names(size: int) -> None:
    def page(canvas: Canvas) -> None:
        xs = (60, 190, 320, 450)
        canvas.setFont("Helvetica", size)
        for x, name in zip(xs, ("Your sign", "Our sign", "Extension", "Vardø,"), strict=True):
            canvas.drawString(x, 700, name)
        canvas.setFont("Helvetica", 11)
        for x, value in zip(xs, ("mo-7", "NR/33", "118", "9 June 1994"), strict=True):
            canvas.drawString(x, 687, value)
        lines(canvas, 60, 640, *LEFT)

    assert blocks(page)[0] == "Your sign: mo-7; Our sign: NR/33; Extension: 118; Vardø,: 9 June 1994."


def test_a_heading_right_above_the_first_column_is_no_text_beside_the_rows() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 13)
        canvas.drawString(60, 715, "Who stands where")
        canvas.setFont("Helvetica-Bold", 11)
        for x, name in zip((60, 230, 440), ("Man", "What he does when the bell rings", "Place"), strict=True):
            canvas.drawString(x, 700, name)
        canvas.setFont("Helvetica", 11)
        for at, row in enumerate((("Cook", "Puts out the fire", "Galley"), ("Mate", "Takes the helm", "Bridge"))):
            for x, cell in zip((60, 230, 440), row, strict=True):
                canvas.drawString(x, 680 - 20 * at, cell)

    assert blocks(page)[1] == "Man: Cook; What he does when the bell rings: Puts out the fire; Place: Galley."


def test_a_small_table_beside_a_column_of_text_is_no_part_of_it() -> None:
    text = simpleSplit(
        "The nets were hung up to dry between the boat houses, and whoever had time came to mend them, since nobody "
        "could tell when the herring would be back in the sound. The old sang, the young listened, and the cats of "
        "the whole village lay in the sun below the racks.",
        "Helvetica",
        11,
        240,
    )

    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 742, *LEFT)
        for at, (net, length) in enumerate((("Net", "Metres"), ("Seine", "310"), ("Drift", "45"), ("Trammel", "80"))):
            canvas.drawString(60, 672 - 14 * at, net)
            canvas.drawString(130, 672 - 14 * at, length)
        lines(canvas, 60, 600, *RIGHT)
        lines(canvas, 320, 728, *text, *text)

    found = blocks(page)
    assert "Net: Drift; Metres: 45." in found
    assert " ".join((*text, *text)) in " ".join(found)


def test_two_lists_of_labels_with_amounts_side_by_side() -> None:
    rows = [("Beam", "2.7 m", "Tank", "90 l"), ("Draught", "0.9 m", "Berths", "4"), ("Mast", "11 m", "Engine", "20 hp")]

    def page(canvas: Canvas) -> None:
        for at, row in enumerate(rows):
            for x, cell in zip((60, 160, 320, 420), row, strict=True):
                canvas.drawString(x, 700 - 18 * at, cell)

    assert blocks(page)[2:4] == ["Draught: 0.9 m.", "Berths: 4."]
