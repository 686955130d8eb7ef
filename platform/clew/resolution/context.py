"""What the graph says of two names: whom they share facts with, whether they stand side by side, and dates."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from clew.database.connection import Database, pages
from clew.resolution.likeness import Evidence

PAGE = 20_000
FACTS = 100
"""Facts of an entity that are looked at, at most."""
HUB = 300
"""Facts from which on a neighbour is everybody's."""
SHARED, MOST_SHARED = 5.0, 3.5
"""Weight of shared neighbours, each by 1 / log2(2 + its facts), and of all of them at most."""
MANY, NONE_SHARED = 6, -0.8
"""Neighbours that both must have for sharing none to count against them, and how much it does."""
SIDE_BY_SIDE, EXPLAINED = -2.5, 2.0
"""Weight of standing side by side in one fact; of an acronym beside what it stands for."""
OTHER_DATE, SAME_DATE = -4.0, 1.5
NAMED = 3
"""Neighbours that a reason names."""

_OWN = frozenset({"subject", "topic", "link"})
"""Roles that a page gives to all its sentences: such an entity need not stand beside the others."""
_CUES = {
    "born": "born",
    "birth": "born",
    "died": "died",
    "death": "died",
    "founded": "founded",
    "established": "founded",
    "released": "released",
    "published": "published",
    "built": "built",
    "opened": "opened",
}
_DATED = re.compile(rf"\b({'|'.join(_CUES)})\b[^.;()]{{0,40}}?\b(1[0-9]{{3}}|20[0-9]{{2}})\b", re.IGNORECASE)
_LIFE = re.compile(r"\(\D{0,30}(1[0-9]{3}|20[0-9]{2})\s*[–-]\s*\D{0,20}(1[0-9]{3}|20[0-9]{2})?\)")


@dataclass(slots=True)
class Context:
    """The facts of entities by their row: ``facts_of[row]`` are facts, ``participants[fact]`` rows with their roles."""

    names: Sequence[str]
    ids: Sequence[str]
    facts: list[str] = field(default_factory=list)
    participants: list[list[tuple[int, str]]] = field(default_factory=list)
    facts_of: list[list[int]] = field(default_factory=list)
    _near: dict[int, dict[int, float]] = field(default_factory=dict)

    def neighbours(self, row: int) -> dict[int, float]:
        """Whom an entity shares facts with, each with how telling it is; without those that are everybody's."""
        if row not in self._near:
            others = {other for fact in self.facts_of[row][:FACTS] for other, _ in self.participants[fact]}
            degrees = ((other, len(self.facts_of[other])) for other in others if other != row)
            self._near[row] = {other: 1 / math.log2(2 + degree) for other, degree in degrees if degree <= HUB}
        return self._near[row]

    def evidence(self, a: int, b: int, *, acronym: bool) -> list[Evidence]:
        """What shared neighbours and shared facts say of two entities."""
        found = []
        near_a, near_b = self.neighbours(a), self.neighbours(b)
        shared = sorted(near_a.keys() & near_b.keys(), key=lambda row: (-near_a[row], self.names[row]))
        if shared:
            weight = min(MOST_SHARED, SHARED * sum(near_a[row] for row in shared))
            named = ", ".join(self.names[row][:40] for row in shared[:NAMED])
            more = f" and {len(shared) - NAMED} more" if len(shared) > NAMED else ""
            found.append(Evidence(weight, f"both are named with {named}{more}"))
        elif min(len(near_a), len(near_b)) >= MANY:
            found.append(Evidence(NONE_SHARED, "named with nobody in common"))
        if beside := self._beside(a, b):
            weight, reason = (EXPLAINED, "explained beside it") if acronym else (SIDE_BY_SIDE, "named side by side")
            found.append(Evidence(weight, f"{reason} in {beside} {'fact' if beside == 1 else 'facts'}"))
        return found

    def _beside(self, a: int, b: int) -> int:
        """In how many facts both stand in their own right."""
        beside = 0
        for fact in set(self.facts_of[a][:FACTS]) & set(self.facts_of[b][:FACTS]):
            roles = {role for row, role in self.participants[fact] if row in (a, b)}
            beside += not roles & _OWN or "object" in roles
        return beside


def read_context(database: Database, kb: str, ids: Sequence[str], names: Sequence[str]) -> Context:
    """The facts of entities, of which ``ids`` and ``names`` are the rows; others are left out."""
    rows = {id: row for row, id in enumerate(ids)}
    context = Context(names, ids, facts_of=[[] for _ in ids])
    for page in pages(database.read, "resolve/facts", kb=kb, limit=PAGE):
        for fact in page:
            there = [(rows[id], role) for id, role in fact["participants"] if id in rows]
            for row, _ in there:
                context.facts_of[row].append(len(context.facts))
            context.facts.append(fact["id"])
            context.participants.append(there)
    return context


def date_evidence(
    context: Context, pairs: Iterable[tuple[int, int]], texts_of: Callable[[list[str]], Mapping[str, str]]
) -> dict[tuple[int, int], list[Evidence]]:
    """What dates of the same kind say of pairs: both born in 1850, or one in 1850 and the other in 1920.

    Only facts of which an entity is the subject tell its dates. ``texts_of`` reads the texts of hyperedges.
    """
    pairs = list(pairs)
    about = {row: _about(context, row) for row in {row for pair in pairs for row in pair}}
    texts = texts_of(sorted({context.facts[fact] for facts in about.values() for fact in facts}))
    dates = {row: _dates(texts.get(context.facts[fact], "") for fact in facts) for row, facts in about.items()}
    found = {}
    for a, b in pairs:
        evidence = []
        for kind in sorted(dates[a].keys() & dates[b].keys()):
            years_a, years_b = dates[a][kind], dates[b][kind]
            if both := years_a & years_b:
                evidence.append(Evidence(SAME_DATE, f"both {kind} {min(both)}"))
            else:
                evidence.append(Evidence(OTHER_DATE, f"{kind} {min(years_a)} and {min(years_b)}"))
        if evidence:
            found[a, b] = evidence
    return found


def _about(context: Context, row: int) -> list[int]:
    """The facts whose subject an entity is."""
    facts = context.facts_of[row][:FACTS]
    return [fact for fact in facts if any(r == row and role == "subject" for r, role in context.participants[fact])]


def _dates(texts: Iterable[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for text in texts:
        for cue, year in _DATED.findall(text):
            found.setdefault(_CUES[cue.lower()], set()).add(year)
        for born, died in _LIFE.findall(text[:400])[:1]:
            found.setdefault("born", set()).add(born)
            if died:
                found.setdefault("died", set()).add(died)
    return found
