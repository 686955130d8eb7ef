"""Recipes, runs and figures on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from clew.reporting.table import Table, show
from clew.reporting.terminal import make_console, plain
from clew.trainer.config import Recipe
from clew.trainer.runs.folder import Run
from clew.trainer.runs.report import phases_table
from clew.types import Json


def print_recipes(recipes: Sequence[Recipe]) -> None:
    """A table of recipes."""
    heads = ("recipe", "paper", "what it does", "phases")
    rows = ((r.name, r.paper, r.description, " → ".join(p.name for p in r.phases)) for r in recipes)
    show(make_console(stderr=False), Table.of(heads, rows))


def print_runs(runs: Sequence[Run]) -> None:
    """A table of runs, none where there are none."""
    if not runs:
        return
    rows = []
    for run in runs:
        head, state = run.head(), run.state()
        em = state.get("test", {}).get("em")
        score = "" if em is None else f"{em:.3f}"
        rows.append((run.name, head.get("recipe"), head.get("kb"), _standing(state.get("status")), score))
    console = make_console(stderr=False)
    console.print()
    show(console, Table.of(("run", "recipe", "knowledge base", "status", "test EM"), rows))


def print_scores(scores: Json) -> None:
    """EM and F1 with their intervals, and what the policy did."""
    console = make_console(stderr=False)
    for name, value in scores.items():
        if name.endswith("_interval"):
            continue
        interval = scores.get(f"{name}_interval")
        text = f"{value:.3f}" if isinstance(value, float) else str(value)
        console.print(f"{name:22} {text}{f'  ({interval[0]:.3f}–{interval[1]:.3f})' if interval else ''}", markup=False)


def print_summary(figures: Json) -> None:
    """A run in a few lines: how far it came, its development scores, its test figures, its warnings."""
    console = make_console(stderr=False)
    console.print(
        f"{figures['run']}: {figures['recipe']} on {figures['kb']}, {_standing(figures['status'])}", markup=False
    )
    show(console, phases_table(figures))
    if figures["test"]:
        console.print("test")
        print_scores(figures["test"])
    for warning in figures["warnings"]:
        console.print(f"Careful: {plain(warning)}.", markup=False, style="yellow")


def _standing(status: object) -> str:
    """Whether a run is done; one that is not may be at work or have been killed, which its folder does not tell."""
    return "done" if status == "done" else "not done"
