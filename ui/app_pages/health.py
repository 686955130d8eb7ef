"""Settings and health: what is connected, in which versions, and whether it works. No secret is ever shown."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from clew import health, ui
from clew.database.connection import Row
from clew.errors import ClewError
from clew.llm.chat import OPENAI
from clew.runs import jobs
from clew.ui.components import keeping
from clew.ui.session import database, is_personal, knowledge_bases, settings, show_error
from clew.ui.text import visible

STYLE = Path(ui.__file__).parent / "assets" / "items.css"

_FAST = "✓ with the processor's vector instructions"
_SLOW = {
    True: "slow on large graphs, for want of a whole Java: install a JDK, 21 or 25, then “clew down” and “clew up”",
    False: "slow on large graphs: start it with server.jvm.additional=--add-modules=jdk.incubator.vector",
}
"""By whether Clew runs the server."""


def render() -> None:
    """Draw the page."""
    st.html(STYLE)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="titled"):
        st.title("Settings and health", anchor=False)
        st.button("Look again", icon=":material/refresh:")
    database().ping()
    left, right = st.columns(2, gap="large")
    with left:
        _neo4j()
        indexes = health.indexes(database())
        _indexes(indexes)
    with right:
        _model()
        _encoder()
        _machine()
    keeping.diagnosis()
    keeping.check()
    keeping.backup()
    _all_indexes(indexes)
    _versions_and_settings()


def _neo4j() -> None:
    found = health.neo4j(database(), settings())
    st.header("Neo4j", anchor=False)
    rows = [
        ("State", f"✓ answers in {1_000 * found.seconds:,.0f} ms"),
        ("Address", found.address),
        ("Database", f"{found.database}, as user {found.username}"),
        ("Version", f"{found.version}, {found.edition} edition"),
        ("Server", "started and kept by Clew" if found.managed else "yours: not started by Clew, nor stopped"),
    ]
    if (fast := health.vector_instructions(database())) is not None:
        rows.append(("Vector search", _FAST if fast else _SLOW[found.managed]))
    if found.browser:
        rows.append(("Neo4j Browser", found.browser))
    if found.disk_bytes is not None:
        rows.append(("On disk", _bytes(found.disk_bytes)))
    bases = knowledge_bases()
    named = ", ".join(f"{visible(str(base['name']), 40)} ({base['documents']:,})" for base in bases[:8])
    rows.append(("Knowledge bases", f"{named}{' …' if len(bases) > 8 else ''}" or "none yet"))
    _list(rows)


def _indexes(found: Sequence[Row]) -> None:
    st.header("Indexes", anchor=False)
    bad = [row for row in found if row["state"] != "ONLINE"]
    if bad:
        named = ", ".join(f"{row['name']} ({row['state'].lower()}, {row['percent']:.0f} %)" for row in bad)
        st.warning(
            f"{len(bad)} of {len(found)} are not ready, and searches may fail or be slow: {visible(named, 300)}. "
            "One that is populating needs only time; one that failed says why in Neo4j's log (`clew logs`).",
            icon=":material/warning:",
        )
    else:
        _list([("State", f"✓ all {len(found)} are online")])


def _all_indexes(found: Sequence[Row]) -> None:
    with st.expander("All indexes", icon=":material/format_list_bulleted:"):
        st.dataframe(
            [
                {
                    "Name": visible(row["name"], 60),
                    "Kind": str(row["type"]).lower(),
                    "On": f"{', '.join(row['labels'] or ())} ({', '.join(row['properties'] or ())})",
                    "State": str(row["state"]).lower(),
                    "Populated": f"{row['percent']:.0f} %",
                }
                for row in found
            ],
            hide_index=True,
            alt=f"The {len(found)} indexes with their state",
        )


def _model() -> None:
    chosen = settings()
    st.header("Language model", anchor=False)
    if not chosen.llm_model:
        where = "*Language models* in the sidebar connects one." if is_personal() else "CLEW_LLM_MODEL names one."
        st.caption(f"None is set up, and none is needed: questions are answered from the sentences found. {where}")
        return
    _list(
        [
            ("Model", visible(chosen.llm_model, 80)),
            ("Address", visible(health.plain_address(chosen.llm_base_url or OPENAI), 120)),
            ("Key", "set, and not shown" if chosen.llm_api_key else "not set"),
        ]
    )
    if st.button("Test the model", icon=":material/network_check:", help="Sends one small request."):
        try:
            with st.spinner(f"Waiting for its reply, at most {chosen.llm_timeout:g} s …"):
                seconds = health.probe_model(chosen)
            st.success(f"It replied in {seconds:.1f} s.", icon=":material/check_circle:")
        except ClewError as error:
            show_error(error)


def _encoder() -> None:
    chosen = settings()
    st.header("Encoder", anchor=False)
    rows = [
        ("For new ones", visible(chosen.embedder, 80)),
        ("Runs on", f"{chosen.device}, {chosen.precision} precision, {chosen.threads or 'all'} threads"),
        ("Reranker", visible(chosen.reranker or "none", 80)),
    ]
    current = next((base for base in knowledge_bases() if base["name"] == st.session_state.get("kb")), None)
    if current:
        line = f"{visible(str(current['embedder']), 60)}, {current['dimensions']} dimensions"
        rows.insert(0, (f"Of {current['name']}", line))
    _list(rows)


def _machine() -> None:
    st.header("Disk and memory", anchor=False)
    places = {"Disk": settings().home, "Disk of the cache": settings().cache}
    rows = [(label, _room(health.disk(folder))) for label, folder in places.items()]
    rows += [("Memory", _room(health.memory())), ("This app", f"uses {_bytes(health.own_memory())} of memory")]
    running = [job.kind for job in jobs(settings()) if job.running]
    rows += [("Under way", ", ".join(running) or "nothing"), ("Clew", health.versions().get("clew-graph", "unknown"))]
    _list(rows)


def _versions_and_settings() -> None:
    with st.expander("Versions", icon=":material/inventory_2:"):
        _list(list(health.versions().items()), wide=True)
    with st.expander("Settings", icon=":material/settings:"):
        st.caption(
            "As they are in force; what was set is marked with ●. They come from the environment and from your "
            "file of settings, and count from the next start of the app. Passwords and keys are never shown."
        )
        rows = health.shown_settings(settings())
        _list([(f"{'● ' if changed else ''}{name}", visible(value, 200)) for name, value, changed in rows], wide=True)


def _list(rows: Sequence[tuple[str, str]], *, wide: bool = False) -> None:
    cells = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>" for name, value in rows)
    st.html(f'<dl class="health{" wide" if wide else ""}">{cells}</dl>')


def _room(room: health.Room) -> str:
    return f"{'⚠ only ' if room.scarce else ''}{_bytes(room.free)} free of {_bytes(room.total)}"


def _bytes(number: int) -> str:
    return f"{number / 1e9:,.1f} GB" if number >= 1e9 else f"{number / 1e6:,.0f} MB"
