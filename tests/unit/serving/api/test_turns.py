"""Work of many callers: in turn, together where it is of one kind, and dropped where nobody waits for it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from clew.errors import DatabaseError
from clew.serving.api.turns import Batches, Places


def batches(sent: list[tuple[str, list[str]]], size: int = 4) -> Batches[str, str, str]:
    async def look_up(kind: str, queries: list[str]) -> list[str]:
        sent.append((kind, queries))
        await asyncio.sleep(0)
        if "bad" in queries:
            raise ValueError("bad")
        if "gone" in queries:
            raise DatabaseError("gone")
        return [query.upper() for query in queries]

    return Batches(look_up, size, 1)


def test_much_of_one_does_not_hold_up_the_little_of_another() -> None:
    sent: list[tuple[str, list[str]]] = []

    async def run() -> None:
        some = batches(sent)
        much = asyncio.create_task(some.find("much", "k", [f"m{i}" for i in range(40)]))
        await asyncio.sleep(0)
        assert await some.find("little", "k", ["l"]) == ["L"]
        assert not much.done()
        assert await some.find("other", "else", ["o"]) == ["O"]
        assert not much.done()
        assert await much == [f"M{i}" for i in range(40)]

    asyncio.run(run())
    assert "l" in sent[0][1] + sent[1][1]
    assert ("else", ["o"]) in sent[:6]
    assert all(len(queries) <= 4 for _, queries in sent)


def test_what_nobody_waits_for_is_not_looked_up() -> None:
    sent: list[tuple[str, list[str]]] = []

    async def run() -> None:
        some = batches(sent)
        much = asyncio.create_task(some.find("much", "k", [f"m{i}" for i in range(40)]))
        await asyncio.sleep(0)
        much.cancel()
        assert await some.find("little", "k", ["l"]) == ["L"]
        assert not some.waiting

    asyncio.run(run())
    assert sum(len(queries) for _, queries in sent) <= 5


def test_the_fault_of_one_is_not_that_of_others_unless_neo4j_is_gone() -> None:
    sent: list[tuple[str, list[str]]] = []

    async def run() -> list[Any]:
        some = batches(sent)
        first = some.find("a", "k", ["a"])
        rest = (some.find(name, "k", [name]) for name in ("b", "bad", "c"))
        found = await asyncio.gather(first, *rest, return_exceptions=True)
        with pytest.raises(DatabaseError):
            await some.find("a", "k", ["a", "gone", "b"])
        return list(found)

    found = asyncio.run(run())
    assert [str(one) for one in found] == ["['A']", "['B']", "bad", "['C']"]
    assert len([queries for _, queries in sent if "gone" in queries]) == 1


def test_places_go_round_and_come_back_from_those_who_leave() -> None:
    order: list[str] = []

    async def work(places: Places, caller: str, name: str) -> None:
        async with places.place(caller):
            order.append(name)
            await asyncio.sleep(0)

    async def run() -> None:
        places = Places(1)
        tasks = [asyncio.create_task(work(places, "much", f"m{i}")) for i in range(5)]
        await asyncio.sleep(0)
        tasks[2].cancel()
        await work(places, "little", "l")
        await asyncio.gather(*tasks, return_exceptions=True)
        assert (places.free, places.waiting) == (1, {})

    asyncio.run(run())
    assert order == ["m0", "m1", "l", "m3", "m4"]
