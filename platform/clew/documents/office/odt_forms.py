"""What the controls of OpenDocument's forms hold: boxes with or without a tick, and texts that were filled in."""

from __future__ import annotations

from typing import Any

_FIELD = "{urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0}"
_LOEXT = "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}"
FIELD_MARK = f"{_FIELD}fieldmark"
TICKED, EMPTY = "☑", "☐"

_FORM = "{urn:oasis:names:tc:opendocument:xmlns:form:1.0}"
_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_BOXES = frozenset({f"{_FORM}checkbox", f"{_FORM}radio"})
_ON = frozenset({"checked", "true"})
_STATES = ("current-state", "current-selected", "state", "selected")


def held_by_controls(root: Any) -> dict[str, str]:
    """By the id of a control, what it holds: a box with its label, or a text; none of those that hold nothing."""
    found: dict[str, str] = {}
    for control in root.iter(f"{_FORM}*"):
        name = control.get(_XML_ID) or control.get(f"{_FORM}id")
        if control.tag in _BOXES:
            state = next((state for one in _STATES if (state := control.get(f"{_FORM}{one}")) is not None), "")
            held = f"{TICKED if state in _ON else EMPTY} {control.get(f'{_FORM}label', '')}".strip()
        else:
            held = control.get(f"{_FORM}current-value") or ""
        if name and held:
            found.setdefault(name, held)
    return found


def box_of(mark: Any) -> str:
    """The box that a field taken over from Word stands for; "" for any other field."""
    if not mark.get(f"{_FIELD}type", "").endswith("FORMCHECKBOX"):
        return ""
    parameters = {one.get(f"{_FIELD}name"): one.get(f"{_FIELD}value") for one in mark}
    return TICKED if parameters.get("Checkbox_Checked") in _ON else EMPTY


def is_hint(element: Any) -> bool:
    """Whether a content control shows what is to be filled in, as nothing is."""
    return element.tag == f"{_LOEXT}content-control" and element.get(f"{_LOEXT}showing-place-holder") in _ON
