"""Whom the pronoun means that a sentence begins with."""

from __future__ import annotations

import re

from clew.agent.extractive.evidence import Evidence, Page, Sentence
from clew.agent.extractive.fit import gender_of
from clew.agent.extractive.subject import Subject, find_name
from clew.text.names import without_parenthesis

_OPENING = re.compile(r"(?:He|His|(She|Her))\b")


def opening_gender(sentence: Sentence) -> str:
    """``m`` or ``f`` by the pronoun that a sentence begins with; empty where it begins with none."""
    opening = _OPENING.match(sentence.text)
    return "" if opening is None else "f" if opening.group(1) else "m"


def means_another(subject: Subject, page: Page, sentence: Sentence, evidence: Evidence) -> bool:
    """Whether a pronoun at the beginning is that of somebody else than the subject, whom the sentence before names.

    So it is where it tells another gender, and on a page about somebody of its gender, unless the sentence before began
    with the subject: "Their only child was Ada. He died in Torp."
    """
    told = opening_gender(sentence)
    if not told or find_name(without_parenthesis(subject.name), sentence.text):
        return False
    own = gender_of(subject.name, evidence.page(subject.name))
    if own and own != told:
        return True
    named = find_name(without_parenthesis(subject.name), sentence.previous)
    return page.kind == "person" and page.gender == told and named is not None and named[0] > 0
