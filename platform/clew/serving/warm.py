"""What a server loads while it starts, so that the first question waits for nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable

from clew.database.connection import Database
from clew.errors import ClewError
from clew.knowledge_base import KnowledgeBase

BASES = 2
"""Knowledge bases whose copies are read at the start."""
QUESTION = "What is this about?"
"""What a knowledge base is asked that nobody has asked anything yet."""


def warm(connect: Callable[[], Database], knowledge_base: Callable[[str], KnowledgeBase]) -> None:
    """Load encoder, reader and copies of the knowledge bases that were used last, by asking each its last question.

    No language model is asked, and nothing is stored. What fails here fails again, and is told, where it is used.
    """
    try:
        for row in connect().read("kb/last_used", limit=BASES):
            knowledge_base(row["name"]).ask(row["question"] or QUESTION, policy="reader", store=False)
    except ClewError:
        return


def warm_beside(connect: Callable[[], Database], knowledge_base: Callable[[str], KnowledgeBase]) -> None:
    """``warm`` in a thread of its own, which ends with the process."""
    threading.Thread(target=warm, args=(connect, knowledge_base), name="clew-warm", daemon=True).start()
