"""Long work that goes on without the page: how far it is, and what can be done with it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import streamlit as st

from clew.errors import ClewError
from clew.runs import Job, jobs
from clew.ui.components.cards import set_address
from clew.ui.session import settings, show_error
from clew.ui.text import markdown

REFRESH_SECONDS = 1.0
IDLE_SECONDS = 5.0
JUST_ENDED = 60.0
"""Seconds for which what is done is shown to those who did not see it under way."""
ICONS = {"done": ":material/check_circle:", "failed": ":material/error:", "cancelled": ":material/stop_circle:"}
_WORDS = {
    "waiting": "waiting for its turn",
    "running": "under way",
    "done": "done",
    "failed": "stopped by an error",
    "cancelled": "stopped. What was done is kept",
    "interrupted": "interrupted: its process is gone. What was done is kept",
}


class JobCard(NamedTuple):
    """What a card says of a job: Markdown, the share that is done (None: not known), and what can be opened."""

    title: str
    words: str = ""
    share: float | None = None
    opens: dict[str, str] | None = None


def show_jobs(
    kinds: Sequence[str], tell: Callable[[Job, str], JobCard], more: Callable[[Job, str], None] = lambda *_: None
) -> None:
    """Draw the jobs of these kinds, by themselves anew while one runs; ``more`` draws what else belongs to one."""
    every = REFRESH_SECONDS if any(job.running for kind in kinds for job in jobs(settings(), kind)) else IDLE_SECONDS
    st.fragment(_watch, run_every=every)(tuple(kinds), tell, more)


def rerun_where_changed(key: str, found: Sequence[tuple[Job, str]]) -> None:
    """Draw the whole page anew once a job has begun or ended: its lists may say something else."""
    now = {job.name: state for job, state in found}
    before = st.session_state.get(f"seen-{key}")
    st.session_state[f"seen-{key}"] = now
    if before is not None and before != now:
        st.rerun()


def _watch(kinds: tuple[str, ...], tell: Callable[[Job, str], JobCard], more: Callable[[Job, str], None]) -> None:
    found = [(job, str(job.state)) for kind in kinds for job in jobs(settings(), kind)]
    found.sort(key=lambda pair: pair[0].name, reverse=True)
    rerun_where_changed("-".join(kinds), found)
    followed: set[str] = st.session_state.setdefault("jobs-followed", set())
    for job, state in found:
        if state != "done":
            followed.add(job.name)  # whoever saw it under way sees how it ended
        elif job.name not in followed and time.time() - float(job.read_state().get("at", 0.0)) > JUST_ENDED:
            continue
        show_job(job, state, tell(job, state), more)


def show_job(job: Job, state: str, card: JobCard, more: Callable[[Job, str], None] = lambda *_: None) -> None:
    """Draw one job as a card."""
    running = state in ("waiting", "running")
    words = "starting" if state == "waiting" and not job.read_state().get("pid") else _WORDS[state]
    with st.container(border=True, key=f"job-{job.name}"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            parts = [f"{ICONS.get(state, '')} {card.title}", words, *([] if running else [card.words])]
            st.markdown(" · ".join(part for part in parts if part), width="stretch")
            if card.opens and st.button("Open", icon=":material/open_in_full:", key=f"open-{job.name}"):
                go(**card.opens)
            job_buttons(job, state)
        if running:
            st.progress(min(1.0, card.share or 0.0), text=card.words or markdown(_last_line(job)) or "…")
        if error := job.error:
            show_error(ClewError(error.removeprefix("clew: ").removeprefix("trainer: ")))
        more(job, state)


def job_buttons(job: Job, state: str, gives_up: str = "") -> None:
    """Draw what can be done with a job: cancel it while it runs, resume it where it can be, or forget it.

    ``gives_up`` says what is lost with one that is not done, and is shown before.
    """
    if state in ("waiting", "running"):
        stopping = job.cancelling
        label = "Cancelling …" if stopping else "Cancel"
        icon = ":material/stop_circle:"
        st.button(label, icon=icon, disabled=stopping, key=f"cancel-{job.name}", on_click=job.cancel)
        return
    if state != "done" and job.about.get("resumes", True):
        icon = ":material/play_arrow:"
        st.button("Resume", icon=icon, key=f"resume-{job.name}", on_click=safely, args=(job.resume,))
    icon = ":material/close:"
    if state != "done" and gives_up:
        with st.popover("Dismiss …", icon=icon, type="tertiary", key=f"dismissing-{job.name}"):
            st.write(gives_up)
            st.button("Dismiss it", key=f"dismiss-{job.name}", on_click=safely, args=(job.delete,))
        return
    st.button("Dismiss", icon=icon, type="tertiary", key=f"dismiss-{job.name}", on_click=safely, args=(job.delete,))


def safely(action: Callable[..., None], *arguments: object) -> None:
    """Do what a button says; another window may have been quicker."""
    try:
        action(*arguments)
    except ClewError as error:
        st.toast(markdown(str(error)))


def go(**wanted: str) -> None:
    """Go to what these query parameters name on this page; without any, to its beginning."""
    set_address(**{name: wanted.get(name) for name in ("run", "beside", "question")})
    st.rerun()


def _last_line(job: Job) -> str:
    return next((line for line in reversed(job.log(5)) if line.strip()), "")
