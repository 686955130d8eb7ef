"""The way from the app into Neo4j Browser, with the query filled in."""

from __future__ import annotations

import streamlit as st

from clew.database.server.managed import status
from clew.errors import InputError
from clew.serving.browse import browser_address, favourite
from clew.serving.hosts import is_loopback
from clew.types import Json
from clew.ui.session import host, settings


@st.cache_data(ttl=60, show_spinner=False)
def _server() -> Json:
    return status(settings())


def browse_button(kb: str, name: str, *values: str, label: str = "Open in Neo4j Browser") -> None:
    """Offer a favourite of ``cypher/browse`` with these values: as a link, or as text where no browser can follow it.

    Clew's own server listens on this machine alone, so that the link leads nowhere for readers elsewhere.
    """
    query = favourite(name, kb, values)
    try:
        address = browser_address(_server(), query) if is_loopback(host()) else None
    except InputError:
        address = None
    if address:
        st.link_button(label, address, icon=":material/hub:", help="The query is filled in: run it.")
        return
    with st.popover("Query for Neo4j Browser", icon=":material/hub:"):
        st.code(query, language="cypher", wrap_lines=True)
