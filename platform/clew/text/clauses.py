"""What a sentence says of a value in it: the clause around the value, with the subject that it takes from before."""

from __future__ import annotations

import re

_FINITE = r"(?:is|are|was|were|has|had|have|will|would|can|could|may|might|must|shall|should|does|do|did)"
_OPENS = re.compile(
    r"(?P<part>;\s+|\s+[–—]\s+|\n(?=[-*•\d])|,?\s+(?:while|whereas|although|though)\s+"
    r"|,?\s+(?:and|but)\s+(?=(?:he|she|it|they|we|I|you|there)\s))"
    r"|(?P<whole>,?\s+(?:and|but)\s+(?=(?:the|this|that|a|an)\s))"
    rf"|(?P<verb>,?\s+(?:and|but)\s+(?={_FINITE}\b|then\b|later\b|also\b|not\b))"
    r"|(?P<relative>,?\s+(?=(?:who|whose|which|whom|where)\s))"
    r"|(?P<group>,?\s+and\s+(?=(?:on|in|from|for|at|by|to|until|between)\s))",
    re.IGNORECASE,
)
"""Where another clause begins: one with its own subject, a verb of the same subject, a relative one, or a further group
of the same verb ("from 9 to 7 and on Saturday from 10 to 4")."""
_VERB = re.compile(rf"\b{_FINITE}\b")
_PRONOUN = re.compile(r"(?:he|she|it|they|this|these)\b", re.IGNORECASE)
_LONGEST_NAME = 5
_LINKS = frozenset(("of", "the", "de", "van", "von"))


def clause_around(sentence: str, start: int, end: int) -> str:
    """The words that a sentence says of ``start:end``: its own clause, and what this takes from the one before.

    A second verb takes the subject, a relative clause the name before it, a further group the whole clause; a clause
    with a subject of its own takes nothing, but where it is a pronoun. "The mill and the yard" are one.
    """
    opened = [
        match for match in _OPENS.finditer(sentence) if not match["whole"] or _VERB.search(sentence, 0, match.start())
    ]
    last = next((match for match in reversed(opened) if match.end() <= start), None)
    close = next((match.start() for match in opened if match.start() >= end), len(sentence))
    if last is None:
        return sentence[:close]
    own, kind = sentence[last.end() : close], last.lastgroup
    before = sentence[: last.start()]
    if kind == "group":
        return f"{_last_clause(before)} {own}"
    if kind == "relative":
        return f"{_antecedent(before)} {own}"
    if kind == "verb" or _PRONOUN.match(own):
        return f"{_subject(_last_clause(before))} {own}"
    return own


def _last_clause(text: str) -> str:
    return clause_around(text, len(text), len(text))


def _subject(clause: str) -> str:
    verb = _VERB.search(clause)
    return clause[: verb.start()] if verb else clause


def _antecedent(text: str) -> str:
    """The name that a text ends in, else its last three words."""
    words = text.split()
    first = len(words)
    while (
        first and len(words) - first < _LONGEST_NAME and (words[first - 1][:1].isupper() or words[first - 1] in _LINKS)
    ):
        first -= 1
    return " ".join(words[first:] or words[-3:])
