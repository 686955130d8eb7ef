"""The app as a web server: Streamlit behind the guard. ``clew ui`` starts it, or ``streamlit run ui/server.py``."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware

from clew.errors import ClewError, SettingsError
from clew.serving.warm import last_used
from clew.settings import load_settings
from clew.ui.guard import Guard
from clew.ui.session import database, knowledge_base, open_to_all


def _guard() -> Middleware:
    try:
        settings = load_settings()
    except SettingsError as error:
        told = str(error)
        return Middleware(Guard, password=None, refusal=lambda: told)
    return Middleware(Guard, password=settings.ui_password, refusal=lambda: open_to_all(settings))


@asynccontextmanager
async def _warm(_app: st.App) -> AsyncIterator[dict[str, Any]]:
    threading.Thread(target=_open_last, name="clew-start", daemon=True).start()
    yield {}


def _open_last() -> None:
    with suppress(ClewError):
        for name in last_used(database(), load_settings().kb):
            knowledge_base(name)


app = st.App(Path(__file__).with_name("app.py"), lifespan=_warm, middleware=[_guard()])
