"""Where a place lies as a sentence puts it: within what is asked about, or only as somebody's name; and the
place and its area apart, where both are told."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.lexicon import key, towns, vocabulary
from clew.agent.extractive.plan import Hop


def tells_other(hop: Hop, c: Candidate, wanted: frozenset[str]) -> bool:
    """Whether a place where something is may be where something else is, as a sub-question says more than *where*."""
    located = hop.relation is not None and hop.relation.name == "located" and not hop.head
    return located and c.role != "complement" and hop.relation is not None and bool(wanted - hop.relation.words)


def misplaced(text: str, c: Candidate, relation: str) -> float:
    """What a name gains or loses as a place.

    It gains where it is the narrowest one told ("at Lorne Hall in Torp"), and loses where it owns what follows ("in Ada
    Finch's Norland"), is a street with a number, or is itself a county where the seat of one is asked for.
    """
    area = relation == "capital" and c.text.rsplit(" ", 1)[-1].lower() in vocabulary("containers")
    if area or _OWNS.match(text, c.end):
        return OWNER
    if relation == "located" and _NUMBERED.search(text, 0, c.start):
        return OWNER  # "at 3 Mill Lane, Torp"
    venue = relation == "located" and _AT.search(text, 0, c.start) and _INSIDE.match(text, c.end)
    return VENUE if venue else 0.0


def is_known(name: str) -> bool:
    """Whether a name is that of a larger town or of a state, whatever else may have that name."""
    bare = key(name.split(",")[0])
    return bare in towns() or bare in _regions()


@cache
def _regions() -> frozenset[str]:
    """The names of states and provinces, in lower case."""
    return vocabulary("regions", "state") | vocabulary("regions", "province")


def asks_nature(template: str) -> bool:
    """Whether a sub-question asks for waters, heights or borders, which no town is."""
    words = template.lower().split()
    return not vocabulary("nature").isdisjoint(words) or not vocabulary("nature", "verbs").isdisjoint(words)


OWNER = -1.0
VENUE = 0.4
_NUMBERED = re.compile(r"\b(?:at|on|to|is|address) \d{1,5}[A-Za-z]? $")
"""The number of a house, which the name of its street follows."""
_AT = re.compile(r"\bat (?:the )?$")
_INSIDE = re.compile(r",? in [A-ZÀ-Þ]")
_OWNS = re.compile(r"['’]s [A-ZÀ-Þ]")


AREAS = frozenset("county state province region".split())
"""Head nouns of what a place is told to lie in: "Torp, Bub County"."""


def area(value: str, head: str) -> str:
    """The area of a place that is told with it, where that is sought: "Torp, Bub County"."""
    parts = value.split(", ")
    return next((part for part in parts[1:] if head in part.lower().split()), parts[1] if len(parts) == 2 else value)


def without_region(name: str) -> str:
    """A place without what says in which region it lies: "Torp, Fife"."""
    return _REGION.sub("", name)


_REGION = re.compile(r"(?<=\w), [A-ZÀ-Þ][\w.’' -]*$")


SETTLED = frozenset("city town village county state province country district municipality".split())
"""Head nouns of what people live in."""
_SMALL = frozenset("city town village county".split())


def _is_region(name: str) -> bool:
    """Whether a name in lower case is that of a state or province, and of no city as well."""
    return name in _regions() and name not in vocabulary("regions", "namesakes")


def may_be_of(head: str, name: str) -> bool:
    """Whether a name may be that of such a thing at all: a state is no town."""
    return head not in _SMALL or not _is_region(name.lower())


_NATURAL = frozenset(("body of water", "feature"))
"""Head nouns that no name of a town or an authority's area answers."""


def made_by_people(head: str, words: Collection[str], last: str) -> bool:
    """Whether the words of a name say that its bearer is a town, an area or a building, where nature made what is
    sought."""
    made = not SETTLED.isdisjoint(words) or last in vocabulary("place") or last in vocabulary("built")
    return head in _NATURAL and made


def is_parliament(name: str) -> bool:
    """Whether a name is that of a parliament, as the same noun is of a party: "Torp Congress", "National Congress"."""
    words = key(name).split()
    return words[-1] == "congress" and "national" not in words
