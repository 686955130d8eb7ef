"""The commands that make what a run learns from: questions and demonstrations."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clew.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from clew.knowledge_base import KnowledgeBase
    from clew.trainer.data.questions import Synthetic
    from clew.types import Json

PARALLEL = 8
"""Questions that a language model is asked at once."""

_kb = click.option("--kb", metavar="NAME", help="Knowledge base (CLEW_KB, else 'default').")


def _hops(ctx: click.Context, parameter: click.Parameter, value: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in value.split(","))
    except ValueError as error:
        raise click.BadParameter(f"{value!r} is no list of numbers such as 1,2,3.") from error


@click.command()
@click.argument("out", metavar="DIR", type=click.Path(path_type=Path))
@_kb
@click.option("--count", type=click.IntRange(min=1), default=1000, show_default=True, help="Questions, at most.")
@click.option("--hops", default="1,2,3,4", show_default=True, callback=_hops, help="Facts that are combined.")
@click.option("--dev", type=click.FloatRange(0, 0.5), default=0.1, show_default=True, help="Share of dev.jsonl.")
@click.option("--test", type=click.FloatRange(0, 0.5), default=0.1, show_default=True, help="Share of test.jsonl.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--llm", is_flag=True, help="Let the model of the settings word them.")
@click.option("--from", "source", type=click.Choice(["graph", "trajectories"]), default="graph", show_default=True)
def questions(
    out: Path,
    kb: str | None,
    count: int,
    hops: tuple[int, ...],
    dev: float,
    test: float,
    seed: int,
    llm: bool,
    source: str,
) -> None:
    """Make training, dev and test questions of a knowledge base, into DIR.

    From its graph: walks of one to four facts with one answer each, and comparisons of two such walks, no fact of one
    split in another. From its trajectories: the questions that people asked and whose answers they rated good.
    """
    from clew.trainer.data.comparisons import with_comparisons
    from clew.trainer.data.questions import split_by_region, synthesise, write_splits

    shares = {"dev": dev, "test": test}
    with _open(kb) as base:
        if source == "trajectories":
            rows = _from_trajectories(base, count, shares, seed)
        else:
            made = synthesise(base.database, base.name, count, hops=hops, seed=seed)
            if llm:
                made = _reworded(base, made)
            split = split_by_region(made, shares, seed)
            parts = {name: [q for q in made if split[q.id] == name] for name in ("train", "dev", "test")}
            rows = {name: [q.row() for q in with_comparisons(part, hops, seed)] for name, part in parts.items()}
    for name, file in write_splits(out, rows).items():
        by_hops = {n: sum(row.get("hops") == n for row in rows[name]) for n in hops}
        counts = ", ".join(f"{count} of {n} hop{'s' if n > 1 else ''}" for n, count in by_hops.items() if count)
        click.echo(f"{file}: {len(rows[name]):,} questions{f' ({counts})' if counts else ''}")


@click.command()
@click.argument("file", metavar="QUESTIONS", type=click.Path(path_type=Path))
@click.argument("out", metavar="FILE", type=click.Path(path_type=Path))
@_kb
@click.option(
    "--by", type=click.Choice(["oracle", "llm"]), default="oracle", show_default=True, help="Who writes them."
)
@click.option("--recipe", default="sft", show_default=True, help="Whose dialect, retrieval and limits hold.")
@click.option("--strategy", metavar="NAME", help="Another strategy than the recipe's.")
def demonstrations(file: Path, out: Path, kb: str | None, by: str, recipe: str, strategy: str | None) -> None:
    """Write demonstrations for QUESTIONS: trajectories in the right form, validated and filtered.

    The oracle walks the gold path that `questions` wrote down; an LLM finds its own way, and only right answers count.
    What an LLM has written is kept beside FILE until all is done: the same command again goes on from there.
    """
    from clew.trainer.algorithm.sft import write_demonstrations
    from clew.trainer.config import load_recipe
    from clew.trainer.data.demonstrations import by_model, by_oracle
    from clew.trainer.data.splits import read_questions

    if out.exists():
        raise InputError(f"{out} exists already; name another file.")
    journal = out.with_name(f"{out.name}.journal")
    chosen = load_recipe(recipe)
    rows = read_questions(file)
    rollout = chosen.rollout
    with _open(kb) as base:
        found = base.strategy(strategy or chosen.retrieval.strategy)
        if by == "oracle":
            kept = by_oracle(rows, found, rollout.dialect, rollout.k)
        else:
            with _shown("demonstrations", len(rows)) as on_done:
                limits = (rollout.k, rollout.max_turns)
                kept = by_model(
                    rows, base, found, rollout.dialect, *limits, journal, parallel=PARALLEL, on_done=on_done
                )
    why = "".join(f"; {count:,}: {fault}" for fault, count in kept.dropped.most_common())
    if not kept.rows:
        raise InputError(f"None of {len(rows):,} questions gave a demonstration{why}.")
    write_demonstrations(out, kept.rows)
    journal.unlink(missing_ok=True)
    click.echo(f"{out}: {len(kept.rows):,} demonstrations of {len(rows):,} questions{why}")


def _from_trajectories(
    base: KnowledgeBase, count: int, shares: Mapping[str, float], seed: int
) -> dict[str, Sequence[Json]]:
    from clew.trainer.data.feedback import approved_questions, split_questions

    return split_questions(approved_questions(base, count), shares, seed)


def _reworded(base: KnowledgeBase, made: list[Synthetic]) -> list[Synthetic]:
    """The questions in the words of the model, several at a time."""
    from concurrent.futures import ThreadPoolExecutor

    from clew.trainer.data.questions import reworded
    from clew.trainer.data.wording import llm_wording

    wording = llm_wording(base.settings)
    pool = ThreadPoolExecutor(PARALLEL, "clew-wording")
    notes = []
    try:
        with _shown("wording", len(made)) as on_done:
            for question in pool.map(lambda question: reworded(question, wording), made):
                notes.append(question)
                on_done(1)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return notes


@contextmanager
def _shown(what: str, total: int) -> Iterator[Callable[[int], None]]:
    from rich.console import Console

    from clew.reporting.progress import progress_of_parts

    with progress_of_parts(Console(stderr=True), [what], total) as on_done:
        yield lambda more: on_done(what, more)


def _open(kb: str | None) -> KnowledgeBase:
    from clew.knowledge_base import KnowledgeBase

    base = KnowledgeBase.open(kb, progress=True)
    if not base.exists():
        base.close()
        raise InputError(f"There is no knowledge base {base.name!r}: create it with `clew ingest`.")
    return base
