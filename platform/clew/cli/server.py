"""Commands for the Neo4j server: up, down, status, logs, upgrade."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from clew.cli.options import current_settings, json_option, open_console, print_json, tell
from clew.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clew.operations.upgrade import Upgraded
    from clew.types import Json


@click.command()
@json_option
def up(as_json: bool) -> None:
    """Start Neo4j, or say where it runs."""
    from clew.database.server import managed as server

    settings = current_settings()
    server.up(settings)
    _print_status(server.status(settings), as_json)


@click.command()
@json_option
def down(as_json: bool) -> None:
    """Stop the Neo4j server that Clew runs."""
    from clew.database.server import managed as server

    stopped = server.down(current_settings())
    tell(as_json, {"stopped": stopped}, "Neo4j has stopped." if stopped else "Clew runs no Neo4j.")


@click.command()
@json_option
def status(as_json: bool) -> None:
    """Say whether Neo4j runs, and where."""
    from clew.database.server import managed as server

    found = server.status(current_settings())
    _print_status(found, as_json)
    if not found["running"]:
        sys.exit(1)


@click.command()
@click.option("-n", "--lines", type=click.IntRange(min=1), default=100, show_default=True, help="Lines from the end.")
@click.option("-f", "--follow", is_flag=True, help="Go on printing what is added.")
@json_option
def logs(lines: int, follow: bool, as_json: bool) -> None:
    """Print the log of the Neo4j server that Clew runs."""
    from clew.database.server import managed as server

    if as_json and follow:
        raise InputError("--json prints one object and --follow never ends: use one of them.")
    found = server.logs(current_settings(), lines=lines, follow=follow)
    if as_json:
        print_json({"lines": list(found)})
        return
    for line in found:
        click.echo(line)


@click.command()
@click.option("--drop", is_flag=True, help="Delete the copies of the data of before that are kept.")
@json_option
def upgrade(drop: bool, as_json: bool) -> None:
    """Let this Clew's Neo4j and schema take the data over, and keep a copy of those of before.

    A start does the same where it meets data of an older Neo4j. Ends with code 1 where something is wrong afterwards.
    """
    from dataclasses import asdict

    from clew.operations.upgrade import drop_copies
    from clew.operations.upgrade import upgrade as bring_over

    settings = current_settings()
    if drop:
        freed = drop_copies(settings)
        message = f"{freed / 1e6:,.0f} MB are free again." if freed else "No copy was kept."
        return tell(as_json, {"freed_bytes": freed}, message)
    found = bring_over(settings, progress=True)
    tell(as_json, asdict(found), "\n".join(_upgraded(found)))
    if not found.clean:
        sys.exit(1)


def _upgraded(found: Upgraded) -> Iterator[str]:
    """What an upgrade has changed, and what is left of before."""
    moved = found.before and found.before != found.after
    yield f"Neo4j {found.before} → {found.after}." if moved else f"Neo4j is {found.after}."
    changes = f"{found.migrations} changes were made" if found.migrations else "it was up to date"
    yield f"The schema: {changes}. {'All is well.' if found.clean else 'See `clew check`.'}"
    for path in found.copies:
        yield f"The data of before are kept in {path}; `clew upgrade --drop` deletes them."


def _print_status(found: Json, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    from clew.cli.terminal import print_status

    print_status(open_console(), found)
