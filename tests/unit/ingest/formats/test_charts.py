"""Charts: their numbers are tables, whichever program's file they stand in."""

from __future__ import annotations

import pptx
import pytest
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from tests.unit.ingest.formats.made import blocks, one, saved

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


def test_slides_tell_who_made_them() -> None:
    data = CategoryChartData()
    data.categories = ["A"]
    data.add_series("B", (1,))
    assert one(deck(XL_CHART_TYPE.PIE, data, author="Anna Berg"), "a.pptx").metadata["author"] == "Anna Berg"
