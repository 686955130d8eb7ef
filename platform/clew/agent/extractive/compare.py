"""Questions about two things: which comes first, whether they share something. Both are looked up, then compared."""

from __future__ import annotations

import copy
import re

from clew.agent.extractive.answer_types import answer_type
from clew.agent.extractive.lexicon import acts, country, find_relation, key, relations, vocabulary
from clew.agent.extractive.pairs import PAIRED, WHICH, judge, pair
from clew.agent.extractive.phrases import ROUNDS, reduce
from clew.agent.extractive.plan import Comparison, Draft, Hop, Item, Plan
from clew.agent.extractive.quantities import HALF_A_CENTURY, date_parts, days, is_century, quantity
from clew.text.names import FUNCTION_WORDS

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
_LIVED = re.compile(
    r"\b(?:live[ds]? (?:the )?long(?:er|est)|(?:longe(?:r|st)|shorte(?:r|st)) (?:life|lived|lifespan)"
    r"|live[ds]? a (?:longer|shorter) life"
    r"|(?:live[ds]? to|died at) (?:an? |the )?(?:older|younger|oldest|youngest|higher)"
    r"|(?:older|younger|oldest|youngest) (?:when|at the time) (?:they|he|she|of (?:their|his|her)) (?:died|death))\b"
)
_OPTIONS_ARE = re.compile(
    r"^(?:which|what) (?:(?!of\b|whose\b|has\b|have\b)[\w-]+ )+?"
    r"(?=(?:is|was|are|were|did|does|lived?|died|won|came|had|has)\b)"
)
"""Which of two playwrights lived longer is not asked of their own playwrights."""
_RECENT = re.compile(r"\b(?:more|most) recent(?:ly)?\b")
_COUNTED = re.compile(
    r"\b(?:more|most|fewer|fewest|less|least|(?:greater|larger|higher) (?:number|amount) of) ((?:[a-z'’-]+ ?)+)"
)
_CONTRASTS = re.compile(r"\b(?:out of|between|both|same|two)\b|^(?:\w+ )?of\b")


def comparison(question: str, names: list[str], draft: Draft) -> Plan | None:
    """The plan of a question that compares two names, or None if it does not."""
    return _measured(question, names, copy.deepcopy(draft)) or pair(question, names, copy.deepcopy(draft))


def _measured(question: str, names: list[str], draft: Draft) -> Plan | None:
    """The plan of a question that compares dates, numbers or places of two names."""
    if (slot := _aged(draft.items)) is not None:
        life = _look_up(draft, slot, "lifespan")
        compared = Comparison((slot, slot), "lifespan", "age", life, life)
        return Plan(question, tuple(names), tuple(draft.hops), draft.hints, compared)
    found = _options(draft.items)
    if found is None and _JOINED.isdisjoint(item.lower() for item in draft.items if isinstance(item, str)):
        return None
    if found is None:
        # "the designer of A or the designer of B": each option is itself looked up.
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
    if not attribute or not pick:
        return None
    bridge = _bridge(text, attribute)
    if attribute == "birth_date" and not bridge and "born" not in words:
        attribute = _beginning(text, [names[s] for s in (left, right) if 0 <= s < len(names)])
    sides = []
    for slot in (left, right):
        subject = slot
        if bridge:
            relation = relations()[bridge]
            subject = draft.append(f"{relation.noun} of {{{slot}}}", [slot], relation, relation.type)
        sides.append(subject)
    begun = _BEGINNING.search(text) if attribute == "founding_date" else None
    counted = _counted(text) if attribute == "number_of" else ""
    values = [_look_up(draft, subject, attribute, begun.group() if begun else "", counted) for subject in sides]
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


def _beginning(text: str, names: list[str]) -> str:
    """By which date one thing is older than another: a lighthouse by when it was built, a film by its release."""
    head = answer_type(text.split(), None)[0] if text.startswith(("which", "what")) else ""
    if head == "work":
        return "publication_date"
    return "founding_date" if head in _FOUNDED or any(map(_is_thing, names)) else "birth_date"


_FOUNDED = ("organisation", "place", "thing")


def _counted(text: str) -> str:
    """What is to be counted: the species of "which genus has more species"; empty where no noun says."""
    found = _COUNTED.search(text)
    words = re.findall(r"[^\s,]+", found.group(1)) if found else []
    end = next((i for i, word in enumerate(words) if word in FUNCTION_WORDS or (i and acts(word))), len(words))
    return " ".join(words[:end])


