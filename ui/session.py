"""What pages share: settings, the connection, knowledge bases, and how errors look."""

from __future__ import annotations

import contextlib
import html
import re
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from clew import KnowledgeBase
from clew.database.connection import Database, Row
from clew.errors import ClewError, DatabaseError, SettingsError
from clew.explore import look
from clew.ingest.older import Older, older_readings
from clew.knowledge_base import connect, list_knowledge_bases
from clew.llm.connections import connected
from clew.serving.hosts import is_loopback
from clew.serving.warm import warm_beside
from clew.settings import Settings, load_settings
from clew.ui.guard import Guard
from clew.ui.text import visible

_P = ParamSpec("_P")
_R = TypeVar("_R")
_DEMO = r"demo-[0-9a-f]{6}-\d+-\w+-\w+|smollm2-\w+"


@st.cache_resource(show_spinner=False)
def settings() -> Settings:
    """The settings of this process, with the model that is connected. Raises SettingsError."""
    return connected(load_settings())


def forget_settings() -> None:
    """Read the settings anew at the next use: another model has been connected."""
    settings.clear()
    knowledge_base.clear()


@st.cache_resource(
    show_spinner="Connecting to Neo4j. The first start takes a minute …", on_release=lambda db: db.close()
)
def database() -> Database:
    """The connection that all sessions share. Raises DatabaseError."""
    return connect(settings())


@st.cache_resource(show_spinner=False, max_entries=4)
def knowledge_base(name: str) -> KnowledgeBase:
    """A knowledge base, shared by all sessions; it is made ready in the background, ahead of the first question."""
    base = KnowledgeBase(name, database(), connected(settings(), name))
    warm_beside(base)
    return base


def knowledge_bases() -> list[Row]:
    """Name and number of documents of each knowledge base, as ``list_knowledge_bases``; it counts them anew."""
    return list_knowledge_bases(database())


def knowledge_base_names() -> list[str]:
    """The names of all knowledge bases, in order."""
    return list(hidden_bases())


def hidden_bases() -> dict[str, bool]:
    """The names of all knowledge bases, in order, each with whether lists leave it out, as those that demos make."""
    rows = database().read("kb/names")
    return {name: bool(row["hidden"] or re.fullmatch(_DEMO, name)) for row in rows if (name := str(row["name"]))}


def pages() -> dict[str, StreamlitPage]:
    """The pages of the app by the path in their addresses."""
    found: dict[str, StreamlitPage] = st.session_state["pages"]
    return found


def until_written(read: Callable[Concatenate[KnowledgeBase, _P], _R]) -> Callable[Concatenate[KnowledgeBase, _P], _R]:
    """Let what is read of a knowledge base be read once, until someone writes to it."""

    @wraps(read)
    def kept(base: KnowledgeBase, /, *given: _P.args, **named: _P.kwargs) -> _R:
        of = (read.__module__, read.__qualname__, base.name, look.version(base))
        return cast("_R", _kept(base, read, of, *given, **named))

    return kept


@st.cache_data(max_entries=500, show_spinner=False)
def _kept(_base: KnowledgeBase, _read: Callable[..., Any], of: tuple[str, ...], *given: object, **named: object) -> Any:
    return _read(_base, *given, **named)


@until_written
def counts(base: KnowledgeBase) -> dict[str, int]:
    """How many nodes of each label a knowledge base has."""
    return base.stats()["nodes"]


@until_written
def older(base: KnowledgeBase) -> list[Older]:
    """The documents that an older Clew has read."""
    return older_readings(base.database, base.name)


def reconnect() -> None:
    """Forget the connection unless it answers (other sessions may be using it): the next use makes a new one."""
    try:
        knowledge_base_names()
    except DatabaseError:
        knowledge_base.clear()
        database.clear()


def host() -> str:
    """The address that the app really listens on, whatever the settings say."""
    return str(st.get_option("server.address") or "0.0.0.0")  # noqa: S104 (Streamlit's meaning of none)


def is_personal() -> bool:
    """Whether only someone at this machine uses the app: it may then fetch addresses of private networks."""
    return is_loopback(host()) and settings().ui_password is None


def open_to_all(settings: Settings) -> str:
    """Why the app may not be open to everyone who reaches this machine, in one line; empty where it is not."""
    if settings.ui_password is not None or is_loopback(host()):
        return ""
    return f"The app may listen on {host()} only with a password: set CLEW_UI_PASSWORD."


def check_guarded() -> None:
    """Raise SettingsError where a page is drawn without the guard, which asks for the password."""
    if why := open_to_all(settings()):
        raise SettingsError(why)
    if settings().ui_password is not None and not Guard.active:
        raise SettingsError("This is the app without its login: start it with `clew ui`.")


def came_to(page: str) -> None:
    """Note which page is drawn; ``is_new_page`` says afterwards whether it is another one than before."""
    st.session_state["page_new"] = st.session_state.get("page_drawn") != page
    st.session_state["page_drawn"] = page


def is_new_page() -> bool:
    """Whether the reader has just come to this page from another one."""
    return bool(st.session_state.get("page_new"))


@contextlib.contextmanager
def errors_shown() -> Iterator[None]:
    """Show an error of Clew as one line that says what to do, and a lost database with a button to try again."""
    try:
        yield
    except ClewError as error:
        show_error(error)
        if isinstance(error, DatabaseError) and st.button("Try again", icon=":material/refresh:", type="primary"):
            reconnect()
            st.rerun()


def show_error(error: ClewError) -> None:
    """One line: what is wrong and what to do. No Markdown: it may name what a stranger has written."""
    st.html(f'<p class="clew-error" role="alert">{html.escape(visible(str(error), 1_000))}</p>')
