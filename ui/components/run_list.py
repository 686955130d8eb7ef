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


def show_runs(runs: Sequence[R], item: Callable[[R, bool], Json], kind: str, label: str, *, beside: int = 1) -> None:
    """Draw the list; ``item`` gives the row of a run, and is told whether the run is selected.

    One run is compared with so many others ``beside`` it, whose names the address parts by commas.
    """
    chosen: set[str] = st.session_state.setdefault(f"{kind}-chosen", set())
    chosen &= {run.name for run in runs}
    key = f"{kind}-page"
    page = page_of(key, len(runs), PAGE)
    # Filled when the list has said what is selected.
    bar = st.container(horizontal=True, vertical_alignment="center", key=f"bar-above-{kind}")
    items = [item(run, run.name in chosen) for run in runs[(page - 1) * PAGE : page * PAGE]]
    opened = show_list(items, chosen, kind, label)
    if len(runs) > PAGE:
        st.pagination(-(-len(runs) // PAGE), key=key, max_visible_pages=5)
    with bar:
        if not chosen:
            st.caption(f"Open one, or select two{' or more' if beside > 1 else ''} to compare them.")
        else:
            st.caption(f"{len(chosen)} selected")
            if st.button("Compare", icon=":material/compare_arrows:", disabled=not 1 < len(chosen) <= beside + 1):
                first, *others = (run.name for run in reversed(runs) if run.name in chosen)
                go(run=first, beside=",".join(others))
            st.button("Select none", type="tertiary", on_click=chosen.clear)
    if opened:
        go(run=opened)
