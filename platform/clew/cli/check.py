"""``clew check`` and ``clew doctor``: what is wrong with the graph, and with the machine."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from clew.cli.options import current_settings, json_option, print_json, say

if TYPE_CHECKING:
    from clew.operations.check import Report


@click.command()
@click.option("--kb", metavar="NAME", multiple=True, help="Only this knowledge base; may be given again.")
@click.option("--mend", is_flag=True, help="Put right what can be.")
@json_option
def check(kb: tuple[str, ...], mend: bool, as_json: bool) -> None:
    """Check whether the graph is whole: evidence, vectors, offsets, degrees, merges, indexes.

    Ends with code 1 where something is wrong. A notice (work that was interrupted, or goes on) is no fault.
    """
    from clew.knowledge_base import KnowledgeBase, connect, list_knowledge_bases
    from clew.operations.check import check as look
    from clew.operations.check import check_server

    settings = current_settings()
    with connect(settings, progress=True) as database:
        names = list(kb) or [row["name"] for row in list_knowledge_bases(database)]
        reports = [check_server(database, mend=mend)]
        reports += [look(KnowledgeBase(name, database, settings), mend=mend) for name in names]
    clean = all(report.clean for report in reports)
    if as_json:
        print_json({"clean": clean, "reports": [report.as_json() for report in reports]})
    else:
        for report in reports:
            _tell(report)
    if not clean:
        sys.exit(1)


@click.command()
@json_option
def doctor(as_json: bool) -> None:
    """Look for what is wrong with this machine, this installation and these settings.

    Each line says what to do; nothing is started or changed. Ends with code 1 where something is wrong.
    """
    from clew.operations.doctor import diagnose
    from clew.reporting.terminal import plain

    lines = diagnose(current_settings())
    well = all(line.state != "fault" for line in lines)
    if as_json:
        print_json({"well": well, "lines": [asdict(line) for line in lines]})
    else:
        for line in lines:
            advice = f": {line.advice}" if line.advice else ""
            say(f"{_MARKS[line.state]} {line.thing}: {plain(line.found)}{plain(advice)}")
    if not well:
        sys.exit(1)


_MARKS = {"well": "✓", "notice": "·", "fault": "✗"}


def _tell(report: Report) -> None:
    from clew.reporting.terminal import plain

    name = report.kb or "the server"
    if not report.findings:
        say(f"{name}: all is well.")
    for found in report.findings:
        done = f"; {found.mended:,} mended" if found.mended else f": {found.advice}" if found.advice else ""
        say(f"{name}: {found.count:,} {found.says} ({plain(', '.join(found.examples))}){done}.")
