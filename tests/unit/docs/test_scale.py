"""The figures of docs/scale.md are those that benchmarks.scale works out of the committed constants."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks.scale import Assumed, column, latency, read_constants, table

PAGE = Path(__file__).parents[3] / "docs" / "scale.md"


def test_the_page_shows_what_the_constants_give() -> None:
    assert table(read_constants(), Assumed()) in PAGE.read_text(), "run python -m benchmarks.scale, and copy the table"


def test_sizes_grow_in_proportion() -> None:
    one = replace(
        read_constants(),
        characters=100.0,
        store_bytes=1e3,
        vector_index_bytes=2e3,
        other_index_bytes=5e2,
        copy_bytes=2e3,
    )
    small, large = (column(one, Assumed(), size) for size in (10**6, 10**9))
    assert (small["text"], large["text"]) == ("100 MB", "100 GB")
    assert (small["disk in all"], large["disk in all"]) == ("3.5 GB", "3.5 TB")
    assert (small["regions of 10 m"], large["regions of 10 m"]) == ("1", "100")


def test_latency_goes_through_both_measured_sizes_and_never_falls() -> None:
    one = replace(read_constants(), sizes=(1000, 10_000), latency_ms={"clew": (10.0, 12.0), "graph-r1": (9.0, 8.0)})
    assert [round(latency(one, "clew", size), 6) for size in (1000, 10_000, 10**6)] == [10, 12, 16]
    assert latency(one, "graph-r1", 10**6) == 9
