"""The default extractor: a hypergraph without any language model.

Every sentence is a hyperedge, its text led by the page's title, and by the heading above it where that names what the
section is about, so that it can be understood alone. Its entities are the page's subject, what the heading names, the
names in the page's title, and the names in the sentence. Mentions of other pages' titles are
linked once all pages are known (``clew.ingest.link``), so that the graph does not depend on the order of ingest.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from clew.extraction.known import known_in, known_names
from clew.text.dictionaries import are_there
from clew.text.names import is_name, key, names_in, title_names, without_parenthesis
from clew.text.outline import block_at, headings
from clew.text.sentences import asks, sentences
from clew.text.subject import subject_of
from clew.text.uncased import is_uncased
from clew.types import Block, Cell, Chunk, Document, ExtractedFact, Participant

_LONGEST_CELL = 60
"""Characters of a cell that takes part in its row's fact, at most; what is longer is a text."""
_TYPES = {
    **dict.fromkeys(("number", "money"), "amount"),
    **dict.fromkeys(("yes", "no", "ticked", "unticked"), "flag"),
    "date": "date",
}
_NAMELESS = {
    "code": re.compile(r".+", re.DOTALL),
    "metadata": re.compile(r"^Date:.*|^[A-Z][A-Za-z-]*:|<[^<>\s]+@[^<>\s]+>", re.MULTILINE),
}
"""What names nothing in blocks of a kind."""
_PRONOUN = re.compile(r"\s*(?:it|its|he|his|she|her|they|their)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Section:
    """A stretch of a document under a heading that says what it is about: a name, or the question that it answers."""

    name: str
    start: int
    end: int
    is_subject: bool


class SentenceExtractor:
    """π_ext of Graph-R1 eq. 4 with sentences as facts and capitalised names as entities.

    Roles: ``subject`` is what the page is about, by its title or, for a contract or a CV, by what it names beside that;
    ``topic`` is a name in the page's title, ``mention`` a name in the sentence itself. Code names nothing, nor do the
    heads of a table's columns.
    """

    # Whoever installs the dictionaries and ingests again gets the names that they know.
    name = "sentences-12-dictionaries" if are_there() else "sentences-12"

    def extract(self, document: Document, chunk: Chunk) -> list[ExtractedFact]:
        """The chunk's sentences as facts; headings, and what only repeats the title, are left out."""
        title = " ".join(document.title.split())
        page = self._page(title, document.text)
        known = known_names(document) if is_uncased(chunk.text) else frozenset()
        sections = [one for one in _sections(document) if key(one.name) != key(title)]
        facts: list[ExtractedFact] = []
        for start, end, own in _statements(document, chunk):
            sentence = " ".join(chunk.text[start:end].split())
            heading = own is not None and own.kind == "heading"
            if heading or key(sentence) == key(title) or not ((own and own.cells) or any(map(str.isalpha, sentence))):
                continue
            participants = dict(page)
            above = _section_at(sections, chunk.start + start)
            if above and above.is_subject:
                participants.setdefault(key(above.name), Participant(above.name, "subject"))
            if own and own.cells:
                participants |= {key(one.name): one for one in _of_cells(_naming_cells(own), document.text)}
            naming = _naming(document, chunk.start + start, chunk.start + end, own)
            for name in (*names_in(naming), *known_in(naming, known)):
                participants.setdefault(key(name), Participant(name, "mention"))
            lead = f"{title}: " if title else ""
            if above:
                lead += f"{above.name}:" if above.is_subject else above.name
                lead += " "
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


def _statements(document: Document, chunk: Chunk) -> Iterator[tuple[int, int, Block | None]]:
    """What a chunk states, one after the other, with the block of each: a row or pair as a whole, else a sentence.

    Offsets count in the chunk.
    """
    done = -1
    for start, end in sentences(chunk.text):
        block = block_at(document.blocks, chunk.start + start)
        if block is None or not block.cells:
            yield start, end, block
        elif block.end - chunk.start > done:
            done = min(block.end - chunk.start, len(chunk.text))
            yield max(block.start - chunk.start, 0), done, block


def _naming_cells(block: Block) -> tuple[Cell, ...]:
    """The cells that may name something: of a pair with a short meaning, that alone ("Skipper: Anna Berg").

    The term is its role then; a long meaning tells what the term is.
    """
    others = block.cells[1:]
    is_short = block.kind == "pair" and len(others) == 1 and others[0].end - others[0].start <= _LONGEST_CELL
    return others if is_short else block.cells


def _of_cells(cells: Sequence[Cell], text: str) -> Iterator[Participant]:
    """The cells of a row as participants of its fact: the role is the head of the column, the value typed.

    A cell of many words takes no part itself; names in it are found as in any sentence.
    """
    for cell in cells:
        name = " ".join(text[cell.start : cell.end].split())
        if not key(name) or len(name) > _LONGEST_CELL:
            continue
        kind = _TYPES.get(cell.value.kind, "")
        if kind or cell.value.kind == "text":
            yield Participant(name, cell.head or "cell", kind, cell.value)


def _naming(document: Document, start: int, end: int, block: Block | None) -> str:
    """What of a sentence may name something: not code, and of a row the text of its cells, never the heads.

    Of an e-mail's header that is whom and what it is about, without labels, addresses and date.
    """
    if block is None or not block.cells:
        left_out = _NAMELESS.get(block.kind if block else "")
        text = document.text[start:end]
        return " ".join((left_out.sub(" ", text) if left_out else text).split())
    cells = _naming_cells(block)
    texts = (document.text[cell.start : cell.end] for cell in cells if start <= cell.start and cell.end <= end)
    return "; ".join(" ".join(text.split()) for text in (block.part, *texts) if text)


@lru_cache(16)
def _sections(document: Document) -> tuple[_Section, ...]:
    """The sections whose heading is a question, or names their subject, in the order in which they begin.

    A name of several words does that where the text under it has it, or begins with a pronoun ("It was built in 1911"
    under *Heron Bridge*); any other only where that text begins with it. What stands under *History* is mostly not
    about a thing of that name. A section goes on under the smaller headings in it.
    """
    text, found = document.text, []
    outline = headings(document.blocks)
    for number, heading in enumerate(outline):
        below = outline[number + 1 :]
        stop = next((other.start for other in below if other.level <= heading.level), len(text))
        name = " ".join(text[heading.start : heading.end].split())
        body = text[heading.end : below[0].start if below else stop]
        is_question = asks(name)
        if is_question or (is_name(name) and _tells_of(name, body)):
            found.append(_Section(name, heading.end, stop, not is_question))
    return tuple(found)


def _tells_of(name: str, body: str) -> bool:
    words = rf"{re.escape(name)}(?!\w)"
    if re.match(rf"\s*(?:[Tt]he\s+)?{words}", body):
        return True
    return _is_proper(name) and bool(_PRONOUN.match(body) or re.search(rf"(?<!\w){words}", body))


def _is_proper(name: str) -> bool:
    """Whether a name has several words with capitals, of which the first word of a line always has one."""
    return sum(word[:1].isupper() for word in name.split()) > 1


def _section_at(sections: Sequence[_Section], position: int) -> _Section | None:
    """The innermost section that a position lies in."""
    at = bisect_right(sections, position, key=lambda one: one.start) - 1
    while at >= 0 and sections[at].end <= position:
        at -= 1
    return sections[at] if at >= 0 else None
