"""The pane beside an answer: the document that it cites, or the graph of what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

import streamlit as st

from clew import KnowledgeBase
from clew.database.connection import Row
from clew.documents.isolated import Reader
from clew.documents.parsed import Unreadable
from clew.ingest.originals import original
from clew.retrieval.graph.rows import page_of
from clew.text.outline import above, heading, section
from clew.trajectories.standing import Standing
from clew.types import Block, Json, Step
from clew.ui import view
from clew.ui.components import frontend
from clew.ui.components.document import about, document_there, pieces
from clew.ui.components.graph import show_graph
from clew.ui.session import is_personal, settings
from clew.ui.text import visible

SOURCE, GRAPH = ":material/article: Source", ":material/hub: Graph"
PAGE, TEXT = "Page", "Text"
PDF = "application/pdf"


@dataclass(frozen=True, slots=True)
class _Place:
    """A span of a document that can be opened, with the citation that it comes from, if any."""

    document: str
    title: str
    start: int
    end: int
    cited: Standing | None = None

    @classmethod
    def of(cls, one: Standing) -> _Place:
        """Where a citation stands now."""
        return cls(one.citation.document, one.citation.title, one.start, one.end, one)

    @property
    def likely(self) -> list[tuple[int, int]]:
        """The likeliest words in it, where they stand now."""
        if self.cited is None or self.cited.touched:
            return []
        moved = self.start - self.cited.citation.start
        return [(start + moved, end + moved) for start, end in self.cited.citation.spans]

    def says(self, answer: str) -> bool:
        """Whether the answer is among its likeliest words."""
        return bool(self.likely) and any(bold and words == answer for words, bold in self.quoted)

    @property
    def quoted(self) -> list[tuple[str, bool]]:
        """Its words, cut at the likeliest ones."""
        return self.cited.citation.pieces() if self.cited else []


@st.fragment
def show_pane(base: KnowledgeBase, steps: Sequence[Step], found: Sequence[Standing], answer: str, key: str) -> None:
    """Draw what an answer cites, or its graph; what a component has asked to open is shown here."""
    state = st.session_state
    chosen, side = f"source-{key}", f"side-{key}"
    if opened := state.pop("open_document", None):
        state[chosen], state[side] = opened, SOURCE
        state[f"asked-{key}"] = state.get(f"asked-{key}", 0) + 1  # shown already, it may be out of view
    cited = [_Place.of(one) for one in found if one.state != "deleted"]
    place = _chosen(state.get(chosen), cited, answer)
    row = document_there(base, place.document, place.title) if place else None
    if row is None:
        state.pop(chosen, None)
    sides = [SOURCE] * (row is not None) + [GRAPH] * any(step.facts for step in steps)
    if not sides:
        return
    if state.get(side) not in sides:
        state[side] = sides[0]
    file = original(settings(), base.name, str(row["source"]), local=is_personal()) if row else None
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.segmented_control("Beside the answer", sides, required=True, key=side, label_visibility="collapsed")
        if row and file and state[side] == SOURCE:
            _offer(file, str(row["source"]), key)
    if state[side] == GRAPH:
        numbers = view.fact_numbers(steps, settings().dialect)
        show_graph(steps, [one.citation for one in found], numbers, key=f"graph-{key}", base=base)
    elif row and place:
        _show_source(row, place, cited, file, key)


def _offer(file: Path, source: str, key: str) -> None:
    """A button that takes the original along."""
    name = Path(source.removeprefix("upload:")).name
    st.download_button(
        "Original", file.read_bytes, file_name=name, mime="application/octet-stream", on_click="ignore",
        key=f"original-{key}", icon=":material/download:", type="tertiary", help=visible(name),
    )  # fmt: skip


def _chosen(wanted: Json | None, cited: Sequence[_Place], answer: str) -> _Place | None:
    """What was asked for, as a citation where it is one; else the first citation that has the answer, or the first."""
    if wanted is None:
        return next((one for one in cited if one.says(answer)), next(iter(cited), None))
    place = _Place(str(wanted["document"]), str(wanted.get("title", "")), int(wanted["start"]), int(wanted["end"]))
    same = (one for one in cited if (one.document, one.start, one.end) == (place.document, place.start, place.end))
    return next(same, place)


def _show_source(row: Row, place: _Place, cited: Sequence[_Place], file: Path | None, key: str) -> None:
    state = st.session_state
    has_pages = file is not None and row["media_type"] == PDF and not row["locator"]
    as_page = has_pages and state.get(f"view-{key}", PAGE) == PAGE
    sheet = _sheet(file, row, place) if file and as_page else None
    shown = {"views": [PAGE, TEXT] if sheet or (has_pages and not as_page) else [], "view": PAGE if sheet else TEXT}
    where = _where(row, place)
    at = cited.index(place) if place in cited else None
    copy = f"“{row['text'][place.start : place.end]}” – {', '.join(filter(None, [str(row['title']), where]))}"
    data = about(row) | _changed(place)
    data |= {
        "asked": state.get(f"asked-{key}", 0),
        "where": visible(where, 300),
        "sheet": sheet,
        "pieces": [] if sheet else _pieces(row, place),
        "bar": {"at": at, "count": len(cited), "copy": copy, **shown},
    }

    def go() -> None:
        to = state[f"shown-{key}"].go
        if isinstance(to, int) and 0 <= to < len(cited):
            one = cited[to]
            state[f"source-{key}"] = {"document": one.document, "title": one.title, "start": one.start, "end": one.end}

    def look() -> None:
        state[f"view-{key}"] = state[f"shown-{key}"].view

    frontend("document")(key=f"shown-{key}", data=data, on_go_change=go, on_view_change=look)


def _where(row: Row, place: _Place) -> str:
    """Page or sheet, and headings of a place: "p. 3 · Rent › Deposit"."""
    page = page_of(row["pages"], place.start)
    names = (heading(block, row["text"][block.start : block.end]) for block in above(row["blocks"], place.start))
    return " · ".join(filter(None, [f"p. {page}" if page else "", section(row["title"], names)]))


def _pieces(row: Row, place: _Place) -> list[Json]:
    return pieces(row["text"], row["pages"] or (), place.start, place.end, blocks=row["blocks"], likely=place.likely)


def _changed(place: _Place) -> Json:
    """What a quote that has changed said, and what stands in its place."""
    if place.cited is None or place.cited.state != "changed":
        return {}
    return {"then": place.cited.citation.quote[: view.LONGEST], "now": place.cited.now[: view.LONGEST]}


@dataclass(slots=True)
class _Drawing:
    """A child process that draws pages, one at a time."""

    reader: Reader
    lock: Lock = field(default_factory=Lock)


@st.cache_resource(show_spinner=False, on_release=lambda drawing: drawing.reader.close())
def _drawing() -> _Drawing:
    return _Drawing(Reader(settings().parse_timeout))


def _sheet(file: Path, row: Row, place: _Place) -> Json | None:
    """The page on which a span begins, its words boxed; None where it cannot be drawn, or does not have them."""
    text, starts = str(row["text"]), list(row["pages"] or ())
    number = page_of(starts, place.start)
    if number is None:
        return None
    until = starts[number] if number < len(starts) else len(text)
    quote = printed(text, row["blocks"], place.start, min(place.end, until))
    spans = [(start - place.start, end - place.start) for start, end in place.likely]
    before = text[starts[number - 1] : place.start]
    try:
        return _drawn(str(file), file.stat().st_mtime_ns, number, quote, spans, before)
    except (OSError, Unreadable):
        return None


def printed(text: str, blocks: Sequence[Block], start: int, end: int) -> str:
    """A span as a page has it: of the rows of a table the cells alone, all else blank, so that offsets hold."""
    quote = list(text[start:end])
    for block in blocks:
        for at in range(max(start, block.start), min(end, block.end)) if block.cells else ():
            if not any(cell.start <= at < cell.end for cell in block.cells):
                quote[at - start] = " "
    return "".join(quote)


@st.cache_data(show_spinner=False, max_entries=60)
def _drawn(file: str, changed: int, number: int, quote: str, spans: list[tuple[int, int]], before: str) -> Json | None:
    drawing = _drawing()
    with drawing.lock:
        found = drawing.reader.draw(Path(file).read_bytes(), number, quote, spans, before)
    return {**found, "number": number} if found["boxes"] else None
