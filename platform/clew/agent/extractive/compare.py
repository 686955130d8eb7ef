"""Questions about two things: which comes first, whether they share something. Both are looked up, then compared."""

from __future__ import annotations

import copy
import re

from clew.agent.extractive.lexicon import country, find_relation, key, relations
from clew.agent.extractive.phrases import ROUNDS, reduce
from clew.agent.extractive.plan import Comparison, Draft, Hop, Item, Plan

_YES_NO = frozenset("are is do does did was were have has can could".split())
_BRIDGES = frozenset(
    """director composer performer author screenwriter producer founder editor designer lyricist inventor father mother
    husband wife spouse developer publisher""".split()
)
_FIRST = re.compile(r"\b(first|earlier|earliest|before|older|oldest|sooner|longer ago)\b")
_LAST = re.compile(r"\b(last|later|latest|after|younger|youngest|recently|newer|newest|recent)\b")
_MOST = re.compile(
    r"\b(more|most|larger|largest|bigger|biggest|higher|highest|taller|longer|longest|greater|deeper|wider)\b"
)
_LEAST = re.compile(r"\b(fewer|fewest|less|least|smaller|smallest|lower|lowest|shorter|shortest|shallower)\b")
_CONTRASTS = re.compile(r"\b(?:out of|between|both|same|two)\b|^(?:\w+ )?of\b")
_MONTHS = {
    month: n
    for n, month in enumerate(
        "january february march april may june july august september october november december".split(), 1
    )
}


def comparison(question: str, names: list[str], draft: Draft) -> Plan | None:
    """The plan of a question that compares two names, or None if it does not."""
    found = _options(draft.items)
    if found is None:
        # "the designer of A or the designer of B": each option is itself looked up.
        draft = copy.deepcopy(draft)
        for _ in range(ROUNDS):
            if not reduce(draft):
                break
        found = _options(draft.items)
    if found is None:
        return None
    (left, right), at, conjunction = found
    words = [w.lower() for i, w in enumerate(draft.items) if isinstance(w, str) and i not in at]
    if words[:1] == ["when"] and conjunction == "and":
        return None  # "when was the border between X and Y created"
    text = " ".join(words)
    yes_no = bool(words) and words[0] in _YES_NO
    attribute, pick = _attribute(text, yes_no, conjunction)
    if not attribute:
        return None
    bridge = _bridge(text, attribute)
    sides = []
    for slot in (left, right):
        subject = slot
        if bridge:
            relation = relations()[bridge]
            subject = draft.append(f"{relation.noun} of {{{slot}}}", [slot], relation, relation.type)
        sides.append(subject)
    values = [_look_up(draft, subject, attribute) for subject in sides]
    compared = Comparison((left, right), attribute, pick, values[0], values[1])
    return Plan(question, tuple(names), tuple(draft.hops), draft.hints, compared)


def _options(items: list[Item]) -> tuple[tuple[int, int], set[int], str] | None:
    """The two slots that a question compares, the places of the words between them, and the conjunction."""
    first = items[0].lower() if items and isinstance(items[0], str) else ""
    slots = [i for i, item in enumerate(items) if isinstance(item, int)]
    for a, b in zip(reversed(slots[:-1]), reversed(slots[1:]), strict=True):
        between = [w.lower() for w in items[a + 1 : b] if isinstance(w, str)]
        plain = [w for w in between if w not in (",", "the", "film", "movie", "'s", "’s", "of")]
        joined = plain[-1] if plain else ""
        shares = " ".join(w.lower() for w in items if isinstance(w, str))
        fits = (
            plain in (["or"], ["and"], ["than"], ["is", "or"])
            and (joined != "and" or first in _YES_NO or _CONTRASTS.search(shares))
        ) or ("same" in plain and plain[-1] in ("as", "with", "to") and first in _YES_NO)
        if fits:
            values = items[a], items[b]
            assert isinstance(values[0], int)
            assert isinstance(values[1], int)
            inside = set() if "same" in plain or joined == "than" else set(range(a + 1, b))
            return (values[0], values[1]), inside, joined
    return None


