"""Whom all that was found tells to be whose relative: nobody is both brother and father of the same one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from clew.agent.extractive.evidence import Evidence, Page, Sentence
from clew.agent.extractive.fit import is_name
from clew.agent.extractive.kin_reading import SOMEBODY, About, kin_told, tells_kin
from clew.agent.extractive.kin_words import Kin, answers, inverse, is_family
from clew.agent.extractive.lexicon import key
from clew.ingest.names import without_parenthesis


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
            about = _about(page)
            mates: tuple[str, ...] = ()
            for sentence in sorted(page.sentences, key=lambda s: s.index):
                if not tells_kin(sentence.text):
                    continue
                known = About(about.name, about.gender, mates if sentence.index < FACT else ())
                for told in kin_told(sentence.text, known):
                    self._told.append((told.who, told.kin, told.whose, sentence))
                    if told.kin.gender:
                        self._genders.setdefault(key(told.who), told.kin.gender)
                    if told.kin.relation == "spouse" and told.whose == about.name:
                        mates = (told.who,)

    def of(self, name: str) -> list[Relative]:
        """The relatives of somebody, as any sentence tells them, from either side."""
        found = []
        for who, kin, whose, sentence in self._told:
            if whose != SOMEBODY and alike(whose, name) and not alike(who, name):
                found.append(Relative(who, kin, sentence))
            elif alike(who, name) and whose != SOMEBODY:
                back = Kin(inverse(kin.relation), self._genders.get(key(whose), ""))
                found.append(Relative(whose, back, sentence))
        return found


FACT = 90
"""Place from which a sentence of a page is one whose place is not known."""


def kinship(evidence: Evidence) -> Kinship:
    """What was found, read for relatives; read once."""
    if evidence.kinship is None:
        evidence.kinship = Kinship(evidence.pages.values())
    found = evidence.kinship
    assert isinstance(found, Kinship)
    return found


def _about(page: Page) -> About:
    """Whom a page is about; nobody where it is about no person."""
    name = without_parenthesis(page.name)
    person = page.kind in ("person", "") and is_name(name) and bool(page.gender or page.kind)
    return About(name, page.gender) if person else About("", "")


@lru_cache(maxsize=65_536)
def alike(one: str, other: str) -> bool:
    """Whether two names may be those of one person: a first name alone, initials, other names in the middle."""
    ours, theirs = key(one).split(), key(other).split()
    if ours == theirs or not ours or not theirs:
        return ours == theirs
    if min(len(ours), len(theirs)) == 1:
        return ours[0] == theirs[0]
    shorter, longer = sorted((ours, theirs), key=len)
    if ours[0] == theirs[0] and (ours[-1] == theirs[-1] or longer[: len(shorter)] == shorter):
        return True
    if longer[-len(shorter) :] == shorter:
        return True  # a title before the name
    initials = all(len(word) == 1 for word in shorter[:-1]) and shorter[-1] == longer[-1]
    return initials and [word[0] for word in longer[: len(shorter) - 1]] == shorter[:-1]


def fits(told: Sequence[Kin], sought: Kin) -> bool | None:
    """Whether somebody of whom all this is told is what is sought; None where nothing tells."""
    if any(answers(kin, sought) for kin in told):
        return True
    family = [kin for kin in told if is_family(kin.relation)]
    return False if family and is_family(sought.relation) else None
