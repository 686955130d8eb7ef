"""Looking all the time whether Neo4j answers, to the very end."""

from __future__ import annotations

import time

import pytest

from clew.database.connection import Database
from clew.serving.api import pulse
from clew.settings import Settings


@pytest.mark.usefixtures("database")
def test_a_connection_closes_while_it_is_looked_at(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "SECONDS", 0)
    for number in range(40):  # without the wait in `end`, the driver fails at one closing of seven
        database = Database.open(settings, progress=False)
        looks = pulse.Pulse(database.ping)
        time.sleep(0.02 + number % 10 / 1000)
        looks.end()
        database.close()
        assert looks.late == ""
