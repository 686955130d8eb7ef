"""What a sentence says to questions that no span answers: yes or no, a reason, who or what something is.

Each is read off the words alone, and only where they leave little doubt: the sentence, with its heading and title, has
all that the question says, and does not hedge it. Everything else is left to the sentences themselves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.reader.confidence import goes_on, sentence_before
from clew.text.mentions import mentions_all
from clew.text.names import FUNCTION_WORDS, key
from clew.text.series import fields
from clew.text.verbs import PAST

_NOT = re.compile(r"\b(?:not|no|never|neither|nor|none|cannot|nobody|nothing)\b|n[’']t\b", re.IGNORECASE)
_HEDGED = frozenset(
    """if unless may might could would should propose proposed proposes plan plans planned intend intends intended claim
    claimed claims allege alleged reject rejected refuse refused deny denied denies fail failed fails ask asked whether
    consider considered believe believed possible possibly perhaps probably almost nearly hardly rarely without until
    instead unlike supposed reported rumoured rumored expected likely""".split()
)
_EXACT = frozenset(
    """only all every always first last most least both each any same other more less than before can may must should
    will""".split()
)
_CLAUSE = re.compile(r"[;:]\s|,\s+(?:but|because|although|while|whereas|and)\s|\s(?:but|because|although|whereas)\s")
_BECAUSE = re.compile(
    r"\b(?:because(?: of)?|since(?!\s+(?:\d|\w+ \d{4}|then))|due to|owing to|as a result of|thanks to|on account of|"
    r"in order to|so that)\s+(?P<reason>\S(?:[^.;\n]|\.(?=\w))*)",
    re.IGNORECASE,
)
_OPINION = re.compile(r"(?P<said>yes|no)\b[,.:;–-]?", re.IGNORECASE)
_LEAVE = re.compile(r"(?:can|may|could)\s+(?=\w)|am I (?:allowed|permitted) to\s+", re.IGNORECASE)
"""A question for leave, to which "can", "may", "allowed" and "do not" are one answer or the other."""
_LEFT = re.compile(r"\bmay\b|(?i:\b(?:can|cannot|must not|shall not|do not|never|allowed|permitted)\b|n[’']t\b)")
"""What gives leave or takes it; May is a month."""
_PARTLY = re.compile(
    r"\b(?:(?:but not|not only|except|unless|only|until)\b"
    r"|(?:under|over|above|below|aged)\s(?:\d|the age\b|(?:six|seven|eight|nine|ten|eleven|twelve|\w{3,6}teen)\b))",
    re.IGNORECASE,
)
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|be)\b(?:\s+(?:not|never))?\s+\w+\s+by\s+", re.IGNORECASE)
_AND = re.compile(r"\band\b", re.IGNORECASE)
_MOST_WORDS = 18
_STEM = 5
"""Letters by which two words count as forms of one."""
_WIDER = 2
"""How many words may stand between those of the question, for each of them."""
_BEFORE, _BEHIND = -24, 32
"""Characters behind and before a word of the question in which a denial counts as its own."""


def opinion(cell: str) -> str:
    """ "yes" or "no" where a cell says so; empty where it says something else."""
    told = _OPINION.fullmatch(cell)
    return told["said"].lower() if told else ""


def yes_or_no(question: str, names: Sequence[str], title: str, section: str, sentence: str) -> str:
    """ "yes" or "no" where the sentence says so in the question's own words; empty where it does not.

    ``section`` is its paragraph with the heading above it, whose words may stand for what the sentence leaves out.
    """
    leave = _LEAVE.match(question)
    asked = _content(question[leave.end() :] if leave else question)
    heading, _, _ = section.partition("\n")
    opening = _OPINION.match(sentence)
    if opening and asked and asked <= _content(heading) | _content(title):
        return opening["said"].lower()
    before = sentence_before(section, sentence) if goes_on(sentence) else ""
    if sentence.rstrip().endswith("?") or fields(sentence) or _PARTLY.search(sentence):
        return ""
    if not mentions_all(f"{title} {heading} {before} {sentence}", names):
        return ""
    asked -= {word for name in names for word in _content(name)}
    around = _content(f"{title} {heading}") - _EXACT
    clause = next((part for part in _clauses(sentence) if _covered(asked, part, around)), "")
    if not clause or _hedges(question, clause) or not _in_order(question, clause):
        return ""
    if leave and not _LEFT.search(clause):
        return ""
    denials = [match.start() for match in _NOT.finditer(clause)]
    near_by = ((place, at) for place in denials for at in _places(asked, clause) if _BEFORE < at - place < _BEHIND)
    if denials and all(_AND.search(clause[place:at]) for place, at in near_by):
        return ""
    return "no" if bool(denials) != bool(_NOT.search(question)) else "yes"


def reason(question: str, names: Sequence[str], title: str, section: str, sentence: str) -> str:
    """The reason that a sentence gives for what it says in the question's words; empty where it gives none."""
    told = _BECAUSE.search(sentence)
    if told is None or not mentions_all(f"{title} {section}", names):
        return ""
    asked = _content(question) - {word for name in names for word in _content(name)}
    said = _content(sentence[: told.start()] if told.start() > 1 else sentence)
    near = said | _content(f"{title} {section}")
    enough = asked and 2 * len(asked & said) >= len(asked) and asked <= near
    agrees = bool(_NOT.search(question)) == bool(_NOT.search(sentence[: told.start()]))
    return told.group().strip(" ,") if enough and agrees else ""


