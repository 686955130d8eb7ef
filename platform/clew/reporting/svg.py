"""Plots as inline SVG: quality against cost, means with their intervals, curves. Every text in them is escaped."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

ROW = 26
"""Pixels of one row of a panel."""

_SVG = Markup('<svg viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}">{}</svg>')
_GRID = Markup('<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/>')
_WHISKER = Markup('<line class="whisker" x1="{}" x2="{}" y1="{}" y2="{}"/>')
_POINT = Markup('<circle class="{}" cx="{}" cy="{}" r="5"><title>{}</title></circle>')
_TEXT = Markup('<text class="{}" x="{}" y="{}">{}</text>')
_LEADER = Markup('<line class="leader" x1="{}" x2="{}" y1="{}" y2="{}"/>')
_LEGEND = Markup('<ol class="legend">{}</ol>')
_LEGEND_LINE = Markup('<li><b>{}</b><span class="text">{}</span> <span class="key">{}</span></li>')
_BAND = Markup('<polygon class="band" points="{}"/>')
_CURVE = Markup('<polyline class="curve" points="{}"/>')
_DOT = Markup('<circle class="dot" cx="{}" cy="{}" r="{}"><title>{}</title></circle>')
_FRONTIER = Markup('<polyline class="frontier" points="{}"/>')

_CHAR = 7.2
"""Width of a character of a label, in pixels; labels keep clear of each other by it."""
_LONGEST = 26
_MOST_TICKS = 7
_LEAST_RANGE = 4
"""The most of an axis of costs is that many times the least, so that it has ticks."""
_TICK = 44
"""Pixels between two ticks, so that their numbers can be read."""


@dataclass(frozen=True, slots=True)
class Point:
    """A strategy or policy: what it costs (x), and a share that says how good it is (y) with its interval."""

    label: str
    x: float
    y: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A mean at a step, with its interval."""

    step: float
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Axis:
    """Maps values to pixels, and knows where its ticks are."""

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...]
    log: bool = False

    def at(self, value: float) -> float:
        """The pixel of a value, rounded, so that the page stays small."""
        low, high, v = (map(math.log, (self.low, self.high, value))) if self.log else (self.low, self.high, value)
        return round(self.start + (v - low) / ((high - low) or 1) * (self.end - self.start), 1)


def scatter(points: Sequence[Point], x_title: str, y_title: str, width: int, height: int = 340) -> Markup:
    """Quality against cost, on a logarithmic axis, each point with its interval and its name.

    Points that no other one beats in both are filled, and joined by a line. Where the names do not fit beside all
    points, these are numbered, and a list below says what each is. Empty for no point with a cost above 0.
    """
    points = [point for point in points if point.x > 0]
    if not points:
        return Markup("")
    x = _cost_axis([point.x for point in points], 52, width - 24)
    y = _share_axis(points, height - 46, 30)
    best = frontier(points)
    parts = [_grid(x, y, f"{x_title}, logarithmic", y_title, width, height)]
    line = " ".join(f"{x.at(point.x)},{y.at(point.y)}" for point in best)
    parts.append(_FRONTIER.format(line))
    for point in points:
        px = x.at(point.x)
        parts.append(_WHISKER.format(px, px, y.at(point.low), y.at(point.high)))
    names = _names(points, x, y, width)
    numbers = [] if names else _numbers(points, x, y, width)
    parts += [mark for mark in numbers if mark.startswith("<line")]
    for point in points:
        kind = "best" if point in best else "beaten"
        parts.append(_POINT.format(kind, x.at(point.x), y.at(point.y), f"{point.label}: {_label_of(point)}"))
    parts += names or [mark for mark in numbers if not mark.startswith("<line")]
    plot = _svg(parts, width, height, f"{y_title} against {x_title}")
    if names:
        return plot
    lines = (_LEGEND_LINE.format(n, point.label, _label_of(point)) for n, point in enumerate(points, 1))
    return plot + _LEGEND.format(Markup("").join(lines))


def frontier(points: Sequence[Point]) -> list[Point]:
    """The points that no other one beats in quality at the same cost or less, by cost."""
    best: list[Point] = []
    for point in sorted(points, key=lambda one: (one.x, -one.y)):
        if not best or point.y > best[-1].y:
            best.append(point)
    return best


