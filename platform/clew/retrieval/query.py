"""What a query names: V_q of Graph-R1 eq. 7, without a language model; and what of it can be asked."""

from __future__ import annotations

from clew.errors import InputError
from clew.ingest.names import capitalised_spans, key


def query_entities(query: str) -> list[str]:
    """The names in a query, by the same rules as the names in documents, as keys and without repeats."""
    return list(dict.fromkeys(key(name) for name in capitalised_spans(query)))


def clean(text: str) -> str:
    """Without lone surrogates and null characters, which neither an encoder nor Neo4j nor JSON on the wire can take.

    Raises InputError where it is no text at all.
    """
    if not isinstance(text, str):
        raise InputError(f"A question is text, not {type(text).__name__}.")
    return text.encode("utf-8", "replace").decode().replace("\0", "")
