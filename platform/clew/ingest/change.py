"""Who may change a knowledge base, and what a transaction has changed in its adjacency.

A reader with a copy of the graph in memory (``clew.retrieval.graph.copy``) reads again only what the transactions since
have recorded. One that locks without recording counts as having changed everything.
"""

from __future__ import annotations

from collections.abc import Iterable

from clew.database.connection import Tx
from clew.errors import InputError, NotFoundError

KEPT = 64
"""Transactions whose changes are remembered; a copy that is older is read whole."""


def lock(tx: Tx, kb: str) -> str:
    """Be the knowledge base's only writer until the transaction ends; the version that it had before.

    Raises NotFoundError if there is no such knowledge base, InputError while it is being restored.
    """
    rows = tx.run("kb/lock", kb=kb)
    if not rows:
        raise NotFoundError(f"There is no knowledge base {kb!r} (any more): ingest something into it first.")
    if rows[0]["restoring"]:
        raise InputError(
            f"Knowledge base {kb!r} is being restored: let that finish, or drop it with `clew kb delete {kb}`."
        )
    return rows[0]["before"] or ""


def record(tx: Tx, kb: str, before: str, hyperedges: Iterable[str] = (), titles: Iterable[str | None] = ()) -> None:
    """Name what is other than in version ``before``.

    ``hyperedges`` are those which are new or gone, or whose entities or chunks are others; ``titles`` the keys of
    those that some page has now or had before.
    """
    changed = {"hyperedges": sorted(set(hyperedges)), "titles": sorted({title for title in titles if title})}
    tx.run("kb/record_change", kb=kb, before=before, kept=KEPT, **changed)
