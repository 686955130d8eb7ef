"""Tables of a PDF that go on over the end of a page, where the heads of their columns are not said again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.documents.blocks import Draft
from clew.documents.pdf.layout import Line
from clew.documents.tables.rows import row_draft


def with_heads(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The pages, on which rows at the top have the heads of the table that ends the page before.

    Such rows have no heads of their own, and as many cells as that table.
    """
    result: list[list[Line]] = []
    heads: list[tuple[str, ...]] = []
    for page in pages:
        lines = list(page)
        for at, line in enumerate(lines):
            if not heads or not _is_bare(line.draft):
                break
            lines[at] = _headed(line, heads)
        result.append(lines)
        last = lines[-1].draft if lines else None
        heads = [cell.heads for cell in last.cells] if last and last.kind == "row" else []
        heads = heads if all(heads) else []
    return result


def _is_bare(draft: Draft | None) -> bool:
    return draft is not None and draft.kind == "row" and not any(cell.heads for cell in draft.cells)


def _headed(line: Line, heads: Sequence[tuple[str, ...]]) -> Line:
    cells = line.draft.cells if line.draft else ()
    if len(cells) != len(heads):
        return line
    draft = row_draft(heads, [cell.text for cell in cells])
    return replace(line, text=" ".join(draft.text.split()), draft=draft)
