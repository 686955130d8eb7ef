"""Curves of training runs, one beside the other where there are several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
ALL, STEPS, MINUTES = "All phases", "step", "minutes"
LAST = ""
"""The phase that each run ends in, whatever it is called."""


def show_curves(runs: Sequence[Run]) -> None:
    """Draw a panel for each figure of these runs; of several runs, each has a colour. All share their first axis."""
    metrics = {run.name: run.metrics() for run in runs}
    if not any(metrics.values()):
        st.caption("No curve yet: the first point comes with the first step.")
        return
    phase, by, smoothing = _chosen(metrics)
    drawn = {name: curves(_of_phase(rows, phase), smoothing, minutes=by == MINUTES) for name, rows in metrics.items()}
    places = [point["step"] for panels in drawn.values() for points in panels.values() for point in points]
    if not places:
        st.caption("There is nothing to draw of this phase: its runs have kept no times, or no figures yet.")
        return
    if len(set(map(_recipe, runs))) > 1:
        st.caption("Recipes may reward differently: compare right answers, not rewards.")
    _panels(drawn, (by, min(places), max(places)), _bounds(metrics, phase, by), alone=len(runs) == 1)


def _recipe(run: Run) -> tuple[str, str]:
    head = run.head()
    return str(head.get("recipe")), str(head.get("demo"))


def _of_phase(rows: Sequence[Json], phase: str) -> list[Json]:
    wanted = phase or (rows[-1]["phase"] if rows else LAST)
    return [row for row in rows if wanted in (ALL, row["phase"])]


def _bounds(metrics: Mapping[str, Sequence[Json]], phase: str, by: str) -> list[int]:
    """Where the later phases of a single run begin, if they are drawn one after the other."""
    if len(metrics) > 1 or (phase, by) != (ALL, STEPS):
        return []
    return [step for rows in metrics.values() for step, _ in phase_bounds(rows)[1:]]


def _panels(
    drawn: Mapping[str, Mapping[str, Sequence[Json]]],
    axis: tuple[str, float, float],
    bounds: Sequence[int],
    *,
    alone: bool,
) -> None:
    columns = st.columns(COLUMNS, gap="large")
    for number, title in enumerate(dict.fromkeys(title for panels in drawn.values() for title in panels)):
        with columns[number % COLUMNS]:
            _panel(title, _rows(drawn, title), bounds, axis, alone=alone)


def _rows(drawn: Mapping[str, Mapping[str, Sequence[Json]]], title: str) -> list[Json]:
    """The points of a panel, each with its run."""
    return [
        {**point, "step": round(point["step"], 2), "run": visible(name, 40)}
        for name, panels in drawn.items()
        for point in panels.get(title, ())
    ]


def _chosen(metrics: Mapping[str, Sequence[Json]]) -> tuple[str, str, float]:
    """The phase, what stands on the first axis, and the smoothing.

    Until a phase is chosen, it is the one that each run ends in.
    """
    phases = list(dict.fromkeys(str(row["phase"]) for rows in metrics.values() for row in rows))
    key = "-".join(metrics)
    phase = None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        if len(phases) > 1:
            phase = st.segmented_control("Phase", [*phases, ALL], key=f"phase-{key}")
        by = st.segmented_control("Against", [STEPS, MINUTES], default=STEPS, required=True, key=f"against-{key}")
        smoothing = st.slider("Smoothing", 0.0, 0.95, 0.0, 0.05, key=f"smoothing-{key}", width=180)
    return str(phase or LAST), str(by), smoothing


def _panel(title: str, rows: list[Json], bounds: Sequence[int], axis: tuple[str, float, float], *, alone: bool) -> None:
    import altair as alt

    name, low, high = axis
    ticks = alt.Axis(tickMinStep=1, format="d") if name == STEPS else alt.Axis(format="~r")
    series = list(dict.fromkeys(row["series"] for row in rows))
    colour = "series:N" if alone else "run:N"
    several = len(series) > 1 if alone else True
    legend = alt.Legend(title=None, orient="top", labelLimit=220, columns=3) if several else None
    base = alt.Chart(alt.InlineData(values=rows), height=HEIGHT + LEGEND * several).encode(
        x=alt.X("step:Q", title=name, axis=ticks, scale=alt.Scale(nice=False, domain=[low, high])),
        y=alt.Y("value:Q", title=None, scale=alt.Scale(zero=False)),
        color=alt.Color(colour, sort=None, legend=legend),
        tooltip=[
            alt.Tooltip("run:N"),
            alt.Tooltip("step:Q", title=name),
            alt.Tooltip("series:N", title=" "),
            alt.Tooltip("value:Q", format=".3f"),
        ],
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
    spoken = "; ".join(f"{run} {one} {row['value']:.3f} at {name} {row['step']:g}" for (run, one), row in last.items())
    st.markdown(f"**{title}**")
    show_chart(alt.layer(*layers), alt=f"{title}. {spoken}")
