"""Whom all that was found tells to be whose relative: nobody is both brother and father of the same one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from clew.agent.extractive.evidence import Evidence, Page, Sentence
from clew.agent.extractive.fit import gender_of, is_name
from clew.agent.extractive.found import Found
from clew.agent.extractive.kin_phrases import NAME
from clew.agent.extractive.kin_reading import SOMEBODY, About, kin_told, leading, tells_kin
from clew.agent.extractive.kin_words import Kin, answers, inverse, is_family, kin_sought
from clew.agent.extractive.lexicon import Relation, first_names, key, vocabulary
from clew.agent.extractive.persons import alike
from clew.text.names import without_parenthesis

TOLD_SO = 8.0
"""Score of somebody whom a sentence tells to be what is asked for."""
PLACED = 90
"""Place from which a sentence is one of which nobody knows where its page has it."""


@dataclass(frozen=True, slots=True)
class Relative:
    """Somebody whom a sentence tells to be ``kin`` of the one asked about."""

    name: str
    kin: Kin
    sentence: Sentence


class Kinship:
    """What the sentences of all pages say about who is whose relative."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._told: list[tuple[str, Kin, str, Sentence]] = []
        self._genders: dict[str, str] = {}
        for page in pages:
            self._read(page)

    def _read(self, page: Page) -> None:
        """Reads a page in its own order; whom it has told in full is later told in short."""
        about, maker = _about(page), _maker(page)
        mates: tuple[str, ...] = ()
        names: dict[str, str] = {}
        topics: dict[str, str] = {}
        later = _short(name for sentence in page.sentences for name in _names_in(sentence.text))
        for sentence in sorted(page.sentences, key=lambda s: s.index):
            placed = sentence.index < PLACED
            topic = about if about.name else _topic(topics, sentence.text, maker) if placed else About("", "")
            names = _short(_names_in(sentence.text), names)
            if not tells_kin(sentence.text):
                continue
            known = replace(topic, mates=mates if placed else ())
            for told in kin_told(sentence.text, known):
                who, whose = (names.get(n) or later.get(n) or n for n in (told.who, told.whose))
                if not vocabulary("organisation").isdisjoint(key(f"{who} {whose}").split()):
                    continue
                self._told.append((who, told.kin, whose, sentence))
                self._tell_gender(who, told.kin, whose)
                if told.kin.relation == "spouse" and told.whose == known.name:
                    mates = (who,)

    def _tell_gender(self, who: str, kin: Kin, whose: str) -> None:
        """Keeps what a noun tells of somebody, and a wife of her husband."""
        if kin.gender:
            self._genders.setdefault(key(who), kin.gender)
            if kin.relation == "spouse" and whose != SOMEBODY:
                self._genders.setdefault(key(whose), "f" if kin.gender == "m" else "m")

    def of(self, name: str) -> list[Relative]:
        """The relatives of somebody, as any sentence tells them, from either side."""
        found = []
        for who, kin, whose, sentence in self._told:
            if whose == SOMEBODY or alike(who, whose):
                continue
            if alike(whose, name):
                found.append(Relative(who, kin, sentence))
            elif alike(who, name):
                found.append(Relative(whose, Kin(inverse(kin.relation), self.gender(whose)), sentence))
        return found

    def gender(self, name: str) -> str:
        """The gender that what somebody is called tells: a *sister* is a woman."""
        return self._genders.get(key(name), "")

    def kin_in(self, sentence: Sentence) -> list[tuple[str, Kin, str]]:
        """What a sentence tells: who, what, and whose."""
        return [(who, kin, whose) for who, kin, whose, where in self._told if where is sentence]


class Relatives:
    """Those of a hop's subject, where the hop asks for a relative, a teacher or a pupil of theirs."""

    def __init__(self, subject: str, sought: Kin, evidence: Evidence) -> None:
        self.subject = subject
        self.sought = sought
        self._evidence = evidence
        self._kinship = kinship(evidence)
        self._all = self._kinship.of(subject)

    def fits(self, name: str) -> bool | None:
        """Whether somebody is told to be what is sought, or something else; None where nothing tells."""
        if alike(name, self.subject) and ("," in name) == ("," in self.subject):
            return False  # another form of the same name; with a rank behind it, it is that of a namesake
        told = [relative.kin for relative in self._all if alike(relative.name, name)]
        return fits(told, self.sought, self._gender(name)) if told else None

    def told(self, name: str, sentence: Sentence) -> bool:
        """Whether this sentence says that somebody is what is sought."""
        return any(r.sentence is sentence and self._answers(r) and alike(r.name, name, short=True) for r in self._all)

    def of_another(self, name: str, sentence: Sentence) -> bool:
        """Whether this sentence says that somebody is such a relative, but of somebody else: "her father's brother".

        Of a teacher and the like so it is, too, where all that it says of the relation is of others, or where somebody
        is told to be a relative.
        """
        own = set(key(self.subject).split())
        told = [one for one in self._kinship.kin_in(sentence) if one[1].relation in _either(self.sought.relation)]
        if any(answers(kin, self.sought) and alike(who, name, short=True) for who, kin, _ in told):
            return all(own.isdisjoint(key(whose).split()) for who, _, whose in told if alike(who, name, short=True))
        if is_family(self.sought.relation):
            return False
        return bool(told) or any(alike(relative.name, name) for relative in self._all)

    def sought_ones(self) -> list[Relative]:
        """Those who are told to be what is sought."""
        return [relative for relative in self._all if self._answers(relative) and self.fits(relative.name)]

    def other(self, name: str) -> Relative | None:
        """What somebody is told to be who is not what is sought; None where nothing tells."""
        told = (relative for relative in self._all if alike(relative.name, name))
        return next(told, None) if self.fits(name) is False else None

    def _answers(self, relative: Relative) -> bool:
        kin = relative.kin
        return answers(Kin(kin.relation, kin.gender or self._gender(relative.name)), self.sought)

    def _gender(self, name: str) -> str:
        return self._kinship.gender(name) or gender_of(name, self._evidence.page(name)) or self._beside(name)

    def _beside(self, name: str) -> str:
        """The gender of a parent by that of the other one, where a sentence tells both: "son of Tom and his wife"."""
        for one in self._all if self.sought.relation == "parent" else ():
            if one.kin.relation != "parent" or not alike(one.name, name):
                continue
            pair = [r.name for r in self._all if r.sentence is one.sentence and r.kin.relation == "parent"]
            if len(pair) != 2:
                continue
            other = pair[1] if alike(pair[0], name) else pair[0]
            known = self._kinship.gender(other) or gender_of(other, self._evidence.page(other))
            return {"m": "f", "f": "m"}.get(known) or _by_order(name, other, one.sentence.text)
        return ""


