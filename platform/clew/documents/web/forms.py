"""Forms of web pages: values stand beside their labels, boxes before theirs."""

from __future__ import annotations

from typing import Any

_TYPED = frozenset({"", "text", "date", "datetime-local", "time", "month", "number", "email", "tel", "url"})
_GONE = "button"
"""The name of an element that is no content."""


def fill(root: Any) -> None:
    """Put the values of fields in place, and drop labels of empty ones; of boxes both states tell something."""
    fields = list(root.iter("input", "textarea", "select"))
    if not fields:
        return
    named = {field.get("id"): field for field in fields if field.get("id")}
    held = {field: _held(field) for field in fields}
    labelled = set()
    for label in root.iter("label"):
        label.tail = f" {label.tail or ''}"
        field = next((inner for inner in label.iter("input", "textarea", "select")), named.get(label.get("for", "")))
        if field is None:
            continue
        labelled.add(field)
        if not held[field]:
            label.tag = _GONE
    for field, value in held.items():
        if value and not (field.get("type", "").lower() == "radio" and field in labelled):
            field.tag = "span"
            for child in list(field):
                field.remove(child)
            field.text = f" {value}"


def _held(field: Any) -> str:
    if field.tag == "textarea":
        return " ".join("".join(field.itertext()).split())
    if field.tag == "select":
        chosen = [option for option in field.iter("option") if option.get("selected") is not None]
        return ", ".join(" ".join("".join(option.itertext()).split()) for option in chosen)
    kind = (field.get("type") or "").lower()
    if kind == "radio":
        return "yes" if field.get("checked") is not None else ""
    if kind == "checkbox":
        return "☒" if field.get("checked") is not None else "☐"
    return " ".join((field.get("value") or "").split()) if kind in _TYPED else ""
