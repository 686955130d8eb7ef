"""What a row of a table says to a question: the field that is asked for, or the name of the row."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.questions.words import base
from clew.text.attribute import ADJECTIVES
from clew.text.names import FUNCTION_WORDS, key
from clew.text.series import Span, fields, refers

_BRACKETS = re.compile(r"\s*\([^()]*\)")
_WHO_IS = re.compile(r"who (?:is|are|was|were) (?:the |our |your )?(?P<role>[^?]{2,80})", re.IGNORECASE)
_IMPLIED = {"when": "date", "maximum": "max", "minimum": "min", "telephone": "phone", "phone": "telephone"}
"""Words that heads of columns say for others."""
_LONGEST_NAME = 6
_LEAST_TOGETHER = 5
"""Letters of a head that may be written apart in the question ("e-mail")."""


def field_of_row(question: str, sentence: str, text: str = "") -> Span | None:
    """The value in a row that its name and its field ask for: "What does the Kestrel 200 cost?" of "Article: Kestrel
    200, Price: €349". None where not both are named without doubt, or where the row of ``text`` only refers to it.
    """
    words = words_asked(question)
    row = fields(sentence)
    if not row or "whose" in words:
        return None
    naming = [at for _, at in row if _names(sentence[slice(*at)], question, words)]
    if text and naming and all(refers(sentence, key(sentence[slice(*at)]), text) for at in naming):
        return None
    wanted = [(name, at) for name, at in row if at not in naming and _is_asked(name, question, words)]
    most = max((len(_head(name)) for name, _ in wanted), default=0)
    wanted = [(name, at) for name, at in wanted if len(_head(name)) == most]
    return wanted[0][1] if naming and len(wanted) == 1 else None


def is_of_another_row(question: str, row: str, text: str) -> bool:
    """Whether another row of its table in ``text`` has the name and the field that are asked for."""
    heads = {name for name, _ in fields(row)}
    return bool(heads & _heads_told(question, text)) and field_of_row(question, row, text) is None


@lru_cache(maxsize=64)
def _heads_told(question: str, text: str) -> frozenset[str]:
    """The heads of the columns that a row of ``text`` tells a question from."""
    told = ((line, field_of_row(question, line, text)) for line in text.splitlines())
    return frozenset(name for line, at in told if at for name, span in fields(line) if span == at)


def name_of_row(question: str, sentence: str, text: str) -> str:
    """The name of the only row of ``text`` with what "who is the …" asks for in another field; empty for any other."""
    asked, row = _WHO_IS.match(question), fields(sentence)
    if asked is None or not row:
        return ""
    role = key(asked["role"])
    if role not in {key(sentence[slice(*at)]) for _, at in row[1:]} or refers(sentence, role, text):
        return ""
    return sentence[slice(*row[0][1])]


def words_asked(question: str) -> set[str]:
    """The words of a question in their first form, and the heads that they ask for: "weight" of "how heavy"."""
    asked = set(key(question).split())
    asked |= {base(word) for word in asked}
    return asked | {table[word] for table in (ADJECTIVES, _IMPLIED) for word in asked if word in table}


def _names(cell: str, question: str, words: set[str]) -> bool:
    said = key(cell)
    own = set(said.split())
    if not own - FUNCTION_WORDS:
        return False
    return f" {said} " in f" {key(question)} " or (1 < len(own) <= _LONGEST_NAME and own <= words)


def _head(name: str) -> set[str]:
    """The words of the head of a column, without its unit and small words."""
    said = set(key(_BRACKETS.sub("", name)).split())
    return (said - FUNCTION_WORDS) or said


def _is_asked(name: str, question: str, words: set[str]) -> bool:
    head = _head(name)
    together = key(_BRACKETS.sub("", name)).replace(" ", "")
    apart = len(together) >= _LEAST_TOGETHER and together in key(question).replace(" ", "")
    return apart or (bool(head) and {base(word) for word in head} <= words)
