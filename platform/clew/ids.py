"""Ids: hashes of content and knowledge base, so that the same content is the same node, whoever writes it and when."""

from __future__ import annotations

import hashlib
import re


def digest(text: str) -> str:
    """SHA-256 of a text in UTF-8, as hex digits; lone surrogates are hashed as they are."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def is_digest(text: str) -> bool:
    """Whether a text is a hash, which tells a person nothing: the locator of a row without an id of its own."""
    return re.fullmatch(r"[0-9a-f]{32}", text) is not None


def document_id(kb: str, source: str, locator: str = "") -> str:
    """Id of the document at ``locator`` of ``source``: it stays the same when the document's content changes."""
    return _id("document", kb, source, locator)


def chunk_id(kb: str, document: str, index: int, text: str) -> str:
    """Id of the ``index``-th chunk of a document, with that text."""
    return _id("chunk", kb, document, str(index), text)


def hyperedge_id(kb: str, text: str, lead: int = 0, *more: str) -> str:
    """Id of a fact: two documents that state the same text, led by the same title, support one hyperedge.

    ``lead`` is the length of the title: "A: B: C" on page "A" has other participants than on page "A: B". ``more`` is
    what else makes the fact, where text and title do not decide it.
    """
    return _id("hyperedge", kb, str(lead), text, *more)


def entity_id(kb: str, key: str) -> str:
    """Id of the entity with that key (``clew.text.names.key``)."""
    return _id("entity", kb, key)


def _id(*parts: str) -> str:
    """20 hex digits; each part is preceded by its length, so that no two lists of parts read the same."""
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()
