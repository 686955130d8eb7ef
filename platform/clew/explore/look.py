"""One entity, fact or document with what is around it, and counts of the whole."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from clew.database.connection import Row
from clew.errors import NotFoundError
from clew.explore.base import Base
from clew.text.names import key
from clew.types import Json

AROUND = 240
"""Characters of a document that are shown before and after the words that state a fact."""
MOST_PLACES = 20


def version(base: Base) -> str:
    """What changes whenever anyone writes to the knowledge base. Raises NotFoundError if it does not exist."""
    rows = base.database.read("graph/version", kb=base.name, slot="")
    if not rows:
        raise NotFoundError(
            f"There is no knowledge base {base.name!r}: see `clew kb list`, or make it with "
            f"`clew ingest FILES --kb {base.name}`."
        )
    return str(rows[0]["version"])


def entity(base: Base, id: str) -> Row:
    """An entity with its aliases, the number of its facts by role, and the documents named after it.

    Raises NotFoundError if there is none with this id.
    """
    return _one(base, "entity", id)


def entity_facts(base: Base, id: str, *, role: str | None = None, skip: int = 0, limit: int = 10) -> list[str]:
    """Ids of the facts in which an entity plays ``role``, or any role."""
    rows = base.database.read("explore/entity_facts", kb=base.name, id=id, role=role, skip=skip, limit=limit)
    return [str(row["id"]) for row in rows]


def around_entity(base: Base, id: str, limit: int = 12) -> Row:
    """``neighbours`` that share most facts with an entity, and ``documents`` that state most of its facts."""
    return base.database.read("explore/entity_around", kb=base.name, id=id, limit=limit)[0]


def ways(base: Base, first: str, second: str, limit: int = 12) -> list[Row]:
    """The shortest ways between two entities over at most five facts: ``facts`` by their ids, ``names`` in between."""
    return base.database.read("explore/ways", kb=base.name, first=first, second=second, limit=limit)


def hub_facts(base: Base, *, limit: int = 40) -> list[str]:
    """Ids of the facts that tie the best connected entities together."""
    return [str(row["id"]) for row in base.database.read("explore/hubs", kb=base.name, limit=limit)]


def kinds(base: Base, names: Collection[str]) -> dict[str, str]:
    """The types of entities by their names."""
    rows = base.database.read("explore/kinds", kb=base.name, keys=[key(name) for name in names])
    found = {row["key"]: str(row["type"] or "") for row in rows}
    return {name: found.get(key(name), "") for name in names}


def fact(base: Base, id: str) -> Row:
    """A fact with its participants and their roles, the places that state it, and the trajectories that found it.

    A source has the document's ``text`` from the offset ``first`` on, some way before ``start`` and beyond ``end``.
    Raises NotFoundError if there is none with this id.
    """
    return _one(base, "fact", id, around=AROUND, limit=MOST_PLACES)


def document_spans(base: Base, document: str) -> list[Row]:
    """Where a document states facts: ``id``, ``start`` and ``end`` of each, in the order of the text."""
    return base.database.read(
        "explore/document_facts", kb=base.name, document=document, vector=None, type=None, role=None
    )


def known_documents(base: Base, ids: Sequence[str]) -> set[str]:
    """Those of these ids that are documents of the knowledge base."""
    rows = base.database.read("ingest/known_documents", kb=base.name, ids=list(ids)) if ids else []
    return {str(row["id"]) for row in rows}


def roles(base: Base) -> list[Row]:
    """How often each role is played, commonest first. Looks at every participation: keep what it returns."""
    return base.database.read("explore/roles", kb=base.name)


def types(base: Base) -> list[Row]:
    """How many entities there are of each type, commonest first. Looks at every entity: keep what it returns."""
    return base.database.read("explore/types", kb=base.name)


def overview(base: Base) -> Json:
    """Counts of the whole: ``documents`` by their number of ``facts``, and ``entities`` by ``degree``."""
    return {
        "facts_per_document": base.database.read("explore/facts_per_document", kb=base.name),
        "degrees": base.database.read("explore/degrees", kb=base.name),
    }


def _one(base: Base, kind: str, id: str, **params: object) -> Row:
    rows = base.database.read(f"explore/{kind}", kb=base.name, id=id, **params)
    if not rows:
        raise NotFoundError(
            f"There is no {kind} {id[:40]!r} in knowledge base {base.name!r}: it may have been deleted."
        )
    return rows[0]
