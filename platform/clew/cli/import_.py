"""``clew import``: facts that someone else has extracted."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace

import click

from clew.cli.ingest import SKIPPED
from clew.cli.options import json_option, kb_option, open_base, open_console, print_json, say, say_skipped

DROPPED = {
    "evidence": "without evidence",
    "form": "that are not [subject, relation, object]",
    "name": "without a name",
    "relation": "whose relation nothing states, mentioned together",
    "room": "too many for one document",
}
"""Why a triple was dropped, in words."""


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@kb_option
@click.option(
    "--extractor",
    type=click.Choice(["triples", "both"]),
    default="triples",
    show_default=True,
    help="What becomes a fact: the triples of the file, or its triples and its sentences.",
)
@json_option
def import_(files: tuple[str, ...], kb: str | None, extractor: str, as_json: bool) -> None:
    """Bring in facts: jsonl with a title, a text and triples (subject, relation, object), or facts, in each row.

    Each triple becomes a fact with its evidence in the text. Where that does not state the relation, the two are
    mentioned together; what the text does not show is dropped and counted. Facts are those of `clew export`. Importing
    again changes nothing. The exit code is 1 where a row was skipped.
    """
    from clew.cli.terminal import gained, ingest_progress
    from clew.ingest.load import total_bytes
    from clew.reporting.terminal import plain

    reports = {}
    with open_base(kb) as base, ingest_progress(open_console(), total_bytes(files)) as on_progress:
        for file in files:
            reports[file] = base.import_openie(file, sentences=extractor == "both", on_progress=on_progress)
    for file, report in reports.items():
        say_skipped(report.skipped)
        found = report.extraction
        if as_json or found is None:
            continue
        dropped = ", ".join(f"{count:,} {DROPPED[why]}" for why, count in sorted(found.dropped.items()))
        say(
            f"{plain(file)}: {gained(report)}; {found.facts:,} triples taken, {dropped or 'none'} dropped; "
            f"{report.seconds:.1f} s."
        )
    if as_json:
        summaries = {file: asdict(replace(report, skipped=report.skipped[:100])) for file, report in reports.items()}
        print_json({"files": summaries})
    if any(report.skipped for report in reports.values()):
        sys.exit(SKIPPED)
