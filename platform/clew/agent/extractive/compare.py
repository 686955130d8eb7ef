"""Questions about two things: which comes first, whether they share something. Both are looked up, then compared."""

from __future__ import annotations

import copy
import re

from clew.agent.extractive.lexicon import country, find_relation, key, relations, vocabulary
from clew.agent.extractive.phrases import ROUNDS, reduce
from clew.agent.extractive.plan import Comparison, Draft, Hop, Item, Plan
from clew.agent.extractive.quantities import HALF_A_CENTURY, date_parts, days, is_century, quantity

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
_BEGINNING = re.compile(
    r"\b(?:found|founded|established|formed|built|lit|opened|started|constructed|created|completed)\b"
)
_CLAIMS = frozenset("than before after".split())
"""Words between two names of which the first is said to be older, higher or sooner: "did A die before B"."""
_AGE_AT_DEATH = re.compile(
    r"(?:how old was x (?:when (?:he|she|they) died|at (?:(?:his|her|the time of (?:his|her)) )?death)"
    r"|(?:at|to) (?:what|which) age did x (?:die|live))"
)
_CONTRASTS = re.compile(r"\b(?:out of|between|both|same|two)\b|^(?:\w+ )?of\b")


def comparison(question: str, names: list[str], draft: Draft) -> Plan | None:
    """The plan of a question that compares two names, or None if it does not."""
    if (slot := _aged(draft.items)) is not None:
        life = _look_up(draft, slot, "lifespan")
        compared = Comparison((slot, slot), "lifespan", "age", life, life)
        return Plan(question, tuple(names), tuple(draft.hops), draft.hints, compared)
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
    left, right = (_with_name(draft, slot) for slot in (left, right))
    words = [w.lower() for i, w in enumerate(draft.items) if isinstance(w, str) and i not in at]
    if words[:1] == ["when"] and conjunction == "and":
        return None  # "when was the border between X and Y created"
    text = " ".join(words)
    yes_no = bool(words) and words[0] in _YES_NO
    attribute, pick = _attribute(text, yes_no, conjunction)
    if not attribute:
        return None
    bridge = _bridge(text, attribute)
    if attribute == "birth_date" and not bridge and any(_is_thing(names[s]) for s in (left, right) if s < len(names)):
        attribute = "founding_date"  # a lighthouse is older by when it was built
    sides = []
    for slot in (left, right):
        subject = slot
        if bridge:
            relation = relations()[bridge]
            subject = draft.append(f"{relation.noun} of {{{slot}}}", [slot], relation, relation.type)
        sides.append(subject)
    begun = _BEGINNING.search(text) if attribute == "founding_date" else None
    values = [_look_up(draft, subject, attribute, begun.group() if begun else "") for subject in sides]
    claimed = yes_no and conjunction in _CLAIMS
    compared = Comparison((left, right), attribute, pick, values[0], values[1], claimed)
    return Plan(question, tuple(names), tuple(draft.hops), draft.hints, compared)


def _with_name(draft: Draft, slot: int) -> int:
    """A slot that is compared as one of its own: a part of something ("the university of X") becomes a hop."""
    if slot >= 0:
        return slot
    text, whole = draft.parts[slot]
    words = [*text.split()[:-1], "x"]
    return draft.add(text, [whole], words)


def _is_thing(name: str) -> bool:
    """Whether a name ends with what it is the name of, which nobody's does: "Skarn Head Lighthouse"."""
    nouns = vocabulary("place_nouns") | vocabulary("organisation_nouns") | vocabulary("work_nouns")
    return name.rsplit(" ", 1)[-1].lower() in nouns


