"""Noun phrases of a sentence that are no names: the *visor helmet* of "The visor helmet was replaced by …"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.lexicon import acts, country, stem, vocabulary
from clew.text.names import FUNCTION_WORDS

LONGEST = 6
"""Words of a phrase, at most."""
_WORD = re.compile(r"[^\W_]+(?:[-–'’.][^\W_]+)*%?")
_BEFORE_NOUN = frozenset(
    "a an the its his her their our my your this that these those each every some any no another both".split()
)
"""Words after which even the form of a verb is a noun or describes one: "the *extended area*", "its *use*"."""
_MODAL = frozenset("can could will would may might must should cannot did does do not who".split())
"""Words after which a verb follows: "could *counteract* free radicals"."""
_ARTICLE = frozenset("the a an its his her their this these those".split())
_IDIOM = re.compile(
    r"\b(?:in|for|by|on|as|at|with|from) (?:an? |the |other |most |many |some )?"
    r"(?:order|example|instance|addition|contrast|fact|general|particular|result|hand|conjunction|terms|case|cases|turn"
    r"|part|respect|regard|spite|front|charge|favou?r|effect|practice|essence|total|comparison|least|sense|words)\b",
    re.IGNORECASE,
)
"""Nouns that only join what is said: "in *order* to", "for *example*"."""
_OF = re.compile(r" of (?:the |an? |its |his |her |their )?")
_ADVERB = re.compile(r"[a-z]{3,}ly")
_NO_ADVERB = frozenset("family assembly supply reply ally monopoly anomaly butterfly jelly belly bully rally".split())
_ENDS_OTHERWISE = frozenset(
    """able available such unable due according including based following well only even also then known used
    within among around via per despite amid alongside across along beyond besides except onto till whom""".split()
)


def with_phrases(found: Sequence[Candidate], text: str) -> tuple[Candidate, ...]:
    """The candidates of a sentence, and its noun phrases that are not among them."""
    known = {(c.start, c.text) for c in found}
    return (*found, *(c for c in noun_phrases(text) if (c.start, c.text) not in known))


@lru_cache(maxsize=8192)
def noun_phrases(text: str) -> tuple[Candidate, ...]:
    """The phrases whose last word is in lower case, each alone and with what *of* adds, without their articles."""
    chunks = _chunks(text)
    starts = dict(chunks)
    found = []
    for start, end in chunks:
        if _plain(text[start:end]):
            found.append(Candidate(text[start:end], start, end, "term", "phrase"))
        if (joined := _OF.match(text, end)) and joined.end() in starts:
            stop = starts[joined.end()]
            found.append(Candidate(text[start:stop], start, stop, "term", "phrase"))
    return tuple(found)


def _plain(phrase: str) -> bool:
    """Whether a phrase is no name: its last word has no capital, and it is no adjective of a country alone."""
    last = phrase.rsplit(" ", 1)[-1]
    return last[0].islower() and not last.isdigit() and (" " in phrase or country(phrase) is None)


def _chunks(text: str) -> list[tuple[int, int]]:
    """The runs of words between articles, prepositions, verbs and punctuation."""
    words = list(_WORD.finditer(text))
    idle = {match.end() for match in _IDIOM.finditer(text)}
    runs: list[list[re.Match[str]]] = [[]]
    led = False
    for i, word in enumerate(words):
        folded = word.group().lower()
        apart = i > 0 and text[words[i - 1].end() : word.start()] != " "
        if apart:
            runs.append([])
            led = False
        if (
            word.end() in idle
            or folded in FUNCTION_WORDS
            or folded in _ENDS_OTHERWISE
            or (not led and not runs[-1] and _adverb(folded))
        ):
            runs.append([])
            led = folded in _BEFORE_NOUN
            continue
        following = words[i + 1].group().lower() if i + 1 < len(words) else ""
        before = words[i - 1].group().lower() if i and not apart else ""
        if _verbal(folded, following, bool(runs[-1]), led) or before in _MODAL:
            runs.append([])
            led = False
            continue
        runs[-1].append(word)
        led = False
    return [(run[0].start(), run[-1].end()) for run in runs if run and len(run) <= LONGEST]


def _adverb(word: str) -> bool:
    return _ADVERB.fullmatch(word) is not None and word not in _NO_ADVERB


def _verbal(word: str, following: str, inside: bool, led: bool) -> bool:
    """Whether a word is a verb where it stands: ``inside`` a phrase, or right after an article (``led``)."""
    if led and not inside:
        return False
    if following in _ARTICLE:
        return True  # "the method *yields* the value"
    if word.endswith("ing") and len(word) > 5:
        return not inside or following in FUNCTION_WORDS
    if _adverb(word):
        return True
    return acts(word) or word in vocabulary("participles")


@lru_cache(maxsize=32_768)
def echoed(text: str, said: frozenset[str]) -> float:
    """The share of a candidate's words that the question has itself: it asks for what it does not say."""
    words = [w for w in re.findall(r"[^\W_]+", text.lower()) if w not in FUNCTION_WORDS]
    return sum(stem(word) in said for word in words) / len(words) if words else 0.0
