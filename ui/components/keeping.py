"""Looking for faults of the machine and of the graph, mending them, and taking a backup away."""

from __future__ import annotations

import html
import tempfile
import time
from pathlib import Path

import streamlit as st

from clew.errors import ClewError
from clew.operations.backup import backup as write_backup
from clew.operations.check import Report, check_server
from clew.operations.check import check as check_base
from clew.operations.doctor import Line, diagnose
from clew.ui.session import database, knowledge_base, knowledge_base_names, settings, show_error
from clew.ui.text import visible

_MARKS = {"well": "✓", "notice": "·", "fault": "⚠"}


def diagnosis() -> None:
    """What is wrong with the machine, the installation and the settings, once somebody asks."""
    st.header("Doctor", anchor=False)
    st.caption("Of the machine and what is installed on it: Java, disk, encoder, settings, language model.")
    if st.button("Look for faults", icon=":material/stethoscope:"):
        with st.spinner("Looking …"):
            st.session_state["health_lines"] = diagnose(settings())
    lines: list[Line] = st.session_state.get("health_lines", [])
    if lines:
        faults = sum(line.state == "fault" for line in lines)
        st.caption("Nothing is wrong." if not faults else f"{faults} of {len(lines)} need something.")
        _list([(f"{_MARKS[line.state]} {line.thing}", _finding(line.found, line.advice)) for line in lines])


def check() -> None:
    """Whether the chosen knowledge base is whole, and a button that mends it."""
    st.header("Check", anchor=False)
    name = st.session_state.get("kb")
    if name not in knowledge_base_names():
        st.caption("There is no knowledge base to check yet.")
        return
    st.caption(
        "Of the graph: whether evidence, vectors, offsets and indexes fit together. What does not can be mended."
    )
    with st.container(horizontal=True):
        looks = st.button(f"Check {visible(str(name), 40)}", icon=":material/fact_check:")
        reports: list[Report] = st.session_state.get("health_reports", [])
        mends = any(not report.clean for report in reports) and st.button("Mend", icon=":material/build:")
    if looks or mends:
        try:
            with st.spinner("Checking evidence, vectors, offsets, degrees, merges and indexes …"):
                reports = [check_server(database(), mend=mends), check_base(knowledge_base(name), mend=mends)]
        except ClewError as error:
            show_error(error)
            return
        st.session_state["health_reports"] = reports
    findings = [found for report in reports for found in report.findings]
    if reports and not findings:
        st.caption("✓ All is whole.")
    rows = []
    for found in findings:
        done = f"{found.mended:,} mended" if found.mended else found.advice
        mark = "✓" if found.mended >= found.count else "·" if found.notice else "⚠"
        rows.append((f"{mark} {found.count:,} {found.says}", _finding(", ".join(found.examples), done)))
    _list(rows)


def backup() -> None:
    """All knowledge bases as one file to take away."""
    st.header("Backup", anchor=False)
    names = knowledge_base_names()
    if not names:
        st.caption("There is no knowledge base to back up yet.")
        return
    st.caption("Documents, facts, merges, trajectories and ratings in one file; `clew restore FILE` makes them again.")
    if st.button("Make a backup", icon=":material/archive:"):
        try:
            with st.spinner("Reading …"), tempfile.TemporaryDirectory() as folder:
                file = Path(folder, "backup.clew")
                write_backup(database(), file, names)
                st.session_state["health_backup"] = file.read_bytes()
        except ClewError as error:
            show_error(error)
            return
    if data := st.session_state.get("health_backup"):
        name = f"clew-{time.strftime('%Y%m%d-%H%M')}.clew"
        label = f"Download {len(data) / 1e6:,.1f} MB"
        if st.download_button(label, data, name, "application/zstd", icon=":material/download:"):
            del st.session_state["health_backup"]


def _finding(found: str, advice: str) -> str:
    return visible(f"{found}: {advice}" if advice else found, 300)


def _list(rows: list[tuple[str, str]]) -> None:
    cells = "".join(f"<dt>{html.escape(visible(name, 80))}</dt><dd>{html.escape(text)}</dd>" for name, text in rows)
    if cells:
        st.html(f'<dl class="health wide">{cells}</dl>')
