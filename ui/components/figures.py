"""Figures of evaluations: tables and plots, with their intervals."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from clew.evaluation.metric import plain_number, short
from clew.evaluation.report import cost_points, verdicts_table
from clew.evaluation.table import Overview, figures_table, headline, meanings, signed
from clew.reporting.table import Cell, Table, as_html
from clew.types import Json
from clew.ui.components.charts import show_chart
from clew.ui.text import markdown, visible

HEIGHT = 320
CHANGED = 50
"""Questions that are shown of those that changed between two runs."""
LONGEST = 40


def show_table(table: Table, label: str) -> None:
    """Draw a table; the best of a column is set off. Every text in it is escaped."""
    st.html(
        f'<div class="figures" role="region" tabindex="0" aria-label="{html.escape(label)}">'
        f"{as_html(table, lambda text: visible(text, 120))}</div>"
    )


def show_overview(view: Overview) -> None:
    """Draw the figures of a run, its quality against its cost, and its quality by the number of hops."""
    if best := headline(view):
        st.subheader(markdown(best), anchor=False)
    show_table(figures_table(view), "Figures")
    st.caption(f"Shares in per cent; {short(view.main)} with its 95 % interval; the best of a column is bold.")
    for note in view.notes:
        st.caption(note)
    with st.expander("What the columns mean"):
        st.markdown("\n".join(f"- **{name}**: {words}" for name, words in meanings(view)))
    left, right = st.columns(2, gap="large")
    with left:
        _cost(view)
    with right:
        _groups(view)
    _verdicts(view)


def _verdicts(view: Overview) -> None:
    """Draw how often answers of each verdict are right, and what was told of them against what came."""
    table = verdicts_table(view.parts)
    if not table.rows:
        return
    st.subheader("How sure, and how often right", anchor=False)
    show_table(table, "Verdicts")
    st.caption("A question without an answer is right where none is given. Numbers count as numbers in their unit.")
    points = [
        {"part": visible(name, LONGEST), "told": 100 * stated_share, "right": 100 * right, "answers": answers}
        for name, row in view.parts.items()
        for stated_share, right, answers in row.get("calibration") or ()
    ]
    if points:
        left, _ = st.columns(2, gap="large")
        with left:
            _calibration(points)


def _calibration(points: list[Json]) -> None:
    import altair as alt

    title = "probability given, %"
    axis = alt.Axis(values=[0, 25, 50, 75, 100], format="d")
    whole = alt.Scale(domain=[0, 100])
    diagonal = alt.Chart(alt.InlineData(values=[{"told": at, "right": at} for at in (0, 100)]), height=HEIGHT)
    chart = alt.layer(
        diagonal.mark_line(strokeDash=[4, 4], opacity=0.6, strokeWidth=1.5).encode(x="told:Q", y="right:Q"),
        alt.Chart(alt.InlineData(values=points))
        .mark_circle(size=110, opacity=1)
        .encode(
            x=alt.X("told:Q", title=title, scale=whole, axis=axis),
            y=alt.Y("right:Q", title="right, %", scale=whole, axis=axis),
            color=_colour(),
            tooltip=[
                alt.Tooltip("part:N", title=" "),
                alt.Tooltip("told:Q", title=title, format=".0f"),
                alt.Tooltip("right:Q", title="right, %", format=".0f"),
                alt.Tooltip("answers:Q", title="answers"),
            ],
        ),
    )
    spoken = "; ".join(
        f"{row['part']}: {row['answers']} answers at {row['told']:.0f} %, {row['right']:.0f} % right" for row in points
    )
    show_chart(chart, alt=f"Probability given against the share that is right. {spoken}")
    st.caption("Answers in up to five groups of equal size; well-judged answers lie on the line.")


def _cost(view: Overview) -> None:
    import altair as alt

    points = [point for point in cost_points(view) if point.x > 0]
    if len(points) < 2:  # one point says no more than the table does
        return
    name, title = short(view.main), view.cost_title
    rows = [
        {"part": visible(p.label, LONGEST), "cost": p.x, "y": 100 * p.y, "low": 100 * p.low, "high": 100 * p.high}
        for p in points
    ]
    st.subheader("Quality against time", anchor=False)
    ticks = alt.Axis(tickCount=4, format=".2~r")
    base = alt.Chart(alt.InlineData(values=rows), height=HEIGHT).encode(
        x=alt.X("cost:Q", title=title, scale=alt.Scale(type="log", padding=24, nice=False), axis=ticks),
        color=_colour(),
    )
    tooltip = [
        alt.Tooltip("part:N", title=" "),
        alt.Tooltip("y:Q", title=f"{name}, %", format=".1f"),
        alt.Tooltip("cost:Q", title=title, format=".3~r"),
    ]
    chart = alt.layer(
        base.mark_rule(strokeWidth=1.5).encode(y=_share_axis(rows, f"{name}, %"), y2="high:Q"),
        base.mark_circle(size=110, opacity=1).encode(y="y:Q", tooltip=tooltip),
    )
    spoken = "; ".join(f"{row['part']}: {row['y']:.1f} at {row['cost']:.3g}" for row in rows)
    show_chart(chart, alt=f"{name} against {title}. {spoken}")


def _groups(view: Overview) -> None:
    import altair as alt

    name = short(view.main)
    for group, title in (("hops", "hops"), ("kind", "kind of question")):
        rows = [row for part, own in view.parts.items() for row in _group_rows(part, own, group, view.main)]
        if len({row["group"] for row in rows}) < 2:
            continue
        st.subheader(f"{name} by {title}", anchor=False)
        base = alt.Chart(alt.InlineData(values=rows), height=HEIGHT).encode(
            x=alt.X("group:N", title=title, axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("part:N", sort=None),
            color=_colour(),
        )
        tooltip = [
            alt.Tooltip("part:N", title=" "),
            alt.Tooltip("y:Q", title=f"{name}, %", format=".1f"),
            alt.Tooltip("questions:Q", title="questions"),
        ]
        chart = alt.layer(
            base.mark_rule(strokeWidth=1.5).encode(y=_share_axis(rows, f"{name}, %"), y2="high:Q"),
            base.mark_circle(size=90, opacity=1).encode(y="y:Q", tooltip=tooltip),
        )
        spoken = "; ".join(f"{row['part']}, {row['group']}: {row['y']:.1f}" for row in rows)
        show_chart(chart, alt=f"{name} by {title}. {spoken}")


def _group_rows(part: str, own: Mapping[str, Any], group: str, metric: str) -> list[Json]:
    rows = []
    for name, found in own["by"].get(group, {}).items():
        if found.get(metric) is not None:
            low, high = (100 * value for value in found["intervals"].get(metric, [found[metric]] * 2))
            counted = {"questions": found["questions"], "y": 100 * found[metric], "low": low, "high": high}
            rows.append({"part": visible(part, LONGEST), "group": visible(name, 30), **counted})
    return rows


def show_comparison(comparison: Json) -> None:
    """Draw what the second of two runs has more than the first, part by part."""
    for part, metrics in comparison["parts"].items():
        st.subheader(markdown(part), anchor=False)
        if words := comparison["conclusions"].get(part):
            st.write(f"**{markdown(words)}**")
        _differences({name: found for name, found in metrics.items() if not plain_number(name)})
        show_table(differences_table(metrics), f"Differences of {part}")
        if changed := [one for one in comparison["changed"] if one["part"] == part]:
            main = comparison["metric"]
            st.subheader(f"{short(main)} changed: {len(changed):,} of {metrics[main]['count']:,}", anchor=False)
            show_table(changed_table(changed[:CHANGED]), f"Questions changed of {part}")
            if len(changed) > CHANGED:
                st.caption(f"The {CHANGED} that lost most; `clew evaluate compare … --json` has all.")


def changed_table(changed: Sequence[Json]) -> Table:
    """A row for each question that the two runs answer unlike: what each made of it, and its figure."""
    rows = []
    for one in changed:
        figures = [f"{100 * one[name]:.0f}" for name in ("first", "second")]
        answers = zip(one.get("answers", ()), figures, strict=False)
        sides = [Cell(visible(answer) or "—", figure) for answer, figure in answers] or [Cell(f) for f in figures]
        rows.append([Cell(visible(one["question"])), *sides])
    return Table(["question", "first", "second"], rows)


def differences_table(metrics: Mapping[str, Json]) -> Table:
    """A row for each metric: what the second run has more, its interval, p, and the number of questions."""
    rows = []
    for name, found in metrics.items():
        change, low, high = (signed(found[f], name).replace("-", "−") for f in ("difference", "low", "high"))
        interval = Cell(f"{low} to {high}" if found["count"] > 1 else "–")
        rows.append([Cell(short(name)), Cell(change), interval, Cell(f"{found['p']:.3f}"), Cell(f"{found['count']:,}")])
    return Table(["", "second − first", "95 % interval", "p", "questions"], rows)


def _differences(metrics: Mapping[str, Json]) -> None:
    import altair as alt

    if not metrics:
        return
    rows = [
        {"metric": short(name), **{field: 100 * found[field] for field in ("difference", "low", "high")}}
        for name, found in metrics.items()
    ]
    base = alt.Chart(alt.InlineData(values=rows), height=alt.Step(30)).encode(
        y=alt.Y("metric:N", sort=None, title=None, axis=alt.Axis(labelLimit=160))
    )
    zero = alt.Chart(alt.InlineData(values=[{"zero": 0}])).mark_rule(strokeDash=[3, 3]).encode(x="zero:Q")
    title = "second − first, points"
    chart = alt.layer(
        zero,
        base.mark_rule(strokeWidth=1.5).encode(x=alt.X("low:Q", title=title), x2="high:Q"),
        base.mark_circle(size=90, opacity=1).encode(
            x="difference:Q", tooltip=["metric:N", alt.Tooltip("difference:Q", title=title, format="+.1f")]
        ),
    )
    spoken = "; ".join(f"{row['metric']}: {row['difference']:+.1f}" for row in rows)
    show_chart(chart, alt=f"Differences in points with their intervals. {spoken}")


def _colour() -> Any:
    import altair as alt

    return alt.Color("part:N", sort=None, legend=alt.Legend(title=None, orient="bottom", columns=2, labelLimit=260))


def _share_axis(rows: Sequence[Json], title: str) -> Any:
    """From the tens below the lowest interval to the tens above the highest, so that differences can be seen."""
    import altair as alt

    low = max(0, 10 * math.floor(min(row["low"] for row in rows) / 10))
    high = min(100, 10 * math.ceil(max(row["high"] for row in rows) / 10))
    domain = [low, high] if high - low >= 20 else [max(0, high - 20), max(20, high)]
    axis = alt.Axis(format="d", tickCount=6)
    return alt.Y("low:Q", title=title, scale=alt.Scale(domain=domain, zero=False), axis=axis)
