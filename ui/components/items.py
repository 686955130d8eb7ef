"""The files of an ingest as a list: name, state, a bar, and what each gave."""

from __future__ import annotations

import html
from collections.abc import Sequence

from clew.reporting.progress import duration
from clew.runs.ingest import Item
from clew.ui.text import count, visible

MOST = 100
"""Files in the list, at most; those that are being worked on come first then."""
_STATES = {
    "waiting": "Waiting",
    "reading": "Reading",
    "extracting": "Finding facts",
    "done": "Done",
    "failed": "Failed",
    "left": "Left: budget spent",
}
_URGENCY = ("reading", "extracting", "left", "waiting", "done", "failed")


def item_list(items: Sequence[Item], *, running: bool) -> str:
    """The items as HTML; what they are called and say reaches it as text."""
    rows = list(items)
    if len(rows) > MOST:
        rows.sort(key=lambda item: _URGENCY.index(item.state))
    shown = "".join(_row(item, running) for item in rows[:MOST])
    more = f'<li class="more">and {len(rows) - MOST:,} more</li>' if len(rows) > MOST else ""
    return f'<ul class="items">{shown}{more}</ul>'


def failed_row(item: Item) -> str:
    """An item that could not be read, with its reason."""
    return (
        f'<div class="skipped"><span class="name">{_text(item.name, 120)}</span>'
        f'<span class="reason">{_text(item.reason, 300)}</span></div>'
    )


def _row(item: Item, running: bool) -> str:
    state = item.state
    label = _STATES[state] if running or state in ("done", "left") else "Not finished"
    bar = ""
    if running and state in ("reading", "extracting"):
        value = f' value="{item.share:.3f}"' if item.written else ""
        bar = f'<progress max="1"{value} aria-label="{_text(item.name, 60)}"></progress>'
    notes = "".join(f"<li>{_text(warning, 200)}</li>" for warning in item.warnings[:5])
    if len(item.warnings) > 5:
        notes += f"<li>and {len(item.warnings) - 5} more</li>"
    warnings = f'<ul class="warnings">{notes}</ul>' if notes else ""
    return (
        f'<li class="item {state}"><span class="name">{_text(item.name, 120)}</span>'
        f'<span class="state">{label}</span><span class="what">{_what(item, running)}</span>{bar}{warnings}</li>'
    )


def _what(item: Item, running: bool) -> str:
    parts = []
    total = max(item.total, item.documents)
    if total > 1:
        parts.append(f"{item.written:,} of {total:,} documents")
        if running and item.state in ("reading", "extracting") and item.written and item.seconds > 1:
            rate = item.written / item.seconds
            parts.append(f"{rate:,.1f} a second, {duration((total - item.written) / rate)} left")
    elif item.state == "waiting" and item.bytes:
        parts.append(_size(item.bytes))
    if item.written:
        parts.append(f"{count(item.facts, 'fact')}, {count(item.entities, 'entity', 'entities')}")
    if item.state in ("reading", "extracting") and not item.written and item.seconds >= 1 and running:
        parts.append(f"{item.seconds:,.0f} s")
    if item.state == "done" and item.seconds:
        parts.append(f"{item.seconds:,.1f} s")
    return " · ".join(parts)


def _size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3)):,} kB"


def _text(text: str, limit: int) -> str:
    return html.escape(visible(text, limit))
