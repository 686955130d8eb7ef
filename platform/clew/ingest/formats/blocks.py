"""What blocks of text have in common, whatever format they come from: lists in lists, and terms with what they mean."""

from __future__ import annotations

from clew.text.normalise import one_line

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
