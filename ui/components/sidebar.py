"""The choices that all pages share: the knowledge base, and how questions are answered."""

from __future__ import annotations

import streamlit as st

from clew.agent.policies import POLICIES
from clew.retrieval.registry import RECIPES
from ui.session import knowledge_bases, settings
from ui.text import visible

POLICY_HELP = {
    "auto": "llm where a language model is set up (CLEW_LLM_MODEL), else extractive",
    "extractive": "no model: the answer is read off the sentences found",
    "llm": "a language model reads and decides",
}


def choose() -> None:
    """Draw the choices; they are kept in the address, so that it can be shared and survives a reload.

    Afterwards the session has ``kb`` (None where there is no knowledge base), ``strategy``, ``policy`` and ``k``.
    """
    state = st.session_state
    wanted = state.pop("kb_next", None)
    names = [str(row["name"]) for row in knowledge_bases()]
    defaults = settings()
    if wanted in names:
        state["kb"] = wanted
    elif state.get("kb") not in names:
        state.pop("kb", None)
    with st.sidebar:
        if names:
            index = names.index(defaults.kb) if defaults.kb in names else 0
            st.selectbox("Knowledge base", names, index=index, key="kb", bind="query-params")
        with st.expander("Options", icon=":material/tune:"):
            policies = list(POLICIES)
            st.selectbox(
                "Who answers",
                policies,
                index=policies.index(defaults.policy) if defaults.policy in policies else 0,
                key="policy",
                bind="query-params",
                help="  \n".join(f"**{name}**: {POLICY_HELP[name]}" for name in policies),
            )
            strategies = list(RECIPES)
            st.selectbox(
                "Retrieval",
                strategies,
                index=strategies.index(defaults.strategy) if defaults.strategy in strategies else 0,
                key="strategy",
                bind="query-params",
                help="  \n".join(f"**{name}**: {recipe.description}" for name, recipe in RECIPES.items()),
            )
            st.number_input("Facts per query", 1, 50, min(50, defaults.top_k), key="k", bind="query-params")
        if defaults.llm_model:
            st.caption(f"Model: {visible(defaults.llm_model, 60)}")
