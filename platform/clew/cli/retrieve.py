"""The command that retrieves without an agent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import click

from clew.cli.options import (
    filter_option,
    json_option,
    kb_option,
    open_base,
    open_console,
    print_json,
    strategy_option,
    tell_other_encoder,
)


@click.command()
@click.argument("queries", nargs=-1, required=True, metavar="QUERY...")
@kb_option
@strategy_option
@click.option("--k", type=click.IntRange(1, 1000), help="Facts and passages for each query.")
@filter_option
@json_option
def retrieve(
    queries: Sequence[str],
    kb: str | None,
    strategy: str | None,
    k: int | None,
    conditions: tuple[str, ...],
    as_json: bool,
) -> None:
    """Find facts and passages for each QUERY, without an agent."""
    from clew.cli.terminal import print_retrieved

    with open_base(kb) as base:
        tell_other_encoder(base)
        results = base.retrieve(queries, k, strategy, conditions)
    if as_json:
        print_json({"strategy": strategy or base.settings.strategy, "results": [asdict(r) for r in results]})
    else:
        print_retrieved(open_console(stderr=False), results)
