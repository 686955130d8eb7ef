"""What a query names: V_q of Graph-R1 eq. 7, without a language model; and what of it can be asked."""

from __future__ import annotations

from clew.text.names import key, names_in


def query_entities(query: str) -> list[str]:
    """The names in a query, by the same rules as the names in documents, as keys and without repeats."""
    return list(dict.fromkeys(key(name) for name in names_in(query)))
