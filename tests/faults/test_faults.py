"""One fault of each kind that leaves Neo4j running: nothing acknowledged is lost, and the graph is whole."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from clew.database.connection import Database
from clew.database.schema import migrate
from clew.settings import Settings
from tests.faults.bench import Bench
from tests.faults.kinds import KINDS, OWN_SERVER


@pytest.fixture(scope="module")
def bench(database: Database, settings: Settings) -> Iterator[Bench]:
    migrate(database)
    made = Bench(database, settings)
    assert made.expected
    yield made
    made.wipe()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in OWN_SERVER])
def test_nothing_is_lost_and_the_graph_is_whole(kind: str, bench: Bench) -> None:
    assert KINDS[kind](bench, random.Random(f"{kind}:0")) == []
