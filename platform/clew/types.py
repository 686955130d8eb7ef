"""The vocabulary of Clew: what a document becomes, and what a question brings back.

Offsets are always counted in characters of ``Document.text``, the text as extracted, end exclusive, so that
``document.text[start:end]`` is the evidence. Vectors never appear here: they live in Neo4j and in the embedder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from itertools import pairwise
from operator import add
from typing import Any, Literal

from clew.notebook import html_table, short

ADOPTED = "adopted:"
"""What ``Document.source`` begins with where a node of the same database is the origin; ``locator`` then finds it."""


SHEET = 0
"""The level of a heading that is the name of a sheet."""

BlockKind = Literal["heading", "paragraph", "item", "pair", "row", "table", "caption", "code", "note", "metadata"]
"""What a block of a document is: an item of a list, a term with what it means or a question with its answer, a row that
names the heads of its columns, a whole table of such rows, the title of a table or picture, a footnote, or what a file
says of itself."""


ValueKind = Literal["text", "number", "money", "date", "yes", "no", "ticked", "unticked", "empty"]
"""What a cell holds: a number may have a unit, and a box of a form is ticked or not."""


@dataclass(frozen=True, slots=True)
class Value:
    """What a cell of a table holds, typed.

    ``number`` is scaled already: 318 in a table "in millions of euros" is 318,000,000 with the unit EUR. ``date`` is
    ISO 8601, as exact as the cell is ("2026-11"). Both are None where the cell holds something else.
    """

    kind: ValueKind
    number: float | None = None
    unit: str = ""
    date: str | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row, or one side of a pair: ``text[start:end]`` of its document.

    ``heads`` names its column, the widest head first ("Fee", "Adult"). ``names_row`` is true of the cell that says
    what the row is about. An empty cell has a start and an end that are the same.
    """

    start: int
    end: int
    heads: tuple[str, ...] = ()
    names_row: bool = False
    value: Value = Value("text")

    @property
    def head(self) -> str:
        """The heads of its column as one: "Fee › Adult"."""
        return " › ".join(self.heads)


