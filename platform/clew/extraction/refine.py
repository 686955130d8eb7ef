"""``hybrid``: the zero-LLM graph stays, and a budget is spent on the chunks to which a model adds most."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice

from clew.database.connection import Database
from clew.embedding import Embedder
from clew.errors import BudgetExceededError
from clew.extraction.estimate import estimate
from clew.extraction.extractor import LlmExtractor
from clew.extraction.select import candidates
from clew.ingest.batch import Batch, embed_new, write
from clew.ingest.link import link_pending
from clew.llm.pace import Budget
from clew.settings import Settings
from clew.types import Chunk, Document, ExtractionReport, Usage

READ = 50
"""Chunks that are read from the graph with one round trip."""
CHUNKS = 100
FACTS = 1000
"""Chunks and facts in one transaction, at most."""


def refine(
    database: Database,
    embedder: Embedder,
    kb: str,
    settings: Settings,
    budget: Budget,
    on_chunks: Callable[[int, int], None] = lambda done, facts: None,
    on_wait: Callable[[str], None] = lambda _: None,
) -> tuple[ExtractionReport, str]:
    """Add a model's facts to the best chunks (``select.score``) until the budget is spent; also says what ended it.

    The budget is for the knowledge base: what its chunks have cost before counts, so that a second call with the same
    budget changes nothing, and one with a larger goes on. A share is reckoned by the estimate, chunk by chunk. A chunk
    that another model refined gets this one's facts in their place. Raises ModelError where the model fails; all chunks
    that were written are then whole.
    """
    limit = Budget() if budget.share else budget
    extractor = LlmExtractor(settings, budget=limit, spent=spent(database, kb), fallback=False, on_wait=on_wait)
    chosen = candidates(database, kb)
    ids = [one.id for one in chosen if one.refined != extractor.name]
    if 0 < budget.share < 1:
        ids = _share(database, settings, [one.id for one in chosen], ids, budget.share)
    taken: deque[Chunk] = deque()

    def documents() -> Iterator[tuple[Document, Sequence[Chunk]]]:
        for document, chunks in _read(database, ids):
            taken.extend(chunks)
            yield document, chunks

    batch, done, facts, stopped = Batch(kb), 0, 0, ""
    found = extractor.extract_documents(documents())
    try:
        for extractions in found:
            chunk = taken.popleft()
            if extractions is None:
                continue
            (extraction,) = extractions
            for fact in extraction.facts:
                batch.add_fact(chunk, fact)
            usage = extraction.usage or Usage()
            batch.refined[chunk.id] = {
                "id": chunk.id,
                "refined": extractor.name,
                "model_tokens": usage.prompt_tokens + usage.completion_tokens,
                "model_cost": usage.cost,
            }
            done, facts = done + 1, facts + len(extraction.facts)
            if len(batch.refined) >= CHUNKS or len(batch.states) >= FACTS:
                _write(batch, database, embedder)
                batch = Batch(kb)
                on_chunks(done, facts)
    except BudgetExceededError as error:
        stopped = str(error)
    finally:
        if batch.refined:
            _write(batch, database, embedder)
            on_chunks(done, facts)
        link_pending(database, kb)
    return extractor.report(), stopped


def spent(database: Database, kb: str) -> Usage:
    """What a model has cost for what a knowledge base holds; its tokens are not distinguished any more."""
    row = database.read("extract/spent", kb=kb)[0]
    return Usage(0, row["tokens"], 0, row["cost"])


def _share(
    database: Database, settings: Settings, everything: Sequence[str], ids: Sequence[str], share: float
) -> list[str]:
    """The first of ``ids`` that together with what is refined already make a share of the tokens of everything.

    The chunk that crosses the share is the last one, so that nothing is left for a second call, which may see them in
    another order: what was refined has changed the degrees.
    """
    sizes: dict[str, int] = {}
    for document, chunks in _read(database, everything):
        one = estimate([(document, chunks)], settings)
        sizes[chunks[0].id] = one.prompt_tokens + one.completion_tokens
    left = share * sum(sizes.values()) - sum(sizes.values()) + sum(sizes.get(id, 0) for id in ids)
    before = accumulate((sizes.get(id, 0) for id in ids[:-1]), initial=0)
    return [id for id, tokens in zip(ids, before, strict=True) if tokens < left] if ids else []


def _write(batch: Batch, database: Database, embedder: Embedder) -> None:
    embed_new(batch, database, embedder)
    write(batch, database, embedder)


def _read(database: Database, ids: Sequence[str]) -> Iterator[tuple[Document, list[Chunk]]]:
    """The chunks in this order, each with its document; those that are gone are left out."""
    remaining = iter(ids)
    while some := list(islice(remaining, READ)):
        rows = {row["chunk"]["id"]: row for row in database.read("extract/chunks", ids=some)}
        for id in some:
            if row := rows.get(id):
                yield Document(**row["document"]), [Chunk(document=row["document"]["id"], **row["chunk"])]
