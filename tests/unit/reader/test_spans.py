"""Spans are chosen by their margin over "not here", apart from each other, and within a block."""

from __future__ import annotations

import numpy as np

from clew.reader.spans import best_spans
from clew.reader.windows import Window

TEXT = "Nova was built in 1911 by Ida Falk.\n\nThe price is 40 euros."
WORDS = [
    (0, 4),
    (5, 8),
    (9, 14),
    (15, 17),
    (18, 22),
    (23, 25),
    (26, 29),
    (30, 34),
    (37, 40),
    (41, 46),
    (47, 49),
    (50, 52),
]


def scores(peaks: dict[int, float], nothing: float = 0.0) -> np.ndarray:
    row = np.full(4 + len(WORDS) + 1, -9.0, np.float32)
    row[0] = nothing
    for word, score in peaks.items():
        row[4 + word] = score
    return row


WINDOW = Window(tuple(range(4 + len(WORDS) + 1)), 4, 3, tuple(WORDS))


def test_the_best_span_comes_first_with_its_margin() -> None:
    [best, *_] = best_spans(TEXT, [WINDOW], [scores({6: 5.0, 4: 3.0}, 1.0)], [scores({7: 4.0, 4: 3.0}, 0.5)], 3)
    assert TEXT[best.start : best.end] == "Ida Falk"
    assert best.margin == 5.0 + 4.0 - 1.5


def test_spans_do_not_overlap() -> None:
    found = best_spans(TEXT, [WINDOW], [scores({6: 5.0, 4: 4.9})], [scores({7: 4.0, 6: 3.9, 4: 1.0})], 4)
    for a in found:
        assert all(a is b or a.end <= b.start or b.end <= a.start for b in found)


def test_no_span_crosses_a_blank_line() -> None:
    found = best_spans(TEXT, [WINDOW], [scores({6: 5.0})], [scores({9: 9.0, 7: 1.0})], 4)
    assert all("\n\n" not in TEXT[span.start : span.end] for span in found)


def test_padding_and_title_are_never_an_answer() -> None:
    start, end = scores({0: 1.0}), scores({0: 1.0})
    start[1:4] = end[1:4] = 20.0
    found = best_spans(TEXT, [WINDOW], [start], [end], 4)
    assert found[0].start == 0
    assert found[0].end == 4


def test_a_span_holds_whole_words() -> None:
    pieces = Window(tuple(range(9)), 4, 3, ((0, 2), (2, 4), (5, 8), (9, 14)))
    row = np.full(9, -9.0, np.float32)
    row[0] = 0.0
    start, end = row.copy(), row.copy()
    start[5], end[5] = 5.0, 5.0
    [best, *_] = best_spans(TEXT, [pieces], [start], [end], 2)
    assert TEXT[best.start : best.end] == "Nova"
