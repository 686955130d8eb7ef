"""Parts that pages share. What they show of documents and models reaches the browser as text, never as markup."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_FOLDER = Path(__file__).parent


@cache
def frontend(name: str) -> ComponentRenderer:
    """The component whose style and script are ``NAME.css`` and ``NAME.js`` in this folder, after ``common.js``."""
    script = "".join((_FOLDER / f"{part}.js").read_text("utf-8") for part in ("common", name))
    return st.components.v2.component(f"clew_{name}", css=(_FOLDER / f"{name}.css").read_text("utf-8"), js=script)


def ignore() -> None:
    """A callback that does nothing: a component reports an event only where there is a callback for it."""
