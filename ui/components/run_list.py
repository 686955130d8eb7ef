"""Runs page by page, of which one can be opened, or two compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import streamlit as st

from clew.types import Json
from clew.ui.components.paging import page_of
from clew.ui.components.tracks import show_list
from clew.ui.components.work import go

PAGE = 10


class Named(Protocol):
    """A run of any kind."""

    @property
    def name(self) -> str:
        """What it is called."""


R = TypeVar("R", bound=Named)


def show_runs(runs: Sequence[R], item: Callable[[R, bool], Json], kind: str, label: str) -> None:
    """Draw the list; ``item`` gives the row of a run, and is told whether the run is selected."""
    chosen: set[str] = st.session_state.setdefault(f"{kind}-chosen", set())
    chosen &= {run.name for run in runs}
    key = f"{kind}-page"
    page = page_of(key, len(runs), PAGE)
    bar = st.container(horizontal=True, vertical_alignment="center")  # filled when the list has said what is selected
    items = [item(run, run.name in chosen) for run in runs[(page - 1) * PAGE : page * PAGE]]
    opened = show_list(items, chosen, kind, label)
    if len(runs) > PAGE:
        st.pagination(-(-len(runs) // PAGE), key=key, max_visible_pages=5)
    with bar:
        if not chosen:
            st.caption("Open one, or select two to compare them.")
        else:
            st.caption(f"{len(chosen)} selected")
            if st.button("Compare", icon=":material/compare_arrows:", disabled=len(chosen) != 2):
                first, second = (run.name for run in reversed(runs) if run.name in chosen)
                go(run=first, beside=second)
            st.button("Select none", type="tertiary", on_click=chosen.clear)
    if opened:
        go(run=opened)
