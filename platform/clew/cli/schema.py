"""``clew schema``: the graph's schema for tools that write Cypher."""

from __future__ import annotations

import click

from clew.cli.options import json_option, kb_option, open_base, print_json


@click.command()
@kb_option
@json_option
def schema(kb: str | None, as_json: bool) -> None:
    """Print labels, relationships and properties, as GraphCypherQAChain and Text2Cypher take them."""
    from clew.explore.schema import schema_text

    with open_base(kb) as base:
        found = base.schema()
    if as_json:
        print_json(found)
    else:
        click.echo(schema_text(found))
