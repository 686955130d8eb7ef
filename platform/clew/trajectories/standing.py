"""Citations as they stand now: a document that was cited may have changed since, or be gone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Literal

from clew.database.connection import Database
from clew.retrieval.graph.rows import page_of
from clew.text.names import key
from clew.text.outline import above, from_json, heading, section
from clew.text.sentences import sentences
from clew.types import ADOPTED, Block, Citation

_LIKE = 0.4
"""Share of words that a sentence has in common with a quote from which it stands where the quote stood."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A citation against its document today.

    ``state`` is *same* where the quote stands where it stood, *moved* where the new text has it elsewhere, *changed*
    where the new text does not have it, and *deleted* where there is no document any more. ``start`` to ``end`` is
    where it stands now. For a quote that has changed, that is where ``now`` stands, what the new text says instead; it
    is empty where nothing is like it.
    """

    citation: Citation
    state: Literal["same", "moved", "changed", "deleted"]
    start: int
    end: int
    now: str = ""

    @property
    def touched(self) -> bool:
        """Whether the answer rests on words that are no longer there."""
        return self.state in ("changed", "deleted")


def standing(database: Database, kb: str, citations: Sequence[Citation]) -> list[Standing]:
    """Each citation as it stands now, in one round trip."""
    ids = sorted({citation.document for citation in citations})
    rows = database.read("document/texts", kb=kb, ids=ids) if ids else []
    texts = {row["id"]: row["text"] for row in rows}
    return [_standing(citation, texts.get(citation.document)) for citation in citations]


def dated(database: Database, kb: str, citations: Sequence[Citation]) -> tuple[Citation, ...]:
    """The citations, each with its document's version, the node that was made of, its page, and the headings above it.

    The page is that of the quote: a passage that it was read off may have begun pages before.
    """
    ids = sorted({citation.document for citation in citations})
    rows = database.read("document/versions", kb=kb, ids=ids, adopted=ADOPTED) if ids else []
    found = {row["id"]: {"version": row["sha256"][:12], "original": row["original"]} for row in rows}
    pages = {row["id"]: row["pages"] for row in rows}
    sections = _sections(database, kb, citations, {row["id"]: from_json(row["blocks"]) for row in rows})
    return tuple(
        replace(
            citation,
            section=section,
            page=page_of(pages.get(citation.document), citation.start) or citation.page,
            **found.get(citation.document, {"version": ""}),
        )
        for citation, section in zip(citations, sections, strict=True)
    )


def _sections(
    database: Database, kb: str, citations: Sequence[Citation], blocks: dict[str, tuple[Block, ...]]
) -> list[str]:
    """The headings above each citation, read in one round trip, or none where no document has any."""
    places = [(one.document, above(blocks.get(one.document, ()), one.start)) for one in citations]
    spans = [{"document": id, "start": block.start, "end": block.end} for id, found in places for block in found]
    words = {row["i"]: row["text"] for row in database.read("document/spans", kb=kb, spans=spans)} if spans else {}
    labels = (words.get(at, "") for at in range(len(spans)))
    names = [[heading(block, next(labels)) for block in found] for _, found in places]
    return [section(one.title, found) for one, found in zip(citations, names, strict=True)]


def _standing(citation: Citation, text: str | None) -> Standing:
    start, end, quote = citation.start, citation.end, citation.quote
    if text is None:
        return Standing(citation, "deleted", start, end)
    if text[start:end] == quote:
        return Standing(citation, "same", start, end)
    # Of several places the one nearest to the old one.
    if places := [match.start() for match in re.finditer(re.escape(quote), text)]:
        at = min(places, key=lambda place: abs(place - start))
        return Standing(citation, "moved", at, at + len(quote))
    words = key(quote).split()
    best, likeness = (start, start), 0.0
    for a, b in sentences(text):
        others = key(text[a:b]).split()
        if set(words) & set(others):
            ratio = SequenceMatcher(None, words, others, autojunk=False).ratio()
            if ratio > likeness:
                best, likeness = (a, b), ratio
    if likeness < _LIKE:
        return Standing(citation, "changed", start, start)
    return Standing(citation, "changed", *best, text[slice(*best)])
