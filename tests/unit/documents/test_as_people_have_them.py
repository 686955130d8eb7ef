"""Files as programs write them, and what was lost or torn in reading them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest
from reportlab.pdfgen.canvas import Canvas

from clew.documents.parsed import Parsed
from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import table_blocks
from tests.unit.documents.made import archive, items, one, row, workbook

OFFICE = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" '
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
    'xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" '
    'xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0" '
    'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0" '
    'xmlns:field="urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0" '
    'xmlns:xlink="http://www.w3.org/1999/xlink"'
)


def odt(body: str, objects: dict[str, str | bytes] | None = None, styles: str = "") -> bytes:
    content = (
        f"<office:document-content {OFFICE}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    parts: dict[str, str | bytes] = {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content}
    return archive(parts | (objects or {}))


def test_the_comments_of_a_ticket_and_the_people_of_it_are_kept() -> None:
    ticket = {
        "number": 9, "title": "Dark mode", "body": "The screen is bright.", "user": {"login": "ott", "id": 7},
        "assignee": {"login": "kblum"}, "comments": [{"username": "pia", "body": "I can see that as well."}],
        "steps": ["Open the page at night.", "Look."],
        "embedding": [0.1, 0.2] * 50 * 50, "triples": [["screen", "is", "bright"]],
    }  # fmt: skip
    found = one(json.dumps([ticket]), "a.json")
    assert "I can see that as well." in found.text
    assert "Open the page at night." in found.text
    assert found.metadata["user"] == "ott"
    assert found.metadata["assignee"] == "kblum"
    assert "0.1" not in found.text
    assert found.text.count("The screen is bright.") == 1


def test_a_message_in_pieces_is_one_text() -> None:
    message = {
        "id": 3,
        "from": "Emil",
        "text": ["I do, from ", {"type": "link", "text": "example.org"}, " – is it ok?"],
    }
    chat = {"name": "Family", "messages": [{"id": 1, "from": "Siv", "text": "Who bakes?"}, message]}
    read = items(json.dumps(chat).encode(), "chat.json")
    texts = [found.text.partition("\n")[0] for found in read if isinstance(found, Parsed)]
    assert texts == ["Who bakes?", "I do, from example.org – is it ok?"]


def test_restructured_text_with_a_single_section_fields_and_marks_of_other_programs() -> None:
    written = (
        "=====\nGuide\n=====\n\n:Author: Tess Malik\n:Date: 2024-09-01\n\n.. contents::\n\n"
        "Requirements\n============\n\n"
        "You need 2 GB [#m]_. See :ref:`the start <start>` and H\\ :sub:`2`\\ O.\n\n.. [#m] Of memory.\n\n"
        "It is written so::\n\n    See :ref:`the start <start>`.\n"
    )
    found = one(written, "a.rst")
    assert found.title == "Guide"
    assert found.metadata == {"author": "Tess Malik", "date": "2024-09-01"}
    assert "Requirements" in [found.text[b.start : b.end] for b in found.blocks if b.kind == "heading"]
    assert "See the start and" in found.text
    assert "See :ref:`the start <start>`." in found.text
    assert "[]" not in found.text
    assert "Of memory." in found.text


def test_an_error_of_a_notebook_is_kept_and_the_place_of_a_picture_is_not() -> None:
    outputs = [
        {"output_type": "display_data", "data": {"text/plain": ["<Figure size 640x480 with 1 Axes>"]}},
        {"output_type": "error", "ename": "ValueError", "evalue": "bad depth", "traceback": []},
    ]
    cells = [{"cell_type": "code", "source": "plot()", "outputs": outputs}]
    assert one(json.dumps({"cells": cells}), "a.ipynb").text == "plot()\n\nValueError: bad depth"


def test_org_tells_its_tags_dates_and_plans() -> None:
    written = (
        "#+TITLE: Garden\n#+DATE: <2025-02-14 Fri>\n#+FILETAGS: :home:garden:\n\n"
        "* TODO Seeds\nDEADLINE: <2025-02-20 Thu>\nFrom Bygg.\n"
    )
    found = one(written, "a.org")
    assert found.metadata == {"date": "2025-02-14", "tags": ["home", "garden"]}
    assert found.text.split("\n\n")[:3] == ["Seeds", "DEADLINE: 2025-02-20", "From Bygg."]


def test_titles_formulas_and_charts_of_opendocument() -> None:
    math = (
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>a</mi><mn>2</mn></msup></math>'
    )  # fmt: skip
    chart = (
        f"<office:document-content {OFFICE}><office:body><table:table><table:table-header-rows><table:table-row>"
        "<table:table-cell><text:p/></table:table-cell><table:table-cell><text:p>Boats</text:p></table:table-cell>"
        "</table:table-row></table:table-header-rows><table:table-row><table:table-cell><text:p>Ardg</text:p>"
        "</table:table-cell><table:table-cell><text:p>12</text:p></table:table-cell></table:table-row></table:table>"
        "</office:body></office:document-content>"
    )
    body = (
        '<text:p text:style-name="P1">The quays</text:p><text:p>The area is <draw:frame><draw:object '
        'xlink:href="./Formula-0/"/></draw:frame> at most.</text:p><text:p><draw:frame><draw:object '
        'xlink:href="./Object 1"/></draw:frame></text:p>'
    )
    style = '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>'
    found = one(odt(body, {"Formula-0/content.xml": math, "Object 1/content.xml": chart}, style), "a.odt")
    assert found.text.split("\n\n") == ["The quays", "The area is a² at most.", "Ardg; Boats: 12."]
    assert found.blocks[0].kind == "heading"


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        (
            [["", "31.12.2024", "31.12.2023"], ["Cash", "12", "15"]],
            ["Cash; 31.12.2024: 12; 31.12.2023: 15."],
        ),
        (
            [["01.02.2024", "Salary", "4"], ["02.02.2024", "Rent", "5"]],
            ["01.02.2024; Salary; 4.", "02.02.2024; Rent; 5."],
        ),
        (
            [["Borrower", "Elin Strand"], ["Amount", "250000"], ["Rate", "0.0375"], ["Start", "2025-03-01"]],
            ["Borrower: Elin Strand.", "Amount: 250000.", "Rate: 0.0375.", "Start: 2025-03-01."],
        ),
        ([["Town", "Fee"], ["York", "210"], ["Leeds", "99.5"]], ["Town: York; Fee: 210.", "Town: Leeds; Fee: 99.5."]),
        ([["Article no.", "KX-9"], ["Colour", "red"]], ["Article no.: KX-9.", "Colour: red."]),
    ],
)  # fmt: skip
def test_heads_that_are_dates_and_labels_with_values_of_many_kinds(rows: list[list[str]], lines: list[str]) -> None:
    assert [draft.text for draft in table_blocks([[Cell(cell) for cell in row] for row in rows])] == lines


def sheet(*rows: tuple[str | float, ...]) -> bytes:
    return workbook({"Sheet1": "".join(row(number, *cells) for number, cells in enumerate(rows, 1))})


def pdf(draw: Callable[[Canvas], None]) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file)
    draw(canvas)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


def test_numbers_and_bullets_that_stand_apart_from_their_text_in_a_pdf() -> None:
    told = [
        ("2.", "Term", 60, 90), ("2.1", "The lease begins in May.", 60, 90), ("2.2", "It ends in June.", 60, 90),
        ("(a)", "The tenant pays the rent.", 80, 110), ("(b)", "The owner keeps the roof.", 80, 110),
        ("•", "Boats", 80, 100), ("•", "Ropes", 80, 100),
    ]  # fmt: skip

    def page(canvas: Canvas) -> None:
        for number, (label, text, left, right) in enumerate(told):
            canvas.drawString(left, 740 - 16 * number, label)
            canvas.drawString(right, 740 - 16 * number, text)

    assert one(pdf(page), "a.pdf").text.split("\n\n") == [f"{label} {text}" for label, text, *_ in told]


RTF = r"""{\rtf1\ansi{\stylesheet{\s0 Normal;}{\s1\sbasedon0\fs28\b Heading 1;}}{\info{\author python-docx}}
\pard\plain \s1\fs28{\b The quays}\par
\pard\plain \s0 {The first one\par}
\pard\plain \outlinelevel1{Fees}\par
\pard\plain \s0 {\u61623?\tab boats}\par
\trowd\cellx2000\cellx4000\pard\intbl Quay\cell\pard\intbl Built\cell\row
\trowd\cellx2000\cellx4000\pard\intbl Corran\par north\cell\pard\intbl 1931\line (again 1950)\cell\row
\trowd\cellx2000\cellx4000\pard\intbl Ardg\cell\pard\intbl 1920\cell\row
\pard\plain \s0 {The last one}\par}"""


def test_rtf_has_headings_items_and_cells_of_several_lines() -> None:
    found = one(RTF, "a.rtf")
    assert [(block.kind, found.text[block.start : block.end]) for block in found.blocks] == [
        ("heading", "The quays"),
        ("paragraph", "The first one"),
        ("heading", "Fees"),
        ("item", "boats"),
        ("row", "Quay: Corran north; Built: 1931 (again 1950)."),
        ("row", "Quay: Ardg; Built: 1920."),
        ("paragraph", "The last one"),
    ]
    assert found.metadata == {}


def test_parts_of_xml_that_say_the_same_of_different_things_are_named() -> None:
    invoice = (
        "<Invoice><ID>7</ID><SupplierParty><Party><Name>Holm Ltd</Name></Party><Address><City>Kiel</City></Address>"
        "</SupplierParty><CustomerParty><Party><Name>Ek Ltd</Name></Party></CustomerParty>"
        "<Line><Item><Name>Rope</Name></Item></Line><Line><Item><Name>Bell</Name></Item></Line></Invoice>"
    )
    said = one(invoice, "a.xml").text.split("\n\n")
    assert "Supplier Party; Name: Holm Ltd." in said
    assert "Customer Party; Name: Ek Ltd." in said
    assert "Name: Rope." in said


def test_hidden_slides_of_opendocument_are_left_out_and_told() -> None:
    hidden = (
        '<style:style style:name="dp2" style:family="drawing-page">'
        '<style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
    )
    slides = "".join(
        f'<draw:page draw:style-name="{style}"><draw:frame><draw:text-box><text:p>{text}</text:p></draw:text-box>'
        "</draw:frame></draw:page>"
        for style, text in (("dp1", "Quays"), ("dp2", "Draft"), ("dp1", "Fees"))
    )
    found = one(odt(slides, styles=hidden), "a.odp")
    assert found.text.split("\n\n") == ["Quays", "Fees"]
    assert len(found.pages) == 3
    assert found.notes == ("Left out: hidden slides (1).",)


def rtf_row(cells: list[tuple[str, str]]) -> str:
    edges, texts = "".join(edge for edge, _ in cells), "".join(text + r"\cell " for _, text in cells)
    return rf"\trowd{edges}\pard\intbl {texts}\row "


WIDE = [(r"\clvmgf\cellx1000", "Port"), (r"\cellx3010", "2023"), (r"\cellx5000", "2024")]
MARKED = [
    (r"\clvmgf\cellx1000", "Port"), (r"\clmgf\cellx2000", "2023"), (r"\clmrg\cellx3000", ""),
    (r"\clmgf\cellx4000", "2024"), (r"\clmrg\cellx5000", ""),
]  # fmt: skip


@pytest.mark.parametrize("heads", [WIDE, MARKED])
def test_heads_of_rtf_that_are_merged_are_carried_over(heads: list[tuple[str, str]]) -> None:
    ends = [r"\clvmrg\cellx1000", r"\cellx2000", r"\cellx3000", r"\cellx4000", r"\cellx5000"]
    rows = [["", "Boats", "Fee", "Boats", "Fee"], ["Ardg", "12", "5", "13", "6"], ["Osby", "2", "7", "3", "8"]]
    below = [rtf_row(list(zip(ends, rows[0], strict=True)))]
    below += [rtf_row([(end.replace(r"\clvmrg", ""), text) for end, text in zip(ends, row, strict=True)])
              for row in rows[1:]]  # fmt: skip
    found = one(f"{{\\rtf1\\ansi {rtf_row(heads)}{''.join(below)}\\pard End\\par}}", "a.rtf")
    assert found.text.split("\n\n") == [
        "Port: Ardg; 2023 Boats: 12; 2023 Fee: 5; 2024 Boats: 13; 2024 Fee: 6.",
        "Port: Osby; 2023 Boats: 2; 2023 Fee: 7; 2024 Boats: 3; 2024 Fee: 8.",
        "End",
    ]


@pytest.mark.parametrize("edges", ["", r"\cellx1", r"\clmrg\cellx1\clvmrg\cellx-5", r"\cellx\cellx\cellx"])
def test_rtf_whose_rows_do_not_tell_their_cells(edges: str) -> None:
    rows = "".join(
        f"\\trowd{edges}\\pard\\intbl {a}\\cell {b}\\cell\\row " for a, b in (("Port", "Fee"), ("Ardg", "5"))
    )
    text = one(f"{{\\rtf1 {rows}\\pard End \\\\row\\par}}", "a.rtf").text
    assert "Ardg" in text
    assert text.endswith("End \\row")


def test_captions_that_roll_are_read_once() -> None:
    rolling = (
        "WEBVTT\nKind: captions\n\n00:00:00.160 --> 00:00:02.389 align:start position:0%\n \n"
        "the<00:00:00.400><c> pier</c><00:00:00.560><c> was</c>\n\n"
        "00:00:02.389 --> 00:00:02.399 align:start position:0%\nthe pier was\n \n\n"
        "00:00:02.399 --> 00:00:04.630 align:start position:0%\nthe pier was\nsold<00:00:03.000><c> twice</c>\n\n"
        "00:00:04.630 --> 00:00:06.000\nsold twice\nin 1931\n"
    )
    assert one(rolling, "a.vtt").text == "the pier was sold twice in 1931"
    apart = "1\n00:00:01,000 --> 00:00:02,000\nThe pier\n \n2\n00:00:02,500 --> 00:00:04,000\nwas sold\nin 1931.\n"
    assert one(apart, "a.srt").text == "The pier was sold in 1931."
