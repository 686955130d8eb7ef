"""Finding entities, facts and documents: by their words, by their meaning, or by both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from clew.database.connection import Row
from clew.errors import check_choice
from clew.explore.base import Base
from clew.retrieval.fusion import reciprocal_rank
from clew.retrieval.graph.question import words
from clew.text.names import key
from clew.text.normalise import clean

By = Literal["both", "words", "meaning"]
WAYS: tuple[By, ...] = ("both", "words", "meaning")

MOST = 200
"""Results of a search, at most: whoever wants more than these asks for something narrower."""
NEAR = 20
"""Results by meaning beside those by words, at most: what is further away has little to do with the words."""
_CANDIDATES = 1_000
_MOST_WORDS = 1000
"""Words of a full-text query, at most: Lucene refuses more than 1,024 clauses."""
_LONGEST_WORD = 255
"""Letters of a word of a full-text query, at most: Lucene makes several clauses of a longer one."""
_NOTHING = 'kb:""'
"""A full-text query that finds nothing."""
_FUSION = 60.0
"""The constant of reciprocal rank fusion (Cormack et al., 2009)."""


def search_entities(
    base: Base, text: str = "", *, by: By = "both", type: str | None = None, role: str | None = None
) -> list[str]:
    """Ids of the entities that fit ``text`` best, at most ``MOST``; without a text the best connected ones,
    those after the others that are still being brought in.

    Words are compared without case and accents, and the last one may be unfinished. ``type`` and ``role`` keep to the
    entities of that type, and to those that play that role somewhere. Raises InputError for an unknown ``by``.
    """
    text = clean(text)
    filters: dict[str, object] = {"type": type, "role": role, "limit": MOST}
    if not key(text):
        ids = _ids(base, "entity_degree", **filters)
        return ids + _ids(base, "entity_undescribed", **{**filters, "limit": MOST - len(ids)})
    return _fused(base, "entity", text, by, _name_query(base.name, text), filters)


def search_facts(
    base: Base,
    text: str = "",
    *,
    by: By = "both",
    document: str | None = None,
    type: str | None = None,
    role: str | None = None,
) -> list[str]:
    """Ids of the hyperedges that fit ``text`` best, at most ``MOST``; without a text some, or a document's in order.

    ``document`` is an id and keeps to what that document states; ``type`` and ``role`` keep to facts in which an entity
    of that type takes part, or one plays that role. Raises InputError for an unknown ``by``.
    """
    text = clean(text)
    filters: dict[str, object] = {"type": type, "role": role}
    if document is not None:
        return _within(base, text, by, document, filters)
    if not key(text):
        return _ids(base, "fact_first", limit=MOST, **filters)
    return _fused(base, "fact", text, by, _fact_query(base.name, text), {**filters, "limit": MOST})


def list_documents(base: Base, text: str = "", *, skip: int = 0, limit: int = 20) -> list[Row]:
    """Documents by title with how many facts each states; with ``text`` those whose title or source has it."""
    return base.database.read("explore/documents", kb=base.name, text=clean(text).strip(), skip=skip, limit=limit)


def count_documents(base: Base, text: str = "") -> int:
    """How many documents there are; with ``text`` those whose title or source has it."""
    rows = base.database.read("explore/document_count", kb=base.name, text=clean(text).strip())
    return int(rows[0]["documents"])


def describe_entities(base: Base, ids: Sequence[str]) -> list[Row]:
    """Entities as a list shows them, in this order; those that are gone are left out."""
    return _described(base, "explore/entities", ids)


def describe_facts(base: Base, ids: Sequence[str]) -> list[Row]:
    """Facts with their participants and up to three sources, in this order; those that are gone are left out."""
    return _described(base, "explore/facts", ids)


def _described(base: Base, statement: str, ids: Sequence[str]) -> list[Row]:
    rows = {row["id"]: row for row in base.database.read(statement, kb=base.name, ids=list(ids))}
    return [rows[id] for id in ids if id in rows]


def _ids(base: Base, statement: str, **params: object) -> list[str]:
    return [str(row["id"]) for row in base.database.read(f"explore/{statement}", kb=base.name, **params)]


def _fused(base: Base, kind: str, text: str, by: By, words: str, filters: dict[str, object]) -> list[str]:
    """Both searches, each where it is asked for, put together by reciprocal rank."""
    check_choice(by, WAYS, "search by")
    params = {**filters, "candidates": _CANDIDATES if filters["type"] or filters["role"] else MOST}
    paths: dict[str, list[str]] = {}
    if by != "meaning":
        paths["words"] = _ids(base, f"{kind}_words", words=words, **params)
    if by != "words":
        # An entity's vector is that of its key.
        embedder, database = base.encoder()
        encoded = embedder.embed([key(text) if kind == "entity" else text])[0]
        rows = database.read(f"explore/{kind}_meaning", kb=base.name, vector=encoded, **params)
        paths["meaning"] = [str(row["id"]) for row in rows[: NEAR if by == "both" else None]]
    ranks: dict[str, dict[str, int]] = {}
    for path, ids in paths.items():
        for rank, id in enumerate(ids, 1):
            ranks.setdefault(id, {})[path] = rank
    return sorted(ranks, key=lambda id: -reciprocal_rank(ranks[id], _FUSION))[:MOST]


def _within(base: Base, text: str, by: By, document: str, filters: dict[str, object]) -> list[str]:
    """The facts of a document are few: all of them are compared."""
    wanted = set(key(text).split())
    embedder, database = base.encoder()
    vector = embedder.embed([text])[0] if wanted and by != "words" else None
    rows = database.read("explore/document_facts", kb=base.name, document=document, vector=vector, **filters)
    if not wanted:
        return list(dict.fromkeys(row["id"] for row in rows))[:MOST]
    shared = {row["id"]: len(wanted & set(row["key"].split())) for row in rows}
    near = {row["id"]: row["score"] for row in rows}
    if by == "words":
        near = {id: 0.0 for id in near if shared[id]}
    weight = 0 if by == "meaning" else 1
    return sorted(near, key=lambda id: (-weight * shared[id], -near[id]))[:MOST]


def _fact_query(kb: str, text: str) -> str:
    """The full-text query for facts that have some of the text's first words."""
    terms = [word for word in words(text) if len(word) <= _LONGEST_WORD][:_MOST_WORDS]
    return f'+kb:"{kb}"^0 +key:({" ".join(terms)})' if terms else _NOTHING


def _name_query(kb: str, text: str) -> str:
    """The full-text query for names that have all the words, the last of them perhaps unfinished."""
    terms = key(text).split()
    if len(terms) > _MOST_WORDS or max(map(len, terms)) > _LONGEST_WORD:
        return _NOTHING
    needed = " ".join(f"+key:{term}" for term in terms[:-1])
    return f'+kb:"{kb}"^0 {needed} +(key:{terms[-1]}^2 key:{terms[-1]}*)'
