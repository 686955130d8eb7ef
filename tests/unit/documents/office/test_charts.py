"""Charts: their numbers are tables, whichever program's file they stand in."""

from __future__ import annotations

from datetime import date

import pptx
import pytest
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from clew.documents.office.number_formats import date_of
from tests.unit.documents.made import blocks, saved

BOX = (Inches(1), Inches(1), Inches(6), Inches(4))


def deck(kind: XL_CHART_TYPE, data: CategoryChartData | XyChartData, title: str = "", author: str = "") -> bytes:
    made = pptx.Presentation()
    made.core_properties.author = author
    slide = made.slides.add_slide(made.slide_layouts[6])
    chart = slide.shapes.add_chart(kind, *BOX, data).chart
    if title:
        chart.chart_title.text_frame.text = title
    return saved(made)


@pytest.mark.parametrize("kind", [XL_CHART_TYPE.COLUMN_CLUSTERED, XL_CHART_TYPE.LINE, XL_CHART_TYPE.BAR_STACKED])
def test_a_row_for_each_category_and_a_column_for_each_series(kind: XL_CHART_TYPE) -> None:
    data = CategoryChartData()
    data.categories = ["Ardg", "Osby"]
    data.add_series("Boats", (12, 7.5))
    data.add_series("Crews", (3, None))
    assert blocks(deck(kind, data, "Fleet by harbour"), "a.pptx") == [
        "Fleet by harbour",
        "Ardg; Boats: 12; Crews: 3.",
        "Osby; Boats: 7.5.",
    ]


def test_a_pie_and_points() -> None:
    data = CategoryChartData()
    data.categories = ["Fish", "Salt"]
    data.add_series("Share", (0.61, 0.39))
    assert blocks(deck(XL_CHART_TYPE.PIE, data), "a.pptx")[-2:] == ["Fish; Share: 0.61.", "Salt; Share: 0.39."]
    points = XyChartData()
    series = points.add_series("Depth")
    series.add_data_point(1.5, 40)
    series.add_data_point(2, 55)
    assert blocks(deck(XL_CHART_TYPE.XY_SCATTER, points), "a.pptx")[-2:] == ["1.5; Depth: 40.", "2; Depth: 55."]


def test_numbers_and_dates_stand_as_the_chart_shows_them() -> None:
    data = CategoryChartData(number_format="0.0%")
    data.categories = [date(1998, 1, 1), date(1999, 6, 30)]
    data.add_series("Share of catch", (0.125, 1))
    data.add_series("Paid", (1250, None), number_format="#,##0 [$kr-41D]")
    assert blocks(deck(XL_CHART_TYPE.LINE, data), "a.pptx") == [
        "1998-01-01; Share of catch: 12.5%; Paid: 1,250 kr.",
        "1999-06-30; Share of catch: 100%.",
    ]


@pytest.mark.parametrize(
    ("code", "serial", "from_1904", "shown"),
    [
        ("yyyy", 36161, False, "1999"),
        ("mmm\\-yy", 36161, False, "1999-01"),
        ("d/m/yyyy", 36161, False, "1999-01-01"),
        ("d/m/yyyy", 34699, True, "1999-01-01"),
        ("yyyy-mm-dd hh:mm", 36161.25, False, "1999-01-01 06:00"),
        ("h:mm AM/PM", 0.75, False, "18:00"),
        ('0.0 "days"', 4, False, ""),
        ("General", 4, False, ""),
        ("Standard", 4, False, ""),
        ("0.00E+00", 4, False, ""),
    ],
)
def test_dates_by_their_format(code: str, serial: float, from_1904: bool, shown: str) -> None:
    assert date_of(code, serial, from_1904=from_1904) == shown
