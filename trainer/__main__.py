"""The command line of the trainer: ``python -m trainer --help``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from clew.errors import ClewError, InputError
from clew.files import keep_private
from clew.trainer.allocator import give_memory_back
from clew.trainer.data.data_commands import demonstrations, questions
from clew.trainer.reader.command import reader

if TYPE_CHECKING:
    from clew.trainer.config import Recipe
    from clew.types import Json

F = TypeVar("F", bound=Callable[..., Any])

INTERRUPTED = 130
RUNNING = ("run", "sft")
"""Commands that leave a run to go on with."""


class _Group(click.Group):
    """Commands whose expected errors are one line on standard error."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ClewError as error:
            click.echo(f"trainer: {error}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            goes_on = "; `run --resume RUN` goes on from the last checkpoint"
            click.echo(f"trainer: interrupted{goes_on if ctx.invoked_subcommand in RUNNING else ''}.", err=True)
            ctx.exit(INTERRUPTED)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def main() -> None:
    """Train a language model to find its way through a Clew knowledge base, by reinforcement learning.

    Start with:  python -m trainer demo   and   python -m trainer list
    """
    keep_private()
    give_memory_back()


main.add_command(questions)
main.add_command(demonstrations)
main.add_command(reader)

_runs = click.option(
    "--runs", metavar="DIR", type=click.Path(path_type=Path), help="Folder of the runs; else `training` in CLEW_HOME."
)
_set = click.option("--set", "overrides", metavar="A.B=C", multiple=True, help="Change a field of the recipe.")
_kb = click.option("--kb", metavar="NAME", help="Knowledge base; else the recipe's, else CLEW_KB.")
_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")


def _recipe_options(command: F) -> F:
    """What a recipe leaves open, in the order in which --help lists it."""
    options = (
        _kb,
        click.option("--model", metavar="PATH", help="The model: a folder, or a name on a model hub."),
        click.option("--train", metavar="FILE", multiple=True, help="Training questions; may come several times."),
        click.option("--dev", metavar="FILE", help="Questions to choose the checkpoint by; else some of --train."),
        click.option("--test", metavar="FILE", help="Questions that are asked once, at the end."),
        click.option("--demonstrations", metavar="FILE", help="What a supervised phase learns from."),
        click.option("--name", metavar="NAME", help="The run's name; else the recipe's with the time."),
        click.option("--tensorboard", is_flag=True, help="Write the curves for TensorBoard too."),
        _set,
        _runs,
    )
    for option in reversed(options):
        command = option(command)
    return command


@main.command("list")
@_runs
@_json
def list_(runs: Path | None, as_json: bool) -> None:
    """List the recipes, and the runs that are kept."""
    from clew.trainer.config import load_recipe, recipe_names
    from clew.trainer.runs.folder import list_runs
    from clew.trainer.runs.show import print_recipes, print_runs

    recipes = [load_recipe(name) for name in recipe_names()]
    found = list_runs(_root(runs))
    if as_json:
        kept = [{"run": run.name, **run.head(), **run.state()} for run in found]
        rows = [{"recipe": recipe.name, "paper": recipe.paper, "does": recipe.description} for recipe in recipes]
        _print_json({"recipes": rows, "runs": kept})
        return
    print_recipes(recipes)
    print_runs(found)


@main.command()
@click.argument("recipe", metavar="RECIPE", required=False)
@_recipe_options
@click.option("--resume", metavar="RUN", help="Go on with a run that was cut short, as it was begun.")
@click.option("--other-graph", is_flag=True, help="Resume it although the graph has changed since it began.")
@click.option("--dry-run", is_flag=True, help="Resolve everything, do one rollout, print the plan, train nothing.")
def run(
    recipe: str | None,
    runs: Path | None,
    resume: str | None,
    other_graph: bool,
    name: str | None,
    dry_run: bool,
    **named: Any,
) -> None:
    """Train by RECIPE: a name from the list, or a TOML file."""
    from clew.trainer.runs.launch import begin, dry_run_plan, resume_run

    if (recipe is None) == (resume is None):
        raise InputError("Name a recipe (see `python -m trainer list`), or a run with --resume, and not both.")
    if resume is not None:
        given = {**named, "set": named["overrides"], "name": name, "dry-run": dry_run}
        if ignored := [f"--{option}" for option, value in given.items() if value and option != "overrides"]:
            raise InputError(f"--resume goes on with a run as it was begun: leave out {', '.join(ignored)}.")
        _done(resume_run(_root(runs), resume, other_graph))
    elif dry_run:
        dry_run_plan(_resolved(str(recipe), named))
    else:
        _done(begin(_root(runs), _resolved(str(recipe), named), name))


@main.command()
@click.argument("file", metavar="QUESTIONS", required=False, type=click.Path(path_type=Path))
@_recipe_options
def sft(file: Path | None, runs: Path | None, name: str | None, **named: Any) -> None:
    """Train on demonstrations: those of --demonstrations, or of a scripted oracle for QUESTIONS.

    QUESTIONS is a file that `questions` wrote. This is `run sft`, with the demonstrations made on the way.
    """
    from clew.trainer.runs.launch import begin, oracle_demonstrations

    recipe = _resolved("sft", {**named, "train": named["train"] or ((str(file),) if file else ())})
    if not recipe.data.demonstrations:
        if file is None:
            raise InputError("Name a file of questions that `questions` wrote, or --demonstrations FILE.")
        recipe = oracle_demonstrations(recipe, file, _root(runs))
    _done(begin(_root(runs), recipe, name))


@main.command(add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def demo(arguments: tuple[str, ...]) -> None:
    """Watch a tiny model learn on a synthetic world: in minutes on a CPU, in one with --short."""
    # Its options belong to the module that knows the demo, which takes a second to import.
    from clew.trainer.demo.view import demo as command

    try:
        command.main(args=list(arguments), prog_name="python -m trainer demo", standalone_mode=False)
    except click.Abort as error:
        raise KeyboardInterrupt from error


@main.command()
@click.argument("model", metavar="MODEL")
@click.argument("file", metavar="QUESTIONS", type=click.Path(path_type=Path))
@_kb
@click.option(
    "--recipe", metavar="NAME", help="Whose limits, dialect and retrieval hold; else MODEL's own, or graph-r1."
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first questions.")
@_set
@_runs
@_json
def evaluate(
    model: str,
    file: Path,
    kb: str | None,
    recipe: str | None,
    limit: int | None,
    overrides: tuple[str, ...],
    runs: Path | None,
    as_json: bool,
) -> None:
    """Let MODEL (a folder, or the name of a run) answer QUESTIONS over the graph, greedily.

    What a run or an exported folder was trained with holds here too.
    """
    from clew.trainer.runs.launch import evaluate_here, trained_policy
    from clew.trainer.runs.show import print_scores

    policy, own = trained_policy(_root(runs), model)
    found = evaluate_here(_resolved(recipe or own, {"kb": kb, "overrides": overrides}), policy, file, limit)
    if as_json:
        _print_json(found)
    else:
        print_scores(found)


@main.command()
@click.argument("name", metavar="RUN")
@_runs
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="The page; else report.html in the run.")
@click.option("--open", "open_it", is_flag=True, help="Open it in a web browser.")
@_json
def show(name: str, runs: Path | None, out: Path | None, open_it: bool, as_json: bool) -> None:
    """Summarise RUN on the terminal, and write its curves and trajectories as one HTML page."""
    from clew.trainer.runs.folder import find_run
    from clew.trainer.runs.report import summary, write_report
    from clew.trainer.runs.show import print_summary

    found = find_run(_root(runs), name)
    figures = summary(found)
    page = write_report(found, out or found.folder / "report.html")
    if as_json:
        _print_json({**figures, "page": str(page)})
    else:
        print_summary(figures)
        click.echo(page)
    if open_it:
        click.launch(page.resolve().as_uri())


@main.command()
@click.argument("name", metavar="RUN")
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path), required=True, help="A new folder.")
@click.option("--checkpoint", metavar="PHASE/STEP", help="Another checkpoint than the chosen one.")
@_runs
def export(name: str, out: Path, checkpoint: str | None, runs: Path | None) -> None:
    """Write the policy of RUN as a Hugging Face folder, LoRA merged, ready to be served."""
    from clew.trainer.quiet import quiet
    from clew.trainer.runs.export import export_run
    from clew.trainer.runs.folder import find_run

    with quiet():
        click.echo(export_run(find_run(_root(runs), name), out, checkpoint))


def _resolved(name: str, named: Json) -> Recipe:
    """The recipe with what the command line names; --set wins over the other options."""
    from clew.trainer.config import load_recipe

    places = {"kb": "retrieval.kb", "model": "model.path", "tensorboard": "tensorboard"}
    places |= {option: f"data.{option}" for option in ("train", "dev", "test", "demonstrations")}
    values = {place: named[option] for option, place in places.items() if named.get(option)}
    return load_recipe(name, named.get("overrides", ()), values)


def _root(runs: Path | None) -> Path:
    from clew.settings import load_settings

    return runs or load_settings().home / "training"


def _done(name: str) -> None:
    click.echo(f"{name} is kept: `python -m trainer show {name}` shows it.", err=True)


def _print_json(value: Json) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, default=str))


if __name__ == "__main__":
    main(prog_name="python -m trainer")
