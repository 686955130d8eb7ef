"""A document's text in which every fact is a link to its page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from clew.database.connection import Row
from clew.types import Json
from clew.ui.components import frontend, ignore
from clew.ui.components.cards import go, link
from clew.ui.text import visible

PART = 20_000
"""Characters of a long document that are shown at once."""


def show_text(kb: str, document: Row, spans: Sequence[Row], part: int, at: int | None) -> None:
    """Draw the ``part``-th part (from 0) of a document; ``at`` is the offset of the fact that the reader came for."""
    first = part * PART
    headings = [(block.start, block.end) for block in document["blocks"] if block.kind == "heading"]
    runs = fact_runs(kb, document["text"], document["pages"] or (), spans, first, first + PART, at, headings)
    data = {"title": visible(document["title"], 200), "pieces": runs}
    clicked = frontend("facttext")(key=f"text-{document['id']}-{part}", data=data, on_go_change=ignore)
    if clicked.go:
        go(clicked.go)


def fact_runs(
    kb: str, text: str, pages: Sequence[int], spans: Sequence[Row], first: int, last: int, at: int | None = None,
    headings: Sequence[tuple[int, int]] = (),
) -> list[Json]:  # fmt: skip
    """``text[first:last]`` as runs: ``{"text"}``, with a link where a fact is stated, ``{"page"}`` where one begins.

    Where facts overlap, a run belongs to the shortest of them. Runs put together are the text. ``heading`` says
    whether one lies in a span of ``headings``.
    """
    last = min(last, len(text))
    inside = [s for s in spans if s["start"] < last and s["end"] > first]
    number = {offset: page for page, offset in enumerate(pages, 1) if first <= offset < last}
    cuts = {first, last, *number, *(edge for place in headings for edge in place if first < edge < last)}
    for span in inside:
        cuts |= {max(first, span["start"]), min(last, span["end"])}
    runs: list[Json] = []
    for a, b in pairwise(sorted(cuts)):
        if a in number:
            runs.append({"page": number[a]})
        run: Json = {"text": text[a:b], "heading": any(start <= a and b <= end for start, end in headings)}
        over = [s for s in inside if s["start"] <= a and b <= s["end"]]
        if not over:
            runs.append(run)
            continue
        span = min(over, key=lambda s: s["end"] - s["start"])
        runs.append({**run, "here": at == span["start"], **link(kb, "fact", span["id"])})
    return runs