def _aged(items: list[Item]) -> int | None:
    """The slot of whoever's age at death is asked for: "how old was X when she died", "at what age did X die"."""
    slots = [item for item in items if isinstance(item, int)]
    text = " ".join("x" if isinstance(item, int) else item.lower() for item in items)
    return slots[0] if len(slots) == 1 and _AGE_AT_DEATH.fullmatch(text) else None


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
        claimed = joined in _CLAIMS and first in _YES_NO and b == len(items) - 1
        if fits or claimed:
            values = items[a], items[b]
            assert isinstance(values[0], int)
            assert isinstance(values[1], int)
            inside = set() if "same" in plain or joined in _CLAIMS else set(range(a + 1, b))
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
    if _BEGINNING.search(text):
        return "founding_date", order or "first"
    if order and not _MOST.search(text.replace("more recently", "")):
        return "publication_date", order
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


def _look_up(draft: Draft, subject: int, attribute: str, begun: str = "") -> tuple[int, ...]:
    """The slots of a side's values; ``begun`` is the verb that says which beginning is meant: *built*, *lit*."""
    if attribute == "lifespan":
        return *_look_up(draft, subject, "birth_date"), *_look_up(draft, subject, "death_date")
    relation = relations()[attribute]
    template = f"When was {{{subject}}} {begun}" if begun else f"{relation.noun} of {{{subject}}}"
    return (draft.append(template, [subject], relation, relation.type),)


def decide(compared: Comparison, left: list[str], right: list[str], names: tuple[str, ...]) -> str:
    """The option that wins, *yes* or *no*; empty if the values do not tell.

    ``left`` and ``right`` hold a side's values, in the order of its slots; for ``same`` all that a sentence gives.
    """
    if not left or not right:
        return ""
    if compared.pick == "age":
        return _age(left)
    if compared.pick == "same":
        return "yes" if same(compared.attribute, left, right) else "no"
    values = _numbers(compared, left), _numbers(compared, right)
    if values[0] is None or values[1] is None or _undecided(compared.attribute, left[0], right[0]):
        return ""
    depth = min(len(values[0]), len(values[1]))
    a, b = values[0][:depth], values[1][:depth]
    if a == b:
        return ""
    wins_left = a < b if compared.pick in ("first", "least") else a > b
    if compared.claimed:
        return "yes" if wins_left else "no"
    return names[0] if wins_left else names[1]


def _age(dates: list[str]) -> str:
    """The full years between two dates that have a day; empty where one has none."""
    parts = [date_parts(date) for date in dates]
    if len(parts) < 2 or any(len(part) < len(("year", "month", "day")) for part in parts[:2]):
        return ""
    (born, *birthday), (died, *day) = parts[:2]
    return str(int(died - born - (day < birthday)))


def same(attribute: str, left: list[str], right: list[str]) -> bool:
    """Whether two sides share a value; countries by name or nationality, places by their first part."""
    if attribute in ("country", "nationality"):
        return bool({country(v) or v for v in left} & {country(v) or v for v in right})
    return bool({key(v.split(",")[0]) for v in left} & {key(v.split(",")[0]) for v in right})


def _undecided(attribute: str, left: str, right: str) -> bool:
    """Whether two values cannot be told apart: a year within the other's century, a number of something else."""
    if attribute == "lifespan":
        return False
    if attribute.endswith("date"):
        a, b = date_parts(left), date_parts(right)
        return (is_century(left) or is_century(right)) and bool(a and b) and abs(a[0] - b[0]) <= HALF_A_CENTURY
    one, other = quantity(left), quantity(right)
    return one is not None and other is not None and one[1] != other[1]


def _numbers(compared: Comparison, values: list[str]) -> tuple[float, ...] | None:
    if compared.attribute == "lifespan":
        dates = [date_parts(v) for v in values if not is_century(v)]
        if len(dates) < 2 or not dates[0] or not dates[1]:
            return None
        return (days(dates[1]) - days(dates[0]),)
    if compared.attribute.endswith("date"):
        return date_parts(values[0]) or None
    number = quantity(values[0])
    return (number[0],) if number else None


def describes_pair(hop: Hop, compared: Comparison | None) -> bool:
    """Whether a hop looks up all values of a side at once (what two things share)."""
    return compared is not None and compared.pick == "same" and hop.target in (*compared.left, *compared.right)