def panel(
    rows: Sequence[tuple[str, float | None, float | None, float | None]], width: int, missing: str = "–"
) -> Markup:
    """Means with their intervals on one scale from 0 to 100, a row each: (label, mean, low, high).

    A row without a mean says what is ``missing``.
    """
    left = max((len(_short(label)) for label, *_ in rows), default=0) * _CHAR + 12
    x = Axis(0, 1, left, width - 56, (0, 0.25, 0.5, 0.75, 1))
    height = ROW * len(rows) + 26
    parts = []
    for tick in x.ticks:
        at = x.at(tick)
        parts.append(_GRID.format(at, at, 2, height - 22))
        parts.append(_TEXT.format("tick mid", at, height - 7, f"{100 * tick:.0f}"))
    for number, (label, mean, low, high) in enumerate(rows):
        middle = ROW * number + ROW / 2
        parts.append(_TEXT.format("label end", left - 10, middle + 4, _short(label)))
        if mean is None or low is None or high is None:
            parts.append(_TEXT.format("value end", width - 4, middle + 4, missing))
            continue
        parts.append(_WHISKER.format(x.at(low), x.at(high), middle, middle))
        parts.append(_POINT.format("best", x.at(mean), middle, f"{label}: {100 * mean:.1f}"))
        parts.append(_TEXT.format("value end", width - 4, middle + 4, f"{100 * mean:.1f}"))
    return _svg(parts, width, height, "Means with 95 % intervals")


def calibration(points: Sequence[Sequence[float]], width: int = 340, height: int = 260) -> Markup:
    """What was promised against what came: (mean probability, share that is right, number), beside the diagonal."""
    if not points:
        return Markup("")
    x, y = Axis(0, 1, 44, width - 14, (0, 0.25, 0.5, 0.75, 1)), Axis(0, 1, height - 30, 12, (0, 0.25, 0.5, 0.75, 1))
    parts = [_GRID.format(x.start, x.end, y.at(t), y.at(t)) for t in y.ticks]
    parts += [_TEXT.format("tick end", 38, y.at(t) + 4, f"{100 * t:.0f}") for t in y.ticks]
    parts += [_TEXT.format("tick mid", x.at(t), height - 10, f"{100 * t:.0f}") for t in x.ticks]
    parts.append(_CURVE.format(f"{x.start},{y.start} {x.end},{y.end}"))
    for mean, share, number in points:
        label = f"{number:.0f} answers at {100 * mean:.0f} %: {100 * share:.0f} % right"
        parts.append(_POINT.format("best", x.at(mean), y.at(share), label))
    return _svg(parts, width, height, "Stated probability against the share that is right")


def curve(
    marks: Sequence[Mark], title: str, bounds: Sequence[float] = (), width: int = 340, height: int = 190
) -> Markup:
    """One curve with its band; vertical lines at ``bounds``, where one phase ends. Empty without a mark."""
    if not marks:
        return Markup("")
    x = _step_axis([mark.step for mark in marks], 44, width - 12, whole=True)
    y = _step_axis([value for mark in marks for value in (mark.low, mark.high)], height - 26, 12)
    parts = [
        _GRID.format(x.start, x.end, y.at(t), y.at(t)) + _TEXT.format("tick end", 38, y.at(t) + 4, f"{t:g}")
        for t in y.ticks
    ]
    parts += [_TEXT.format("tick mid", x.at(t), height - 8, f"{t:g}") for t in x.ticks]
    parts += [_GRID.format(x.at(at), x.at(at), y.end, y.start) for at in bounds if x.low < at < x.high]
    upper = [f"{x.at(m.step)},{y.at(m.high)}" for m in marks]
    lower = [f"{x.at(m.step)},{y.at(m.low)}" for m in reversed(marks)]
    parts.append(_BAND.format(" ".join(upper + lower)))
    parts.append(_CURVE.format(" ".join(f"{x.at(m.step)},{y.at(m.mean)}" for m in marks)))
    radius = 2.5 if len(marks) <= 30 else 1.2
    for m in marks:
        label = f"step {m.step:g}: {m.mean:.3f} ({m.low:.3f} to {m.high:.3f})"
        parts.append(_DOT.format(x.at(m.step), y.at(m.mean), radius, label))
    return _svg(parts, width, height, title)


def _svg(parts: Sequence[Markup], width: int, height: float, title: str) -> Markup:
    return _SVG.format(width, height, width, height, title, Markup("").join(parts))


def _grid(x: Axis, y: Axis, x_title: str, y_title: str, width: int, height: int) -> Markup:
    parts = []
    for tick in y.ticks:
        at = y.at(tick)
        parts.append(_GRID.format(x.start, x.end, at, at))
        parts.append(_TEXT.format("tick end", x.start - 8, at + 4, f"{100 * tick:.0f}"))
    for tick in x.ticks:
        at = x.at(tick)
        parts.append(_GRID.format(at, at, y.start, y.end))
        parts.append(_TEXT.format("tick mid", at, y.start + 18, _number(tick)))
    parts.append(_TEXT.format("axis", 8, 14, f"{y_title}, %"))
    parts.append(_TEXT.format("axis end", width - 24, height - 8, x_title))
    return Markup("").join(parts)


