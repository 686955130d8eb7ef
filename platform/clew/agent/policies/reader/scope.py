"""Whether a sentence is outside the scope of a question: under another heading, or of another year or version."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from clew.agent.evidence import Shown
from clew.agent.policies.reader.places import headings_of, section_around
from clew.reader.confidence import of_another_year
from clew.text.mentions import mentions
from clew.text.names import FUNCTION_WORDS, key
from clew.text.outline import headings

_VERSION = re.compile(r"\b(?:version|release|edition|revision|rev\.?|v)\s?(?P<number>\d+(?:\.\d+)*)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"(?:it|its|he|his|she|her|they|their)\b", re.IGNORECASE)


def headings_shown(shown: Iterable[Shown]) -> dict[str, set[str]]:
    """The headings of each document, by its id, as far as they were shown."""
    found: dict[str, set[str]] = {}
    for one in shown:
        found.setdefault(one.document, set()).update(one.section, map(one.words, headings(one.blocks)))
    return found


def out_of_scope(
    question: str, names: Sequence[str], one: Shown, sentence: tuple[int, int], headed: Iterable[str]
) -> bool:
    """Whether a sentence is of another year or version, or stands under another heading than a name of the question.

    ``headed`` are the headings of its document. A sentence that begins with a pronoun is not of what is named later.
    """
    start, end = sentence
    text, path = one.text.text, headings_of(one, start)
    above = f"{one.text.title} {path}"
    if of_another_year(question, text[start:end], above) or _other_version(question, f"{above} {text[start:end]}"):
        return True
    around = f"{above} {section_around(one, start, end)}"
    missing = [name for name in names if not mentions(around, name)]
    if any(mentions(heading, name) for name in missing for heading in headed):
        return True
    later = [name for name in names if not mentions(f"{above} {text[:end]}", name) and mentions(text[end:], name)]
    return bool(later) and _PRONOUN.match(text, start) is not None


def namesakes(question: str, names: Sequence[str], shown: Iterable[Shown]) -> frozenset[str]:
    """The documents whose title is like one that the question names in full, and has words that it lacks.

    "Who designed Heron Bridge?" is not asked of *New Heron Bridge* where *Heron Bridge* was found, too.
    """
    titles = {one.document: one.text.title for one in shown}
    words = {document: set(key(title).split()) - FUNCTION_WORDS for document, title in titles.items()}
    asked, named = set(key(question).split()), set(map(key, names))
    whole = [own for document, own in words.items()
             if own <= asked and (len(own) > 1 or key(titles[document]) in named)]  # fmt: skip
    return frozenset(document for document, own in words.items() if not own <= asked and any(map(own.__and__, whole)))


def _other_version(question: str, sentence: str) -> bool:
    """Whether a sentence tells of versions, and not of the one that is asked for."""
    asked = {match["number"] for match in _VERSION.finditer(question)}
    named = {match["number"] for match in _VERSION.finditer(sentence)}
    return bool(asked and named) and not asked & named
