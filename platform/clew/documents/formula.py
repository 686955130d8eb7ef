"""Formulas of Office files (OMML) and MathML on one line."""

from __future__ import annotations

import re
from typing import Any

from clew.documents.marks import raised

M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"

_LOWERED = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_LOWERABLE = re.compile(r"[0-9+\-−=()]+")
_DEEPEST = 60


def formula(element: Any, depth: int = 0) -> str:
    """The formula that an element of OMML shows."""
    tag = element.tag
    if tag == f"{M}t":
        return element.text or ""
    if not isinstance(tag, str) or depth > _DEEPEST:
        return ""
    kind = tag.removeprefix(M)
    parts: dict[str, list[str]] = {}
    whole: list[str] = []
    for child in element:
        text = formula(child, depth + 1)
        whole.append(text)
        if isinstance(child.tag, str):
            parts.setdefault(child.tag.removeprefix(M), []).append(text)
    inner = {name: "".join(some) for name, some in parts.items()}
    if kind == "d":
        inside = _value(element, "dPr/sepChr", "|").join(parts.get("e", []))
        return f"{_value(element, 'dPr/begChr', '(')}{inside}{_value(element, 'dPr/endChr', ')')}"
    if kind == "m":
        return "; ".join(parts.get("mr", []))
    if kind == "mr":
        return ", ".join(parts.get("e", []))
    return _laid_out(kind, element, inner) or "".join(whole)


def _laid_out(kind: str, element: Any, inner: dict[str, str]) -> str:
    """What has a layout of its own; "" for what is only a run of its parts."""
    base, above, below = inner.get("e", ""), inner.get("sup", ""), inner.get("sub", "")
    if kind in {"sSup", "sSub", "sSubSup"}:
        return _grouped(base) + _lowered(below) + _power(above)
    if kind == "nary":
        return f"{_value(element, 'naryPr/chr', '∫')}{_lowered(below)}{_power(above)} {base}"
    if kind in {"limLow", "limUpp"}:
        limit = inner.get("lim", "")
        return base + (_lowered(limit) if kind == "limLow" else _power(limit))
    if kind == "f":
        above, below = inner.get("num", ""), inner.get("den", "")
        if _value(element, "fPr/type", "bar") == "noBar":
            return f"{above} over {below}"
        return f"{_grouped(above)}/{_grouped(below)}"
    if kind == "rad":
        degree = inner.get("deg", "")
        return f"{_power(degree)}√{_grouped(base)}"
    if kind == "func":
        return f"{inner.get('fName', '')} {base}"
    return ""


def mathml(element: Any, depth: int = 0) -> str:
    """The formula that an element of MathML shows."""
    if not isinstance(element.tag, str) or depth > _DEEPEST:
        return ""
    kind = element.tag.rpartition("}")[2].rpartition(":")[2]
    if kind in {"annotation", "annotation-xml", "mphantom"}:
        return ""
    parts = [mathml(child, depth + 1) for child in element]
    if not parts:
        return " ".join((element.text or "").split())
    base, one, two = [*parts, "", ""][:3]
    if kind in {"msup", "mover"}:
        return _grouped(base) + _power(one)
    if kind in {"msub", "munder"}:
        return _grouped(base) + _lowered(one)
    if kind in {"msubsup", "munderover"}:
        return _grouped(base) + _lowered(one) + _power(two)
    if kind == "mfrac":
        return f"{_grouped(base)}/{_grouped(one)}"
    if kind == "mroot":
        return f"{_power(one)}√{_grouped(base)}"
    if kind == "msqrt":
        return f"√{_grouped(''.join(parts))}"
    if kind in {"mtable", "mtr"}:
        return ("; " if kind == "mtable" else ", ").join(parts)
    return "".join(parts)


def _value(element: Any, path: str, default: str) -> str:
    found = element.find("/".join(f"{M}{name}" for name in path.split("/")))
    value = None if found is None else found.get(f"{M}val")
    return default if value is None else str(value)


def _power(text: str) -> str:
    above = raised(text)
    return above if above != text or not text else f"^{_grouped(text)}"


def _lowered(text: str) -> str:
    if _LOWERABLE.fullmatch(text):
        return text.translate(_LOWERED)
    return f"_{_grouped(text)}" if text else ""


def _grouped(text: str) -> str:
    """A part in parentheses, where it has several signs and none yet."""
    inside = text[1:-1]
    is_whole = text[:1] == "(" and text[-1:] == ")" and "(" not in inside and ")" not in inside
    return text if is_whole or text.isalnum() or len(text) < 2 else f"({text})"
