"""The app's frame: who may enter, what there is, which knowledge base. ``streamlit run ui/app.py`` starts it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ui.components.document import open_document
from ui.components.sidebar import choose
from ui.pages import chat, ingest
from ui.session import admitted, errors_shown, knowledge_base

ASSETS = Path(__file__).parent / "assets"


def main() -> None:
    """Draw the page that the reader is on."""
    st.set_page_config(page_title="Clew", page_icon=str(ASSETS / "icon.svg"), layout="wide")
    with errors_shown():
        if not admitted():
            return
        st.logo(str(ASSETS / "logo.svg"), icon_image=str(ASSETS / "icon.svg"), size="large")
        page = st.navigation(
            [
                st.Page(chat.render, title="Ask", icon=":material/forum:", url_path="ask", default=True),
                st.Page(ingest.render, title="Documents", icon=":material/library_books:", url_path="documents"),
            ]
        )
        st.html(ASSETS / "style.css")
        choose()
        page.run()
        if name := st.session_state.get("kb"):
            open_document(knowledge_base(name))


main()
