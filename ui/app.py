"""The app's frame: what there is, and which knowledge base. ``ui/server.py`` serves it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from clew.ui.app_pages import ask, documents, evaluate, explore, health, train, trajectories
from clew.ui.components.conversations import show_conversations
from clew.ui.components.document import open_document
from clew.ui.components.sidebar import choose
from clew.ui.session import came_to, check_guarded, errors_shown, knowledge_base

ASSETS = Path(__file__).parent / "assets"


# What draws each page, by the path in its address.
PAGES: dict[str, tuple[Callable[[], None], dict[str, Any]]] = {
    "ask": (ask.render, {"title": "Ask", "icon": ":material/forum:", "default": True}),
    "documents": (documents.render, {"title": "Documents", "icon": ":material/library_books:"}),
    "explore": (explore.render, {"title": "Explore", "icon": ":material/travel_explore:"}),
    "trajectories": (trajectories.render, {"title": "Trajectories", "icon": ":material/route:"}),
    "evaluate": (evaluate.render, {"title": "Evaluate", "icon": ":material/speed:"}),
    "train": (train.render, {"title": "Train", "icon": ":material/model_training:"}),
    "health": (health.render, {"title": "Health", "icon": ":material/monitor_heart:"}),
}


def main() -> None:
    """Draw the page that the reader is on."""
    st.set_page_config(page_icon=str(ASSETS / "icon.svg"), layout="wide")
    st.html(ASSETS / "style.css")
    with errors_shown():
        check_guarded()
        found = {name: st.Page(render, url_path=name, **look) for name, (render, look) in PAGES.items()}
        st.session_state["pages"] = found
        page = st.navigation(list(found.values()))
        st.set_page_config(page_title=f"{page.title} · Clew")
        st.logo(str(ASSETS / "logo.svg"), icon_image=str(ASSETS / "icon.svg"), size="large")
        choose()
        if name := st.session_state.get("kb"):
            show_conversations(knowledge_base(name))
        came_to(page.title)
        page.run()
        if name := st.session_state.get("kb"):
            open_document(knowledge_base(name))


main()
