"""What is decided about pairs of entities: suggestions accepted or refused, merges made and undone.

Every decision is a relationship of its own (``SAME_AS``, ``DIFFERENT_FROM``), beside that of the suggestion
(``MAYBE_SAME_AS``), and nothing else is touched: taking it away leaves the graph exactly as it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.database.connection import Row, Tx
from clew.errors import InputError, NotFoundError
from clew.ingest.change import lock
from clew.knowledge_base import KnowledgeBase
from clew.text.names import key

DELETED = 5000
KINDS = ("suggestions", "merges", "refusals")


def list_pairs(base: KnowledgeBase, kind: str = "suggestions", *, skip: int = 0, limit: int = 20) -> list[Row]:
    """A page of pairs ``a`` and ``b`` (id, name, type, degree): open suggestions, merges, or refusals.

    Suggestions and merges have a ``score`` and ``reasons``; merges and refusals say ``by`` whom and ``at`` what time.
    The likeliest suggestion and the latest decision come first. Raises InputError for any other ``kind``.
    """
    if kind not in KINDS:
        raise InputError(f"There are no {kind!r}: choose one of {', '.join(KINDS)}.")
    return base.database.read(f"resolve/list_{kind}", kb=base.name, skip=skip, limit=limit)


def count_pairs(base: KnowledgeBase) -> dict[str, int]:
    """How many open suggestions, merges and refusals there are."""
    return dict(base.database.read("resolve/count", kb=base.name)[0])


def cluster(base: KnowledgeBase, id: str) -> list[Row]:
    """An entity and all that are merged with it (id, name, degree), the best connected first.

    Raises NotFoundError if there is no such entity.
    """
    rows = base.database.read("resolve/cluster", kb=base.name, id=id)
    if not rows:
        raise _missing(base, id)
    return rows


def find_entity(base: KnowledgeBase, name: str) -> str:
    """The id of the entity with that id or name. Raises NotFoundError if there is none."""
    rows = base.database.read("resolve/find", kb=base.name, key=key(name), id=name)
    if not rows:
        raise _missing(base, name)
    return str(rows[0]["id"])


def merge(base: KnowledgeBase, a: str, b: str) -> bool:
    """Take two entities, by their ids, for the same; whether they were not before.

    A suggestion's score and reasons are kept with the merge; a refusal is taken back. Raises NotFoundError if there is
    no such entity, InputError where both are one.
    """
    _different(a, b)
    there = {row["id"]: row["degree"] for row in cluster(base, a)}
    if b in there:
        return False
    cluster(base, b)
    rows = base.database.read("resolve/suggestion", kb=base.name, a=a, b=b)
    pair = rows[0] if rows else {"a": a, "b": b, "score": 1.0, "reasons": ["someone said so"]}
    accept(base, [pair])
    return True


def accept(base: KnowledgeBase, pairs: Sequence[Row]) -> None:
    """Merge the pairs (ids ``a`` and ``b``, score, reasons) in one transaction; their refusals are taken back."""

    def run(tx: Tx) -> None:
        lock(tx, base.name)
        tx.run("resolve/delete_refusals", kb=base.name, pairs=pairs)
        tx.run("resolve/write_merges", kb=base.name, pairs=[{**pair, "by": "person"} for pair in pairs])

    base.database.transaction(run)


def unmerge(base: KnowledgeBase, a: str, b: str) -> bool:
    """Undo the merge of two entities; whether there was one. What led to it may be found again: see ``refuse``.

    Two that are merged with a third, and not with each other, have no merge of their own.
    """
    return bool(_write(base, "resolve/delete_merges", pairs=[{"a": a, "b": b}]))


def refuse(base: KnowledgeBase, a: str, b: str) -> None:
    """Remember that two entities are different; a merge of the two is undone.

    Raises NotFoundError if there is no such entity, InputError where both are merged with a third.
    """
    _different(a, b)
    _write(base, "resolve/delete_merges", pairs=[{"a": a, "b": b}])
    others = [row["name"] for row in cluster(base, a) if row["id"] not in (a, b)]
    if b in {row["id"] for row in cluster(base, a)}:
        raise InputError(f"Both are merged with {others[0]!r}: undo one of these merges first.")
    cluster(base, b)
    _write(base, "resolve/write_refusal", a=a, b=b, by="person")


def take_back(base: KnowledgeBase, a: str, b: str) -> bool:
    """Forget that two entities were said to be different; whether they were."""
    return bool(_write(base, "resolve/delete_refusals", pairs=[{"a": a, "b": b}])[0]["deleted"])


def forget_all(base: KnowledgeBase) -> int:
    """Delete all merges, suggestions and refusals; how many there were. The graph is then as ingest made it."""
    total = 0
    for type in ("SAME_AS", "MAYBE_SAME_AS", "DIFFERENT_FROM"):
        while deleted := int(_write(base, "resolve/delete_all", type=type, limit=DELETED)[0]["deleted"]):
            total += deleted
    return total


def _write(base: KnowledgeBase, statement: str, **given: object) -> list[Row]:
    """Run a statement as the knowledge base's only writer."""

    def run(tx: Tx) -> list[Row]:
        lock(tx, base.name)
        return tx.run(statement, kb=base.name, **given)

    return base.database.transaction(run)


def _different(a: str, b: str) -> None:
    if a == b:
        raise InputError("Both are the same entity: name two.")


def _missing(base: KnowledgeBase, name: str) -> NotFoundError:
    return NotFoundError(
        f"There is no entity {name[:60]!r} in knowledge base {base.name!r}: search it on the Explore page, or see "
        "`clew entities duplicates`."
    )
