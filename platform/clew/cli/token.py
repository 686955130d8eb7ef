"""``clew token``: who may reach ``clew serve``."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from clew.cli.options import current_settings, json_option, print_json, say


@click.group()
def token() -> None:
    """Make, list and revoke the tokens that `clew serve` asks for."""


@token.command()
@click.argument("name")
@click.option(
    "--kb", "kbs", multiple=True, metavar="NAME", help="Knowledge base it is good for; all where none is named."
)
@click.option("--right", default="read", show_default=True, help="read, write (ingest, delete, rate), or admin.")
@json_option
def create(name: str, kbs: tuple[str, ...], right: str, as_json: bool) -> None:
    """Make a token, and print it this once."""
    from clew.serving.tokens import EVERY, Tokens

    made = Tokens(current_settings()).create(name, kbs or (EVERY,), right)
    if as_json:
        print_json({"name": name, "token": made})
    else:
        click.echo(made)


@token.command(name="list")
@json_option
def list_(as_json: bool) -> None:
    """List the tokens: names, knowledge bases and rights."""
    from clew.serving.tokens import Tokens

    found = Tokens(current_settings()).all()
    if as_json:
        rows = [{"name": one.name, "kbs": one.kbs, "right": one.right, "created": one.created} for one in found]
        print_json({"tokens": rows})
        return
    for one in found:
        click.echo(
            f"{one.name}  {one.right}  {', '.join(one.kbs)}  {datetime.fromtimestamp(one.created, UTC):%Y-%m-%d}"
        )


@token.command()
@click.argument("name")
def revoke(name: str) -> None:
    """Make a token worthless, at once."""
    from clew.serving.tokens import Tokens

    Tokens(current_settings()).revoke(name)
    say("It is revoked.")
