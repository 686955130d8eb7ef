"""The default extractor: a hypergraph without any language model.

Every sentence is a hyperedge, its text led by the page's title, so that it can be understood alone. Its entities are
the page's subject, the names in the page's title, and the names in the sentence. Mentions of other pages' titles are
linked once all pages are known (``clew.ingest.link``), so that the graph does not depend on the order of ingest.
"""

from __future__ import annotations

from clew.text.names import (
    capitalised_spans,
    is_name,
    key,
    title_names,
    without_parenthesis,
)
from clew.text.sentences import is_heading, sentences
from clew.text.subject import subject_of
from clew.types import Chunk, Document, ExtractedFact, Participant


class SentenceExtractor:
    """π_ext of Graph-R1 eq. 4 with sentences as facts and capitalised names as entities.

    Roles: ``subject`` is what the page is about, by its title or, for a contract or a CV, by what it names beside that;
    ``topic`` is a name in the page's title, ``mention`` a name in the sentence itself.
    """

    name = "sentences-5"

    def extract(self, document: Document, chunk: Chunk) -> list[ExtractedFact]:
        """The chunk's sentences as facts; headings, and what only repeats the title, are left out."""
        title = " ".join(document.title.split())
        page = self._page(title, document.text)
        facts: list[ExtractedFact] = []
        for start, end in sentences(chunk.text):
            sentence = " ".join(chunk.text[start:end].split())
            heading = is_heading(document.text, chunk.start + start, chunk.start + end)
            if heading or key(sentence) == key(title):
                continue
            participants = dict(page)
            for name in capitalised_spans(sentence):
                participants.setdefault(key(name), Participant(name, "mention"))
            lead = f"{title}: " if title else ""
            span = chunk.start + start, chunk.start + end
            facts.append(ExtractedFact(lead + sentence, *span, tuple(participants.values()), len(lead)))
        return facts

    @staticmethod
    def _page(title: str, text: str) -> dict[str, Participant]:
        subject = without_parenthesis(title)
        page = {key(subject): Participant(subject, "subject")} if is_name(subject) else {}
        if about := subject_of(title, text):
            page.setdefault(key(about), Participant(about, "subject"))
        for name in title_names(title):
            page.setdefault(key(name), Participant(name, "topic"))
        return page
