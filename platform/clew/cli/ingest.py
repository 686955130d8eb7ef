"""The command that brings documents in."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict

import click

from clew.cli.extraction import extraction_options
from clew.cli.options import (
    current_settings,
    encoding_option,
    json_option,
    kb_option,
    open_base,
    open_console,
    print_json,
    say,
    say_skipped,
    tell_other_encoder,
)

SKIPPED = 1
"""Exit code of an ingest that skipped something."""


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@kb_option
@extraction_options
@click.option("--ray", metavar="ADDRESS", help="Spread the work over Ray: local, auto, HOST:PORT or ray://HOST:10001.")
@encoding_option
@json_option
def ingest(
    sources: Sequence[str],
    kb: str | None,
    extractor: str,
    budget: str | None,
    estimate: bool,
    ontology: str | None,
    ray: str | None,
    encoding: str | None,
    as_json: bool,
) -> None:
    """Bring documents into a knowledge base.

    A SOURCE is a file, a folder, a glob, an http(s) address, or - for standard input; texts, web pages, PDFs, Office
    files, tables, e-mails, e-books and archives are read (docs/formats.md). Ingesting again changes nothing, and
    finishes what was interrupted. The exit code is 1 where a source was skipped, 5 where a budget did not last.
    """
    from clew.cli import extraction
    from clew.cli.terminal import gained, ingest_progress
    from clew.ingest.load import total_bytes
    from clew.ingest.spread import connected
    from clew.reporting.terminal import plain

    settings = extraction.with_ontology(current_settings(), extractor, ontology)
    if estimate:
        found = extraction.print_estimate(kb, sources, settings)
        return print_json(found) if as_json else None
    limit = extraction.check_options(extractor, budget, settings)
    console = open_console()
    with connected(ray) as spread, open_base(kb) as base, ingest_progress(console, total_bytes(sources)) as on_progress:
        base.settings = settings
        tell_other_encoder(base)
        report = extraction.ingest_with(base, sources, extractor, limit, on_progress, spread, encoding)
    for note in report.notes:
        say(f"note {plain(note.source)}: {plain(note.reason)}")
    say_skipped(report.skipped)
    if as_json:
        print_json(asdict(report))
    else:
        say(f"{base.name}: {gained(report)}, {len(report.skipped):,} skipped; {report.seconds:.1f} s.")
        if report.extraction:
            extraction.print_extraction(report.extraction)
    if report.stopped:
        say(f"clew: {report.stopped}")
        sys.exit(extraction.STOPPED)
    if report.skipped:
        sys.exit(SKIPPED)
