"""OpenDocument sheets: what they hide, merge and show."""

from __future__ import annotations

import io
import zipfile

import pytest

from clew.documents.office.number_formats import decimal, number_format
from tests.unit.documents.made import archive, one

NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "text", "table")
)


def ods(*sheets: str) -> bytes:
    tables = "".join(f'<table:table table:name="S{number}">{rows}</table:table>' for number, rows in enumerate(sheets))
    content = (
        f"<office:document-content {NAMES}><office:body><office:spreadsheet>{tables}</office:spreadsheet>"
        "</office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    return archive({"mimetype": kind, "content.xml": content, "META-INF/manifest.xml": manifest})


def cells(*texts: str, says: str = "") -> str:
    inner = "".join(
        f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>' for text in texts
    )
    return f"<table:table-row {says}>{inner}</table:table-row>"


ARDG = '<table:table-cell office:value-type="string"><text:p>Ardg</text:p></table:table-cell>'
PORTS = [("Port", "Code", "Boats"), ("Ardg", "x1", "nine"), ("Gone", "x2", "ten"), ("Osby", "x3", "two")]
SEEN = ["Port: Ardg; Boats: nine.", "Port: Osby; Boats: two."]


@pytest.mark.parametrize(("why", "hides"), [("collapse", True), ("filter", False)])
def test_hidden_rows_and_columns_of_opendocument_are_left_out_and_told(why: str, hides: bool) -> None:
    columns = '<table:table-column/><table:table-column table:visibility="collapse"/><table:table-column/>'
    rows = [cells(*texts, says=f'table:visibility="{why}"' if texts[0] == "Gone" else "") for texts in PORTS]
    unused = '<table:table-row table:number-rows-repeated="1048000" table:visibility="collapse"><table:table-cell/>'
    found = one(ods(f"{columns}{''.join(rows)}{unused}</table:table-row>"), "a.ods")
    assert found.text.split("\n\n") == [*SEEN[:1], *["Port: Gone; Boats: ten."] * (not hides), *SEEN[1:]]
    assert found.notes == (f"Left out: hidden rows and columns ({1 + hides}).",)


def test_heads_of_opendocument_that_are_merged_are_carried_over() -> None:
    def spanned(text: str, columns: int, rows: int = 1) -> str:
        return (
            f'<table:table-cell table:number-columns-spanned="{columns}" table:number-rows-spanned="{rows}" '
            f'office:value-type="string"><text:p>{text}</text:p></table:table-cell>'
            + "<table:covered-table-cell/>"
            * (columns - 1)
        )

    heads = f"<table:table-row>{spanned('Port', 1, 2)}{spanned('2023', 2)}{spanned('2024', 2)}</table:table-row>"
    more = cells("Boats", "Fee", "Boats", "Fee").replace(">", "><table:covered-table-cell/>", 1)
    found = one(ods(heads + more + cells("Ardg", "12", "5", "13", "6")), "a.ods")
    assert found.text == "Port: Ardg; 2023 Boats: 12; 2023 Fee: 5; 2024 Boats: 13; 2024 Fee: 6."


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ('"$"#,##0.00', 1250.5, "$1,250.50"),
        ("[$€-407] #,##0.00", 1250, "€ 1,250.00"),
        ('_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-', -3, "-3.00 €"),
        ("[$CHF-807] #,##0.00", 4, "CHF 4.00"),
        ('[Red]0.0" kg"', 12.25, "12.2 kg"),
        ('General" kg"', 12.25, "12.25 kg"),
        ('"a;b "0', 7, "a;b 7"),
        ("0.00%", 0.285, "28.5%"),
        ("000000", 4711, "004711"),
    ],
)
def test_numbers_with_what_their_format_says_of_them(code: str, value: float, shown: str) -> None:
    found = number_format(code)
    assert found is not None
    assert found.shown(value) == shown


@pytest.mark.parametrize(
    "code",
    [
        "#,##0.00",
        "dd/mm/yyyy",
        "[h]:mm",
        "0.00E+00",
        "# ?/?",
        '0.0,,"M"',
        "000-0000",
        "@",
        '[>=9]0" x"',
        '"',
        ";;;",
        "0" * 999,
    ],
)
def test_formats_that_say_nothing_more_or_that_are_none_of_plain_numbers(code: str) -> None:
    assert number_format(code) is None


def test_numbers_of_opendocument_with_a_currency_stand_as_they_are_shown() -> None:
    def number(kind: str, value: str, shown: str, says: str = "") -> str:
        return (
            f'<table:table-cell office:value-type="{kind}" office:value="{value}" {says}><text:p>{shown}</text:p>'
            "</table:table-cell>"
        )

    fees = "".join(
        number(*one) for one in (("currency", "1250", "€ 1,250.00"), ("percentage", "0.285", "28.5 %"))
    ) + number("float", "0.333333", "0.33")
    again = number("float", "7", "007", 'table:number-columns-repeated="2"')
    rows = cells("Port", "Fee", "Share", "Part", "A", "B") + f"<table:table-row>{ARDG}{fees}{again}</table:table-row>"
    assert one(ods(rows), "a.ods").text == (
        "Port: Ardg; Fee: € 1,250.00; Share: 28.5 %; Part: 0.333333; A: 007; B: 007."
    )


def test_a_sheet_whose_media_type_stands_in_its_manifest_alone() -> None:
    with zipfile.ZipFile(io.BytesIO(ods(cells("Berth", "Length") + cells("North", "40 m")))) as package:
        parts: dict[str, str | bytes] = {"content.xml": package.read("content.xml")}
    media_type = "application/vnd.oasis.opendocument.spreadsheet"
    parts["META-INF/manifest.xml"] = f'<file-entry media-type="{media_type}" full-path="/"/>'
    assert one(archive(parts), "x.ods").text == "Berth: North; Length: 40 m."


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.1 + 0.2, "0.3"),
        (4.35 * 100 / 100 - 4.15, "0.2"),
        (2 / 3, "0.66666666667"),
        (1e-9 / 3, "3.3333333333e-10"),
        (48.85837009269, "48.85837009269"),
        (-12.5, "-12.5"),
        (float("inf"), "inf"),
    ],
)
def test_what_a_calculation_leaves_behind_a_number_is_none_of_it(value: float, said: str) -> None:
    assert decimal(value) == said


@pytest.mark.parametrize(("value", "said"), [(2 / 3, "66.67%"), (0.1234, "12.34%"), (0.000004567, "0.0004567%")])
def test_a_rate_that_was_calculated_has_two_decimals(value: float, said: str) -> None:
    told = number_format("0%")
    assert told is not None
    assert told.shown(value) == said