def _is_thing(name: str) -> bool:
    """Whether a name ends with what it is the name of, which nobody's does: "Skarn Head Lighthouse"."""
    nouns = vocabulary("place_nouns") | vocabulary("organisation_nouns") | vocabulary("work_nouns")
    return name.rsplit(" ", 1)[-1].lower() in nouns


def _aged(items: list[Item]) -> int | None:
    """The slot of whoever's age at death is asked for: "how old was X when she died", "at what age did X die"."""
    slots = [item for item in items if isinstance(item, int)]
    text = " ".join("x" if isinstance(item, int) else item.lower() for item in items)
    return slots[0] if len(slots) == 1 and _AGE_AT_DEATH.fullmatch(text) else None


_JOINED = _CLAIMS | {"or", "and", "than", "same"}
"""Words without which a question compares nothing, however it is taken apart."""


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
    if re.search(r"\b(same|share|shares|shared|common)\b", text) and conjunction != "or" and yes_no:
        if re.search(r"\b(born|birth ?place|place of birth|place_of_birth|hometown)\b", text):
            return "birthplace", "same"
        if re.search(r"\b(die|died|place of death|place_of_death)\b", text):
            return "death_place", "same"
        if re.search(r"\b(nationality|nationalities|citizens?|citizenship)\b", text):
            return "nationality", "same"
        if re.search(r"\b(country|nation|countries)\b", text):
            return "country", "same"
        relation = find_relation(re.sub(r"\b(same|share|both|have|located)\b", " ", text))
        told = relation is not None and relation.name != "occupation" and "same" in text
        return (relation.name, "same") if relation and told else ("", "")
    if lived := _LIVED.search(text):
        return "lifespan", "least" if re.search("young|short", lived.group()) else "most"
    if re.search(r"\b(died|die|dies|death)\b", text):
        return "death_date", order
    if re.search(r"\b(born|birth|older|oldest|younger|youngest)\b", text):
        older = re.search(r"\b(older|oldest)\b", text)
        younger = re.search(r"\b(younger|youngest)\b", text)
        return "birth_date", "first" if older else "last" if younger else order
    if _BEGINNING.search(text) and order:
        return "founding_date", order
    if order and not _MOST.search(_RECENT.sub("", text)):
        return "publication_date", order
    if yes_no and conjunction == "and":
        return "", ""  # "do X and Y both have more than ten rooms"
    if _MOST.search(text) or _LEAST.search(text):
        relation = find_relation(text)
        measured = relation.name if relation and relation.type == "number" else "number_of"
        return measured, "most" if _MOST.search(text) else "least"
    return "", ""


def _bridge(text: str, attribute: str) -> str:
    """The relation that leads from each option to what is compared; a noun that only says what both are is none."""
    text = _OPTIONS_ARE.sub("", text, count=1)
    for word in re.findall(r"[a-z\-]+", text):
        relation = find_relation(word)
        if relation and relation.name in _BRIDGES and relation.name != attribute and word not in ("directed", "made"):
            return relation.name
    return ""


def _look_up(draft: Draft, subject: int, attribute: str, begun: str = "", counted: str = "") -> tuple[int, ...]:
    """The slots of a side's values; ``begun`` is the verb that says which beginning is meant: *built*, *lit*.

    ``counted`` is what a number is one of.
    """
    if attribute == "lifespan":
        return *_look_up(draft, subject, "birth_date"), *_look_up(draft, subject, "death_date")
    relation = relations()[attribute]
    template = f"When was {{{subject}}} {begun}" if begun else f"{relation.noun} of {{{subject}}}"
    if counted:
        template = f"number of {counted} of {{{subject}}}"
        return (draft.append(template, [subject], relation, "number", counted.split()[-1]),)
    return (draft.append(template, [subject], relation, relation.type),)


def decide(
    compared: Comparison,
    left: list[str],
    right: list[str],
    names: tuple[str, ...],
    scores: tuple[float, float] = (0.0, 0.0),
) -> str:
    """The option that wins, *yes* or *no*; empty if the values do not tell.

    ``left`` and ``right`` hold a side's values, in the order of its slots; for ``same`` all that a sentence gives.
    ``scores`` are those of the first values.
    """
    if compared.pick == WHICH and (left or right):
        return judge(compared, left, right, names, scores)
    if not left or not right:
        return ""
    if compared.pick in PAIRED:
        return judge(compared, left, right, names, scores)
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
