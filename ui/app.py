"""The app's frame: what there is, and which knowledge base. ``ui/server.py`` serves it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from clew.ui.app_pages import ask, documents, evaluate, explore, health, train, trajectories
from clew.ui.components.document import open_document
from clew.ui.components.sidebar import choose
from clew.ui.session import came_to, check_guarded, errors_shown, knowledge_base

ASSETS = Path(__file__).parent / "assets"


def main() -> None:
    """Draw the page that the reader is on."""
    st.set_page_config(page_icon=str(ASSETS / "icon.svg"), layout="wide")
    st.html(ASSETS / "style.css")
    with errors_shown():
        check_guarded()
        page = st.navigation(
            [
                st.Page(ask.render, title="Ask", icon=":material/forum:", url_path="ask", default=True),
                st.Page(documents.render, title="Documents", icon=":material/library_books:", url_path="documents"),
                st.Page(explore.render, title="Explore", icon=":material/travel_explore:", url_path="explore"),
                st.Page(trajectories.render, title="Trajectories", icon=":material/route:", url_path="trajectories"),
                st.Page(evaluate.render, title="Evaluate", icon=":material/speed:", url_path="evaluate"),
                st.Page(train.render, title="Train", icon=":material/model_training:", url_path="train"),
                st.Page(health.render, title="Health", icon=":material/monitor_heart:", url_path="health"),
            ],
        )
        st.set_page_config(page_title=f"{page.title} · Clew")
        st.logo(str(ASSETS / "logo.svg"), icon_image=str(ASSETS / "icon.svg"), size="large")
        choose()
        came_to(page.title)
        page.run()
        if name := st.session_state.get("kb"):
            open_document(knowledge_base(name))


main()
