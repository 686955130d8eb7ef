"""The command that keeps a knowledge base equal to a folder."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from clew.cli.ingest import SKIPPED
from clew.cli.options import (
    confirm,
    encoding_option,
    json_option,
    kb_option,
    open_base,
    print_json,
    say,
    say_skipped,
    yes_option,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clew.ingest.sync import Difference
    from clew.knowledge_base import KnowledgeBase
    from clew.types import IngestReport

MOST_SHOWN = 20
"""Files of each kind of change that are listed."""


@click.command()
@click.argument("folder", type=click.Path())
@kb_option
@yes_option
@click.option("--watch", is_flag=True, help="Go on, and take over every further change as it happens, until Ctrl-C.")
@encoding_option
@json_option
def sync(folder: str, kb: str | None, yes: bool, watch: bool, encoding: str | None, as_json: bool) -> None:
    """Make a knowledge base equal to a FOLDER.

    What is new, changed, moved, removed or emptied is shown first, and done once that is confirmed; a file that was
    uploaded before takes the place of its upload. Other documents that come from elsewhere stay. With --json, the
    difference and what was done are printed; nothing is done without --yes. The exit code is 1 where a file was
    skipped.
    """
    from clew.ingest.sync import watch as watched

    with open_base(kb) as base:
        changes = watched(folder) if watch else None
        difference = base.compare(folder, encoding=encoding)
        _tell(base, difference)
        report = None
        if difference and (yes or not as_json):
            confirm(f"Make {base.name!r} equal to the folder?", yes, "Nothing was changed.")
            report = _apply(base, difference, encoding)
        if as_json:
            print_json({"difference": asdict(difference), "report": asdict(report) if report else None})
        if changes is not None:
            _watch(base, difference.folder, changes, encoding)
    if difference.skipped or (report and report.skipped):
        sys.exit(SKIPPED)


def _tell(base: KnowledgeBase, difference: Difference, *, whole: bool = True) -> None:
    """Say what has changed; what has not is counted where the ``whole`` folder was compared."""
    from clew.reporting.terminal import counted, plain

    for line in difference.lines(MOST_SHOWN):
        say(plain(line))
    for note in difference.notes[:MOST_SHOWN]:
        say(f"note {plain(note.source)}: {plain(note.reason)}")
    if (more := len(difference.notes) - MOST_SHOWN) > 0:
        say(f"note … and {more:,} more")
    say_skipped(difference.skipped)
    changes = [f"{len(some):,} {kind}" for kind, some in difference.kinds.items() if some]
    stays = "stays" if difference.elsewhere == 1 else "stay"
    stay = f"; {counted(difference.elsewhere, 'document')} from elsewhere {stays}" if difference.elsewhere else ""
    rest = f", {difference.unchanged:,} unchanged{stay}" if whole else ""
    say(f"{base.name}: {', '.join(changes) or 'nothing has changed'}{rest}.")


def _apply(base: KnowledgeBase, difference: Difference, encoding: str | None) -> IngestReport:
    from clew.cli.options import open_console
    from clew.cli.terminal import gained, ingest_progress
    from clew.ingest.load import total_bytes

    with ingest_progress(open_console(), total_bytes(difference.read)) as on_progress:
        report = base.sync(difference, encoding=encoding, on_progress=on_progress)
    say_skipped(report.skipped)
    say(f"{base.name}: {gained(report)}; {report.seconds:.1f} s.")
    return report


def _watch(base: KnowledgeBase, folder: str, changes: Iterator[set[str]], encoding: str | None) -> None:
    say(f"{base.name}: watching {folder}; Ctrl-C ends it.")
    for among in changes:
        difference = base.compare(folder, encoding=encoding, among=among)
        _tell(base, difference, whole=False)
        if difference:
            _apply(base, difference, encoding)
