"""Running heads and feet of a PDF: what stands at the same height of several pages and says the same.

What differs from page to page is data, however alike it looks: the rows of a table, the questions of a test. Only the
number of the page may differ. Nothing else is left out, because nobody would miss it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median_low

from clew.documents.pdf.layout import Line, size_of_text

_PAGE_NUMBER = re.compile(
    r"\W{0,3}(?:(?:page|pg\.|p\.|seite|s\.|página|pagina|sida|side|strona) ?)?(?P<number>\d{1,5})"
    r"(?: ?(?:of|von|sur|de|/) ?\d{1,5})?\W{0,3}",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![^\s|–—-])\d{1,5}(?=\s?(?:of|von|sur|de|/)\s?\d{1,5}\s*\Z|[\s|–—-]*\Z)"
    r"|\A[|–—-]?\s*(?P<first>\d{1,5})(?=\s|\Z)"
)
"""The number of a page: the last one of its line, or the first."""
_EDGE_LINES = 4
"""Lines of a running head or foot, at most."""
_USUALLY = 0.6
"""Share of the pages, or of the even or odd ones, on which a running head stands."""
_LEAST_PAGES = 3
_SMALL = 0.9
"""Share of the size of the text under which two pages are enough."""
_MOST_SMALL = 2
"""Lines of small print that may come again; what has more tells something, however often it is said."""
_BUCKET = 4.0
"""Points by which the height of a running head may differ."""
_APART = 1.6
"""How many times as far from the text as its lines from each other a head stands that comes only twice."""

_NO_LARGER = 1.05
"""Times the size of the text that a line may have which only counts the pages."""
_YEARS = range(1000, 2101)

_Key = tuple[bool, str, int, int, int]


@dataclass(slots=True)
class _Edge:
    """A line at the top or bottom of a page: its place among the lines, and the keys under which it may come again.

    ``gap`` is how many usual steps between lines it is away from the next one inwards.
    """

    at: int
    line: Line
    keys: list[_Key]
    number: int | None
    gap: float
    runs: bool = False


@dataclass(slots=True)
class _Counts:
    """How often what stands at the edges of the pages comes again, in all and on even or odd pages.

    ``offsets`` counts by how much page numbers differ from the place of their page; ``known`` are the keys so far.
    """

    text: float
    filled: list[bool]
    seen: Counter[_Key]
    of_parity: Counter[tuple[int, _Key]]
    offsets: Counter[int]
    known: set[_Key]


def without_running_heads(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The pages without page numbers, running heads and running feet.

    A running head may have several lines, be another one on even pages, and be missing on the first. Pages that have
    nothing else are kept as they are.
    """
    text = size_of_text(pages)
    edges = [[_edge(page, number, bottom, text) for bottom in (False, True)] for number, page in enumerate(pages)]
    counts = _counts(edges, text, [bool(page) for page in pages])
    for number, both in enumerate(edges):
        for edge in both:
            _mark(edge, number, counts)
    gone = [{one.at for edge in both for one in edge if one.runs} for both in edges]
    kept = [
        [line for at, line in enumerate(page) if at not in left_out]
        for page, left_out in zip(pages, gone, strict=True)
    ]  # fmt: skip
    return kept if any(kept) else [list(page) for page in pages]


def _counts(edges: Sequence[Sequence[list[_Edge]]], text: float, filled: list[bool]) -> _Counts:
    keys = [{key for edge in both for one in edge for key in one.keys} for both in edges]
    numbers = ((number, edge[0].number) for number, both in enumerate(edges) for edge in both if edge)
    return _Counts(
        text,
        filled,
        Counter(key for on_page in keys for key in on_page),
        Counter((number % 2, key) for number, on_page in enumerate(keys) for key in on_page),
        Counter(printed - number for number, printed in numbers if printed is not None),
        set(),
    )


def _mark(edge: list[_Edge], number: int, counts: _Counts) -> None:
    """Mark what runs among the lines at an edge of a page."""
    least, of_parity = _least(sum(counts.filled)), _least(sum(counts.filled[number % 2 :: 2]))
    for one in edge:
        most = max((counts.seen[key] for key in one.keys), default=0)
        parity = max((counts.of_parity[number % 2, key] for key in one.keys), default=0)
        one.runs = most >= least or parity >= of_parity or (one is edge[0] and _runs(one, number, most, counts))
        one.runs = one.runs or (one.number is not None and most > 1)
        counts.known.update(one.keys)
    small = [
        one for one in edge if one.line.size < _SMALL * counts.text and any(counts.seen[key] > 1 for key in one.keys)
    ]
    for one in small if len(small) <= _MOST_SMALL else ():
        one.runs = True


def _runs(one: _Edge, number: int, most: int, counts: _Counts) -> bool:
    """Whether the outermost line is the number of the page, or set apart from the text and on two pages.

    In a short document, what the first of them says may stand nowhere else.
    """
    pages = sum(counts.filled)
    is_separate = one.gap > _APART
    if one.number is not None:
        counted = 2 * counts.offsets[one.number - number] >= max(pages, 3)
        if counted or ((is_separate or pages == 1) and one.number == number + 1):
            return True
    again = not counts.known.isdisjoint(one.keys) or pages > _LEAST_PAGES or one.line.size < _SMALL * counts.text
    return is_separate and most > 1 and again


def _least(pages: int) -> float:
    return max(_LEAST_PAGES, _USUALLY * pages)


def _edge(page: Sequence[Line], number: int, bottom: bool, size: float) -> list[_Edge]:
    """The lines at the top of a page, or at its bottom, from the edge inwards; no more than half of them.

    The height decides, not the order of reading: a foot under the first column is read before the second.
    """
    by_height = sorted(range(len(page)), key=lambda at: page[at].y if bottom else -page[at].y)
    count = min(_EDGE_LINES, max(1, (len(page) + 1) // 2)) if page else 0
    heights = [page[at].y for at in by_height]
    steps = [abs(a - b) for a, b in pairwise(heights) if abs(a - b) > 1]
    usual = median_low(steps) if steps else 1.0
    found: list[_Edge] = []
    for place, at in enumerate(by_height[:count]):
        line = page[at]
        inwards = next((abs(height - line.y) for height in heights[place + 1 :] if abs(height - line.y) > 1), 0.0)
        numbered = _PAGE_NUMBER.fullmatch(line.text)
        page_number = int(numbered["number"]) if numbered else None
        page_number = None if page_number in _YEARS else page_number
        # What counts with the pages may be a heading ("Question 3"): not what is small, or outermost and set apart.
        outer = all(one.number is not None for one in found)
        is_separate = outer and inwards > _APART * usual and line.size <= _NO_LARGER * size
        counts = is_separate or page_number is not None or line.size < _SMALL * size
        keys = list(_keys(line, number, bottom, counts=counts))
        found.append(_Edge(at, line, keys, page_number, inwards / usual))
    return found


def _keys(line: Line, page: int, bottom: bool, *, counts: bool) -> Iterator[_Key]:
    """What a line says at its height; where it ``counts``, also with a number counted from that of the page."""
    texts = [line.text]
    for number in _NUMBER.finditer(line.text) if counts else ():
        start, end = number.span("first") if number["first"] else number.span()
        if int(line.text[start:end]) in _YEARS:
            continue
        texts.append(f"{line.text[:start]}#{int(line.text[start:end]) - page}{line.text[end:]}")
    for text in texts:
        for phase in (0, 1):
            yield bottom, text, round(line.size), int((line.y + phase * _BUCKET / 2) // _BUCKET), phase
