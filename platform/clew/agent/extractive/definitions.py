"""What a page says that its subject is: whether that fits what a question says, and what two pages say alike."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from clew.agent.extractive.evidence import Evidence, Page, Sentence
from clew.agent.extractive.lexicon import country, country_forms, key, narrower, stem, vocabulary
from clew.agent.extractive.negation import denies
from clew.agent.extractive.plan import Hop
from clew.agent.extractive.subject import Subject, title_match
from clew.text.names import FUNCTION_WORDS, without_parenthesis

SAID = 7.0
"""Score of what a sentence states outright."""
UNSAID = 0.5
"""Score of a *no* that rests on a page not saying so: enough for a guess."""
OWN_PAGE = 0.7
"""How surely a page must be about a name to be read as its description."""
APART = 0.9
"""What words count together that stand in several sentences of a page."""


def fits(hop: Hop, values: dict[int, str], evidence: Evidence) -> tuple[str, float, Sentence] | None:
    """Whether what is known of a name fits what the question says of it, as *yes* or *no*, and how far, as its score.

    *No* may only mean that its page does not say so: then it scores by how much of it the page does say.
    """
    page = own_page(values[hop.slots[0]], evidence)
    if page is None:
        return None
    wanted = _wanted(hop, values)
    title = _stems(key(without_parenthesis(page.title)))
    sentences = sorted(page.sentences, key=lambda s: s.index)
    covered: set[str] = set()
    best, share = sentences[0], 0.0
    for sentence in sentences:
        told = {word for word in wanted if _tells(sentence, word, title)}
        if denies(sentence.text, frozenset(told)):
            continue
        covered |= {word for word in told if sentence is sentences[0] or not country(word)}
        if len(told) / max(1, len(wanted)) > share:
            best, share = sentence, len(told) / len(wanted)
    share = max(share, APART * len(covered) / max(1, len(wanted)))
    if wanted and share >= APART:
        return "yes", SAID * share, best
    return "no", UNSAID + share, best


def own_page(name: str, evidence: Evidence) -> Page | None:
    """The page of a name, with sentences; None where there is none."""
    subjects = [Subject.of(form) for form in {name, name.removeprefix("The ")}]
    matched = [
        (max(title_match(subject, page) for subject in subjects), page)
        for page in evidence.pages.values()
        if page.sentences
    ]
    best = max(matched, key=lambda pair: pair[0], default=None)
    return best[1] if best and best[0] >= OWN_PAGE else None


def _wanted(hop: Hop, values: dict[int, str]) -> list[str]:
    """The words and names that a description must have, without those that any has."""
    text = re.sub(r"\{\d+\}", " ", hop.template)
    words = [word for word in re.findall(r"[^\W_]+(?:[.’'&-][^\W_]+)*", text) if _says(word)]
    return list(dict.fromkeys([*words, *(values[slot] for slot in hop.others if slot in values)]))


def _says(word: str) -> bool:
    return word.lower() not in FUNCTION_WORDS | vocabulary("kind_words") and len(word) > 1


def _tells(sentence: Sentence, word: str, title: frozenset[str]) -> bool:
    """Whether a sentence has a word, one that means a narrower thing, or another form of the same country."""
    if country(word):
        return any(f" {form} " in sentence.folded for form in country_forms(word))
    if f" {key(word)} " in sentence.folded:
        return True
    parts = [noun_stem(part) for part in re.findall(r"[^\W_]+", word.lower()) if part not in FUNCTION_WORDS]
    own = _stems(sentence.text) - title | (_stems(sentence.text) & title if len(parts) > 1 else frozenset())
    return bool(parts) and all(part in own or not narrower(part).isdisjoint(own) for part in parts)


@lru_cache(maxsize=8192)
def _stems(text: str) -> frozenset[str]:
    return frozenset(noun_stem(word) for word in re.findall(r"[^\W_]+", text))


def noun_stem(word: str) -> str:
    """The stem of a word that may be a plural: the singers of one are the singer of another."""
    word = word.lower()
    return stem(word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is", "ies", "uses")) else word)


_IS = re.compile(r"\b(?:is|was|are|were|includes?)\s+(?:an?\s|the\s|one of the\s)?(.+)", re.DOTALL)
_STOP = re.compile(
    r"[.;:()]|,?\s(?:who|whom|which|that|whose|best|known|born|by|with|from|located|based|released|written|"
    r"directed|published|currently|native|founded|formed|found|containing|consisting)\b"
    r"|\s[a-z]+ed (?:with|by|in|from|at|for|to|as|on)\b"
)
_JOINED = re.compile(r",? (?:and|or|as well as) |, |/")
_OF = re.compile(r"\b(?:of|in|for|at|on|to)\b.*")
_KIND_OF = re.compile(r"^(?:\w+ )?(?:genus|species|type|kind|breed|family|member|form|sort)s? of (?:the |an? )?")


def own_kinds(hop: Hop, values: dict[int, str], evidence: Evidence) -> tuple[list[str], Sentence] | None:
    """All that the page of a name says that it is: "American film director", "screenwriter"."""
    page = own_page(values[hop.slots[0]], evidence)
    if page is None:
        return None
    for sentence in sorted(page.sentences, key=lambda s: s.index):
        if found := called_so(sentence.text):
            told = {word for s in page.sentences for word in re.findall(r"[a-z]+", s.text)}
            further = sorted(word for word in told if word.removesuffix("s") in vocabulary("occupation"))
            return [*found, *(word.removesuffix("s") for word in further)], sentence
    return None


@lru_cache(maxsize=2048)
def called_so(text: str) -> list[str]:
    """What a definition calls its subject, each phrase alone."""
    bare = re.sub(r"\([^()]*\)", " ", text)
    match = _IS.search(bare)
    if match is None:
        return []
    phrases = []
    for part in _JOINED.split(_STOP.split(match.group(1), maxsplit=1)[0]):
        part = re.sub(r"^(?:(?:an?|the|also|former|retired|later) )+", "", part.strip())
        part = _OF.sub("", _KIND_OF.sub("", part)).strip()
        if part and len(part.split()) <= LONGEST and not country(part):
            phrases.append(part)
    return phrases


LONGEST = 6
"""Words of a phrase that says what something is, at most."""


def in_common(left: Sequence[str], right: Sequence[str], noun: str) -> str:
    """What two descriptions say alike: the longest end that two phrases share."""
    asked = {noun_stem(word) for word in noun.split()}
    best: list[str] = []
    for one in left:
        for other in right:
            ours, theirs = one.split(), other.split()
            n = 0
            while n < min(len(ours), len(theirs)) and noun_stem(ours[-1 - n]) == noun_stem(theirs[-1 - n]):
                n += 1
            end = ours[len(ours) - n :] if n else []
            if len(end) > len(best) and not {noun_stem(word) for word in end} <= asked:
                best = end
    return " ".join(best)
