"""The command that shows what Clew reads of a file, without a graph."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING

import click

from clew.cli.ingest import SKIPPED
from clew.cli.options import current_settings, encoding_option, json_option, open_console, print_json, say_skipped
from clew.types import Block, Document, Skipped

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="FILE...")
@encoding_option
@json_option
def read(sources: Sequence[str], encoding: str | None, as_json: bool) -> None:
    """Show what is read of a FILE, without a graph: text, headings, tables with their cells, metadata, notes.

    A FILE is whatever `clew ingest` takes. The exit code is 1 where one could not be read.
    """
    from clew.ingest.load import load

    console = open_console(stderr=False)
    documents, skipped = [], []
    for one in load(sources, kb="read", settings=current_settings(), encoding=encoding):
        if isinstance(one, Skipped):
            skipped.append(one)
        elif as_json:
            documents.append(asdict(one))
        else:
            _show(console, one)
    if as_json:
        print_json({"documents": documents, "skipped": list(map(asdict, skipped))})
    say_skipped(skipped)
    if any(not fault.note for fault in skipped):
        sys.exit(SKIPPED)


def _show(console: Console, document: Document) -> None:
    from rich.text import Text

    from clew.documents.metadata import metadata_line
    from clew.reporting.terminal import plain

    console.print(Text(plain(document.title), style="bold underline"))
    console.print(Text(plain(document.source), style="dim"))
    if document.metadata:
        console.print(Text(plain(metadata_line(document.metadata)), style="dim"))
    for note in document.notes:
        console.print(Text(f"note: {plain(note)}", style="yellow"))
    blocks = document.blocks or (Block("paragraph", 0, len(document.text)),)
    for table, group in groupby(blocks, key=lambda block: block.table):
        found = list(group)
        if table:
            console.print(_drawn(document.text, found))
            continue
        for block in found:
            console.print(_line(block, plain(document.text[block.start : block.end])))


def _line(block: Block, text: str) -> Text:
    """A block as text on a terminal."""
    from rich.text import Text

    if block.kind == "heading":
        return Text(f"\n{'#' * max(block.level, 1)} {text}", style="bold")
    if block.kind == "item":
        return Text(f"{'  ' * block.level}• {text}")
    style = {"caption": "italic", "code": "cyan", "note": "dim", "metadata": "dim"}.get(block.kind, "")
    return Text(f"{text}\n" if block.kind == "paragraph" else text, style=style)


def _drawn(text: str, rows: Sequence[Block]) -> Table:
    """The rows of one table under the heads of their columns."""
    from rich.table import Table
    from rich.text import Text

    from clew.reporting.terminal import plain

    names = list(dict.fromkeys(cell.head for block in rows for cell in block.cells))
    drawn = Table(show_header=any(names), header_style="bold")
    for name in names:
        drawn.add_column(Text(plain(name)))
    for block in rows:
        of_column: dict[str, str] = {}
        for cell in block.cells:
            value = plain(" ".join(text[cell.start : cell.end].split()))
            of_column[cell.head] = " · ".join(filter(None, (of_column.get(cell.head, ""), value)))
        if block.cells:
            drawn.add_row(*(Text(of_column.get(name, "")) for name in names))
        else:
            drawn.add_row(Text(plain(text[block.start : block.end]), style="italic"))
    return drawn