def _by_order(name: str, other: str, text: str) -> str:
    """The gender of one of two parents where nothing but their order tells: "son of Enki and Ninhu" has the father
    first."""
    first, second = text.find(name), text.find(other)
    return "" if min(first, second) < 0 or first == second else "m" if first < second else "f"


def relatives_of(subject: str, relation: Relation | None, evidence: Evidence) -> Relatives | None:
    """The relatives of a hop's subject; None where the hop asks for something else."""
    sought = kin_sought(relation)
    return Relatives(subject, sought, evidence) if sought else None


def with_told(best: dict[str, Found], told: Sequence[Relative]) -> dict[str, Found]:
    """Only those values that are told: beside them, no other one is believed."""
    kept = {
        name: found
        for name, found in best.items()
        if found.score >= TOLD_SO and any(alike(one.name, found.value, short=True) for one in told)
    }
    for one in told:
        if not any(alike(one.name, found.value, short=True) for found in kept.values()):
            kept[key(one.name)] = Found(one.name, TOLD_SO, one.sentence)
    return kept


def kinship(evidence: Evidence) -> Kinship:
    """What was found, read for relatives; read once."""
    if evidence.kinship is None:
        evidence.kinship = Kinship(evidence.pages.values())
    found = evidence.kinship
    assert isinstance(found, Kinship)
    return found


def fits(told: Sequence[Kin], sought: Kin, gender: str) -> bool | None:
    """Whether somebody of whom all this is told is what is sought; None where nothing tells."""
    known = [Kin(kin.relation, kin.gender or gender) for kin in told]
    if any(answers(kin, sought) for kin in known):
        return True
    if not is_family(sought.relation):
        return False if any(kin.relation == inverse(sought.relation) for kin in known) else None
    return False if any(is_family(kin.relation) for kin in known) else None


def _either(relation: str) -> tuple[str, str]:
    """A relation and its inverse, whose words tell it from the other side."""
    return relation, inverse(relation)


def _short(full: Iterable[str], known: Mapping[str, str] | None = None) -> dict[str, str]:
    """Whom a first or a last name alone means, by the names told in full; empty where several bear it."""
    names = dict(known or {})
    for name in full:
        words = [word for word in name.split() if word.lower() not in vocabulary("person", "titles")]
        for word in {words[0], words[-1]} if len(words) > 1 else ():
            names[word] = name if names.get(word, name) == name else ""
    return names


def _about(page: Page) -> About:
    """Whom a page is about; nobody where it is about no person."""
    name = without_parenthesis(page.about or page.name)
    known = page.kind == "person" or (not page.kind and page.gender and key(name.split()[0]) in first_names())
    named = known and (page.kind == "person" or is_name(name))
    return About(name, gender_of(name, page)) if named else About("", "")


def _maker(page: Page) -> str:
    """Who made the work that a page is about: "is a novel by Ada Finch"."""
    made = _BY.search(page.lead) if page.kind == "work" else None
    return made.group(1) if made else ""


def _topic(topics: dict[str, str], text: str, maker: str) -> About:
    """Whom a sentence speaks of on a page that is about nobody: whom it begins with, or by its pronoun whom an earlier
    one did.

    ``topics`` are the last ones by gender, and are kept up.
    """
    led = maker if maker and _MAKER.match(text) else leading(text)
    if not led and (doer := _BY.search(text)):
        topics[gender_of(doer.group(1), None)] = doer.group(1)  # "It was founded by Ada Finch."
    pronoun = _PRONOUN.search(text)
    told = "" if pronoun is None else "m" if pronoun.group(1) else "f"
    if led:
        gender = "" if led == maker else gender_of(led, None)
        topics.pop(gender or told, None)  # so that the latest one stands last
        topics[gender or told] = led
        return About(led, gender)
    return About(next((name for known, name in reversed(topics.items()) if known in (told, "")), ""), told)


@lru_cache(maxsize=16_384)
def _names_in(text: str) -> tuple[str, ...]:
    return tuple(_NAMES.findall(text))


_NAMES = re.compile(NAME)
_BY = re.compile(rf"\bby (?:the )?(?:[a-z]+ )*({NAME})")
_MAKER = re.compile(r"The (?:author|writer|novelist|poet|composer|director|painter|artist|playwright|songwriter)\b")
_PRONOUN = re.compile(r"\b(?:([Hh]e|[Hh]is|[Hh]im)|[Ss]he|[Hh]er)\b")
