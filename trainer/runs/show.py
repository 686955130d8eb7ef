"""Recipes, runs and figures on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from clew.reporting.terminal import make_console, plain
from clew.types import Json
from trainer.config import Recipe
from trainer.runs.folder import Run


def print_recipes(recipes: Sequence[Recipe]) -> None:
    """A table of recipes."""
    from rich.table import Table

    table = Table("recipe", "paper", "what it does", "phases", box=None)
    for recipe in recipes:
        table.add_row(recipe.name, recipe.paper, recipe.description, " → ".join(p.name for p in recipe.phases))
    make_console(stderr=False).print(table)


def print_runs(runs: Sequence[Run]) -> None:
    """A table of runs, none where there are none."""
    if not runs:
        return
    from rich.table import Table

    table = Table("run", "recipe", "knowledge base", "status", "test EM", box=None)
    for run in runs:
        head, state = run.head(), run.state()
        em = state.get("test", {}).get("em")
        score = "" if em is None else f"{em:.3f}"
        table.add_row(run.name, str(head.get("recipe")), str(head.get("kb")), _standing(state.get("status")), score)
    console = make_console(stderr=False)
    console.print()
    console.print(table)


def print_scores(scores: Json) -> None:
    """EM and F1 with their intervals, and what the policy did."""
    console = make_console(stderr=False)
    for name, value in scores.items():
        if name.endswith("_interval"):
            continue
        interval = scores.get(f"{name}_interval")
        text = f"{value:.3f}" if isinstance(value, float) else str(value)
        console.print(f"{name:22} {text}{f'  ({interval[0]:.3f}–{interval[1]:.3f})' if interval else ''}", markup=False)


def print_summary(told: Json) -> None:
    """A run in a few lines: how far it came, its development scores, its test figures, its warnings."""
    from rich.table import Table

    console = make_console(stderr=False)
    console.print(f"{told['run']}: {told['recipe']} on {told['kb']}, {_standing(told['status'])}", markup=False)
    table = Table("phase", "steps", "reward, first", "last", "best dev F1", "at step", "EM there", box=None)
    for phase in told["phases"]:
        numbers = [phase.get(n) for n in ("first_reward", "last_reward", "best_f1", "best_step", "best_em")]
        cells = ["" if n is None else f"{n:.3f}" if isinstance(n, float) else str(n) for n in numbers]
        table.add_row(phase["phase"], str(phase["steps"]), *cells)
    console.print(table)
    if told["test"]:
        console.print("test")
        print_scores(told["test"])
    for warning in told["warnings"]:
        console.print(f"Careful: {plain(warning)}.", markup=False, style="yellow")


def _standing(status: object) -> str:
    """Whether a run is done; one that is not may be at work or have been killed, which its folder does not tell."""
    return "done" if status == "done" else "not done"
