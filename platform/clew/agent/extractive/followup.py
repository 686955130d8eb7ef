"""What a question leaves to the conversation before it: "where was she born?", "and Anna Holm?", "since when?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from clew.agent.abstain import is_unknown
from clew.agent.conversation import Exchange
from clew.agent.extractive.anchors import find_anchors, tokens
from clew.agent.extractive.fit import gender_of
from clew.agent.extractive.lexicon import vocabulary
from clew.agent.extractive.planning import planned
from clew.agent.extractive.word_classes import AUXILIARY, PREPOSITION, QUESTION, RELATIVE
from clew.agent.extractive.wording import plain

_LED = re.compile(r"^(?:(?:and|but|so|then|ok|okay)\b[,\s]+)+(?=\w)", re.IGNORECASE)
_ABOUT = re.compile(r"^(?:(?:what|how) about|and|or)\s+(?P<other>[^?]+?)[?\s]*$", re.IGNORECASE)
_CIRCUMSTANCE = re.compile(r"^(?:and |but )?(when|where|why)[?\s]*$", re.IGNORECASE)
_ASKED_SO = re.compile(rf"^(?:when|where|why)(?= (?:{'|'.join(sorted(AUXILIARY))})\b)", re.IGNORECASE)
_PERSON = {"he": "m", "him": "m", "his": "m", "she": "f", "her": "f", "hers": "f"}
_PLURAL = frozenset("they them their".split())
_THING = frozenset("it its".split())
_POSSESSIVE = frozenset("his its their".split())
_REFERRING = re.compile(rf"\b(?:{'|'.join([*_PERSON, *_PLURAL, *_THING, 'there'])})\b", re.IGNORECASE)
_POINTING = re.compile(
    rf"\b(?P<before>{'|'.join(sorted(PREPOSITION | AUXILIARY))}) (?:that|this|the same)"
    r"(?: (?P<noun>[a-z]{3,}))?(?=[\s?]*$|\s)",
    re.IGNORECASE,
)
_EXPLETIVE = re.compile(
    r"\b(?:it|there) (?:is|are|was|were|takes?|took|costs?|means?|meant|rains?|rained|snows?|matters?|possible|likely"
    r"|allowed|necessary|legal|safe|true)\b|\bit\b.*\b(?:to|that|if|whether)\b|\b(?:is|are|was|were) there\b",
    re.IGNORECASE,
)
"""*It* and *there* that stand for nothing."""
_OF_A_LIFE = frozenset("birthplace death_place burial residence".split())
"""Relations that only a person has, so that *it* is the place that was answered."""
_UNNAMED = re.compile(
    rf"^(?:(?:{'|'.join(sorted(PREPOSITION))}) )?(?:(?:{'|'.join(sorted(QUESTION))})\b(?: [a-z]+){{0,3}}? )?"
    rf"(?:{'|'.join(sorted(AUXILIARY))}) (he|she|his|her|it|its)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Told:
    """An earlier question in full: the names it mentions, its answer, and what that is."""

    question: str
    names: tuple[str, ...]
    answer: str
    type: str
    life: bool

    @property
    def named(self) -> str:
        """The answer, if it is a name."""
        capital = self.answer[:1].isupper() and not any(c.isdigit() for c in self.answer)
        return self.answer if capital and self.type not in ("date", "number", "yes or no", "definition") else ""


def in_full(question: str, history: Sequence[Exchange]) -> str:
    """The question with the names that it leaves to earlier exchanges; as it is where they tell none.

    A person's pronoun stands for the answer if that is a person, else for whom the question named; *it* and *there* for
    the answer or the name by what was asked. "And X?" asks the last question of X.
    """
    told: list[_Told] = []
    for asked, answer in history:
        told.insert(0, _told(_resolved(asked, told), answer))
    return _resolved(question, told)


def unnamed(question: str) -> str:
    """The pronoun by which a question means what it does not name; empty where there is none."""
    found = _UNNAMED.match(plain(_LED.sub("", question)))
    if found is None or _EXPLETIVE.search(question) or _names(question):
        return ""
    return found.group(1).lower()


def _told(question: str, answer: str) -> _Told:
    plan = planned(plain(question))
    last = plan.hops[-1] if plan.hops else None
    life = last is not None and last.relation is not None and last.relation.name in _OF_A_LIFE
    kind = last.expects if last and plan.comparison is None else "any"
    return _Told(question, plan.anchors, "" if is_unknown(answer) else answer.strip(), kind, life)


def _resolved(question: str, told: Sequence[_Told]) -> str:
    """The question in full; ``told`` are the earlier ones, the last first."""
    if not told:
        return question
    if (about := _ABOUT.match(question)) and _is_phrase(about["other"]) and len(told[0].names) == 1:
        return _of_another(told[0], about["other"])
    if (circumstance := _CIRCUMSTANCE.match(question)) and _ASKED_SO.match(told[0].question):
        return _ASKED_SO.sub(circumstance[1].capitalize(), told[0].question)
    question = _LED.sub("", question)
    if (pointing := _POINTING.search(question)) and not _names(question[: pointing.start()]):
        noun = pointing["noun"] or ""
        name = next((one.named for one in told if one.named), "")
        if name and noun.lower() not in AUXILIARY | RELATIVE and _may_be(noun, name):
            return f"{question[: pointing.start()]}{pointing['before']} {name}{question[pointing.end() :]}"
    if not _names(question):
        for name in (name for one in told for name in (one.named, *reversed(one.names)) if name):
            said = re.compile(rf"\bthe {re.escape(name.split()[-1].lower())}\b")
            if " " in name and said.search(question):
                return said.sub(name, question, count=1)
    found = _REFERRING.search(question)
    if found is None or _EXPLETIVE.search(question) or _names(question[: found.start()]):
        return question
    word = found.group().lower()
    name = next((name for one in told if (name := _meant(word, one))), "")
    if not name:
        return question
    owning = word in _POSSESSIVE or (word == "her" and re.match(r" [a-z]", question[found.end() :]) is not None)
    ending = ("’" if name.endswith("s") else "’s") if owning else ""
    name = f"in {name}" if word == "there" else name
    return f"{question[: found.start()]}{name}{ending}{question[found.end() :]}"


def _of_another(told: _Told, name: str) -> str:
    """An earlier question about something else than the one thing that it names."""
    before, _, after = told.question.partition(told.names[0])
    bare = re.sub(r"^the ", "", name, flags=re.IGNORECASE) if before.lower().endswith("the ") else name
    return before + bare + after


def _meant(word: str, told: _Told) -> str:
    """What a pronoun stands for, by one earlier exchange; empty where that has nothing of the sort."""
    last = told.names[-1] if told.names else ""
    if gender := _PERSON.get(word):
        fitting = [told.named] if told.type in ("person", "agent", "any") else []
        fitting += reversed(told.names)
        return next((name for name in fitting if name and gender_of(name, None) in ("", gender)), "")
    if word in _PLURAL:
        return told.named or last
    if told.type == "person":
        return last
    if word == "there":
        return told.named if told.type in ("place", "country") else last
    located = told.type in ("place", "country") and not told.question.lower().startswith(("what", "which"))
    return last if located and not told.life else told.named or last


def _may_be(noun: str, name: str) -> bool:
    """Whether a name can be meant by "that island": any, unless it ends in another noun of the same sort."""
    last = name.split()[-1].lower()
    return not noun or last == noun.lower() or last not in vocabulary("place_nouns") | vocabulary("organisation_nouns")


def _names(text: str) -> bool:
    return bool(find_anchors(text, tokens(text), frozenset()))


def _is_phrase(text: str) -> bool:
    """Whether a text only names something, and asks nothing of its own."""
    words = text.lower().split()
    return len(words) <= 8 and not any(word in AUXILIARY | QUESTION for word in words)
