"""``clew adopt``: a graph that is in Neo4j already, as a knowledge base."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from pathlib import Path

import click

from clew.cli.ingest import SKIPPED
from clew.cli.options import current_settings, json_option, kb_option, open_base, open_console, say, tell
from clew.errors import InputError


@click.command()
@click.argument("mapping", required=False, type=click.Path())
@click.option("--draft", is_flag=True, help="Write MAPPING, or print one, from what the graph holds; adopt nothing.")
@kb_option
@json_option
def adopt(mapping: str | None, draft: bool, kb: str | None, as_json: bool) -> None:
    """Make a knowledge base of a graph that is in the same Neo4j.

    MAPPING is a TOML file that says which labels are entities, documents and facts. The graph stays as it is; done
    again, the knowledge base follows what has changed in it.

    Start with:  clew adopt --draft graph.toml   and   clew adopt graph.toml --kb NAME
    """
    if draft:
        _draft(mapping)
        return
    if mapping is None:
        raise InputError("Name a mapping: `clew adopt --draft graph.toml` drafts one.")
    from clew.adoption.mapping import load_mapping
    from clew.cli.terminal import gained, ingest_progress
    from clew.reporting.terminal import plain

    wanted = load_mapping(mapping)
    with open_base(kb) as base, ingest_progress(open_console(), 0) as on_progress:
        report = base.adopt(wanted, on_progress=on_progress)
    for one in (*report.notes, *report.skipped):
        say(f"{plain(one.source)}: {plain(one.reason)}")
    shown = asdict(replace(report, skipped=report.skipped[:100]))
    tell(as_json, shown, f"{base.name}: {gained(report)}; {report.seconds:.1f} s.")
    if report.skipped:
        sys.exit(SKIPPED)


def _draft(file: str | None) -> None:
    from clew.adoption.draft import draft_mapping
    from clew.database.connection import Database
    from clew.files import write_whole

    # Without Clew's own schema: to look at a graph changes nothing in its database.
    with Database.open(current_settings()) as database:
        drafted = draft_mapping(database)
    if file is None:
        click.echo(drafted, nl=False)
        return
    path = Path(file).expanduser()
    if path.exists():
        raise InputError(f"There is a file {file[:200]!r} already: name another one for the draft.")
    try:
        write_whole(path, drafted, private=False)
    except OSError as error:
        raise InputError(f"{file[:200]!r} cannot be written ({error.strerror}).") from error
    say(f"Drafted {file}: read it, correct it, and run `clew adopt {file} --kb NAME`.")