@dataclass(frozen=True, slots=True)
class Table:
    """The table that a row belongs to; ``number`` counts the tables of its document, from 1.

    ``scale`` and ``unit`` stand above the table and count for every number of it ("in millions of euros": 1,000,000
    and EUR).
    """

    number: int
    caption: str = ""
    unit: str = ""
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a document that is one thing: ``text[start:end]``.

    ``level`` is that of a heading, from 1 (a sheet's name: ``SHEET``), and how deep an item of a list lies, from 0. A
    row has ``cells``, a ``table``, and the ``part`` of it that it stands in ("Starters"); a pair has two cells, its
    term and its meaning.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    cells: tuple[Cell, ...] = ()
    table: Table | None = None
    part: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """One text with its origin.

    ``source`` is a file's absolute path, an address, or ``upload:NAME``/``stdin:NAME``; ``locator`` tells apart the
    documents of one source (a row of a corpus file) and is empty where a source is one document. ``pages`` holds the
    offset at which each page starts (PDF, slides), and is empty where a format has no pages. ``notes`` say what a
    person should know of the reading, such as a guessed encoding; ``metadata`` is what the file says of itself, such as
    its author. ``blocks`` are what the format tells of the text's structure, in their order; none of a plain text.
    """

    id: str
    kb: str
    title: str
    source: str
    text: str
    sha256: str
    media_type: str = "text/plain"
    locator: str = ""
    pages: tuple[int, ...] = ()
    notes: tuple[str, ...] = field(default=(), compare=False)
    metadata: Json = field(default_factory=dict, compare=False)
    blocks: tuple[Block, ...] = field(default=(), compare=False)

    def __repr__(self) -> str:
        return f"<Document {short(self.title)!r}, {len(self.text):,} characters>"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A source that could not be read, with a reason a person can act on.

    A ``note`` is no fault: it tells what of a source was not meant to be read, or was read otherwise than expected.
    """

    source: str
    reason: str
    note: bool = False


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of whole sentences of a document: ``document.text[start:end] == text``."""

    id: str
    document: str
    index: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Participant:
    """An entity's part in a fact: its name as written, the role it plays, and what kind of thing it is, if known.

    A cell of a table brings its typed ``value``.
    """

    name: str
    role: str
    type: str = ""
    value: Value | None = None


@dataclass(frozen=True, slots=True)
class ExtractedFact:
    """An n-ary fact h with its entities V_h (Graph-R1 eq. 4) and the span of the document that states it.

    ``lead`` counts the characters of ``text`` that the extractor put before the document's own words. ``origin`` says
    who worded the text, such as ``llm``, and is empty where the words are the document's own. ``time`` is when the fact
    holds, as the document writes it; ``negated`` is true where the text says that something is not so. ``relation`` is
    its type in an ontology, where there is one.
    """

    text: str
    start: int
    end: int
    participants: tuple[Participant, ...]
    lead: int = 0
    origin: str = ""
    time: str = ""
    negated: bool = False
    relation: str = ""


VALUE_TYPES = ("amount", "flag")
"""The types of entities that are values of cells: a walk does not go over them, since any number is in many rows."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a fact is stated: a span of a document, and the chunk it lies in.

    ``block`` is the block of the document that states it; None in a text without structure.
    """

    document: str
    title: str
    chunk: str
    start: int
    end: int
    page: int | None = None
    block: Block | None = None


@dataclass(frozen=True, slots=True)
class Hop:
    """A place on the way to a fact: where the search began (``seed`` says why there), or what it came over.

    ``kind`` is entity, passage or fact; ``weight`` the share of its relevance that the next place on the way has from
    here, between 0 and 1.
    """

    kind: str
    id: str
    name: str
    weight: float
    seed: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Fact:
    """A retrieved hyperedge: its text, the names of its entities, where it is stated, and why it came.

    ``ranks`` gives its rank (from 1) on each path of the strategy that found it, and ``way`` the hops from a seed to it
    where the strategy walks, so that a person can see why. ``similarity`` is the cosine of its vector and the query's,
    None where the strategy does not compare them.
    """

    id: str
    text: str
    entities: tuple[str, ...]
    score: float
    sources: tuple[Source, ...] = ()
    ranks: dict[str, int] = field(default_factory=dict)
    way: tuple[Hop, ...] = ()
    similarity: float | None = None

    def __repr__(self) -> str:
        return f"<Fact {short(self.text)!r}>"


@dataclass(frozen=True, slots=True, repr=False)
class Passage:
    """A retrieved chunk with its place in a document, and the structure of that.

    ``section`` are the headings above it, widest first; ``blocks`` what it is made of, their offsets counted in the
    document; ``metadata`` what the document says of itself.
    """

    id: str
    document: str
    title: str
    text: str
    start: int
    end: int
    score: float
    page: int | None = None
    section: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    metadata: Json = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Passage {short(self.title)!r} [{self.start}:{self.end}]>"


@dataclass(frozen=True, slots=True, repr=False)
class Retrieved:
    """What one query brought: facts and passages, each best first."""

    query: str
    facts: tuple[Fact, ...] = ()
    passages: tuple[Passage, ...] = ()

    def __repr__(self) -> str:
        return f"<Retrieved {short(self.query)!r}: {len(self.facts)} facts, {len(self.passages)} passages>"

    def _repr_html_(self) -> str:
        rows = [("fact", f"{fact.score:.3f}", fact.text) for fact in self.facts]
        rows += [("passage", f"{one.score:.3f}", f"{one.title}: {short(one.text, 300)}") for one in self.passages]
        return html_table(self.query, rows)


@dataclass(frozen=True, slots=True)
class Step:
    """One turn of the agent: what it thought, what it asked the graph, and what came back.

    ``query`` is empty on the turn that answers. ``raw`` is the policy's own text, tags included.
    """

    thought: str
    query: str = ""
    facts: tuple[Fact, ...] = ()
    passages: tuple[Passage, ...] = ()
    raw: str = ""
    note: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Citation:
    """A span of a document that supports the answer: ``document.text[start:end] == quote``.

    ``version`` names the text that it was read from, by the beginning of its SHA-256. ``original`` is the node that an
    adopted document was made of, as a pattern for Cypher's MATCH (``clew.adoption``), and empty for any other document.
    ``section`` are the headings above the place ("Rent › Deposit"), where the document has any. ``spans`` are the
    likeliest answer spans in it, as pairs of start and end in the document.
    """

    document: str
    title: str
    start: int
    end: int
    quote: str
    page: int | None = None
    version: str = ""
    original: str = ""
    section: str = ""
    spans: tuple[tuple[int, int], ...] = ()

    def pieces(self) -> list[tuple[str, bool]]:
        """The quote cut at its spans, each piece with whether it is one of them."""
        return cut_at(self.quote, [(start - self.start, end - self.start) for start, end in self.spans])


def cut_at(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[str, bool]]:
    """The text cut at its spans, each piece with whether it is one of them."""
    cuts = [0, *(at for span in sorted(spans) for at in span), len(text)]
    found = [(text[a:b], number % 2 == 1) for number, (a, b) in enumerate(pairwise(cuts))]
    return [piece for piece in found if piece[0]]


VerdictKind = Literal["sure", "probable", "guess", "found", "unsupported", "nothing", "outdated", "stopped"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far an answer can be trusted, and why.

    ``sure``: a cited sentence states it. ``probable``: it is likely, not certain. ``guess``: the likeliest value, which
    is not likely. ``found``: no value, but sentences to read. ``unsupported``: a model's own words, which no document
    states. ``nothing``: nothing to read either. ``outdated``: a cited place has changed since, which no answer is kept
    with. ``stopped``: a person ended it before the answer. ``probability`` is that of the answer being right where it
    was measured. ``clew.reporting.verdict`` has the words for a person.
    ``unsupported`` are the spans of the answer's sentences that no cited sentence states, where others are.
    """

    kind: VerdictKind
    reason: str
    probability: float | None = None
    unsupported: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Support:
    """A span of a document, in its characters, that an answer rests on; ``number`` that of its fact, 0 for none.

    ``values`` are the likeliest answers in it, which its citation marks.
    """

    document: str
    title: str
    start: int
    end: int
    page: int | None = None
    number: int = 0
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """What a policy spent: model calls, tokens in and out, and money where the price is known."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        """What both have spent."""
        return Usage(*map(add, astuple(self), astuple(other)))


@dataclass(frozen=True, slots=True, repr=False)
class Trajectory:
    """A question's whole way: the turns, the answer, and the spans it rests on.

    ``answered`` is false where the agent gives no value; ``stopped`` then names what ended it, and ``verdict`` says
    whether it found what bears on the question. ``filter`` are the conditions that the search was kept to.
    """

    id: str
    kb: str
    question: str
    answer: str
    answered: bool
    steps: tuple[Step, ...]
    citations: tuple[Citation, ...]
    policy: str
    strategy: str
    seconds: float
    usage: Usage = Usage()
    stopped: str = ""
    verdict: Verdict = Verdict("nothing", "")
    filter: tuple[str, ...] = ()

    @property
    def is_supported(self) -> bool:
        """Whether its citations support the answer; of a model's own words they only come nearest."""
        return bool(self.citations) and self.verdict.kind != "unsupported"

    def __repr__(self) -> str:
        return f"<Trajectory {short(self.question)!r}: {short(self.answer)!r}, {self.verdict.kind}>"

    def _repr_html_(self) -> str:
        rows = [("answer", self.answer), ("verdict", f"{self.verdict.kind}: {self.verdict.reason}")]
        rows += [(f"turn {turn}", step.query or step.thought) for turn, step in enumerate(self.steps, 1)]
        rows += [("cited", f"{one.title} [{one.start}:{one.end}]: {one.quote}") for one in self.citations]
        return html_table(self.question, rows)


@dataclass(frozen=True, slots=True)
class ExtractionReport:
    """What a language model was asked for, what it gave, and what that cost.

    ``paid`` is what this run has spent, ``reused`` what the replies had cost that the journal held from earlier runs,
    ``lost`` counts requests whose reply never came in, though the server may have charged for them. ``dropped`` facts
    failed the checks even after one repair, counted by the fault; ``left`` chunks kept their sentences, because the
    model gave no fact of them that holds.
    """

    model: str
    chunks: int = 0
    facts: int = 0
    left: int = 0
    repaired: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    paid: Usage = Usage()
    reused: Usage = Usage()
    lost: int = 0
    retries: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def drop_rate(self) -> float:
        """The share of the facts offered that were dropped."""
        dropped = sum(self.dropped.values())
        return dropped / (self.facts + dropped) if dropped else 0.0


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did: what the graph gained, what was skipped and why, and seconds per stage.

    Of ``documents``, ``replaced`` took the place of an older version. ``extraction`` tells what a language model did,
    where one extracted. ``notes`` say what was read otherwise than a person may expect, such as in an encoding that was
    guessed, and what of a folder was left out. ``stopped`` says what ended the ingest early, such as a spent budget;
    all documents that are counted are whole.
    """

    documents: int
    chunks: int
    hyperedges: int
    entities: int
    skipped: tuple[Skipped, ...]
    seconds: float
    stages: dict[str, float]
    unchanged: int = 0
    removed: int = 0
    replaced: int = 0
    extraction: ExtractionReport | None = None
    stopped: str = ""
    notes: tuple[Skipped, ...] = ()


Json = dict[str, Any]