def definition(name: str, sentence: str) -> str:
    """What a sentence says that ``name`` is, as in "X is a …", "X, the … of Y," or "the engineer X"; else empty."""
    said = re.escape(name)
    for pattern in (
        rf"\b{said}(?:\s*\([^()]*\))?,?\s+(?:is|was|are|were)\s+(?P<what>(?:an?|the|one of)\s[^.;\n]+)",
        rf"\b{said},\s+(?P<what>(?:an?|the)\s[^,.;\n]+)[,.;]",
        rf"\b{said}\s+(?:took over as|served as|works? as|worked as|became|was (?:elected|appointed|named))\s+"
        r"(?P<what>[^.;,\n]+)",
        rf"\b(?:the|an?)\s+(?P<what>(?:[\w-]+\s){{1,3}}){said}\b",
    ):
        match = re.search(pattern, sentence, re.IGNORECASE)
        if match and not _NOT.match(match["what"]) and match["what"].split()[-1].lower() not in FUNCTION_WORDS:
            what = re.split(r",?\s(?:who|which|that|where|when)\s|,\s(?:and|but)\s", match["what"])[0].strip(" ,")
            words = what.lower().split()
            if len(words) <= _MOST_WORDS and set(words) - FUNCTION_WORDS:
                return what
    return ""


def _content(text: str) -> set[str]:
    """The words of a text that say something, by their stems."""
    words = key(re.sub(r"n[’']t\b", " not", text)).split()
    said = (word for word in words if (word not in FUNCTION_WORDS or word in _EXACT) and word not in ("not", "no"))
    return set(map(_stem, said))


def _stem(word: str) -> str:
    """The first letters of a word, by which forms of one are told: of "built" those of "build"."""
    return (word if word == "found" else PAST.get(word, word))[:_STEM]


def _clauses(sentence: str) -> list[str]:
    """The clauses of a sentence, and last the sentence as a whole where it has a single one."""
    return [part for part in _CLAUSE.split(sentence) if part.strip()]


def heads(question: str, names: Sequence[str], heading: str) -> bool:
    """Whether a heading names what a question asks for: "Actions" for "What are the actions of the committee?"."""
    said = _content(heading)
    return bool(said - {word for name in names for word in _content(name)}) and said <= _content(question)


def _covered(asked: set[str], clause: str, around: set[str]) -> bool:
    """Whether a clause has the words of a question close together; one of them and its year may stand around it."""
    missing = {word for word in asked - _content(clause) if not word.isdigit()}
    places = _places(asked, clause)
    close = bool(places) and len(clause[min(places) : max(places)].split()) <= _WIDER * len(asked) + 1
    return close and len(asked) > 2 * len(missing) and len(missing) <= 1 and asked - _content(clause) <= around


def _places(asked: set[str], clause: str) -> list[int]:
    """Where the words of a question stand in a clause."""
    return [match.start() for match in re.finditer(r"[\w'’]+", clause) if _stem(key(match.group())) in asked]


def _in_order(question: str, clause: str) -> bool:
    """Whether what both say stands in one order, which "B bought A" does not for "Did A buy B"."""
    asked = [_stem(word) for word in key(question).split() if word not in FUNCTION_WORDS]
    said = [_stem(word) for word in key(clause).split() if _stem(word) in asked]
    places = [asked.index(word) for word in dict.fromkeys(said)]
    passive = _PASSIVE.search(clause)
    if passive and not _PASSIVE.search(question):
        by = [_stem(word) for word in key(clause[passive.end() :]).split() if word not in FUNCTION_WORDS]
        return by[:1] == asked[:1]  # "A was built by B" of "did B build A"
    return places == sorted(places)


def _hedges(question: str, clause: str) -> bool:
    asked = set(map(_stem, key(question).split())) | ({"may", "could"} if _LEAVE.match(question) else set())
    hedges = any(word in _HEDGED and _stem(word) not in asked for word in key(clause).split())
    return hedges or len(_NOT.findall(clause)) > 1
