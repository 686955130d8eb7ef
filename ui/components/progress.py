"""An ingest on its way: how far it is, how fast, what it found, and what it skipped."""

from __future__ import annotations

import html
import time
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

import ui
from clew.types import Skipped
from ui.jobs import Ingesting
from ui.session import knowledge_base, show_error
from ui.text import visible

REFRESH_SECONDS = 0.5
MOST_SKIPPED = 200
EXAMPLES = Path(ui.__file__).resolve().parent.parent / "examples" / "encyclopaedia"


def examples_there() -> bool:
    """Whether the examples of the repository are at hand; an installed package has none."""
    return EXAMPLES.is_dir()


def load_examples() -> None:
    """Begin to ingest the examples."""
    files = sorted(str(path) for path in EXAMPLES.iterdir() if path.is_file())
    begin(Ingesting("examples", sources=files))


def begin(job: Ingesting) -> None:
    """Start a job, and remember it for ``show_ingest``."""
    job.start(knowledge_base(job.kb))
    st.session_state["ingesting"] = job


def show_ingest(job: Ingesting) -> None:
    """Draw a job, anew by itself until it is done."""
    if job.done.is_set():
        _result(job)
    else:
        _running(job)


@st.fragment(run_every=REFRESH_SECONDS)
def _running(job: Ingesting) -> None:
    if job.done.is_set():
        if job.report and job.report.documents:
            st.session_state["kb_next"] = job.kb
        st.rerun()
    st.progress(job.share, text=_status(job))
    label = "Stopping …" if job.stopped.is_set() else "Stop"
    st.button(label, icon=":material/stop_circle:", disabled=job.stopped.is_set(), on_click=job.stopped.set)


def _status(job: Ingesting) -> str:
    seconds = time.monotonic() - job.started
    parts = [f"Read {job.read} of {job.total}" if job.read < job.total else f"Read {job.total}"]
    progress = job.progress
    if progress is None or not progress.done:
        parts.append("finding facts and encoding them" if job.loaded else "loading the encoder")
    else:
        rate = progress.done / seconds
        parts.append(f"{progress.done:,} of {job.loaded:,} documents in the graph, {rate:.1f} a second")
        left = (job.loaded - progress.done) / rate
        if job.read == job.total and left >= 1:
            parts.append(f"about {left:.0f} s left")
    return " · ".join([*parts, f"{seconds:.0f} s"])


def _result(job: Ingesting) -> None:
    if job.error:
        show_error(job.error)
        return
    report = job.report
    if report is None:
        return
    parts = [f"{report.documents:,} {'document' if report.documents == 1 else 'documents'} added"]
    if report.unchanged:
        parts.append(f"{report.unchanged:,} unchanged")
    if report.skipped:
        parts.append(f"{len(report.skipped):,} skipped")
    parts.append(f"{report.hyperedges:,} new facts, {report.entities:,} new entities")
    text = " · ".join(parts) + f" · {report.seconds:.1f} s"
    if job.stopped.is_set():
        st.warning(f"Stopped. {text}", icon=":material/stop_circle:")
    elif report.skipped:
        st.warning(text, icon=":material/rule:")
    else:
        st.success(text, icon=":material/check_circle:")
    if report.skipped:
        _skipped(report.skipped)


def _skipped(skipped: Sequence[Skipped]) -> None:
    """The sources that were skipped, each with its reason."""
    rows = "".join(
        f"<tr><td>{html.escape(_name(s.source))}</td><td>{html.escape(visible(s.reason, 300))}</td></tr>"
        for s in skipped[:MOST_SKIPPED]
    )
    st.html(f'<table class="skipped"><thead><tr><th>Skipped</th><th>Why</th></tr></thead><tbody>{rows}</tbody></table>')
    if len(skipped) > MOST_SKIPPED:
        st.caption(f"And {len(skipped) - MOST_SKIPPED:,} more; `clew ingest --json` lists all.")


def _name(source: str) -> str:
    """A source as the reader knows it; where the examples lie on this machine is not the reader's business."""
    return visible(source.removeprefix("upload:").removeprefix(f"{EXAMPLES}/"), 120)
