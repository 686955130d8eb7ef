"""The command line of the trainer: ``python -m trainer --help``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from clew.errors import ClewError, InputError

if TYPE_CHECKING:
    from clew.knowledge_base import KnowledgeBase
    from trainer.config import Recipe

F = TypeVar("F", bound=Callable[..., Any])

INTERRUPTED = 130


class _Group(click.Group):
    """Commands whose expected errors are one line on standard error."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ClewError as error:
            click.echo(f"trainer: {error}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            click.echo("trainer: interrupted; `run --resume RUN` goes on from the last checkpoint.", err=True)
            ctx.exit(INTERRUPTED)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def main() -> None:
    """Train a language model to find its way through a Clew knowledge base, by reinforcement learning.

    Start with:  python -m trainer demo   and   python -m trainer list
    """


def _options(*options: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


_runs = click.option(
    "--runs", metavar="DIR", type=click.Path(path_type=Path), help="Folder of the runs; else `training` beside Clew's."
)
_kb = click.option("--kb", metavar="NAME", help="Knowledge base; else the recipe's, else CLEW_KB.")
_model = click.option("--model", metavar="PATH", help="The model: a folder, or a name on a model hub.")
_set = click.option("--set", "overrides", metavar="A.B=C", multiple=True, help="Change a field of the recipe.")
_recipe_options = _options(
    _kb,
    _model,
    click.option("--train", metavar="FILE", multiple=True, help="Training questions; may be given several times."),
    click.option("--dev", metavar="FILE", help="Questions by which the checkpoint is chosen; else some of --train."),
    click.option("--test", metavar="FILE", help="Questions that are asked once, at the end."),
    click.option("--demonstrations", metavar="FILE", help="For supervised phases: what `demonstrations` wrote."),
    _set,
    _runs,
)


@main.command("list")
def list_() -> None:
    """List the recipes, and the runs that are kept."""
    from rich.table import Table

    from clew.terminal import make_console
    from trainer.config import load_recipe, recipe_names

    table = Table("recipe", "paper", "what it does", "phases", box=None)
    for name in recipe_names():
        recipe = load_recipe(name)
        table.add_row(name, recipe.paper, recipe.description, " → ".join(phase.name for phase in recipe.phases))
    make_console(stderr=False).print(table)


@main.command()
@click.argument("recipe", metavar="RECIPE")
@_recipe_options
@click.option("--dry-run", is_flag=True, help="Resolve everything, do one rollout, print the plan, train nothing.")
def run(
    recipe: str,
    kb: str | None,
    model: str | None,
    train: tuple[str, ...],
    dev: str | None,
    test: str | None,
    demonstrations: str | None,
    overrides: tuple[str, ...],
    runs: Path | None,
    dry_run: bool,
) -> None:
    """Train by a recipe: its name, or a TOML file."""
    resolved = _resolved(recipe, kb, model, train, dev, test, demonstrations, overrides)
    if dry_run:
        _dry_run(resolved)


def _dry_run(recipe: Recipe) -> None:
    from clew.terminal import make_console
    from trainer import plan
    from trainer.data import load_splits, read_demonstrations
    from trainer.models import load_tokenizer, lora_parameters, parameters, quiet

    quiet()
    tokenizer = load_tokenizer(recipe.model.path)
    splits = load_splits(recipe)
    demonstrations = read_demonstrations(recipe)
    with _open(recipe.retrieval.kb or None) as base:
        strategy = base.strategy(recipe.retrieval.strategy)
        config, weights = parameters(recipe.model.path)
        adapter = lora_parameters(recipe.model.path, recipe.model.lora_rank) if recipe.model.lora_rank else 0
        rollout, stats, rate = plan.one_rollout(recipe, splits.train[0], strategy, tokenizer)
    parts = plan.memory(recipe, config, weights, adapter)
    phases = plan.schedules(recipe, len(splits.train), len(demonstrations))
    plan.print_plan(make_console(stderr=False), recipe, parts, phases, rollout, stats, rate)


def _resolved(
    name: str,
    kb: str | None,
    model: str | None,
    train: Sequence[str],
    dev: str | None,
    test: str | None,
    demonstrations: str | None,
    overrides: Sequence[str],
) -> Recipe:
    from trainer.config import load_recipe

    named: dict[str, Any] = {"retrieval.kb": kb, "model.path": model, "data.train": list(train), "data.dev": dev}
    named |= {"data.test": test, "data.demonstrations": demonstrations}
    return load_recipe(name, overrides, {place: value for place, value in named.items() if value})


@contextmanager
def _open(kb: str | None) -> Iterator[KnowledgeBase]:
    from clew.knowledge_base import KnowledgeBase

    with KnowledgeBase.open(kb, progress=True) as base:
        if not base.exists():
            raise InputError(f"There is no knowledge base {base.name!r}: create it with `clew ingest`.")
        yield base


if __name__ == "__main__":
    main(prog_name="python -m trainer")
    sys.exit(0)
