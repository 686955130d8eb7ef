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


def namesakes(question: str, names: Sequence[str], shown: Sequence[Shown]) -> frozenset[str]:
    """The documents with a title like one that the question names in full, which do not speak of what it names.

    "Who designed Heron Bridge?" is not asked of *New Heron Bridge* where *Heron Bridge* was found, too; it is of the
    *Lease of the Heron Bridge*.
    """
    titles = {one.document: key(one.text.title) for one in shown}
    words = {document: set(title.split()) - FUNCTION_WORDS for document, title in titles.items()}
    asked, named = set(key(question).split()), set(map(key, names))
    whole = {titles[document]: own for document, own in words.items()
             if own <= asked and (len(own) > 1 or titles[document] in named)}  # fmt: skip
    like = [document for document, own in words.items() if not own <= asked and any(map(own.__and__, whole.values()))]
    return frozenset(document for document in like if not _speaks_of(document, titles[document], whole, shown))


def _speaks_of(document: str, title: str, names: Iterable[str], shown: Iterable[Shown]) -> bool:
    """Whether a document has one of some names, else than as the end of a longer name that is its own title."""
    text = f" {key(' '.join(f'{one.text.title} {one.text.text}' for one in shown if one.document == document))} "
    for name in names:
        before = title.removesuffix(name).split() if title.endswith(name) else []
        own = text.replace(title, "") if before and before[-1] not in FUNCTION_WORDS else text
        if f" {name} " in own:
            return True
    return False


def _other_version(question: str, sentence: str) -> bool:
    """Whether a sentence tells of versions, and not of the one that is asked for."""
    asked = {match["number"] for match in _VERSION.finditer(question)}
    named = {match["number"] for match in _VERSION.finditer(sentence)}
    return bool(asked and named) and not asked & named
