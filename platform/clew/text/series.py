"""What stands side by side in a text: the items of a list."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.text.names import key

Span = tuple[int, int]
"""Where something stands, in characters of the text, end exclusive."""

MOST_WORDS = 9
"""Words of an item, at most: longer ones are clauses."""
_LONGEST_LINE = 20
"""Words of a line of a list, at most: clauses of a contract are no items."""
_BULLET = re.compile(r"(?m)^[^\S\n]*(?:[-*•–]|\d{1,2}[.)])[^\S\n]+(?=\S)")
_LINE = re.compile(r"[^\n]+")
_SEPARATOR = re.compile(r"(?:[,;]\s+(?:and|or|as well as)\s+|[,;]\s+|\s+(?:and|or|&|as well as)\s+)")
_DENIED = re.compile(r"(?:not|never|rather than)\b", re.IGNORECASE)
_LAST = re.compile(r"\b(?:and|or|as well as)\s+\Z|&\s+\Z")
_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|did|will|would|can|may|which|who|whom|whose|that|when|while|where|because|"
    r"but|although|if|since|after|before|until|as|than|said|he|she|it|they)\b"
)
_COLON = re.compile(r"[^()]*:\s+(?=\S)")
_LEAD = re.compile(
    r".*(?:\b(?:is|are|was|were|of|for|in|on|by|with|to|from|at|include[sd]?|including|has|have|had|both|"
    r"speaks?|spoke|uses?|used|called|named|visited|comprised?|comprises|covers?)\b)\s*",
    re.DOTALL,
)
_TAIL = re.compile(r"\s+(?:is|are|was|were|has|have|had|who|which|that|when|where|will|did)\b.*", re.DOTALL)
_CAPITALS = re.compile(r"(?:[^\W\d_a-z][\w'’.-]*(?:\s+(?:of|the|de|van|von|der|la|du)(?=\s+[^\W\d_a-z]))*(?:\s+|\Z))+")


def items(text: str, start: int, end: int) -> list[Span]:
    """The items of the list that holds ``start:end``, in their order; none where it stands in no list.

    A list is lines with bullets, or a stretch of a sentence that commas and a last *and* part.
    """
    return _bullets(text, start) or _enumerated(text, start, end)


def _bullets(text: str, start: int) -> list[Span]:
    """The lines with bullets around the one that holds ``start``."""
    lines = [match.span() for match in _LINE.finditer(text)]
    own = next((n for n, (a, b) in enumerate(lines) if a <= start < b), None)
    if own is None or not _BULLET.match(text, lines[own][0]):
        return []
    first = last = own
    while first > 0 and _BULLET.match(text, lines[first - 1][0]):
        first -= 1
    while last + 1 < len(lines) and _BULLET.match(text, lines[last + 1][0]):
        last += 1
    found = []
    for a, b in lines[first : last + 1]:
        bullet = _BULLET.match(text, a)
        found.append((bullet.end() if bullet else a, b))
    return found if len(found) > 1 and all(len(text[a:b].split()) <= _LONGEST_LINE for a, b in found) else []


def _enumerated(text: str, start: int, end: int) -> list[Span]:
    """The items that commas and a last *and* part, where each is short and no clause of its own."""
    parts, joined = _parts(text, *_sentence(text, start, end))
    own = next((n for n, (a, b) in enumerate(parts) if a < end and start < b), None)
    if len(parts) < 2 or own is None:
        return []
    first, last = _run(text, parts, joined, own)
    found = _trimmed(text, parts[first : last + 1], start if first == own else None)
    short = all(len(text[a:b].split()) <= MOST_WORDS and key(text[a:b]) for a, b in found)
    is_list = any(joined[first:last]) or len(found) > 2
    denied = any(_DENIED.match(text, a) for a, _ in found)
    return found if len(found) > 1 and short and is_list and not denied else []


def _sentence(text: str, start: int, end: int) -> Span:
    """The sentence or line around ``start:end``."""
    left = max((match.end() for match in re.finditer(r"[.!?]\s|\n", text[:start])), default=0)
    stop = re.compile(r"\n|[.!?](?:\s|$)").search(text, end)
    return left, stop.start() if stop else len(text)


def _parts(text: str, left: int, right: int) -> tuple[list[Span], list[bool]]:
    """What commas and conjunctions part, and behind which part a last *and* stands."""
    parts, joined = [], []
    for match in _separators(text, left, right):
        parts.append((left, match.start()))
        joined.append(bool(_LAST.search(match.group())))
        left = match.end()
    return [*parts, (left, right)], joined


def _run(text: str, parts: list[Span], joined: list[bool], own: int) -> tuple[int, int]:
    """The first and last part of the list around one of them: up to a clause, or to the last *and*."""
    first = last = own
    while first > 0 and not _CLAUSE.search(text, *parts[first]) and not (first < own and joined[first - 1]):
        first -= 1
    while last + 1 < len(parts) and not _CLAUSE.match(text, *parts[last + 1]):
        last += 1
        if joined[last - 1]:
            break
    return first, last


def _trimmed(text: str, parts: list[Span], known: int | None) -> list[Span]:
    """The items without what leads to the first and follows the last; ``known`` is where an item begins for sure."""
    capital = text[parts[-1][0]].isupper()
    start, end = _begin(text, parts[0], known), parts[0][1]
    runs = list(_CAPITALS.finditer(text, start, end)) if capital else []
    if runs and not text[start].isupper():
        start = runs[-1].start()
    found = [(start, end), *parts[1:]]
    start, end = found[-1]
    run = _CAPITALS.match(text, start, end) if capital else None
    if run and text[end - 1] not in ')”"':
        end = len(text[: run.end()].rstrip())
    elif tail := _TAIL.search(text, start, end):
        end = tail.start()
    return [*found[:-1], (start, end)]


def _begin(text: str, part: Span, known: int | None) -> int:
    """Where the first item begins in its part of the sentence: behind a colon, where it is known to, or behind a verb
    or preposition.
    """
    for match in (_COLON.match(text, *part), _LEAD.match(text, *part)):
        if match and match.end() < part[1] and (match.re is _COLON or known is None or not part[0] <= known < part[1]):
            return match.end()
    return known if known is not None and part[0] <= known < part[1] else part[0]


def _separators(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """What parts items from each other, but not within brackets or quotation marks."""
    for match in _SEPARATOR.finditer(text, start, end):
        before = text[start : match.start()]
        if all(before.count(a) <= before.count(b) for a, b in ("()", "[]", "“”", "«»")):
            yield match
