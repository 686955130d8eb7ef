"""A question that leans on the conversation before it, said so that it can be understood alone.

"Who founded it?", "and Vandor?", "since when?": a pronoun stands for the last thing that fits it ("them" for the last
two), a bare name takes the place of the name before, and a bare question word asks the last question's circumstance. A
question without a name is about its first noun: "the warranty". Where nothing fits, the question stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from clew.questions.grammar import plan
from clew.questions.plan import Plan
from clew.questions.words import AUXILIARIES, PREPOSITIONS
from clew.text.names import FUNCTION_WORDS, is_name

_LEAD = re.compile(r"^(?:(?:and|but|so|then|ok(?:ay)?)\b[,\s]+)+", re.IGNORECASE)
_ABOUT = re.compile(
    r"^(?:(?:and|or)(?: (?:what|how) about| for)?|(?:what|how) about)\s+(?P<other>[^?]+?)\s*\??$", re.IGNORECASE
)
_BARE = re.compile(
    r"^(?:(?:and|but|since|until|from) )*(?P<word>when|where|why|how|who|what)"
    r"(?: (?:was|is|did|were) (?:it|that))?\s*\??$",
    re.IGNORECASE,
)
_PERSON = re.compile(r"\b(?:he|she|him|his|her|hers)\b", re.IGNORECASE)
_THING = re.compile(r"\b(?:it|its|this|that one|the same)\b", re.IGNORECASE)
_SEVERAL = re.compile(r"\b(?:both of them|they|them|their|theirs|the two|both)\b", re.IGNORECASE)
_PLACE = re.compile(r"\bthere\b(?! (?:is|are|was|were|any|a|an|been)\b)", re.IGNORECASE)
_EXPLETIVE = re.compile(
    r"\b(?:is|are|was|were|has|have) there\b|\bit (?:takes?|took|costs? to|possible|true)\b", re.IGNORECASE
)
_ARTICLE = re.compile(r"(?:the|an?)\s", re.IGNORECASE)
_THE = re.compile(r"\b(?:the|an?)\s+(?:[\w'’-]+\s+){0,3}\Z", re.IGNORECASE)
_POSSESSIVE = frozenset("his her its hers their theirs".split())
_ARTICLES = frozenset("the a an my our your this".split())
_ENDS = FUNCTION_WORDS | PREPOSITIONS | AUXILIARIES


@dataclass(frozen=True, slots=True)
class _Topic:
    """Something that was spoken of, and what it may be: person, place, thing, or unknown."""

    name: str
    kind: str


def in_full(question: str, history: Sequence[tuple[str, str]]) -> str:
    """``question`` with what it leaves to the last of ``history``, earlier questions with their answers.

    Those may have left something to others before them, and are said in full first.
    """
    answered: list[tuple[str, str]] = []
    for asked, answer in history:
        answered.append((_in_full(asked, answered), answer))
    return _in_full(question, answered)


def _in_full(question: str, history: Sequence[tuple[str, str]]) -> str:
    if not history:
        return question
    asked, answer = history[-1]
    before = plan(asked)
    if bare := _BARE.match(question.strip()):
        return _circumstance(bare["word"].lower(), asked, before)
    spoken_of = [*before.anchors, *([thing] if (thing := _noun(asked)) else ())]
    if (about := _ABOUT.match(question.strip())) and spoken_of and plan(question).kind != "comparison":
        return _exchanged(asked, (before.anchors or spoken_of)[-1], about["other"])
    stripped = _LEAD.sub("", question.strip())
    return _named(stripped, _topics(before, asked, answer, history[:-1]), before, history) or question


def _named(stripped: str, topics: Sequence[_Topic], before: Plan, history: Sequence[tuple[str, str]]) -> str:
    """A question with a name in place of its pronoun; empty where it has none, or nothing fits."""
    if _SEVERAL.search(stripped) and (names := _several(before, history[-1][1], topics, history[:-1])):
        return _filled(stripped, _SEVERAL, names)
    for pattern, kinds in ((_PERSON, ("person", "")), (_PLACE, ("place", "")), (_THING, ("thing", "place", ""))):
        if not pattern.search(stripped) or (pattern is not _PERSON and _EXPLETIVE.search(stripped)):
            continue
        fitting = next((topic.name for topic in topics if topic.kind in kinds), "")
        if fitting and fitting not in stripped:
            return _filled(stripped, pattern, fitting)
    return ""


def _topics(before: Plan, asked: str, answer: str, earlier: Sequence[tuple[str, str]]) -> list[_Topic]:
    """What was spoken of, last first: the answer if it is a name, names or noun of the question, then the before."""
    expects = before.hops[-1].expects
    found = []
    if is_name(answer) and answer[:1].isupper() and expects not in ("date", "year", "number", "yes/no"):
        found.append(_Topic(answer, {"person": "person", "place": "place"}.get(expects, "")))
    found += [_Topic(name, "thing" if found else "") for name in reversed(before.anchors)]
    if not before.anchors and (noun := _noun(asked)):
        found.append(_Topic(f"the {noun.partition(' ')[2]}", "thing"))
    return found or (_topics(plan(earlier[-1][0]), *earlier[-1], earlier[:-1]) if earlier else [])


def _noun(asked: str) -> str:
    """The first noun of a question with its article: "the lease" of "What does the lease say?", whose verb is last."""
    words = asked.rstrip("?!. ").split()
    at = next((at for at, word in enumerate(words) if word.lower() in _ARTICLES), len(words))
    noun = list(takewhile(lambda word: word.islower() and word not in _ENDS, words[at + 1 :]))
    if len(noun) > 1 and words[at - 1].lower() in AUXILIARIES - {"is", "are", "was", "were"}:
        noun.pop()
    return " ".join([words[at].lower(), *noun]) if noun else ""


def _several(before: Plan, answer: str, topics: Sequence[_Topic], earlier: Sequence[tuple[str, str]]) -> str:
    """The things that "them" stands for: those of a list, the last question's two names, else the last two topics."""
    listed = [one for one in answer.replace(" and ", ", ").split(", ") if is_name(one)]
    if max(len(listed), len(before.anchors)) > 1:
        return " and ".join(listed if len(listed) > 1 else before.anchors)
    latest = [topic.name for topic in topics[:1]]
    previous = _topics(plan(earlier[-1][0]), *earlier[-1], earlier[:-1]) if earlier and latest else []
    return " and ".join([*[one.name for one in previous if one.name not in latest][:1], *latest])


def _filled(question: str, pattern: re.Pattern[str], name: str) -> str:
    def put(match: re.Match[str]) -> str:
        word = match[0].lower()
        owns = word in _POSSESSIVE and not re.match(r"\s*(?:[?.,]|$)", match.string[match.end() :])
        return f"{name}'s" if owns else f"in {name}" if word == "there" else name

    return pattern.sub(put, question, count=1)


def _exchanged(asked: str, name: str, other: str) -> str:
    """The last question with ``other`` in place of ``name``, or where that has an article of its whole phrase."""
    at = asked.rfind(name)
    if at >= 0 and _ARTICLE.match(other) and (whole := _THE.search(asked, 0, at)):
        return asked[: whole.start()] + other + asked[at + len(name) :]
    return asked[:at] + other + asked[at + len(name) :] if at >= 0 else f"{asked.rstrip('? ')} {other}?"


def _circumstance(word: str, asked: str, before: Plan) -> str:
    """ "When?" after "Who opened the mill?" is "When opened the mill?", which a reader understands as it is."""
    rest = re.sub(r"^\W*(?:who|what|when|where|why|how|which)\b", "", asked, flags=re.IGNORECASE).strip()
    return f"{word.capitalize()} {rest}" if before.anchors else f"{word}?"
