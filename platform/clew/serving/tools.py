"""What the tools of MCP give, as plain JSON over the library. They read, or bring in texts and web addresses."""

from __future__ import annotations

from typing import Any

from clew.errors import InputError
from clew.explore.look import entity_facts
from clew.explore.search import describe_entities, describe_facts, list_documents, search_entities
from clew.ingest.fetch import is_address
from clew.ingest.load import load, load_bytes, storable
from clew.knowledge_base import KnowledgeBase
from clew.reporting.verdict import WORDS
from clew.trajectories.standing import Standing
from clew.types import Citation, IngestReport, Json, Passage, Retrieved, Trajectory

MOST_SKIP = 1_000_000


def listed(base: KnowledgeBase, names: list[Json], text: str, skip: int, k: int) -> Json:
    """The knowledge bases by these names, and a page of the documents of one."""
    documents = list_documents(base, text[:200], skip=max(0, min(skip, MOST_SKIP)), limit=k)
    return {"knowledge_bases": names, "kb": base.name, "documents": documents}


def facts_of(base: KnowledgeBase, name: str, k: int) -> Json:
    """The entity of this name with its facts, and others that it may mean."""
    base.must_exist()
    found = describe_entities(base, search_entities(base, name)[:5])
    if not found:
        return {"entity": None, "facts": [], "others": []}
    facts = describe_facts(base, entity_facts(base, found[0]["id"], limit=k))
    return {"entity": found[0], "facts": facts, "others": [other["name"] for other in found[1:]]}


def sources_of(base: KnowledgeBase, id: str) -> Json:
    """How the citations of a stored answer stand in their documents now."""
    stored, citations = base.trajectory(id), base.standing(id)
    touched = any(one.touched for one in citations)
    return {
        "question": stored["question"],
        "answer": stored["answer"],
        **({"shown_as": WORDS["outdated"]} if touched else {}),
        "touched": touched,
        "citations": [_stands(one) for one in citations],
    }


def _stands(one: Standing) -> Json:
    """A citation as it was given, its state, and the span and words that stand in its place now, if any."""
    cited: Json = _cited(one.citation) | {"state": one.state}
    if one.state in ("moved", "changed") and one.end > one.start:
        cited["now"] = {"start": one.start, "end": one.end, "quote": one.now or one.citation.quote}
    return cited


def bring_in(base: KnowledgeBase, title: str, text: str, address: str) -> Json:
    """Bring in a text under a title, or a page by its address; one of the very same title or address is replaced.

    Raises InputError for both or neither, for a text without a title, and for what is no address.
    """
    if bool(text.strip()) == bool(address):
        raise InputError("Give either a text with a title, or an address.")
    if address:
        if not is_address(address):
            raise InputError(f"{address[:80]!r} is no http or https address.")
        items = load([address], kb=base.name, settings=base.settings, allow_private=False)
        return _brought(base.ingest_documents(items))
    if not title.strip():
        raise InputError("A text needs a title, by which it is cited and replaced.")
    content = f"# {' '.join(title.split())}\n\n{text}".encode("utf-8", "replace")
    source = f"upload:{storable(title.strip())}.md"
    items = load_bytes(content, "text.md", kb=base.name, settings=base.settings, source=source)
    return _brought(base.ingest_documents(items))


def found(found: Retrieved) -> Json:
    """Facts and passages with their places."""
    facts = [{"text": fact.text, "sources": [_place(one) for one in fact.sources[:2]]} for fact in found.facts]
    return {"facts": facts, "passages": [_place(one) | {"text": one.text} for one in found.passages]}


def _place(one: Any) -> Json:
    document = {"document": one.document, "title": one.title, "start": one.start, "end": one.end}
    document |= {"page": one.page} if one.page is not None else {}
    return document | ({"score": round(one.score, 4)} if isinstance(one, Passage) else {})


def _cited(one: Citation) -> Json:
    fields = {"section": one.section, "original": one.original, "version": one.version, "spans": one.spans}
    return _place(one) | {"quote": one.quote} | {name: value for name, value in fields.items() if value}


def answered(trajectory: Trajectory) -> Json:
    """An answer with its verdict and citations."""
    verdict = trajectory.verdict
    return {
        "answer": trajectory.answer,
        "verdict": verdict.kind,
        "shown_as": WORDS[verdict.kind],
        "reason": verdict.reason,
        **({"unsupported": [trajectory.answer[a:b] for a, b in verdict.unsupported]} if verdict.unsupported else {}),
        "citations": [_cited(one) for one in trajectory.citations],
        "trajectory": trajectory.id,
    }


def _brought(report: IngestReport) -> Json:
    skipped = [{"source": one.source, "reason": one.reason} for one in report.skipped]
    counts = {"documents": report.documents, "facts": report.hyperedges, "unchanged": report.unchanged}
    return counts | {"replaced": report.replaced, "skipped": skipped}
