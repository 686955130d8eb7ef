"""Whether a text has a name, in any spelling of it and as a whole: "Ann" is not in "Annex"."""

from __future__ import annotations

from collections.abc import Iterable

from clew.text.names import key


def mentions(text: str, name: str) -> bool:
    """Whether ``text`` has ``name``, word for word; a name of which nothing is left is in none.

    >>> mentions("The Øre Bridge's toll", "ore bridge"), mentions("Annex", "Ann")
    (True, False)
    """
    return mentions_all(text, (name,))


def mentions_all(text: str, names: Iterable[str]) -> bool:
    """Whether ``text`` has every one of ``names``; so it has of none."""
    folded = f" {key(text)} "
    return all(f" {key(name)} " in folded for name in names)
