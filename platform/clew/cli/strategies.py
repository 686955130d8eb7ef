"""``clew strategies``: every retrieval strategy, where it comes from, what it does, and its settings."""

from __future__ import annotations

import click

from clew.cli.options import current_settings, json_option, open_console, print_json


@click.command("strategies")
@json_option
def strategies(as_json: bool) -> None:
    """List the retrieval strategies with their papers and settings."""
    from clew.retrieval.registry import RECIPES, settings_of

    default = current_settings().strategy
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
        print_json({"strategies": recipes})
        return
    from rich.table import Table

    table = Table("strategy", "from", "what it does", "settings", box=None, padding=(0, 2, 0, 0))
    for name, recipe in RECIPES.items():
        settings = ", ".join(f"{option}={value}" for option, value in settings_of(name).items())
        table.add_row(f"{name} (default)" if name == default else name, recipe.paper, recipe.description, settings)
    open_console(stderr=False).print(table)
