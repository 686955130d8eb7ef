"""What ``clew evaluate`` tells beside the figures: how far a run is, what is kept of it, and where its figures go."""

from __future__ import annotations

import json
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clew.cli.options import open_console, say
from clew.errors import ClewError, InputError
from clew.files import write_whole

if TYPE_CHECKING:
    from clew.evaluation.datasets import Question
    from clew.evaluation.runs import Run
    from clew.knowledge_base import KnowledgeBase
    from clew.types import Json

INTERRUPTED = 130
WITHOUT_NEW = " without --new"
_TELL_SECONDS = 0.3


@contextmanager
def kept(run: Run, total: int, new: bool, *, judged: bool = False) -> Iterator[None]:
    """Say what there is of a run already, and where Ctrl-C or an error cuts it short, what is kept of it.

    A Ctrl-C after the last question cuts nothing short, unless answers are still ``judged``: the figures follow.
    """
    if done := run.done():
        what = "is complete" if done >= total else f"goes on after {done:,} of {total:,}"
        say(f"The run {run.name} {what}; --new measures again.")
    try:
        yield
    except (KeyboardInterrupt, ClewError) as error:
        interrupted = isinstance(error, KeyboardInterrupt)
        if interrupted and not judged and run.done() >= total:
            return
        if interrupted or run.done():
            say(
                f"clew: {'interrupted; ' if interrupted else ''}the run {run.name} keeps {run.done():,} of {total:,}, "
                f"and the same command{WITHOUT_NEW if new else ''} goes on with it."
            )
        if interrupted:
            sys.exit(INTERRUPTED)
        raise


@contextmanager
def finishing() -> Iterator[None]:
    """Let Ctrl-C come too late: all is measured, and the figures take a moment.

    A job that is cancelled then is done, and not one that may be resumed.
    """
    plain = signal.default_int_handler
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is not plain:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, plain)


@contextmanager
def progress(run: Run, parts: Sequence[str], total: int) -> Iterator[Callable[[str, int], None]]:
    """How far the run is: on the terminal, and for whoever watches it as a job."""
    from clew.reporting.progress import progress_of_parts
    from clew.runs import tell

    done: dict[str, int] = {}
    shown_at = 0.0
    with progress_of_parts(open_console(), parts, total) as on_done:

        def count(part: str, more: int) -> None:
            nonlocal shown_at
            on_done(part, more)
            done[part] = done.get(part, 0) + more
            if time.monotonic() - shown_at > _TELL_SECONDS or done[part] == total:
                shown_at = time.monotonic()
                tell({"run": run.name, "parts": list(parts), "total": total, "done": done})

        yield count


def changed(root: Path, config: Json, total: int, new: bool) -> None:
    """Say why a run of the same measurement does not go on: what it was measured on has changed since."""
    from clew.evaluation.runs import outdated

    if not new and (found := outdated(root, config)):
        run, parts = found
        verb = "has" if len(parts) == 1 and not parts[0].startswith(("the settings", "the questions")) else "have"
        listed = " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
        say(
            f"{listed[0].upper()}{listed[1:]} {verb} changed since run {run.name} ({run.done():,} of {total:,} kept): "
            "starting afresh."
        )


def missing_passages(base: KnowledgeBase, questions: Sequence[Question], so: str) -> Json:
    """Say how many supporting passages the knowledge base lacks; ``warnings`` for the figures, or nothing."""
    from clew.evaluation.coverage import missing_supporting
    from clew.reporting.terminal import counted

    missing, total = missing_supporting(base, questions)
    if not missing:
        return {}
    verb = "is" if missing == 1 else "are"
    text = (
        f"{missing:,} of {counted(total, 'supporting passage')} {verb} not in the knowledge base {base.name}: {so}; "
        "ingest what is missing, or name another one with --kb."
    )
    say(f"clew: {text}")
    return with_warning({}, text)


def with_warning(found: Json, text: str) -> Json:
    """Warnings for the figures of a run, with one more."""
    return {"warnings": [*found.get("warnings", ()), text]}


def incomplete(cells: Sequence[Json]) -> str:
    """Which policies over strategies have no figures, and how much is kept of each."""
    named = (f"{one['policy']} · {one['strategy']} ({one['kept']:,} of {one['of']:,} kept)" for one in cells)
    return f"{', '.join(named)} {'is' if len(cells) == 1 else 'are'} incomplete"


def again(runs: Path | None) -> str:
    """What a suggested command needs to look in the same folder."""
    return f" --runs {shlex.quote(str(runs))}" if runs else ""


def target(json_file: str | None) -> Path | None:
    """Where the figures go. Raises InputError where they cannot be written: before the work, and not after it."""
    if json_file is None or json_file == "-":
        return Path("-") if json_file else None
    target = Path(json_file)
    try:
        if not target.is_dir() and target.parent.is_dir():
            write_whole(draft := target.with_name(f"{target.name}.part"), "")
            draft.unlink()
            return target
    except OSError as error:
        raise InputError(f"The figures cannot be written to {target} ({error.strerror}): name another file.") from error
    raise InputError(f"The figures cannot be written to {target}: name a file in a folder that exists.")


def show(run: Run, summary: Json, out: Path | None, runs: Path | None) -> None:
    """Write the figures to ``out``, or print them."""
    from clew.evaluation.table import print_figures

    text = _json(summary)
    if out == Path("-"):
        click.echo(text)
        return
    if out is not None:
        try:
            write_whole(out, text + "\n", private=False)
        except OSError as error:
            raise InputError(
                f"{out} cannot be written ({error.strerror}); the figures are in {run.folder / 'summary.json'}."
            ) from error
    print_figures(open_console(stderr=False), summary)
    say(f"{run.name} is kept: `clew evaluate report {run.name}{again(runs)}` makes a page of it.")


def _json(value: Json) -> str:
    from clew.text.normalise import clean

    return clean(json.dumps(value, ensure_ascii=False, default=str))
