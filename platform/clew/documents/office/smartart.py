"""SmartArt of Office files as nested lists: its points and what hangs on each, in their order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from clew.documents.blocks import Draft, nested
from clew.documents.tables.grid import count_of

DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SAID = frozenset({"node", "asst"})
_DEEPEST = 9


def smartart_blocks(root: Any) -> Iterator[Draft]:
    """The points of a diagram's data (``dgm:dataModel``) as items, each led by those it hangs on.

    Points that hang on nothing, and those of a circle that a damaged file may hold, come once, at the end.
    """
    if root is None:
        return
    points = {point.get("modelId", ""): point for point in root.iterfind(f"{DIAGRAM}ptLst/{DIAGRAM}pt")}
    below: dict[str, list[tuple[int, str]]] = {}
    for line in root.iterfind(f"{DIAGRAM}cxnLst/{DIAGRAM}cxn"):
        if line.get("type", "parOf") == "parOf":
            order = count_of(line.get("srcOrd"), 0)
            below.setdefault(line.get("srcId", ""), []).append((order, line.get("destId", "")))
    tops = [id for id, point in points.items() if point.get("type") == "doc"]
    todo: list[tuple[str, list[str]]] = [(id, []) for id in [*reversed(points), *tops]]
    seen: set[str] = set()
    while todo:
        id, parents = todo.pop()
        point = points.get(id)
        if point is None or id in seen:
            continue
        seen.add(id)
        text = _words(point) if point.get("type", "node") in _SAID else ""
        if text:
            yield Draft(nested(parents, text), "item", len(parents))
        under = [*parents, text] if text and len(parents) < _DEEPEST else parents
        todo += [(inner, under) for _, inner in sorted(below.get(id, ()), reverse=True)]


def _words(point: Any) -> str:
    """What is written on a point, its paragraphs on lines of their own."""
    lines = ("".join(text.text or "" for text in line.iter(f"{_A}t")) for line in point.iter(f"{_A}p"))
    return "\n".join(line for line in lines if line.strip())
