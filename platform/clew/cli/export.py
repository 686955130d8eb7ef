"""``clew export``: a knowledge base in the formats of other tools."""

from __future__ import annotations

from pathlib import Path

import click

from clew.cli.options import json_option, kb_option, open_base, tell


@click.command()
@click.argument("file", type=click.Path(dir_okay=False))
@kb_option
@click.option("--edges", is_flag=True, help="Of csv and parquet: a row for each pair of participants.")
@json_option
def export(file: str, kb: str | None, edges: bool, as_json: bool) -> None:
    """Write a knowledge base into FILE, by its ending: .graphml, .csv, .parquet, .nt, .ttl or .jsonl.

    A csv or parquet has a row for each participant of a fact. `clew import` reads the jsonl again; a backup of all that
    Clew keeps is made by `clew backup`.
    """
    from clew.operations.export import export as write

    with open_base(kb) as base:
        base.must_exist()
        count = write(base, Path(file).expanduser(), edges=edges)
    kind = "documents" if file.lower().endswith(".jsonl") else "facts"
    tell(as_json, {"file": file, "count": count}, f"{file}: {count:,} {kind}.")
