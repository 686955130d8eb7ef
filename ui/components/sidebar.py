"""The choices that all pages share: the knowledge base, and how questions are answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import streamlit as st

from clew import KnowledgeBase
from clew.agent.policies import POLICIES
from clew.errors import InputError
from clew.knowledge_base import check_name
from clew.retrieval.filter import MOST_VALUES, conditions
from clew.retrieval.registry import RECIPES
from clew.settings import Settings
from clew.ui.components.bases import show_all
from clew.ui.components.cards import SEE, set_address
from clew.ui.components.models import models_at, models_dialog
from clew.ui.components.verdict import ADDRESS, BESIDE
from clew.ui.session import hidden_bases, is_personal, knowledge_base, settings, show_error, until_written
from clew.ui.text import markdown

ONLY = "only"
"""The query parameter for what documents have to say of themselves to be searched, once for each condition."""

MOST_OFFERED = 40
"""Conditions in the menu beside the question, at most; the options have all of them."""

_CLOSES = """
const bar = document.querySelector('[data-testid="stSidebar"]');
if (bar && !bar.dataset.closes) {
  bar.dataset.closes = "yes";
  bar.addEventListener("click", ({ target }) => {
    const leads = target.closest('[data-testid="stSidebarNavLink"], [class*="st-key-conversation-"]');
    if (leads && innerWidth <= 640) bar.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
  });
}
"""
"""Where the sidebar lies over the page, it closes as a page or conversation is chosen in it."""


def choose() -> None:
    """Draw the choices; they are kept in the address, so that it can be shared and survives a reload.

    Afterwards the session has ``kb`` (None where there is no knowledge base), ``strategy``, ``policy``, ``k``,
    ``filter`` and, where a language model may answer, ``model``.
    """
    state = st.session_state
    hidden = hidden_bases()
    chosen = (state.get("kb_next"), state.get("kb"), st.query_params.get("kb"))
    names = [name for name in hidden if not hidden[name] or name in chosen] or list(hidden)
    if f"{ONLY}_next" in state:
        state[ONLY] = state.pop(f"{ONLY}_next")
    _settle_kb(names)
    defaults = settings()
    with st.sidebar:
        if names:
            wanted = (last for last in (_last_opened(), defaults.kb) if last in names)
            index = names.index(next(wanted, names[0]))
            st.selectbox("Knowledge base", names, index=index, key="kb", bind="query-params", on_change=_leave)
            with st.container(gap=None):  # a script is an element without height, but with the gap of one
                show_all()
                _keep_opened(state["kb"])
                st.html(f"<script>{_CLOSES}</script>", unsafe_allow_javascript=True)
            defaults = knowledge_base(state["kb"]).settings
        if is_personal() and st.button("Language models", icon=":material/cable:", type="tertiary"):
            models_dialog(state.get("kb") if names else None)
        by_model = _options(defaults, names)
        if by_model:
            st.caption(f"Model: {markdown(state['model'], 60)}")
        if names and state["filter"]:
            st.caption(f"Only documents with {markdown('; '.join(state['filter']), 200)}")
    if gone := state.get("kb_gone"):
        instead = f"; this is **{markdown(state['kb'])}**" if names else ", nor any other yet"
        st.warning(f"There is no knowledge base {markdown(gone, 63)}{instead}.", icon=":material/warning:")


def _options(defaults: Settings, names: Sequence[str]) -> bool:
    """Draw how questions are answered; whether a language model may answer."""
    state = st.session_state
    with st.expander("Options", icon=":material/tune:"):
        policies = {name: one.help for name, one in POLICIES.items()}
        _one_of("Who answers", "policy", policies, defaults.policy)
        st.caption(markdown(policies[state["policy"]]))
        by_model = bool(defaults.llm_model) and (state["policy"] == "auto" or bool(POLICIES[state["policy"]].needs))
        if by_model:
            own = str(defaults.llm_model)
            if state.setdefault("model_own", own) != own:  # another is used since, or in this knowledge base
                state["model_own"] = state["model"] = own
            others = [name for name in models_at(defaults, defaults.llm_base_url) if name != own]
            st.selectbox("Model", [own, *others], key="model", bind="query-params")
        recipes = {name: recipe.description for name, recipe in RECIPES.items()}
        _one_of("Retrieval", "strategy", recipes, defaults.strategy)
        st.caption(markdown(recipes[state["strategy"]]))
        st.number_input("Facts per query", 1, 50, min(50, defaults.top_k), key="k", bind="query-params")
        if names:
            state["filter"] = _filter(knowledge_base(state["kb"]))
    return by_model


def _cookie() -> str:
    """The cookie of the last knowledge base; a browser keeps those of all ports together."""
    return f"clew-kb-{urlsplit(st.context.url or '').port or 0}"


def _last_opened() -> str:
    """The knowledge base that this browser opened last, or nothing."""
    return st.context.cookies.get(_cookie(), "")


def _keep_opened(kb: str) -> None:
    """Let the browser keep the name, which has letters, digits, dots and dashes alone, for its next visit."""
    script = f"document.cookie = '{_cookie()}={check_name(kb)}; path=/; max-age=31536000; samesite=lax'"
    st.html(f"<script>{script}</script>", unsafe_allow_javascript=True)


def _settle_kb(names: Sequence[str]) -> None:
    """Choose the knowledge base that a page has asked for, and keep the name of one in the address that is gone."""
    state = st.session_state
    wanted = state.pop("kb_next", None)
    if wanted in names:
        if state.get("kb") != wanted:
            state.pop(ONLY, None)
        state["kb"] = wanted
    elif state.get("kb") not in names:
        state.pop("kb", None)
    named = st.query_params.get("kb")
    if named and named not in names:
        state["kb_gone"] = named  # kept, for the address forgets it as the list is drawn
    elif wanted in names or state.get("kb_gone") in names:
        state.pop("kb_gone", None)


def _one_of(title: str, key: str, choices: Mapping[str, str], default: str) -> None:
    """A choice among names, each with what it does; it is kept under ``key``."""
    names = list(choices)
    st.selectbox(
        title,
        names,
        index=names.index(default) if default in names else 0,
        key=key,
        bind="query-params",
        help="  \n".join(f"**{name}**: {line}" for name, line in choices.items()),
    )


def _leave() -> None:
    """Leave what was looked at: the knowledge base that was chosen does not have it."""
    st.session_state.pop("kb_gone", None)
    st.session_state[ONLY] = []
    # A run that has another beside it is of whatever knowledge base.
    beside = {BESIDE: None} if st.query_params.get(ADDRESS) else {}
    set_address(**{SEE: None, ADDRESS: None, **beside})


def _filter(base: KnowledgeBase) -> list[str]:
    """The conditions that documents have to fulfil to be searched; a bad one is said at once, and does not count."""
    chosen = st.multiselect(
        "Only documents with",
        _conditions(base),
        key=ONLY,
        bind="query-params",
        accept_new_options=True,
        placeholder="author=…, date>=2020",
        help="What documents say of themselves: choose, or type a condition with =, !=, <, <=, >, >= or in.",
    )
    good = []
    for one in chosen:
        try:
            conditions(one)
        except InputError as error:
            show_error(error)
        else:
            good.append(one)
    return good


def filter_chips(base: KnowledgeBase) -> None:
    """Draw what the search is kept to, each with a way to drop it, and what else it can be kept to."""
    kept = list(st.session_state.get("filter", ()))
    offered = [one for one in _conditions(base) if one not in kept][:MOST_OFFERED]
    if not kept and not offered:
        return
    with st.container(horizontal=True, gap="small", key="chips"):
        for one in kept:
            without = [other for other in kept if other != one]
            label = markdown(one, 60)
            st.button(label, icon=":material/close:", key=f"drop-{one}", on_click=_keep_to, args=(without,))
        labels = {markdown(one, 60): one for one in offered}
        chosen = st.menu_button(
            "Filter", list(labels), icon=":material/filter_list:", type="tertiary", key="filter-add"
        )
    if chosen:
        st.session_state[f"{ONLY}_next"] = [*kept, labels[chosen]]
        st.rerun()


def _keep_to(conditions: list[str]) -> None:
    st.session_state[ONLY] = conditions


@until_written
def _conditions(base: KnowledgeBase) -> list[str]:
    """What is offered to choose from: the values of the fields in which few differ."""
    fields = base.fields() if base.exists() else {}
    own = sorted(fields, key=("title", "source", "locator").__contains__)
    return [f"{field}={value}" for field in own if len(fields[field]) < MOST_VALUES for value in fields[field]]
