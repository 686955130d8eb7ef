"""In what form the values of a hop are given: a year of a date, a whole name, all of a list."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from clew.agent.extractive.compare import describes_pair
from clew.agent.extractive.evidence import Evidence
from clew.agent.extractive.found import Found
from clew.agent.extractive.lexicon import country, sport_of
from clew.agent.extractive.listing import takes_list, with_list
from clew.agent.extractive.pairs import ALIKE, SHARED
from clew.agent.extractive.persons import untitled
from clew.agent.extractive.places import AREAS, area, without_region
from clew.agent.extractive.plan import Hop, Plan
from clew.agent.extractive.quantities import century, month, year

MANY = 12
"""Values of a side that are looked through for one that the other side has as well."""


def in_form(ranked: list[Found], hop: Hop, plan: Plan, evidence: Evidence, limit: int) -> list[Found]:
    """The best of ranked values in the form that the hop asks for.

    Of what another hop asks on, a place keeps its region, and one value of several is enough.
    """
    bridge = plan.leads_on(hop)
    if (as_asked := _AS_ASKED.get(hop.head)) and f"{hop.head} and " not in hop.template:
        ranked = [replace(f, value=as_asked(f.value)) for f in ranked]
    if hop.head in AREAS and hop.relation is not None and hop.relation.name == "located":
        ranked = [replace(f, value=area(f.value, hop.head)) for f in ranked]
    if hop.expects == "person":
        ranked = [replace(f, value=_in_full(f, evidence)) if " " not in f.value else f for f in ranked[:limit]]
        if not bridge and plan.comparison is None:
            ranked = [replace(f, value=untitled(f.value)) for f in ranked[:limit]]
    if not bridge and hop.expects == "place":
        ranked = [replace(f, value=without_region(f.value)) for f in ranked[:limit]]
    if not bridge and plan.comparison is None:
        ranked = [
            replace(f, value=with_list(f.sentence.text, f.value, f.start)) if takes_list(hop, f.value) else f
            for f in ranked[:limit]
        ]
    if plan.comparison and plan.comparison.pick in (SHARED, ALIKE) and ranked:
        ranked = [replace(ranked[0], values=tuple(f.value for f in ranked[:MANY]))]
    if describes_pair(hop, plan.comparison) and ranked and hop.expects == "country":
        ranked = [_with_countries(ranked)]
    return ranked[:limit]


_AS_ASKED: dict[str, Callable[[str], str]] = {
    "year": year,
    "month": month,
    "century": century,
    "sport": sport_of,
}
"""In what form a value is given, by the noun of the question."""


def _in_full(found: Found, evidence: Evidence) -> str:
    """A person's whole name, where a sentence has only the last one and the same page has said it before."""
    page = evidence.page_of(found.sentence)
    last = re.compile(rf"(?:[^\W\d_][\w.’'-]*\s){{1,3}}{re.escape(found.value)}(?!\w)")
    for sentence in page.sentences:
        for c in sentence.candidates(evidence.titles):
            if c.kind == "name" and last.fullmatch(c.text) and not c.text.lower().startswith("the "):
                return c.text
    return found.value


def _with_countries(ranked: list[Found]) -> Found:
    """All countries that the best sentence names, for a comparison of what two things share."""
    best = ranked[0]
    named = tuple(
        f.value for f in ranked if f.sentence is best.sentence and country(f.value) and f.score > best.score - 1.0
    )
    return Found(best.value, best.score, best.sentence, named or (best.value,))
