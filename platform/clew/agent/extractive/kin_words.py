"""Nouns that say what one person is to another: *aunt*, *widow*, *apprentice*; which one answers a question."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from clew.agent.extractive.lexicon import Relation, table


@dataclass(frozen=True, slots=True)
class Kin:
    """What a noun says that its bearer is: a relation such as *parent*, and the gender, empty where it tells none.

    ``side`` is *paternal* or *maternal* where that is told.
    """

    relation: str
    gender: str = ""
    side: str = ""


@lru_cache(maxsize=1)
def kin_nouns() -> dict[str, Kin]:
    """All such nouns, in singular and plural, lower case."""
    return {
        noun: Kin(relation, "" if gender == "any" else gender)
        for relation, entry in table("kin.toml").items()
        for gender in ("m", "f", "any")
        for noun in entry[gender].split()
    }


@cache
def inverse(relation: str) -> str:
    """What somebody is in return: of a parent the child."""
    found: str = table("kin.toml")[relation]["inverse"]
    return found


@cache
def is_family(relation: str) -> bool:
    """Whether a relation is one between relatives, of whom nobody is two things to the same person."""
    return not table("kin.toml")[relation].get("one_way", False)


@cache
def kin_sought(relation: Relation | None) -> Kin | None:
    """What somebody must be to the subject of a hop; None where no relative, teacher or pupil is asked for."""
    side, _, noun = relation.name.rpartition(" ") if relation is not None else ("", "", "")
    found = kin_nouns().get(noun)
    return Kin(found.relation, relation.gender or found.gender, side) if relation and found else None


def answers(told: Kin, sought: Kin) -> bool:
    """Whether who is told to be one thing may be what is sought: of that relation, and not of the other gender."""
    gender = not told.gender or not sought.gender or told.gender == sought.gender
    return told.relation == sought.relation and gender and sought.side in ("", told.side)


def is_personal(relation: Relation | None) -> bool:
    """Whether a relation is one between two people, of whom a page may name many more."""
    return kin_sought(relation) is not None


@cache
def kin_relation(term: str) -> Relation | None:
    """A term of kinship as a relation that no cues tell, only statements; None where it is none of the nouns."""
    kin = kin_nouns().get(term.rpartition(" ")[2])
    return Relation(term, term, "person", None, None, kin.gender) if kin else None
