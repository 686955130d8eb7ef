"""The app as a web server: Streamlit behind the guard. ``clew ui`` starts it."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.datastructures import Headers
from starlette.middleware import Middleware

from clew.errors import ClewError, SettingsError
from clew.serving.hosts import foreign
from clew.serving.warm import last_used
from clew.settings import load_settings
from clew.ui.guard import Guard
from clew.ui.session import database, host, knowledge_base, open_to_all


def _guard() -> Middleware:
    try:
        settings = load_settings()
    except SettingsError as error:
        why = str(error)
        return Middleware(Guard, password=None, stranger=_stranger(""), refusal=lambda: why)
    return Middleware(
        Guard,
        password=settings.ui_password,
        stranger=_stranger(settings.ui_hosts),
        refusal=lambda: open_to_all(settings),
    )


def _stranger(names: str) -> Callable[[Headers], str]:
    return lambda headers: foreign(headers, host(), names.replace(",", " ").split())


@asynccontextmanager
async def _warm(_app: st.App) -> AsyncIterator[dict[str, Any]]:
    threading.Thread(target=_open_last, name="clew-start", daemon=True).start()
    yield {}


def _open_last() -> None:
    with suppress(ClewError):
        for name in last_used(database(), load_settings().kb):
            knowledge_base(name)


app = st.App(Path(__file__).with_name("app.py"), lifespan=_warm, middleware=[_guard()])
