"""Which end of a relation is sought: "the editor of X" asks for the person, "the journal edited by X" for the thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from clew.agent.extractive.lexicon import Relation, relations

_SIDES = {"person": "person", "organisation": "organisation", "place": "place", "country": "place"} | dict.fromkeys(
    ("work", "thing"), "thing"
)
_DOING = frozenset("did does has had".split())
_PLACING = frozenset("where when".split())
_ENDING = frozenset("of for to in on at from by with".split())


def oriented(relation: Relation | None, kind: str, words: Sequence[str]) -> Relation | None:
    """The relation as read from the end that is known, or None where it cannot hold what is sought.

    ``kind`` is the type of the head noun, ``words`` are those around it with ``x`` for each name. A relation between a
    work and its maker, asked for a work, is the same relation told from the other side.
    """
    if relation is None or relation.name == "country" or not relation.type:
        return relation
    if kind == "number" and relation.type not in ("number", "any"):
        return None
    if relation.name == "member_of" and kind in ("place", "country"):
        return relations()["located" if kind == "place" else "country"]  # "the county that X is part of"
    sought, given = _SIDES.get(kind), _SIDES.get(relation.type)
    if sought is not None and relation.type == "number":
        return None  # "the largest state by population"
    if (
        words[0] == "what"
        and words[1:2]
        and words[1] in _DOING
        and "x" in words
        and given in ("person", "organisation")
        and relation.name not in ("predecessor", "successor")
    ):
        return inverted(relation.name) or relation  # "what did X design": the work, not its maker
    if sought is None or given is None or sought == given:
        return relation
    if _PLACING & set(words) or any(a in _ENDING and b == "which" for a, b in pairwise(words)):
        return None if sought == "place" and given == "person" else relation
    if kind == "country" and given == "person":
        return relations()["country"]  # "the country that produced X" is X's own
    if {sought, given} <= {"organisation", "person"} or (sought, given) == ("thing", "organisation"):
        return inverted(relation.name) if _is_agent(words) else relation
    if sought == "organisation" and given == "place":
        return relation
    return inverted(relation.name) or relation


def _is_agent(words: Sequence[str]) -> bool:
    """Whether the name does what the verb says: "founded by X", "that X founded", "whose founder is X"."""
    if "whose" in words or any(pair == ("by", "x") for pair in pairwise(words)):
        return True
    last = len(words) - 1
    while last > 0 and words[last] in _ENDING:
        last -= 1
    return "x" in words and words[last] != "x"


@lru_cache(maxsize=256)
def inverted(name: str) -> Relation | None:
    """A relation with its two ends exchanged; None where it has no words for that."""
    relation = relations()[name]
    if relation.direct is None:
        return None
    return replace(
        relation, name=f"{name} of", type="any", direct=relation.inverse, inverse=relation.direct, gender="", role=""
    )