def _attribute(text: str, yes_no: bool, conjunction: str) -> tuple[str, str]:
    """What is compared, and how: ``first``, ``last``, ``most``, ``least`` or ``same``."""
    order = "last" if _LAST.search(text) else "first" if _FIRST.search(text) else ""
    if re.search(r"\b(same|share|shares|shared|common|both)\b", text) and conjunction != "or" and yes_no:
        if re.search(r"\b(born|birth ?place|place of birth|place_of_birth|hometown)\b", text):
            return "birthplace", "same"
        if re.search(r"\b(die|died|place of death|place_of_death)\b", text):
            return "death_place", "same"
        if re.search(r"\b(nationality|nationalities|citizens?|citizenship)\b", text):
            return "nationality", "same"
        if re.search(r"\b(country|nation|countries)\b", text):
            return "country", "same"
        relation = find_relation(re.sub(r"\b(same|share|both|have|located)\b", " ", text))
        return (relation.name, "same") if relation and "same" in text else ("", "")
    if re.search(r"\b(lived longer|lived the longest|live longer|longer life|longer lived)\b", text):
        return "lifespan", "most"
    if re.search(r"\b(died|die|dies|death)\b", text):
        return "death_date", order or "first"
    if re.search(r"\b(born|birth|older|oldest|younger|youngest)\b", text):
        older = re.search(r"\b(older|oldest)\b", text)
        younger = re.search(r"\b(younger|youngest)\b", text)
        return "birth_date", "first" if older else "last" if younger else order or "first"
    if re.search(r"\b(found|founded|established|formed|built|opened|started|constructed|created|completed)\b", text):
        return "founding_date", order or "first"
    if order and not _MOST.search(text.replace("more recently", "")):
        return "publication_date", order
    if re.search(r"\blit\b", text) and order:
        return "founding_date", order
    if _MOST.search(text) or _LEAST.search(text):
        relation = find_relation(text)
        measured = relation.name if relation and relation.type == "number" else "number_of"
        return measured, "most" if _MOST.search(text) else "least"
    return "", ""


def _bridge(text: str, attribute: str) -> str:
    for word in re.findall(r"[a-z\-]+", text):
        relation = find_relation(word)
        if relation and relation.name in _BRIDGES and relation.name != attribute and word not in ("directed", "made"):
            return relation.name
    return ""


def _look_up(draft: Draft, subject: int, attribute: str) -> tuple[int, ...]:
    if attribute == "lifespan":
        return *_look_up(draft, subject, "birth_date"), *_look_up(draft, subject, "death_date")
    relation = relations()[attribute]
    kind = relation.type
    return (draft.append(f"{relation.noun} of {{{subject}}}", [subject], relation, kind),)


def decide(compared: Comparison, left: list[str], right: list[str], names: tuple[str, ...]) -> str:
    """The option that wins, *yes* or *no*; empty if the values do not tell.

    ``left`` and ``right`` hold a side's values, in the order of its slots; for ``same`` all that a sentence gives.
    """
    if not left or not right:
        return ""
    if compared.pick == "same":
        return "yes" if same(compared.attribute, left, right) else "no"
    values = _numbers(compared, left), _numbers(compared, right)
    if values[0] is None or values[1] is None:
        return ""
    depth = min(len(values[0]), len(values[1]))
    a, b = values[0][:depth], values[1][:depth]
    if a == b:
        return ""
    wins_left = a < b if compared.pick in ("first", "least") else a > b
    return names[0] if wins_left else names[1]


def same(attribute: str, left: list[str], right: list[str]) -> bool:
    """Whether two sides share a value; countries by name or nationality, places by their first part."""
    if attribute in ("country", "nationality"):
        return bool({country(v) or v for v in left} & {country(v) or v for v in right})
    return bool({key(v.split(",")[0]) for v in left} & {key(v.split(",")[0]) for v in right})


def _numbers(compared: Comparison, values: list[str]) -> tuple[float, ...] | None:
    if compared.attribute == "lifespan":
        dates = [date_parts(v) for v in values]
        if len(dates) < 2 or not dates[0] or not dates[1]:
            return None
        return (_days(dates[1]) - _days(dates[0]),)
    if compared.attribute.endswith("date"):
        return date_parts(values[0]) or None
    match = re.search(r"\d[\d,]*(?:\.\d+)?", values[0])
    return (float(match.group().replace(",", "")),) if match else None


def _days(parts: tuple[float, ...]) -> float:
    year, month, day = (*parts, 6.0, 15.0)[:3] if len(parts) == 1 else (*parts, 15.0)[:3]
    return year * 365.25 + month * 30.44 + day


def date_parts(text: str) -> tuple[float, ...]:
    """A date as (year, month, day), as far as it says; empty if there is no year in it."""
    words = re.findall(r"[^\W\d_]+|\d+", text.lower())
    month = next((_MONTHS[w] for w in words if w in _MONTHS), None)
    numbers = [int(w) for w in words if w.isdigit()]
    years = [n for n in numbers if n > 31] or numbers[-1:]
    if not years:
        return ()
    year = -years[0] if re.search(r"\bbce?\b", text.lower()) else years[0]
    days = [n for n in numbers if n <= 31 and n != years[0]]
    if month and days:
        return float(year), float(month), float(days[0])
    return (float(year), float(month)) if month else (float(year),)


def describes_pair(hop: Hop, compared: Comparison | None) -> bool:
    """Whether a hop looks up all values of a side at once (what two things share)."""
    return compared is not None and compared.pick == "same" and hop.target in (*compared.left, *compared.right)
