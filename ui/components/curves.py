"""Curves of training runs, one beside the other where there are several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from clew.trainer.runs.folder import Run
from clew.trainer.runs.live import curves, phase_bounds
from clew.types import Json
from clew.ui.components.charts import show_chart
from clew.ui.text import visible

HEIGHT = 200
LEGEND = 34
"""Pixels, of which the legend takes its room."""
COLUMNS = 2


def show_curves(runs: Sequence[Run]) -> None:
    """Draw a panel for each figure of these runs; of several runs, each has a colour."""
    metrics = {run.name: run.metrics() for run in runs}
    drawn = {name: curves(rows) for name, rows in metrics.items()}
    titles = list(dict.fromkeys(title for panels in drawn.values() for title in panels))
    if not titles:
        st.caption("No curve yet: the first point comes with the first step.")
        return
    alone = len(runs) == 1
    bounds = phase_bounds(next(iter(metrics.values())))[1:] if alone else []
    columns = st.columns(COLUMNS, gap="large")
    for number, title in enumerate(titles):
        rows = [
            {**point, "step": round(point["step"], 1), "run": visible(name, 40)}
            for name, panels in drawn.items()
            for point in panels.get(title, ())
        ]
        with columns[number % COLUMNS]:
            _panel(title, rows, [step for step, _ in bounds], alone=alone)


def _panel(title: str, rows: list[Json], bounds: Sequence[int], *, alone: bool) -> None:
    import altair as alt

    series = list(dict.fromkeys(row["series"] for row in rows))
    colour = "series:N" if alone else "run:N"
    several = len(series) > 1 if alone else True
    legend = alt.Legend(title=None, orient="top", labelLimit=220, columns=3) if several else None
    base = alt.Chart(alt.InlineData(values=rows), height=HEIGHT + LEGEND * several).encode(
        x=alt.X("step:Q", title="step", axis=alt.Axis(tickMinStep=1, format="d"), scale=alt.Scale(nice=False)),
        y=alt.Y("value:Q", title=None, scale=alt.Scale(zero=False)),
        color=alt.Color(colour, sort=None, legend=legend),
        tooltip=[alt.Tooltip("step:Q"), alt.Tooltip("series:N", title=" "), alt.Tooltip("value:Q", format=".3~f")],
    )
    dash: Any = {} if alone or len(series) == 1 else {"strokeDash": alt.StrokeDash("series:N", title=None)}
    layers = [
        base.mark_line(strokeWidth=2, interpolate="linear").encode(**dash),
        base.mark_circle(size=22, opacity=1),
    ]
    if bounds:
        marks = alt.InlineData(values=[{"at": step} for step in bounds])
        layers.append(alt.Chart(marks).mark_rule(strokeDash=[3, 3], opacity=0.6).encode(x="at:Q"))
    last = {(row["run"], row["series"]): row for row in rows}
    spoken = "; ".join(f"{run} {name} {row['value']:.3f} at step {row['step']:g}" for (run, name), row in last.items())
    st.markdown(f"**{title}**")
    show_chart(alt.layer(*layers), alt=f"{title}. {spoken}")
