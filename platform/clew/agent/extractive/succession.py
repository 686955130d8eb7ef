"""Who came after or before somebody, by a table that tells from when to when each one was in office."""

from __future__ import annotations

import re
from dataclasses import dataclass

from clew.agent.extractive.evidence import Evidence, Page, Sentence
from clew.agent.extractive.kin import Relative
from clew.agent.extractive.kin_words import Kin
from clew.agent.extractive.persons import alike
from clew.agent.extractive.plan import Hop

_FIELD = re.compile(r"([^\W\d_][^:;]{0,40}): ([^;]+?)\.?(?:; |$)")
_FROM = frozenset("from since start began beginning appointed elected installed".split())
_TO = frozenset("to until till end ended left resigned retired".split())
_YEAR = re.compile(r"\b(\d{3,4})\b")


@dataclass(frozen=True, slots=True)
class _Term:
    """A row of such a table; ``start`` and ``end`` are years, 0 where it tells none."""

    name: str
    start: int
    end: int
    sentence: Sentence


def in_turn(name: str, hop: Hop, evidence: Evidence) -> list[Relative]:
    """Those who by some table came right after somebody, or right before, where the hop asks for one of them."""
    after = hop.relation is not None and hop.relation.name == "successor"
    if not after and (hop.relation is None or hop.relation.name != "predecessor"):
        return []
    found = []
    for page in evidence.pages.values():
        terms = _terms(page)
        for own in (term for term in terms if alike(term.name, name)):
            for term in terms:
                meets = own.end == term.start if after else own.start == term.end
                if meets and (own.end if after else own.start) and not alike(term.name, name):
                    found.append(Relative(term.name, Kin("office"), term.sentence))
    return found


def _terms(page: Page) -> list[_Term]:
    found = []
    for sentence in page.sentences:
        fields = [(m.group(1).lower().split(), m.group(2)) for m in _FIELD.finditer(sentence.text)]
        years = [_year(fields, labels) for labels in (_FROM, _TO)]
        if len(fields) > 1 and any(years):
            found.append(_Term(fields[0][1], years[0], years[1], sentence))
    return found


def _year(fields: list[tuple[list[str], str]], labels: frozenset[str]) -> int:
    """The year in the first field with one of the labels, 0 where there is none."""
    told = next((value for words, value in fields if not labels.isdisjoint(words)), "")
    year = _YEAR.search(told)
    return int(year.group(1)) if year else 0
