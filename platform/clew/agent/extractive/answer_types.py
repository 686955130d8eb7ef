"""What kind of thing a sub-question asks for: from its question word, its head noun, and its relation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from clew.agent.extractive.lexicon import Relation, acts, head_types, stem, vocabulary
from clew.text.names import FUNCTION_WORDS

ANY = "any"
KIND = "kind"
"""Sought by *what kind of N*: words that say which N, such as *moist broadleaf forest*."""
CLOSED = frozenset("sport religion genre occupation cause colour".split())
"""Types whose values stand in lists."""
PHRASED = (ANY, "common")
"""Types that a phrase without a name may be of."""
_KINDS = frozenset("kind kinds type types sort sorts".split())
_WH_TYPES = {"when": "date", "where": "place", "who": "person", "whom": "person", "whose": "person", "why": "cause"}
_NAMED = frozenset("person organisation date number".split())
"""Types that *what* does not ask for without a noun: "what caused X" has no person as its answer."""
MEASURED = "many much old far long tall high deep wide large big fast often heavy".split()
"""What *how* asks for that a unit tells."""
_MODIFIERS = frozenset(
    "first second third fourth fifth last next only current former main other original largest biggest oldest youngest "
    "highest longest most".split()
)


def answer_type(words: Sequence[str], relation: Relation | None) -> tuple[str, str]:
    """The type sought and the head noun that says so (empty if none does).

    ``words`` are those of the sub-question in lower case, names replaced by ``x``. Types: person, place, organisation,
    agent (one of persons and organisations), date, time, number, country, language, award, cause, sport, religion,
    genre, occupation, work, event (what takes place), named (whatever has a name), common, any.
    """
    wh = next((w for w in words if w in _WH_TYPES or w in ("what", "which", "how")), "")
    if wh == "how":
        return ("number", _after_many(words)) if _counts(words) else (relation.type if relation else ANY, "")
    head, kind = ("", "") if _stranded(words, wh) else _head(words, wh)
    wanted = relation.type if relation else ANY
    if wh == "what" and wanted in _NAMED and not kind and not _noun(words, head):
        wanted = ANY
    if kind not in CLOSED and (noun := _of_kind(words)):
        return KIND, noun
    if wh in ("when", "why"):
        return _WH_TYPES[wh], ""
    if wh in ("who", "whom", "whose"):
        copula = words[list(words).index(wh) + 1 :][:1] in (["is"], ["was"], ["are"], ["were"])
        if copula and kind in ("organisation", "country") and wanted != "person":
            return kind, head  # "who was the first team to win X"
        if not relation and vocabulary("powers") & set(words):
            return "agent", head
        if relation and relation.name == "performer":
            return "agent", head  # a singer or a band
        agent = "agent" if wanted in ("any", "organisation", "named", "event") and relation else "person"
        return (wanted if wanted == "person" else agent), head
    if wh == "where" and (noun := _placed(words)):
        return head_types()[noun], noun
    if wh == "where":
        return (wanted if wanted in ("place", "organisation") else "place"), head
    if kind == "time" and {"last", "first", "period", "span", "frame"} & set(words):
        return "date", head  # "the last time X beat Y" is a day, not an hour
    if relation and head == relation.noun and (wanted == "number" or (wanted == "organisation" and not wh)):
        return wanted, head  # "operator of X" is rather a firm than somebody
    if relation and head == relation.noun and wanted == ANY and kind == "person":
        return "agent", head  # an owner
    if kind == "agent" and wanted == "organisation":
        return wanted, head  # an employer, a broadcaster
    if kind:
        specific = wanted in ("organisation", "place") and kind in ("place", "country", "organisation")
        return (kind if kind != ANY and not (specific and kind == "work") else wanted), head
    return wanted, head


def _noun(words: Sequence[str], head: str) -> bool:
    """Whether a head is a noun and no verb: "what population", "what is the *located in* of X", not "what caused"."""
    return bool(head) and (not acts(head) or words[list(words).index(head) - 1] == "the")


def of_another_sort(words: Sequence[str], head: str, relation: Relation) -> bool:
    """Whether a noun after *what* says of what sort the answer is, so that a relation of people or firms does not:
    "which hymn did X write"."""
    wh = next((i for i, word in enumerate(words) if word in ("what", "which")), len(words))
    named = head in words[wh + 1 : wh + 1 + LONGEST] and words[wh + 1] not in _VERBAL
    told = head in head_types() or acts(head) or stem(head) in relation.words
    return named and not told and relation.type in _OF_SORTS


LONGEST = 3
"""Words of a noun phrase after *what*, at most."""
_VERBAL = ("is", "was", "are", "were", "do", "does", "did", "has", "had", "have")
_OF_SORTS = ("person", "organisation", "occupation", "common", "named", "event")
"""Types of relations that a noun of another sort is not asked by."""


def _of_kind(words: Sequence[str]) -> str:
    """The noun of "what kind of N"; empty where nothing of the sort is asked."""
    for i, word in enumerate(words[:-3]):
        if word in ("what", "which") and words[i + 1] in _KINDS and words[i + 2] == "of":
            noun = ""
            for following in words[i + 3 :]:
                if not following.isalpha() or following == "x" or following in FUNCTION_WORDS | vocabulary("verbs"):
                    break
                noun = following
            return noun
    return ""


def _placed(words: Sequence[str]) -> str:
    """The noun of "the county where …", empty where the question itself asks *where*."""
    before = words[list(words).index("where") - 1] if words[0] != "where" else ""
    return before if before in head_types() and head_types()[before] in ("place", "country", "organisation") else ""


def _stranded(words: Sequence[str], wh: str) -> bool:
    """Whether the noun after the verb is whom the question is about: "what is the painting valued at"."""
    asked = [word for word in words if word.isalnum()]
    copula = wh == "what" and asked[1:2] in (["is"], ["was"], ["are"], ["were"])
    return copula and asked[-1] in ("at", "for", "with", "of", "from", "on", "into") and asked[-2].endswith("ed")


def _counts(words: Sequence[str]) -> bool:
    i = list(words).index("how")
    measured = i + 1 < len(words) and words[i + 1] in MEASURED
    return measured or (words[i + 2 : i + 3] in (["is"], ["are"], ["was"], ["were"]) and words[i + 1] != "x")


def _after_many(words: Sequence[str]) -> str:
    i = list(words).index("how")
    return next((w for w in words[i + 2 : i + 5] if w not in FUNCTION_WORDS and w != "x"), "")


def _head(words: Sequence[str], wh: str) -> tuple[str, str]:
    """The head noun and the type it stands for: after *what* or *which*, else of the noun phrase itself."""
    types = head_types()
    start = list(words).index(wh) + 1 if wh else 0
    phrase: list[str] = []
    copula = False
    for word in words[start:]:
        if word in ("is", "was", "are", "were", "the", "a", "an", "s", "'s") and not phrase:
            copula = copula or word in ("is", "was", "are", "were")
            continue
        if word in ("name", "kind", "type") and (copula or not phrase):
            continue
        if word in ("of",) and not phrase:
            continue
        if word == "x" and not phrase and not copula and wh in ("what", "which"):
            continue  # "which Denver player": the noun after the name says what is sought
        if word.isdigit() and not phrase and not copula and wh in ("what", "which", ""):
            continue  # "what 1931 film"
        if word == "x" or word in FUNCTION_WORDS - _MODIFIERS or not word[0].isalpha():
            break
        if phrase and not copula and wh in ("what", "which") and word not in types and acts(word):
            break  # "which journalist considered X the best"
        phrase.append(word)
    if not phrase:
        return "", ""
    for word in (*reversed(phrase),):
        for form in (word, word.removesuffix("s"), word.replace("_", " ")):
            if form in types:
                return form, types[form]
    agent = phrase[-1].removesuffix("s").replace("factor", "")
    if agent.endswith(("ator", "itor", "ctor", "tter", "rer", "ner", "ist", "ian")):
        return phrase[-1], "person"
    person = agent in vocabulary("person", "nouns")
    return phrase[-1], "agent" if _does(agent) else "person" if person else ""


def _does(noun: str) -> bool:
    """Whether a noun is that of who does what a verb says: *invader*, *abolisher*."""
    if len(noun) < 5 or not noun.endswith(("er", "or")) or noun in vocabulary("verbs"):
        return False
    return stem(noun) in _verb_stems()


@cache
def _verb_stems() -> frozenset[str]:
    return frozenset(stem(verb) for verb in vocabulary("verbs") if not verb.endswith("ed"))
