"""What the network is asked to read has few shapes, because it keeps memory for each of them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from clew.reader.reader import ROWS, WIDTH_STEP, load_reader
from clew.reader.windows import MAX_TOKENS, Window


def window(length: int) -> Window:
    return Window((101, *[2000 + length] * (length - 1)), 2, 2, ((0, 1),) * (length - 2))


def test_any_number_of_windows_of_any_length_has_few_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, seen = load_reader(), set()
    model = reader._model

    def noted(inputs: dict[str, Any]) -> Any:
        seen.add(inputs["ids"].shape)
        return model(inputs)

    monkeypatch.setattr(reader, "_model", noted)
    drawn = random.Random(0)
    for count in (1, 3, 6, 9):
        reader.scores([window(drawn.randint(5, MAX_TOKENS)) for _ in range(count)])
    assert {rows for rows, _ in seen} <= set(range(1, ROWS + 1))
    assert all(width % WIDTH_STEP == 0 for _, width in seen)


def test_a_window_is_read_alike_alone_and_beside_others() -> None:
    reader = load_reader()
    asked = [window(length) for length in (33, 7, 120, 48, 7, 90)]
    together = reader.scores(asked)
    for row, one in enumerate(asked):
        for alone, beside in zip(reader.scores([one]), together, strict=True):
            assert alone[0].shape == beside[row].shape
            assert alone[0] == pytest.approx(beside[row], abs=0.05)
