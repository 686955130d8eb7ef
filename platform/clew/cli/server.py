"""Commands for the Neo4j server: up, down, status, logs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from clew.cli.options import current_settings, json_option, open_console, print_json
from clew.errors import InputError

if TYPE_CHECKING:
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
    if as_json:
        print_json({"stopped": stopped})
    else:
        click.echo("Neo4j has stopped." if stopped else "Clew runs no Neo4j.", err=True)


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


def _print_status(found: Json, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    from clew.cli.terminal import print_status

    print_status(open_console(), found)
