"""The names in a question: what it is about, before anything is known of the documents, and better afterwards."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from clew.agent.extractive.lexicon import country, find_relation, key, vocabulary
from clew.agent.extractive.word_classes import QUESTION
from clew.text.names import FUNCTION_WORDS, without_parenthesis

_TOKEN = re.compile(
    r"['’]s\b|(?<=s)['’](?=\s)"
    r"|(?:[^\W\d_]\.){2,}"
    r"|[^\W_]+(?:['’.\-–/&+·](?!s\b)[^\W_]+)*(?:(?<=\b[A-Z])\.|(?<=\b[DMSJ][rt])\.|(?<=\bMrs)\.|(?<=\bBros)\.)?"
    r"|[^\w\s]"
)
_JOINING = frozenset("of the de von van der den du del della di da la le les el al bin ibn y e zu af av".split())
ASKING = frozenset(
    """who whom whose what which where when why how is are was were do does did has have had can could will would
    in on at from for to of out between besides there name and or both tell describe explain define give list
    along besides except unlike like apart aside among""".split()
)
_INSIDE = frozenset("in on to for with at from".split())
_OWNING = frozenset("my your me you us our i it him them".split())
_ALSO_NAMES = frozenset("king queen prince princess duke church house battle".split())
"""Words that begin names as well as roles: "Prince of Tides", "House of Cards"."""
LONGEST = 16
"""Tokens of a name, at most."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a mark of the question with its place."""

    text: str
    start: int
    end: int

    @property
    def capital(self) -> bool:
        return self.text[0].isupper() or self.text[0].isdigit()


@dataclass(frozen=True, slots=True)
class Anchor:
    """A name in the question: tokens first to last (exclusive)."""

    name: str
    first: int
    last: int


def tokens(question: str) -> list[Token]:
    """The question as words, possessive endings and marks."""
    return [Token(m.group(), m.start(), m.end()) for m in _TOKEN.finditer(question)]


def title_keys(title: str) -> set[str]:
    """The keys under which a question may mention a title: with and without its parenthesis."""
    bare = without_parenthesis(title)
    return {key(title), key(bare), key(bare.replace("&", "and"))} - {""}


def find_anchors(question: str, words: list[Token], titles: Collection[str]) -> list[Anchor]:
    """The names in a question, left to right, without overlap.

    ``titles`` are keys of titles and entities seen so far. A known one wins over a run of capitals, unless it is only a
    part of a longer run; quoted words are names as well.
    """
    chosen = _quoted(question, words)
    runs = [run for run in _capital_runs(words) if not _overlaps(run, chosen)]
    known = _known(words, titles)
    for span in sorted(known, key=lambda s: s[0] - s[1]):
        run = next((r for r in runs if r[0] <= span[0] and span[1] <= r[1] and r != span), None)
        if run and not _may_split(words, run, span):
            continue
        if not _overlaps(span, chosen):
            chosen.append(span)
    for run in runs:
        parts = [part for part in _minus(run, chosen) if _worth(words, part)]
        chosen += [part for part in parts if not (_is_role(words, part) or _is_office(words, part))]
    return [Anchor(_surface(question, words, a, b), a, b) for a, b in sorted(chosen)]


