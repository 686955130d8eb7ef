"""``clew entities``: names of one thing, found, merged, and taken apart again."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from clew.cli.options import json_option, kb_option, open_base, print_json, say, tell
from clew.errors import InputError

if TYPE_CHECKING:
    from clew.database.connection import Row

SHOWN = 10
"""Merges that a resolution prints."""


@click.group()
def entities() -> None:
    """Find names of one thing, merge them, and undo that."""


@entities.command()
@kb_option
@json_option
@click.option("--automatic", type=float, default=0.85, show_default=True, help="Merge pairs of at least this score.")
@click.option("--suggest", type=float, default=0.5, show_default=True, help="Suggest pairs of at least this score.")
@click.option("--judge", is_flag=True, help="Let the model of the settings decide the likeliest suggestions.")
@click.option("--vectors/--no-vectors", default=True, help="Also compare names that only mean nearly the same.")
@click.option("--dry-run", is_flag=True, help="Write nothing.")
def resolve(
    kb: str | None, as_json: bool, automatic: float, suggest: float, judge: bool, vectors: bool, dry_run: bool
) -> None:
    """Merge the names that are very likely of one thing, and suggest others.

    Entities and facts stay as they are; `clew entities unmerge` undoes a merge, and with --all everything.
    """
    from clew.resolution.judge import LlmJudge
    from clew.resolution.resolve import ResolutionSettings
    from clew.resolution.resolve import resolve as run

    settings = ResolutionSettings(automatic=automatic, suggest=suggest, vectors=vectors)

    def stage(name: str) -> None:
        say(f"{name} …")

    with open_base(kb) as base:
        asked = LlmJudge(base.database, base.name, base.settings) if judge else None
        report = run(base.database, base.name, settings, judge=asked, dry_run=dry_run, on_stage=stage)
    if as_json:
        print_json(asdict(report))
        return
    for one in report.merged[:SHOWN]:
        _print_pair(one.name_a, one.name_b, one.score, one.reasons)
    say(
        f"{len(report.merged):,} pairs merged{' (not written)' if dry_run else ''}, {len(report.suggested):,} "
        f"suggested, of {report.compared:,} compared among {report.entities:,} entities; {report.judged:,} judged; "
        f"{report.seconds:.1f} s."
    )


@entities.command()
@kb_option
@json_option
@click.option("--kind", type=click.Choice(["suggestions", "merges", "refusals"]), default="suggestions")
@click.option("--skip", type=click.IntRange(min=0), default=0)
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
def duplicates(kb: str | None, as_json: bool, kind: str, skip: int, limit: int) -> None:
    """List suggested pairs with reasons, or those that were merged or refused."""
    from clew.resolution.merges import count_pairs, list_pairs

    with open_base(kb) as base:
        base.must_exist()
        pairs = list_pairs(base, kind, skip=skip, limit=limit)
        counts = count_pairs(base)
    if as_json:
        print_json({"kind": kind, "pairs": pairs, **counts})
        return
    for pair in pairs:
        _print_pair(_named(pair["a"]), _named(pair["b"]), pair.get("score"), pair.get("reasons") or ())
    say(", ".join(f"{count:,} {name}" for name, count in counts.items()) + ".")


@entities.command()
@click.argument("first", metavar="ENTITY")
@click.argument("second", metavar="ENTITY")
@kb_option
@json_option
def merge(first: str, second: str, kb: str | None, as_json: bool) -> None:
    """Take two entities for the same, each by its name or id."""
    from clew.resolution import merges

    with open_base(kb) as base:
        base.must_exist()
        merged = merges.merge(base, merges.find_entity(base, first), merges.find_entity(base, second))
    tell(as_json, {"merged": merged}, "They are merged." if merged else "They were merged already.")


@entities.command()
@click.argument("names", nargs=-1, metavar="[ENTITY ENTITY]")
@kb_option
@json_option
@click.option("--refuse", is_flag=True, help="Also remember that they are different.")
@click.option("--all", "everything", is_flag=True, help="Forget all merges, suggestions and refusals.")
def unmerge(names: tuple[str, ...], kb: str | None, as_json: bool, refuse: bool, everything: bool) -> None:
    """Undo the merge of two entities, each by its name or id, or all merges."""
    from clew.resolution import merges

    if everything == bool(names) or (names and len(names) != 2) or (everything and refuse):
        raise InputError("Name two entities (see `clew entities duplicates --kind merges`), or use --all.")
    with open_base(kb) as base:
        base.must_exist()
        if everything:
            count = merges.forget_all(base)
            return tell(as_json, {"forgotten": count}, f"{count:,} merges, suggestions and refusals are forgotten.")
        a, b = (merges.find_entity(base, name) for name in names)
        undone = merges.unmerge(base, a, b)
        if refuse:
            merges.refuse(base, a, b)
    result = "The merge is undone." if undone else "They had no merge of their own."
    return tell(as_json, {"undone": undone, "refused": refuse}, result + (" They stay apart." if refuse else ""))


def _named(entity: Row) -> str:
    return f"{entity['name']} ({entity['degree'] or 0:,})"


def _print_pair(a: str, b: str, score: float | None, reasons: Any) -> None:
    from clew.reporting.terminal import plain

    value = "" if score is None else f"{score:.2f}  "
    click.echo(f"{value}{plain(a)}  =  {plain(b)}")
    if reasons:
        click.echo(f"      {plain('; '.join(reasons))}")
