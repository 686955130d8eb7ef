"""The demo in a terminal: live progress, and at the end a curve and a question's trajectory before and after."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from typing import Any

import click

from clew.errors import InputError
from clew.trainer.algorithm.rollout import Rollout
from clew.trainer.config import MOST_SEED
from clew.trainer.demo.demo import RECIPES, DemoReport, DemoSettings, OnProgress, Scores, run_demo
from clew.trainer.demo.language import SIZES, Wanted, figures_table, language_demo
from clew.trainer.runs.folder import Run

TELL_SECONDS = 0.3
_BARS = "▁▂▃▄▅▆▇█"


@click.command("demo")
@click.option("--recipe", type=click.Choice(sorted(RECIPES)), default="graph-r1", show_default=True)
@click.option("--seed", type=click.IntRange(0, MOST_SEED), default=0, show_default=True)
@click.option("--short", is_flag=True, help="Begin with weights that know the protocol: in a minute, not four.")
@click.option("--name", metavar="NAME", help="Keep curves and trajectories as a run of this name.")
@click.option(
    "--runs", metavar="DIR", type=click.Path(path_type=Path), help="Folder of the runs; else `training` in CLEW_HOME."
)
@click.option("--json", "file", metavar="FILE", type=click.Path(dir_okay=False), help="Write the figures there too.")
@click.option("--model", metavar="MODEL", help="A language model instead: smollm2, a folder, or a name on a hub.")
@click.option("--kb", metavar="NAME", help="With --model: a knowledge base of yours, in place of passages.")
@click.option("--corpus", metavar="DIR", type=click.Path(path_type=Path), help="With --model: passages and questions.")
@click.option("--size", type=click.Choice(sorted(SIZES)), default="usual", show_default=True, help="With --model.")
@click.option("--set", "changes", metavar="A.B=C", multiple=True, help="With --model: change a field of the recipe.")
@click.option("--dry-run", is_flag=True, help="With --model: prepare, print the plan, train nothing.")
def demo(
    recipe: str,
    seed: int,
    short: bool,
    name: str | None,
    runs: Path | None,
    file: str | None,
    model: str | None,
    **named: Any,
) -> None:
    """Watch a policy learn to walk a real graph: a tiny one in minutes, or with --model a language model in hours.

    With --model the same command goes on where it was cut.
    """
    from clew.knowledge_base import connect
    from clew.settings import load_settings
    from clew.trainer.packages import require_packages
    from clew.trainer.quiet import quiet
    from clew.trainer.runs.folder import create_folder

    require_packages()
    if file and not Path(file).absolute().parent.is_dir():
        raise InputError(f"There is no folder for {file}: name another file with --json.")
    settings = load_settings()
    if model:
        dry_run, size = named.pop("dry_run"), named["size"]
        wanted = Wanted(model, recipe, seed=seed, **named)
        name = name or f"{Path(model).name}-{recipe}-{size}-{seed}"
        figures = language_demo(wanted, name, runs or settings.home / "training", settings, dry_run)
        if figures is not None:
            _say(figures_table(figures), figures, file)
        return
    with connect(settings, progress=True) as database, quiet(), _progress() as on_progress:
        about = {"kb": "a synthetic world", "seed": seed, "demo": recipe, "short": short}
        kept = create_folder(runs or settings.home / "training", "demo", about, name) if name else None
        sizes = DemoSettings(start=None) if short else DemoSettings()
        report = run_demo(recipe, seed, database, settings, sizes, _reported(on_progress, kept), kept)
    if kept:
        before, after = (fmean(scores.values()) for scores in (report.before, report.after))
        kept.update(status="done", test={"em": after, "em_before": before, "em_interval": report.interval})
    _show(report)
    _say([], report.summary(), file)


def _say(lines: Sequence[str], figures: object, file: str | None) -> None:
    """Lines on standard error, the figures as JSON on standard output, and in the file."""
    for line in lines:
        click.echo(line, err=True)
    summary = json.dumps(figures)
    click.echo(summary)
    if file:
        try:
            Path(file).write_text(summary + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(f"{file} cannot be written ({error.strerror}); its figures stand above.") from error


def _reported(on_progress: OnProgress, kept: Run | None) -> OnProgress:
    """The same, and for whoever watches the demo as a job."""
    from clew.runs import tell

    last = 0.0

    def report(stage: str, share: float, words: str) -> None:
        nonlocal last
        on_progress(stage, share, words)
        if time.monotonic() - last > TELL_SECONDS:
            last = time.monotonic()
            tell({"run": kept.name if kept else "", "phase": stage, "share": share, "words": words})

    return report


@contextmanager
def _progress() -> Iterator[OnProgress]:
    """A bar a stage on standard error; plain lines where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        shown: dict[str, int] = {}

        def line(stage: str, share: float, words: str) -> None:
            tenth = int(share * 10)
            if shown.get(stage) != tenth:
                shown[stage] = tenth
                click.echo(f"{stage}: {share:.0%} {words}", err=True)

        yield line
        return
    columns = (
        TextColumn("{task.description:>14}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[words]}"),
    )
    with Progress(*columns, console=console) as bars:
        tasks: dict[str, int] = {}

        def update(stage: str, share: float, words: str) -> None:
            if stage not in tasks:
                for earlier in tasks.values():
                    bars.stop_task(earlier)  # type: ignore[arg-type]
                tasks[stage] = bars.add_task(stage, total=1.0, words="")
            bars.update(tasks[stage], completed=share, words=words)  # type: ignore[arg-type]

        yield update


def _show(report: DemoReport) -> None:
    def say(line: str = "") -> None:
        click.echo(line, err=True)

    say(f"\nReward a step: {spark(report.rewards, min(report.rewards), max(report.rewards))}")
    say("EM on the development graph, every few steps:")
    for hops in report.before:
        curve = [scores[hops] for _, scores in report.curve]
        say(f"  {hops} hops  {spark(curve, 0.0, 1.0)}  {curve[0]:.2f} → {curve[-1]:.2f}")
    say(f"\nEM on a graph never seen:  {_scores(report.before)}  →  {_scores(report.after)}")
    say(f"{report.retrievals:.1f} retrievals a question, retrieval {report.retrieval_share:.0%} of rollout time")
    for when, rollout in zip(("Before", "After"), report.examples, strict=True):
        say(f"\n{when}: {rollout.question}   (gold: {rollout.answers[0]})")
        for line in transcript(rollout):
            say(f"  {line}")


def spark(values: tuple[float, ...] | list[float], low: float, high: float) -> str:
    """A curve in one line of block characters, from ``low`` to ``high``."""
    span = max(high - low, 1e-9)
    return "".join(_BARS[round((min(max(v, low), high) - low) / span * (len(_BARS) - 1))] for v in values)


def transcript(rollout: Rollout) -> list[str]:
    """A trajectory as lines: what the policy wrote, and the facts that came back."""
    lines = []
    for turn in rollout.turns:
        lines.append(turn.raw)
        if turn.query:
            lines.append("    ⟵ " + ("; ".join(fact.text for fact in turn.facts) or "nothing"))
    return lines


def _scores(scores: Scores) -> str:
    return " / ".join(f"{score:.2f}" for score in scores.values())
