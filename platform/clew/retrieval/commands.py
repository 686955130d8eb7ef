"""``clew strategies``: every retrieval strategy, where it comes from, and what it does."""

from __future__ import annotations

import json

import click


@click.command("strategies")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def strategies(as_json: bool) -> None:
    """List the retrieval strategies with their papers."""
    from clew.retrieval.registry import RECIPES
    from clew.settings import load_settings

    default = load_settings().strategy
    if as_json:
        recipes = {
            name: {"paper": recipe.paper, "description": recipe.description, "default": name == default}
            for name, recipe in RECIPES.items()
        }
        click.echo(json.dumps({"strategies": recipes}, ensure_ascii=False))
        return
    from rich.table import Table

    from clew.terminal import make_console

    table = Table("strategy", "from", "what it does", box=None, padding=(0, 2, 0, 0))
    for name, recipe in RECIPES.items():
        table.add_row(f"{name} (default)" if name == default else name, recipe.paper, recipe.description)
    make_console(stderr=False).print(table)
