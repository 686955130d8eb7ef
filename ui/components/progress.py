"""Ingests on their way: how far each file is, how fast, what it gave, and why it failed; they go on by themselves."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from clew import ui
from clew.errors import ClewError
from clew.reporting.progress import duration
from clew.runs import Job, jobs
from clew.runs.ingest import KIND, Item, items_of, retry, start_ingest, worth_a_retry
from clew.types import Json
from clew.ui.components.items import failed_row, item_list
from clew.ui.components.work import (
    ICONS,
    IDLE_SECONDS,
    REFRESH_SECONDS,
    job_buttons,
    rerun_where_changed,
    safely,
)
from clew.ui.session import settings, show_error
from clew.ui.text import count, markdown

STYLE = Path(ui.__file__).parent / "assets" / "items.css"
READ_SHARE = 0.2
"""What reading counts of the work on a file."""
MOST_FAILED = 30
"""Failed files that have a button each."""
GIVES_UP = (
    "What is not finished can then not be resumed: its files would have to be brought in again. What was written stays."
)
MOST_ENDED = 3
"""Ingests that have ended and are still shown."""
EXAMPLES = Path(ui.__file__).resolve().parent.parent / "examples" / "encyclopaedia"
EXAMPLES_KB = "examples"


def examples_there() -> bool:
    """Whether the examples of the repository are at hand; an installed package has none."""
    return EXAMPLES.is_dir()


def load_examples() -> None:
    """Begin to ingest the examples."""
    files = sorted(str(path) for path in EXAMPLES.iterdir() if path.is_file())
    remember(start_ingest(settings(), EXAMPLES_KB, sources=files))


def latest_ingest(kb: str) -> Job | None:
    """The latest ingest into a knowledge base, if it has not been dismissed."""
    return next((job for job in jobs(settings(), KIND) if job.about.get("kb") == kb), None)


def remember(job: Job) -> None:
    """Let this session go to the knowledge base once the job has brought something in."""
    st.session_state.setdefault("ingests_begun", set()).add(job.name)


def show_ingests(kb: str | None) -> None:
    """Draw what is being brought in, by anyone, and what has lately come into this knowledge base."""
    st.html(STYLE)
    every = REFRESH_SECONDS if any(job.running for job in jobs(settings(), KIND)) else IDLE_SECONDS
    st.fragment(_watch, run_every=every)(kb)


def show_ingest(job: Job) -> None:
    """Draw one job, anew by itself while it runs."""
    st.html(STYLE)
    st.fragment(_watch_one, run_every=REFRESH_SECONDS if job.running else None)(job)


def _watch(kb: str | None) -> None:
    found = [(job, str(job.state)) for job in jobs(settings(), KIND)]
    _go_where_something_came(found)
    rerun_where_changed("ingests", found)
    followed: set[str] = st.session_state.setdefault("ingests_followed", set())
    ended = 0
    for job, state in found:
        if state not in ("done", "cancelled"):
            followed.add(job.name)  # whoever saw it under way sees how it ended
        elif ended >= MOST_ENDED or (job.about.get("kb") != kb and job.name not in followed):
            continue
        else:
            ended += 1
        _job(job, state)


def _watch_one(job: Job) -> None:
    state = str(job.state)
    _go_where_something_came([(job, state)])
    rerun_where_changed(job.name, [(job, state)])
    _job(job, state)


def _go_where_something_came(found: Sequence[tuple[Job, str]]) -> None:
    """Let the page turn to the knowledge base into which this session has brought something."""
    begun: set[str] = st.session_state.setdefault("ingests_begun", set())
    for job, state in found:
        if job.name in begun and state == "done":
            begun.discard(job.name)
            if any(item.written for item in items_of(job)):
                st.session_state["kb_next"] = job.about.get("kb")


def _job(job: Job, state: str) -> None:
    progress = job.progress
    items = [Item(**row) for row in progress.get("items", ())]
    running = state in ("waiting", "running")
    title = f"{'Adding to' if running else 'Added to'} **{markdown(str(job.about.get('kb')))}**"
    line = " · ".join([title, *summary(job, state, progress, items)])
    if state == "done":
        came = any(item.written for item in items)
        line = line if came else f":orange[:material/warning:] {line}"
        wrong = bool(progress.get("stopped")) or any(item.state == "failed" for item in items)
        with (
            st.container(key=f"job-{job.name}"),
            st.expander(line, wrong, icon=ICONS["done"] if came else None, key=f"ended-{job.name}"),
        ):
            _stopped(progress)
            _files(job, items, running=False)
            job_buttons(job, state)
        return
    with st.container(border=True, key=f"job-{job.name}"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(f"{ICONS.get(state, '')} {line}", width="stretch")
            job_buttons(job, state, gives_up=GIVES_UP)
        if running:
            st.progress(_share(items, state), text=_pace(job, state, progress, items))
            if waits := progress.get("waits"):
                st.warning(markdown(str(waits)), icon=":material/hourglass:")
        if error := job.error:
            show_error(ClewError(error))
        _stopped(progress)
        with st.expander(f"Files: {len(items):,}", expanded=running or len(items) <= 8, key=f"files-of-{job.name}"):
            _files(job, items, running)


def _stopped(progress: Json) -> None:
    """Say what ended a model's work before its end."""
    if progress.get("stopped"):
        st.warning(markdown(_without_options(str(progress["stopped"]))), icon=":material/savings:")


def _files(job: Job, items: Sequence[Item], running: bool) -> None:
    _failed(job, items, running)
    if shown := [item for item in items if item.state != "failed"]:
        st.html(item_list(shown, running=running))


