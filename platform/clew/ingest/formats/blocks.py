"""What blocks of text have in common, whatever format they come from: lists in lists, and terms with what they mean."""

from __future__ import annotations

from collections.abc import Iterable

from clew.text.normalise import normalise, one_line

_LONGEST_PARENT = 60
_FINAL = tuple(".!?…;。！？")


def nested(parents: list[str], text: str) -> str:
    """A list item's text, led by the items it lies under where these are names of what follows ("Norrland: Osby")."""
    led = [one_line(parent).rstrip(": ") for parent in parents if parent.strip()]
    led = [parent for parent in led if len(parent) <= _LONGEST_PARENT and not parent.endswith(_FINAL)]
    return ": ".join([*led, text]) if text.strip() else text


def pair(term: str, meaning: str) -> str:
    """A term with what it means, or a question with its answer, as one block."""
    term, meaning = term.strip(), meaning.strip()
    if not term or not meaning:
        return term or meaning
    joint = " " if term.endswith(("?", "？", "؟")) else ": "
    return f"{term.rstrip(': ')}{joint}{meaning}"


def outline(text: str, found: Iterable[tuple[int, str]]) -> tuple[tuple[int, int, int], ...]:
    """The start, end and level of each heading, found as a level and its words, in the text made of all blocks."""
    result = []
    at = 0
    for level, words in found:
        line = normalise(words)
        start = text.find(line, at) if line else -1
        while start >= 0 and not _is_block(text, start, start + len(line)):
            start = text.find(line, start + 1)
        if start >= 0:
            at = start + len(line)
            result.append((start, at, level))
    return tuple(result)


def _is_block(text: str, start: int, end: int) -> bool:
    return text[max(0, start - 2) : start] in {"", "\n\n"} and text[end : end + 2] in {"", "\n\n"}
