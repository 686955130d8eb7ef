"""What a server loads while it starts, so that the first question waits for nothing.

To load encoder, reader and the copy of a graph, and to let Neo4j plan its statements, which it does slowly right after
its own start, a knowledge base is simply asked something.
"""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from clew.errors import ClewError

if TYPE_CHECKING:
    from clew.database.connection import Database
    from clew.knowledge_base import KnowledgeBase

BASES = 2
"""Knowledge bases that are made ready at the start."""

_one = threading.Lock()
_log = logging.getLogger("clew.warm")


def warm(base: KnowledgeBase) -> None:
    """Ask a knowledge base what it was asked last, where there is one. Asks no language model, and stores nothing.

    One at a time in a process. What fails here fails again, and is reported, where it is used.
    """
    with _one, suppress(ClewError):
        began = time.perf_counter()
        question = base.database.read("kb/likely_question", kb=base.name)[0]["question"]
        if not question:
            return
        # The reader is loaded while Neo4j, a process of its own, is busy with its first statements.
        threading.Thread(target=_load_reader, name="clew-warm-reader", daemon=True).start()
        base.ask(question, policy="reader", store=False)
        _log.info("warm", extra={"kb": base.name, "seconds": round(time.perf_counter() - began, 3)})


def last_used(database: Database, default: str) -> list[str]:
    """The knowledge bases to make ready, by name: the default one, and those that were asked last."""
    return [row["name"] for row in database.read("kb/last_used", default=default, limit=BASES)]


def warm_beside(base: KnowledgeBase) -> None:
    """``warm`` in a thread of its own, which ends with the process."""
    threading.Thread(target=warm, args=(base,), name="clew-warm", daemon=True).start()


def _load_reader() -> None:
    from clew.reader.reader import load_reader

    with suppress(ClewError):
        load_reader()
