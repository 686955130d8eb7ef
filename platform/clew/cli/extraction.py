"""The options of ``clew ingest`` that choose an extractor, and what they print."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from clew.cli.options import say
from clew.errors import InputError

if TYPE_CHECKING:
    from clew.ingest.pipeline import Progress
    from clew.ingest.spread import Spread
    from clew.knowledge_base import KnowledgeBase
    from clew.llm.pace import Budget
    from clew.settings import Settings
    from clew.types import ExtractionReport, IngestReport, Json

F = TypeVar("F", bound=Callable[..., Any])

STOPPED = 5
"""Exit code where the budget of ``--extractor llm`` did not last for all documents."""


def extraction_options(command: F) -> F:
    """--extractor, --budget and --estimate, as arguments of these names."""
    for option in (
        click.option("--estimate", is_flag=True, help="Say what a model would cost and take, and do nothing."),
        click.option(
            "--budget",
            metavar="AMOUNT",
            help="What a model may cost in all: tokens (200k), money ($2.50), or for hybrid a share of it all (25%).",
        ),
        click.option(
            "--ontology",
            metavar="FILE",
            help="Entity and relation types for a model, JSON or TOML (CLEW_EXTRACT_ONTOLOGY).",
        ),
        click.option(
            "--extractor",
            type=click.Choice(["sentences", "llm", "hybrid"]),
            default="sentences",
            show_default=True,
            help="Who finds the facts: no model; a model; or no model, and a model where it adds most.",
        ),
    ):
        command = option(command)
    return command


def ingest_with(
    base: KnowledgeBase,
    sources: Sequence[str],
    extractor: str,
    limit: Budget | None,
    on_progress: Callable[[Progress], None],
    spread: Spread,
    encoding: str | None,
) -> IngestReport:
    """``clew ingest`` with its options; ``limit`` is what ``check_options`` gave."""
    from clew.extraction.extractor import LlmExtractor
    from clew.extraction.refine import refine, spent

    model = None
    if extractor == "llm":
        model = LlmExtractor(base.settings, budget=limit, spent=spent(base.database, base.name), on_wait=_say)
    report = base.ingest(
        *sources, stdin=sys.stdin.buffer, extractor=model, on_progress=on_progress, spread=spread, encoding=encoding
    )
    if limit is None or model:
        return report

    def refined(done: int, facts: int) -> None:
        on_progress(_progress(done, facts))

    embedder, database = base.encoder()
    extraction, stopped = refine(database, embedder, base.name, base.settings, limit, refined, _say)
    if stopped:
        say(f"{base.name}: {stopped}")
    return replace(report, extraction=extraction, seconds=report.seconds + extraction.seconds)


def with_ontology(settings: Settings, extractor: str, file: str | None) -> Settings:
    """The settings with an ontology of the command line. Raises InputError where no model is to read it."""
    if file is None:
        return settings
    if extractor == "sentences":
        raise InputError("--ontology is for a model: add --extractor llm, or --extractor hybrid.")
    return settings.model_copy(update={"extract_ontology": file})


def check_options(extractor: str, budget: str | None, settings: Settings) -> Budget | None:
    """The budget, or None. Raises InputError where the options do not fit together, or prices are missing."""
    from clew.extraction.client import needs_model
    from clew.extraction.ontology import load_ontology
    from clew.llm.pace import Budget

    limit = Budget.parse(budget) if budget else None
    if extractor == "sentences" and limit:
        raise InputError("--budget is for a model: add --extractor hybrid, or --extractor llm.")
    if extractor == "hybrid" and limit is None:
        raise InputError("--extractor hybrid needs a --budget, such as 200k tokens or 25%.")
    if extractor == "llm" and limit and limit.share:
        raise InputError("A share of the cost is for --extractor hybrid: give tokens (200k) or money ($2.50).")
    if limit and limit.cost and not (settings.llm_input_price or settings.llm_output_price):
        raise InputError("A budget in money needs prices: set CLEW_LLM_INPUT_PRICE and CLEW_LLM_OUTPUT_PRICE.")
    if extractor != "sentences":
        needs_model(settings)
        load_ontology(settings.extract_ontology)
    return limit


def print_estimate(kb: str | None, sources: Sequence[str], settings: Settings) -> Json:
    """Print what it would take to extract all sources by the model of the settings; the same as plain data."""
    from clew.extraction.client import needs_model
    from clew.extraction.estimate import estimate
    from clew.extraction.journal import Journal
    from clew.ingest.load import load
    from clew.ingest.split import chunks
    from clew.types import Document

    needs_model(settings)
    items = load(sources, kb=kb or settings.kb, settings=settings, stdin=sys.stdin.buffer)
    documents = ((item, list(chunks(item, settings.chunk_chars))) for item in items if isinstance(item, Document))
    found = estimate(documents, settings, Journal.of(settings))
    money = f"{found.cost:,.2f} at the prices set" if found.cost else "no prices are set (CLEW_LLM_INPUT_PRICE)"
    say(
        f"About {found.requests:,} requests for {found.chunks:,} chunks ({found.journalled:,} more in the journal): "
        f"{found.prompt_tokens:,} tokens in, {found.completion_tokens:,} out; {money}; "
        f"{found.seconds / 60:,.0f} min with {settings.extract_concurrency} requests at once."
    )
    return asdict(found)


def print_extraction(report: ExtractionReport) -> None:
    """Print what a model gave and cost."""
    tokens = report.paid.prompt_tokens + report.paid.completion_tokens
    dropped = sum(report.dropped.values())
    why = ", ".join(f"{kind} {count:,}" for kind, count in sorted(report.dropped.items(), key=lambda d: -d[1]))
    say(
        f"{report.model}: {report.facts:,} facts from {report.chunks:,} chunks, {report.repaired:,} of them mended; "
        f"{dropped:,} dropped ({report.drop_rate:.1%}{f': {why}' if why else ''}); {report.left:,} chunks without. "
        f"Paid: {report.paid.calls:,} requests, {tokens:,} tokens, {report.paid.cost:,.4f}; "
        f"{report.reused.calls:,} from the journal; {report.lost:,} replies lost."
    )
    if report.chunks and not report.facts:
        _say("No reply of the model could be used: try CLEW_EXTRACT_PROMPT=small, or another model.")


def _say(text: str) -> None:
    say(f"clew: {text}")


def _progress(done: int, facts: int) -> Progress:
    from clew.ingest.pipeline import Progress

    return Progress("refine", done, done, None, 0, facts, 0)
