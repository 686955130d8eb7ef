"""What people see on a terminal: progress, trajectories, tables. Everything here goes to the stream it is given."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from clew.reporting.progress import duration
from clew.reporting.terminal import counted, plain
from clew.reporting.verdict import verdict_line
from clew.text.normalise import one_line
from clew.types import cut_at

if TYPE_CHECKING:
    from clew.agent.loop import Event
    from clew.ingest.pipeline import Progress
    from clew.trajectories.standing import Standing
    from clew.types import IngestReport, Json, Retrieved, Trajectory

_LINES_EVERY = 10.0
_SHOWN = 160
"""Characters of a fact or passage that is shown."""


@contextmanager
def ingest_progress(console: Console, total_bytes: int) -> Iterator[Callable[[Progress], None]]:
    """Show an ingest's documents, rate and time left; a line every ten seconds where there is no terminal."""
    started = time.monotonic()
    last = [started]

    def text(progress: Progress) -> str:
        seconds = max(time.monotonic() - started, 1e-6)
        if progress.stage == "link":
            return f"linking pages · {progress.done:,} documents · {progress.hyperedges:,} facts"
        if progress.stage == "refine":
            return f"refining · {progress.done:,} chunks · {progress.hyperedges:,} facts of the model"
        share = _share(progress, total_bytes)
        left = f" · {duration(seconds / share - seconds)} left" if share and seconds > 2 else ""
        total = f"/{progress.total:,}" if progress.total else ""
        rate = f"{progress.done / seconds:,.0f} documents/s"
        return f"{progress.done:,}{total} documents · {progress.hyperedges:,} facts · {rate}{left}"

    if not console.is_terminal:

        def line(progress: Progress) -> None:
            if time.monotonic() - last[0] > _LINES_EVERY:
                last[0] = time.monotonic()
                console.print(text(progress), highlight=False, soft_wrap=True)

        yield line
        return
    with console.status("reading …") as status:
        yield lambda progress: status.update(text(progress))


def _share(progress: Progress, total_bytes: int) -> float:
    if progress.total:
        return progress.done / progress.total
    return min(0.99, progress.characters / total_bytes) if total_bytes else 0.0


def gained(report: IngestReport) -> str:
    """What an ingest brought in, and what it found there: "2 documents (1 in a new version), 9 chunks … are new"."""
    newer = f" ({report.replaced:,} in a new version)" if report.replaced else ""
    there = f"{report.unchanged:,} {'document was' if report.unchanged == 1 else 'documents were'} there"
    return (
        f"{counted(report.documents, 'document')}{newer}, {counted(report.chunks, 'chunk')}, "
        f"{counted(report.hyperedges, 'fact')} and {report.entities:,} "
        f"{'entity' if report.entities == 1 else 'entities'} are new; {there}, {report.removed:,} removed"
    )


def print_event(console: Console, event: Event) -> None:
    """Show one event of the agent: thoughts and queries with their facts, as they happen."""
    from clew.agent.loop import Note, Stepped

    if isinstance(event, Note):
        console.print(Text(f"  {plain(event.text)}", style="yellow"))
    if not isinstance(event, Stepped):
        return
    step = event.step
    console.print(Text.assemble((f"{event.turn + 1:>2} ", "bold cyan"), plain(step.thought) or "…"), soft_wrap=True)
    if step.query:
        console.print(Text.assemble(("   ? ", "bold magenta"), (plain(step.query), "magenta")), soft_wrap=True)
    for item in step.facts or step.passages:
        console.print(Text.assemble(("   · ", "dim"), (one_line(plain(item.text), _SHOWN), "dim")), soft_wrap=True)


def print_answer(console: Console, trajectory: Trajectory) -> None:
    """Show the answer with the spans it rests on, or say that there are none."""
    pieces = cut_at(trajectory.answer, trajectory.verdict.unsupported)
    styled = [(plain(piece), "dim underline" if doubted else "bold") for piece, doubted in pieces]
    console.print(Text.assemble((" = ", "bold green"), *styled), soft_wrap=True)
    if line := verdict_line(trajectory):
        style = {"sure": "green", "probable": "yellow", "guess": "yellow"}.get(trajectory.verdict.kind, "dim")
        console.print(Text(f"   {plain(line)}", style=style), soft_wrap=True)
    for citation in trajectory.citations:
        page = f", page {citation.page}" if citation.page else ""
        page += f", {plain(citation.section)}" if citation.section else ""
        of = f", MATCH {plain(citation.original)}" if citation.original else ""
        where = f"{plain(citation.title)}{page} [{citation.start}–{citation.end}]{of}"
        quote = [(plain(piece), "bold" if is_span else "") for piece, is_span in citation.pieces()]
        console.print(Text.assemble(("   “", "green"), *quote, ("” — ", "green"), where), soft_wrap=True)


def print_standing(console: Console, found: Sequence[Standing]) -> None:
    """Say of each citation that no longer stands where it stood what has become of it."""
    for one in found:
        title = plain(one.citation.title)
        if one.state == "moved":
            console.print(Text(f"   {title}: the sentence stands at [{one.start}–{one.end}] now", style="dim"))
        elif one.state == "deleted":
            console.print(Text(f"   {title} has been deleted since: ask again", style="yellow"), soft_wrap=True)
        elif one.state == "changed":
            now = f"there it says now: “{plain(one.now)}”" if one.now else "nothing like it stands there now"
            console.print(Text(f"   {title} has changed since; {now}. Ask again.", style="yellow"), soft_wrap=True)


def print_retrieved(console: Console, results: Sequence[Retrieved]) -> None:
    """Show what each query found: facts with score and rank on each path, then passages."""
    for result in results:
        console.print(Text(plain(result.query), style="bold"))
        for fact in result.facts:
            why = ", ".join(f"{path} #{rank}" for path, rank in sorted(fact.ranks.items()))
            console.print(Text.assemble((f"  {fact.score:6.3f}  ", "cyan"), plain(fact.text), (f"  ({why})", "dim")))
        for passage in result.passages:
            console.print(Text.assemble(("  passage  ", "dim"), plain(passage.title), (f"  {passage.document}", "dim")))
        if not result.facts and not result.passages:
            console.print(Text("  nothing found", style="dim"))


def print_status(console: Console, found: Json) -> None:
    """Show where Neo4j runs, and how to look into it."""
    if not found["running"]:
        state = "Neo4j is starting." if found["starting"] else "Neo4j does not run: `clew up` starts it."
        console.print(found["error"] or state, markup=False, soft_wrap=True)
        return
    whose = "Clew's own Neo4j" if found["managed"] else "Neo4j"
    console.print(f"{whose} {found['version']} runs at {found['uri']}.", markup=False, soft_wrap=True)
    if found["managed"]:
        login = f"user {found['username']}, password in {found['password_file']}"
        console.print(f"Neo4j Browser: {found['browser_url']} ({login}).", markup=False, soft_wrap=True)
