"""Which page of a list the reader is on."""

from __future__ import annotations

import streamlit as st


def page_of(key: str, total: int, size: int) -> int:
    """The page, from 1, that the ``st.pagination`` of this key is at, for ``total`` rows of ``size`` a page.

    A list may have become shorter since: it is the last page then, and the control is told.
    """
    chosen = int(st.session_state.get(key, 1))
    page = min(chosen, max(1, -(-total // size)))
    if page != chosen:
        st.session_state[key] = page
    return page
