"""How charts look in the theme that the reader has."""

from __future__ import annotations

from typing import Any

import streamlit as st

_QUIET = {"light": "#5f6167", "dark": "#b0aea9"}
"""Labels of axes, which Streamlit draws with too little contrast."""


def show_chart(chart: Any, alt: str) -> None:
    """Draw an Altair chart; ``alt`` says it aloud."""
    colour = _QUIET.get(str(st.context.theme.type), _QUIET["light"])
    chart = chart.configure_axis(labelColor=colour, titleColor=colour).configure_legend(labelColor=colour)
    st.altair_chart(chart, alt=alt)
