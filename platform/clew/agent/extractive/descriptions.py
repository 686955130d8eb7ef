"""What a question says of the thing that it asks for, held against what the page of a candidate says that it is.

"Which Danish weaver and poet influenced X" says three things of whoever is sought, and the first sentence on the right
person says them, too, however plain the sentence is that names both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from clew.agent.extractive.evidence import Page, stems
from clew.agent.extractive.lexicon import head_types, key, stem, vocabulary
from clew.agent.extractive.word_classes import AUXILIARY, PREPOSITION, RELATIVE
from clew.text.names import FUNCTION_WORDS

LEAST = 2
"""Words that say more than what kind of thing is sought, and that are to be found: one alone may be anybody's."""
_SLOT = re.compile(r"\{(\d+)\}")
_WORD = re.compile(r"\{\d+\}|[^\W_]+(?:['’.-][^\W_]+)*")
_BESIDE = frozenset("in at on during from since until and".split())
_STOP = AUXILIARY | (PREPOSITION - {"of"}) | RELATIVE


@dataclass(frozen=True, slots=True)
class Description:
    """What is said of what a hop seeks: stems of words, and the slots of names."""

    words: frozenset[str]
    slots: tuple[int, ...]


@lru_cache(maxsize=1024)
def description(template: str) -> Description:
    """What a sub-question says of its answer: in the noun phrase after *which*, and in what follows a *which* that
    stands in the place of the answer ("X is an essay by | which weaver known for Y")."""
    words = _WORD.findall(template)
    at = next((i for i, word in enumerate(words) if word.lower() in ("what", "which")), -1)
    if at < 0:
        return Description(frozenset(), ())
    noun, rest = _phrase(words[at + 1 :])
    fronted = at < 2 and not any(_SLOT.fullmatch(word) for word in words[:at])
    beside = rest and rest[0].lower() in _BESIDE  # "X played which sport | in Y"
    told = noun if fronted or beside else [*noun, *rest]
    plain = [w.lower() for w in told if not _SLOT.fullmatch(w) and w.lower() not in FUNCTION_WORDS]
    slots = tuple(int(m.group(1)) for w in told if (m := _SLOT.fullmatch(w)))
    return Description(frozenset(stem(part) for word in plain for part in word.split("-")), slots)


def _phrase(words: list[str]) -> tuple[list[str], list[str]]:
    """The noun phrase that words begin with, and the others."""
    end = 0
    while end < len(words) and not _ends(words, end):
        end += 1
    return words[:end], words[end:]


def _ends(words: list[str], i: int) -> bool:
    word = words[i].lower()
    verb = word in vocabulary("verbs") and word not in head_types()
    return _SLOT.fullmatch(word) is not None or word in _STOP or (i > 0 and verb)


def matched(said: Description, names: dict[int, str], target: Page | None) -> float:
    """The share of a description that the first sentence on a page says of its subject; 0 where there is no page."""
    if target is None or len(said.words) + len(said.slots) < LEAST:
        return 0.0
    told, folded = _told(target.lead, target.title)
    found = len(said.words & told) + sum(f" {key(names.get(slot, '-'))} " in folded for slot in said.slots)
    return found / (len(said.words) + len(said.slots)) if found >= LEAST else 0.0


@lru_cache(maxsize=8192)
def _told(lead: str, title: str) -> tuple[frozenset[str], str]:
    """The stems of a page's title and first sentence, parts of compounds among them, and the sentence's key."""
    words = [word.strip(".,;()") for word in lead.lower().split()]
    parts = frozenset(stem(part) for word in words for part in word.split("-"))
    return stems(lead.lower()) | stems(title.lower()) | parts, f" {key(lead)} "