def summary(job: Job, state: str, progress: Json, items: Sequence[Item]) -> list[str]:
    failed = sum(item.state == "failed" for item in items)
    words = {
        "waiting": "waiting for another upload to end",
        "running": count(len(items), "file"),
        "interrupted": "interrupted: its process ended. What was added is complete; resume it for the rest",
        "cancelled": "cancelled. What was written stays",
        "failed": "stopped by an error. What was added is complete",
        "done": "done" if any(item.written for item in items) else ":orange[nothing came in]",
    }
    parts = [words[state]]
    if state == "waiting" and not job.read_state().get("pid"):
        parts = ["starting"]
    documents = sum(item.written for item in items)
    if state == "done" or (documents and state != "running"):
        parts.append(count(documents, "document"))
    if (created := progress.get("created")) and documents:
        parts += [count(created["facts"], "new fact"), count(created["entities"], "new entity", "new entities")]
    if progress.get("replaced"):
        parts.append(f"{progress['replaced']:,} in a new version")
    if progress.get("unchanged"):
        parts.append(f"{progress['unchanged']:,} unchanged")
    if progress.get("removed"):
        parts.append(f"{progress['removed']:,} removed")
    if failed:
        parts.append(f"**{failed:,} failed**")
    if state in ("done", "cancelled"):
        parts += [duration(job.seconds), *_model(progress)]
    return parts


def _model(progress: Json) -> list[str]:
    """What a model was asked for, and what that cost."""
    if not (extraction := progress.get("extraction")):
        return []
    paid = extraction["paid"]
    tokens = paid["prompt_tokens"] + paid["completion_tokens"]
    money = f", {paid['cost']:,.2f}" if paid["cost"] else ""
    return [f"model: {paid['calls']:,} requests, {tokens:,} tokens{money}"]


def _share(items: Sequence[Item], state: str) -> float:
    """How much is in the graph, from 0 to 1, weighed by size."""
    weights = [max(1, item.bytes) for item in items]
    shares = [max(item.share, READ_SHARE * (item.state == "extracting")) for item in items]
    done = sum(weight * share for weight, share in zip(weights, shares, strict=True))
    return 0.0 if state == "waiting" else min(1.0, done / max(1, sum(weights)))


def _pace(job: Job, state: str, done: Json, items: Sequence[Item]) -> str:
    """What it does, how fast, and how long it will still take."""
    if state == "waiting":
        return "It begins by itself." if job.read_state().get("pid") else "Starting …"
    parts = pace(items, _share(items, state), max(0.1, job.seconds), time.time())
    if done.get("stage") == "refine":
        parts = [f"a model adds facts: {done.get('refined', 0):,} passages, {done.get('model_facts', 0):,} facts"]
    elif done.get("stage") == "link":
        parts = ["linking pages that name each other"]
    return " · ".join([*parts, *_model(done), f"{duration(job.seconds)} so far"])


def pace(items: Sequence[Item], share: float, seconds: float, now: float) -> list[str]:
    """How many of all documents have been read or are in the graph, how many a second, and the time that is left."""
    total = sum(max(item.total, item.documents, 1) for item in items)
    failed = sum(item.state == "failed" for item in items)
    read, written = (sum(getattr(item, name) for item in items) + failed for name in ("documents", "written"))
    if not read:
        return ["loading what reads and encodes"]
    parts = [f"reading {read:,} of {total:,}" if read < total else f"finding facts in {written:,} of {total:,}"]
    if written:
        began = min((item.began for item in items if item.began), default=now - seconds)
        rate = written / max(0.1, max(item.ended for item in items) - began)
        parts.append(f"{rate:,.0f} a second" if rate >= 10 else f"{rate:,.1f} a second")
        if left := seconds_left(items, share, seconds, now):
            parts.append(f"{duration(left)} left")
    return parts


def seconds_left(items: Sequence[Item], share: float, seconds: float, now: float) -> float | None:
    """How long it takes at the pace it had when the last document came in; None where that is over, or not known yet.

    What happens since is not known: a large document comes in at once, and the time it takes says nothing of its end.
    """
    since = now - max((item.ended for item in items), default=0.0)
    worked = seconds - since
    if worked <= 0 or not 0.02 < share < 1:
        return None
    left = worked / share - worked - since
    return left if left > 0 else None


def _failed(job: Job, items: Sequence[Item], running: bool) -> None:
    failed = [(number, item) for number, item in enumerate(items) if item.state == "failed"]
    for number, item in failed[:MOST_FAILED]:
        with st.container(horizontal=True, vertical_alignment="center", key=f"failed-{job.name}-{number}"):
            st.html(failed_row(item))
            if worth_a_retry(item):
                st.button(
                    "Retry",
                    icon=":material/refresh:",
                    key=f"retry-{job.name}-{number}",
                    disabled=running,
                    help="Once the others are done" if running else None,
                    on_click=safely,
                    args=(retry, job, number),
                )
    if len(failed) > MOST_FAILED:
        st.caption(f"And {len(failed) - MOST_FAILED:,} more that could not be read.")
    again = [number for number, item in failed if worth_a_retry(item)]
    if len(again) > 1 and not running:
        st.button("Retry all that may work", key=f"retry-{job.name}", on_click=safely, args=(retry, job, *again))


def _without_options(text: str) -> str:
    """What ended an extraction, without the advice that is meant for the command line."""
    return (
        text.partition("; run the same command")[0] + ". Start again with a larger budget: nothing is paid for twice."
    )
