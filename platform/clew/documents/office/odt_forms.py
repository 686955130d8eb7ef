"""Controls of OpenDocument forms: boxes and texts filled in."""

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
    """By the id of a control, its box or text."""
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
    """The box of a field taken over from Word, else ""."""
    if not mark.get(f"{_FIELD}type", "").endswith("FORMCHECKBOX"):
        return ""
    parameters = {one.get(f"{_FIELD}name"): one.get(f"{_FIELD}value") for one in mark}
    return TICKED if parameters.get("Checkbox_Checked") in _ON else EMPTY


def is_hint(element: Any) -> bool:
    """Whether a content control shows its placeholder."""
    return element.tag == f"{_LOEXT}content-control" and element.get(f"{_LOEXT}showing-place-holder") in _ON
