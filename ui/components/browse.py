"""The way from the app into Neo4j Browser: the query filled in, the style sheet, and the password."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import streamlit as st

from clew.database.server.managed import status
from clew.errors import InputError
from clew.serving.browse import browser_address, favourite, style
from clew.serving.hosts import is_loopback
from clew.types import Json
from clew.ui.components import frontend, ignore
from clew.ui.session import host, settings


@st.cache_data(ttl=60, show_spinner=False)
def _server() -> Json:
    return status(settings())


def browse_button(kb: str, name: str, *values: str, label: str = "Open in Neo4j Browser") -> None:
    """Offer a favourite of ``cypher/browse`` with these values: as links, or as text where no browser can follow it.

    Clew's own server listens on this machine alone, so that the link leads nowhere for readers elsewhere.
    """
    query = favourite(name, kb, values)
    try:
        address = browser_address(_server(), query) if is_loopback(host()) else None
    except InputError:
        address = None
    with st.popover(label if address else "Query for Neo4j Browser", icon=":material/hub:"):
        if not address:
            st.code(query, language="cypher", wrap_lines=True)
            return
        st.link_button("Open with the query", address, help="The query is filled in: run it.", width="stretch")
        look = browser_address(_server(), style())
        st.link_button("Style sheet", look, help="Run it once, for colours and readable names.", width="stretch")
        _password(f"password-{name}")


@st.fragment
def _password(key: str) -> None:
    """Offer the password of the server; it is in the page only while it is being copied, and is not shown."""
    file = _server()["password_file"]
    asked = f"{key}-asked"
    words = Path(file).read_text("utf-8").strip() if file and st.session_state.pop(asked, False) else ""
    data = {"label": "Copy the password", "words": words}
    wanted = partial(st.session_state.update, {asked: True})
    frontend("copy")(key=key, data=data, on_wanted_change=wanted, on_copied_change=ignore)