def _cost_axis(values: Sequence[float], start: float, end: float) -> Axis:
    """Logarithmic from a little below the least to a little above the most, with as many ticks as can be read.

    They lie at the most of 1 to 9, at 1, 2 and 5, at 1 and 3, or at 1 of each power of ten that stay apart.
    """
    low, high = min(values) / 1.35, max(values) * 1.35
    if (narrow := _LEAST_RANGE * low / high) > 1:
        low, high = low / math.sqrt(narrow), high * math.sqrt(narrow)
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    axis = Axis(low, high, start, end, (), log=True)
    ticks: list[float] = []
    for steps in ((1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,)):
        ticks = [tick for decade in decades for step in steps if low <= (tick := step * 10.0**decade) <= high]
        places = [axis.at(tick) for tick in ticks]
        if len(ticks) <= _MOST_TICKS and all(b - a >= _TICK for a, b in itertools.pairwise(places)):
            break
    thinned = ticks[:: -(-len(ticks) // _MOST_TICKS) or 1]
    return replace(axis, ticks=tuple(thinned or [min(values)]))


def _share_axis(points: Sequence[Point], start: float, end: float) -> Axis:
    """From the tens below the lowest interval to the tens above the highest, so that differences can be seen."""
    low = max(0, math.floor(min(point.low for point in points) * 10 - 0.2))
    high = min(10, math.ceil(max(point.high for point in points) * 10 + 0.2))
    low = max(0, min(low, high - 2))
    step = 1 if high - low <= 5 else 2
    low, high = low - low % step, high + high % step
    return Axis(low / 10, high / 10, start, end, tuple(ten / 10 for ten in range(low, high + 1, step)))


def _step_axis(values: Sequence[float], start: float, end: float, *, whole: bool = False) -> Axis:
    """Round ticks, about four of them, around all values."""
    low, high = min(values), max(values)
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    rough = (high - low) / 4
    scale = 10.0 ** math.floor(math.log10(rough))
    step = next(n * scale for n in (1, 2, 5, 10) if n * scale >= rough)
    step = max(1.0, step) if whole else step
    first, last = math.floor(low / step), math.ceil(high / step)
    ticks = tuple(round(n * step, 10) for n in range(first, last + 1))
    return Axis(ticks[0], ticks[-1], start, end, ticks)


def _names(points: Sequence[Point], x: Axis, y: Axis, width: int) -> list[Markup]:
    """Names beside the points where they cover neither one another nor a point; none where one finds no place."""
    taken = [(x.at(p.x) - 7, y.at(p.y) - 7, x.at(p.x) + 7, y.at(p.y) + 7) for p in points]
    found = []
    best = frontier(points)
    for point in sorted(points, key=lambda one: (one not in best, -one.y)):
        px, py = x.at(point.x), y.at(point.y)
        long = len(point.label) * _CHAR
        places = [(px + 10, py + dy) for dy in (4, -8, 16)] + [(px - 10 - long, py + dy) for dy in (4, -8, 16)]
        for left, base in [*places, (px - long / 2, py - 12), (px - long / 2, py + 22)]:
            box = (left, base - 11, left + long, base + 4)
            inside = x.start <= box[0] and box[2] <= width - 4 and y.end - 10 <= box[1] and box[3] <= y.start
            if inside and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                found.append(_TEXT.format("label", round(left, 1), base, point.label))
                break
        else:
            return []
    return found


def _numbers(points: Sequence[Point], x: Axis, y: Axis, width: int) -> list[Markup]:
    """The points' numbers, from 1, each in the nearest free place around its point, with a line to it."""
    taken = [(x.at(p.x) - 6, y.at(p.y) - 6, x.at(p.x) + 6, y.at(p.y) + 6) for p in points]
    found = []
    for number, point in enumerate(points, 1):
        px, py = x.at(point.x), y.at(point.y)
        half = len(str(number)) * _CHAR / 2 + 1
        around = [
            (px + away * math.sin(math.tau * turn / 16), py - away * math.cos(math.tau * turn / 16))
            for away in range(14, 200, 6)
            for turn in range(16)
        ]
        for cx, cy in around:
            box = (cx - half, cy - 7, cx + half, cy + 7)
            inside = x.start < box[0] and box[2] < width - 2 and box[1] > 16 and box[3] < y.start - 1
            if inside and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                found.append(_LEADER.format(px, round(cx, 1), py, round(cy, 1)))
                found.append(_TEXT.format("number", round(cx, 1), round(cy + 4, 1), number))
                break
    return found


def _label_of(point: Point) -> str:
    return f"{100 * point.y:.1f} at {_number(point.x)}"


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
