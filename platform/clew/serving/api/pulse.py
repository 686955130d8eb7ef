"""Whether Neo4j answers: looked at all the time beside, so that no request has to wait to find out that it does not."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from clew.errors import ClewError, DatabaseError

SECONDS = 0.5
"""Between two looks."""
PATIENCE = 5.0
"""A Neo4j that only is slow may say nothing for so long before requests are sent away."""


class Pulse:
    """``late`` says why Neo4j did not answer the last time, ``gone`` why requests need not try; else both are empty.

    ``ask`` raises DatabaseError where Neo4j does not answer within a second.
    """

    def __init__(self, ask: Callable[[], None]) -> None:
        self.ask = ask
        self.late = self.gone = ""
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, name="clew-pulse", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Look no more; wait for the last look, because a connection in use cannot be closed."""
        self._ended.set()
        self._thread.join(PATIENCE)

    def _look(self) -> None:
        heard = time.monotonic()
        while not self._ended.wait(SECONDS):
            try:
                self.ask()
                heard, self.late, self.gone = time.monotonic(), "", ""
            except ClewError as error:
                self.late = str(error)
                waits = isinstance(error, DatabaseError) and isinstance(error.__cause__, TimeoutError)
                if not waits or time.monotonic() - heard > PATIENCE:
                    self.gone = self.late
