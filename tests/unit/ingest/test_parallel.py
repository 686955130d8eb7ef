"""Files that are read several at a time: in order, by a few child processes, and each on its own."""

from __future__ import annotations

import psutil

from clew.documents.format import Input
from clew.documents.isolated import Reader
from clew.documents.parsed import Parsed, Rejected, Unreadable
from clew.ingest.parallel import AT_ONCE, read_several


def test_a_few_child_processes_read_many_files_in_order_and_end_with_them() -> None:
    seen: set[int] = set()
    others = {child.pid for child in psutil.Process().children()}

    def load(number: int, reader: Reader) -> list[Parsed | Rejected]:
        page = b"<p>Page %d has a text of its own.</p>" % number
        try:
            found = reader.read(Input(b"%PDF-1.7 cut off" if number == 5 else page, "", 10_000), kinds[number == 5])
        except Unreadable as error:
            found = [Rejected(str(error))]
        seen.update({child.pid for child in psutil.Process().children()} - others)
        return found

    kinds = ("html", "pdf")
    numbers = list(range(24))
    found = [(number, *items) for number, items in read_several(numbers, load, lambda number: number != 7, 30.0)]
    assert [number for number, _ in found] == numbers
    assert all(f"Page {number} " in one.text for number, one in found if isinstance(one, Parsed))
    assert [number for number, one in found if isinstance(one, Rejected)] == [5]
    assert len(seen) <= AT_ONCE + 1
    assert not seen & {child.pid for child in psutil.Process().children()}
