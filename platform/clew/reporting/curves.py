"""Curves over steps with their intervals, as inline SVG. Every text in them is escaped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from clew.reporting.plots import Axis

_SVG = Markup('<svg viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}">{}</svg>')
_GRID = Markup('<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/>')
_BAND = Markup('<polygon class="band" points="{}"/>')
_LINE = Markup('<polyline class="curve" points="{}"/>')
_DOT = Markup('<circle class="dot" cx="{}" cy="{}" r="{}"><title>{}</title></circle>')
_TEXT = Markup('<text class="{}" x="{}" y="{}">{}</text>')


@dataclass(frozen=True, slots=True)
class Mark:
    """A mean at a step, with its interval."""

    step: float
    mean: float
    low: float
    high: float


def curve(
    marks: Sequence[Mark], title: str, bounds: Sequence[float] = (), width: int = 340, height: int = 190
) -> Markup:
    """One curve with its band; vertical lines at ``bounds``, where one phase ends. Empty without a mark."""
    if not marks:
        return Markup("")
    x = _axis([mark.step for mark in marks], 44, width - 12, whole=True)
    y = _axis([value for mark in marks for value in (mark.low, mark.high)], height - 26, 12)
    parts = [
        _GRID.format(x.start, x.end, y.at(t), y.at(t)) + _TEXT.format("tick end", 38, y.at(t) + 4, f"{t:g}")
        for t in y.ticks
    ]
    parts += [_TEXT.format("tick mid", x.at(t), height - 8, f"{t:g}") for t in x.ticks]
    parts += [_GRID.format(x.at(at), x.at(at), y.end, y.start) for at in bounds if x.low < at < x.high]
    upper = [f"{x.at(m.step)},{y.at(m.high)}" for m in marks]
    lower = [f"{x.at(m.step)},{y.at(m.low)}" for m in reversed(marks)]
    parts.append(_BAND.format(" ".join(upper + lower)))
    parts.append(_LINE.format(" ".join(f"{x.at(m.step)},{y.at(m.mean)}" for m in marks)))
    radius = 2.5 if len(marks) <= 30 else 1.2
    for m in marks:
        told = f"step {m.step:g}: {m.mean:.3f} ({m.low:.3f} to {m.high:.3f})"
        parts.append(_DOT.format(x.at(m.step), y.at(m.mean), radius, told))
    return _SVG.format(width, height, width, height, title, Markup("").join(parts))


def _axis(values: Sequence[float], start: float, end: float, *, whole: bool = False) -> Axis:
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
