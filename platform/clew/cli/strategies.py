"""``clew strategies``: every retrieval strategy, where it comes from, what it does, and its settings."""

from __future__ import annotations

import json

import click


@click.command("strategies")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def strategies(as_json: bool) -> None:
    """List the retrieval strategies with their papers and settings."""
    from clew.retrieval.registry import RECIPES, settings_of
    from clew.settings import load_settings

    default = load_settings().strategy
    if as_json:
        recipes = {
            name: {
                "paper": recipe.paper,
                "description": recipe.description,
                "settings": settings_of(name),
                "default": name == default,
            }
            for name, recipe in RECIPES.items()
        }
        click.echo(json.dumps({"strategies": recipes}, ensure_ascii=False))
        return
    from rich.table import Table

    from clew.reporting.terminal import make_console

    table = Table("strategy", "from", "what it does", "settings", box=None, padding=(0, 2, 0, 0))
    for name, recipe in RECIPES.items():
        settings = ", ".join(f"{option}={value}" for option, value in settings_of(name).items())
        table.add_row(f"{name} (default)" if name == default else name, recipe.paper, recipe.description, settings)
    make_console(stderr=False).print(table)