def _capital_runs(words: list[Token]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    i = 0
    while i < len(words):
        if not _starts(words, i):
            i += 1
            continue
        end = i + 1
        while end < len(words):
            step = _continues(words, end)
            if not step:
                break
            end += step
        if not _describes(words, i, end):
            runs += _split_role(words, i + _is_told(words, i, end), end)
        i = end
    return runs


def _starts(words: list[Token], i: int) -> bool:
    word = words[i]
    if _is_adjective(words, i) or _is_opening(words, i) or (i and words[i - 1].text in ("many", "much")):
        return False
    if not word.capital or (i == 0 and (word.text.lower() in ASKING or _leads_in(words))):
        return False
    following = words[i + 1] if i + 1 < len(words) else None
    if word.text[0].isdigit():
        return following is not None and following.text[0].isupper()
    if word.text.lower() in FUNCTION_WORDS and not (i and _abbreviation(word)):
        if following is None:
            return False
        return following.capital or _is_called(words, i) or (i > 1 and _leads_to_name(words, i))
    return True


def _is_called(words: list[Token], i: int) -> bool:
    """Whether the word before says that a work is called what follows: "the film | Up"."""
    return i > 0 and words[i - 1].text.lower() in vocabulary("work_nouns")


def _leads_to_name(words: list[Token], i: int) -> bool:
    """Whether a capital of a function word inside a question begins a title: "the performer of | Be the Gull"."""
    return words[i - 1].text.islower() and bool(_continues(words, i + 1))


def _leads_in(words: list[Token]) -> bool:
    """Whether a question begins with a phrase that a comma ends: "After WWII, when did …", "According to X, who …"."""
    if words[0].text not in _LEADING_IN:
        return False
    comma = next((i for i, w in enumerate(words) if w.text == ","), len(words))
    return any(w.text.lower() in QUESTION for w in words[comma:])


_LEADING_IN = frozenset(
    "After Before During Since Under Within Following According Along As While Despite Until".split()
)


def _is_adjective(words: list[Token], i: int) -> bool:
    """Whether a word is a nationality that only describes what follows: "the French courts", "the American writer"."""
    described = i + 1 < len(words) and words[i + 1].text.isalpha()
    plain = described and words[i + 1].text.islower() and words[i + 1].text not in _JOINING
    if plain and words[i].text.lower() in vocabulary("adjectives"):
        return words[i + 1].text not in FUNCTION_WORDS | ASKING
    named = described and words[i + 1].capital
    name = country(words[i].text) if described and not named and words[i].text.istitle() else None
    return name is not None and key(name) != key(words[i].text) and words[i].text.endswith(("n", "sh", "ch", "se", "i"))


def _describes(words: list[Token], start: int, end: int) -> bool:
    """Whether a run only describes the noun after it: "the South Korean | group", "a 1931 Danish | film", "the
    Kenya-based | firm"."""
    following = words[end].text if end < len(words) else ""
    if not following[:1].islower() or following in FUNCTION_WORDS | ASKING:
        return False
    inside = [w.text for w in words[start:end]]
    inside = inside[1:] if inside[0] == "The" else inside
    inside = inside[1:] if len(inside) > 1 and inside[0].isdigit() and len(inside[0]) == 4 else inside
    return bool(inside) and (_nationality(" ".join(inside)) or all(map(_compound, inside)))


def _is_told(words: list[Token], start: int, end: int) -> bool:
    """Whether a question begins with what the bearer of a name is: "Singer | Ada Finch"."""
    first = words[start].text.lower()
    nouns = vocabulary("person", "nouns") - vocabulary("person", "titles") - vocabulary("relatives")
    return start == 0 and first in nouns and end - start > 2 and first not in vocabulary("offices")


def _is_opening(words: list[Token], i: int) -> bool:
    """Whether the capital of a question's first word is only that: "Professional | rower Ada Finch"."""
    plain = i == 0 and len(words) > 2 and words[1].text.islower() and words[2].capital
    return plain and words[1].text in vocabulary("person", "nouns")


def _nationality(text: str) -> bool:
    name = country(text)
    return name is not None and key(name) != key(text) and text.endswith(("n", "sh", "ch", "se", "i"))


def _compound(word: str) -> bool:
    """Whether a word is an adjective of two: "Mexican-American", "Anglo-Irish", "Kenya-based"."""
    parts = word.split("-")
    if len(parts) != 2 or not parts[1]:
        return False
    joined = parts[0].lower() in _COMBINING or _nationality(parts[0])
    return parts[1] in _ADJOINED or (joined and _nationality(parts[1]))


_COMBINING = frozenset("anglo afro franco indo sino russo italo hispano judeo euro austro greco".split())
_ADJOINED = frozenset("born based affiliated owned speaking language winning style trained bound built".split())


def _abbreviation(word: Token) -> bool:
    """Whether a word such as *US* or *WHO* is a name although its letters also make a function word."""
    return len(word.text) > 1 and word.text.isupper()


def _continues(words: list[Token], i: int) -> int:
    """How many tokens from ``i`` on still belong to the name before them; 0 where it ends."""
    text = words[i].text
    following = words[i + 1] if i + 1 < len(words) else None
    if words[i].capital:
        return 0 if _described_so(words, i) else 1
    if text == "(":
        close = next((j for j in range(i, min(i + 12, len(words))) if words[j].text == ")"), None)
        return close - i + 1 if close else 0
    if following is None:
        return 0
    if text in ("'s", "’s"):
        return 2 if following.capital else 0
    if text in "!?":
        return 1 if following.capital or following.text in ("or", "and", "(", "'s", "’s", "?") else 0
    if text == "v" and following.text == "." and i + 2 < len(words) and words[i + 2].capital:
        return 3  # a case: "Finch v. Dahl"
    if text in ("&", "+", "-", "–", ":", "/", "#"):
        return 2 if following.capital else 0
    if text == "," and _before_options(words, i):
        return 0
    if text == ",":
        return 2 if following.capital and following.text.lower() not in ASKING else 0
    if text in _INSIDE and following.capital and following.text.lower() in _OWNING:
        return 2  # "Harbour in My Eyes"
    if text in _JOINING:
        for j in range(i + 1, min(i + 3, len(words))):
            if words[j].capital:
                return j - i + 1
            if words[j].text not in _JOINING:
                return 0
    return 0


def _described_so(words: list[Token], i: int) -> bool:
    """Whether a yes-or-no question says of the name before what it is: "are X and Y | American poets", "ESA pilots"."""
    if words[0].text.lower() not in ("is", "are", "was", "were"):
        return False
    if i + 1 >= len(words) or words[i + 1].text == "?":
        meant = country(words[i].text)
        return meant is not None and key(meant) != key(words[i].text)
    noun = words[i + 1].text
    plain = noun.isalpha() and noun.islower() and noun not in FUNCTION_WORDS | ASKING | _JOINING
    return plain and (_is_adjective(words, i) or _abbreviation(words[i]))


def _before_options(words: list[Token], i: int) -> bool:
    """Whether a comma stands before the two names that a question lets choose: "in Mexico, X or Y"."""
    if words[0].text.lower() not in ("which", "who", "what") or any(w.text in (",", ":") for w in words[:i]):
        return False
    joined = next((j for j, w in enumerate(words[i:], i) if w.text == "or"), 0)
    return joined > 0 and not any(w.text.lower() in QUESTION for w in words[i:joined])


def _split_role(words: list[Token], start: int, end: int) -> list[tuple[int, int]]:
    """ "President of France" names France and asks for its president; "Joan of Arc" is one name."""
    for i in range(start + 1, min(start + 4, end - 1)):
        if words[i].text == "of":
            role = " ".join(w.text.lower() for w in words[start:i])
            if words[i - 1].text.lower() not in vocabulary("office") | vocabulary("person", "titles") | vocabulary(
                "owned"
            ) | {"capital", "mayor", "mother", "father"}:
                continue
            if (role not in _ALSO_NAMES or _held(words, start, role)) and find_relation(role):
                return [(i + 1, end)]
    return [(start, end)]


def _held(words: list[Token], start: int, role: str) -> bool:
    """Whether somebody is said to be what a role tells, which is no name then: "who was the | King of Norland"."""
    before = [word.text.lower() for word in words[max(0, start - 2) : start]]
    return role in ("king", "queen") and before in (["was", "the"], ["is", "the"], ["became", "the"], ["as", "the"])


def _quoted(question: str, words: list[Token]) -> list[tuple[int, int]]:
    spans = []
    for match in re.finditer(r"[\"“”«]([^\"“”«»]{2,120})[\"“”»]", question):
        inside = [i for i, w in enumerate(words) if match.start(1) <= w.start and w.end <= match.end(1)]
        if inside:
            spans.append((inside[0], inside[-1] + 1))
    return spans


def _known(words: list[Token], titles: Collection[str]) -> list[tuple[int, int]]:
    found = []
    keys = [key(w.text) for w in words]
    careless = not any(w.text[0].isupper() for w in words[1:])
    for i, word in enumerate(words):
        if not keys[i]:
            continue
        for j in range(min(len(words), i + LONGEST), i, -1):
            if not keys[j - 1] and words[j - 1].text not in ")":
                continue
            name = " ".join(k for k in keys[i:j] if k)
            if (name in titles or (" " in name and f"the {name}" in titles)) and _may_name(words, i, j, word, careless):
                found.append((i, j))
                break
    return found


def _may_name(words: list[Token], i: int, j: int, word: Token, careless: bool) -> bool:
    """Whether known words are a name here; in a question without capitals, two of them suffice."""
    inner = [w.text for w in words[i:j] if w.text[0].isalpha()]
    if careless and (j - i > 2 or (j - i > 1 and word.text.lower() not in FUNCTION_WORDS | ASKING)):
        return True
    if not word.capital or (i == 0 and word.text.lower() in ASKING and j - i < 3):
        return False
    if all(w.lower() in FUNCTION_WORDS for w in inner) or _describes(words, i, j):
        return False
    if _ORDINAL.fullmatch(word.text) and not vocabulary("office").isdisjoint(w.lower() for w in inner):
        return False  # "the 4th Governor of X" is asked for, and named otherwise
    plain = all(w[0].isupper() or w in _JOINING or w in ("and", "in", "for", "to", "on", "a", "with") for w in inner)
    return plain or j - i >= 2


_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")


def _may_split(words: list[Token], run: tuple[int, int], span: tuple[int, int]) -> bool:
    """Whether a known title inside a longer run of capitals is a name of its own: next to a comma or joining word."""
    before = words[span[0] - 1].text if span[0] > run[0] else ""
    after = words[span[1]].text if span[1] < run[1] else ""
    loose = (*_JOINING, ",", "'s", "’s")
    if any(mark == "," and _is_rank(words, i) for mark, i in ((before, span[0]), (after, span[1] + 1))):
        return False
    return (not before or before in loose) and (not after or after in loose) and span[1] - span[0] > 1


_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")


def _is_rank(words: list[Token], i: int) -> bool:
    """Whether what stands behind a comma is the rank of the name before it: "Ada Finch, | 2nd Baroness Tarn"."""
    rank = i + (_ORDINAL.fullmatch(words[i].text) is not None)
    return rank < len(words) and words[rank].text.lower() in vocabulary("person", "ranks")


def _minus(run: tuple[int, int], taken: list[tuple[int, int]]) -> list[tuple[int, int]]:
    parts = [run]
    for a, b in taken:
        parts = [p for x, y in parts for p in ((x, min(y, a)), (max(x, b), y)) if p[0] < p[1]]
    return parts


def _worth(words: list[Token], span: tuple[int, int]) -> bool:
    inside = words[span[0] : span[1]]
    named = [w.text for w in inside if w.capital and (w.text.lower() not in FUNCTION_WORDS or _abbreviation(w))]
    if not named and span[0] > 0:
        enough = len(inside) > 1 or _is_called(words, span[0])
        return enough and all(w.capital or w.text in _JOINING for w in inside if w.text[0].isalpha())
    return any(any(c.isalpha() for c in name) for name in named)


def _is_role(words: list[Token], span: tuple[int, int]) -> bool:
    """Whether a run of capitals before a name only says which part of it is meant: "Inspector General of the" X."""
    last = words[span[1] - 1].text
    return span[1] - span[0] > 1 and (last == "of" or (last == "the" and words[span[1] - 2].text == "of"))


def _is_office(words: list[Token], span: tuple[int, int]) -> bool:
    """Whether a run of capitals is that of an office, which names nobody: "the CEO of", "who was President when"."""
    inside = [w.text.lower() for w in words[span[0] : span[1]]]
    return all(word in vocabulary("office") for word in inside)


def _overlaps(span: tuple[int, int], others: Collection[tuple[int, int]]) -> bool:
    return any(span[0] < b and a < span[1] for a, b in others)


def _surface(question: str, words: list[Token], first: int, last: int) -> str:
    return question[words[first].start : words[last - 1].end].strip(" ,")
