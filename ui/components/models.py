"""Language models connected in the app: address, key, model, prices, and how well one answers."""

from __future__ import annotations

import streamlit as st
from pydantic import SecretStr

from clew.errors import ClewError
from clew.llm.connections import (
    EVERYWHERE,
    Connection,
    connect_model,
    connections,
    disconnect_model,
    use_model,
    used_model,
)
from clew.llm.served import served_models
from clew.settings import Settings
from clew.ui.session import forget_settings, settings, show_error
from clew.ui.text import markdown

PATIENCE = 4.0  # seconds to wait for the list of a server that is being connected
_MARKS = {True: "right", False: "wrong", None: "failed"}


@st.cache_data(ttl=60, max_entries=20, show_spinner=False)
def models_at(_settings: Settings, address: str | None, key: str = "", patience: float = 0.8) -> list[str]:
    """The models that the server of the settings has; it is asked once a minute for each address and key."""
    return served_models(_settings, patience) if address else []


@st.dialog("Language models", width="medium")
def models_dialog(kb: str | None) -> None:
    """Show what is connected, and connect another one."""
    mine = used_model(settings(), kb) if kb else ""
    everywhere = used_model(settings())
    for one in connections(settings()):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            used = [f"used in {markdown(kb or '')}"] if kb and one.name == mine else []
            used += ["used everywhere else" if mine else "used everywhere"] if one.name == everywhere else []
            key = "key kept" if one.key.get_secret_value() else "no key"
            prices = f"{one.input_price:,.2f} / {one.output_price:,.2f} {markdown(one.currency, 8)} a million tokens"
            priced = [prices] if one.input_price or one.output_price else []
            st.markdown(" · ".join([f"**{markdown(one.name, 120)}**", key, *priced, *used]), width="stretch")
            places = {"Use everywhere": EVERYWHERE} | ({f"Use in {kb}": kb} if kb else {})
            options = [*places, "Check", "Disconnect"]
            icon = ":material/more_vert:"
            label = f"More of {markdown(one.name, 60)}"
            chosen = st.menu_button(label, options, icon=icon, type="tertiary", key=f"model-{one.name}")
        if chosen in places:
            use_model(settings(), one.name, places[chosen])
            _renew()
        elif chosen == "Disconnect":
            disconnect_model(settings(), one.name)
            _renew()
        elif chosen == "Check":
            _check(one)
    st.markdown("**Connect a model**")
    _connect(kb)


def _connect(kb: str | None) -> None:
    address = st.text_input(
        "Address of an OpenAI-compatible server",
        placeholder="http://localhost:11434/v1",
        help="vLLM, Ollama, llama.cpp and others; empty: OpenAI.",
    )
    key = st.text_input("Key", type="password", help="Kept on this machine for you alone, and never shown again.")
    asked = Connection("any", address.strip(), SecretStr(key.strip()))
    try:
        with st.spinner("Asking the server for its models …"):
            found = models_at(asked.settings(settings()), asked.address, asked.key.get_secret_value(), PATIENCE)
    except ClewError as error:
        show_error(error)
        return
    if address.strip() and not found:
        models_at.clear()  # it may be slow, or have just been started
        st.caption("No list of models came from there: type the name of one, or press Enter in the address again.")
    model = st.selectbox("Model", found, index=0 if found else None, accept_new_options=True, placeholder="Its name")
    left, middle, right = st.columns(3)
    read = left.number_input("Price of a million tokens read", 0.0, format="%.2f")
    written = middle.number_input("Price of a million tokens written", 0.0, format="%.2f")
    currency = right.text_input("Currency", placeholder="USD", max_chars=8)
    connection = Connection(str(model or ""), asked.address, asked.key, read, written, currency.strip())
    hint = "Asks it a handful of questions, which it may charge for."
    with st.container(horizontal=True):
        use = st.button("Use it", type="primary", disabled=not model)
        check = st.button("Check it", disabled=not model, help=hint)
    try:
        if use:
            connect_model(settings(), connection)
            _renew()
        if check:
            _check(connection)
    except ClewError as error:
        show_error(error)


def _check(connection: Connection) -> None:
    """Ask the model a handful of questions, and show how it fares."""
    from clew.evaluation.model_check import check_model

    with st.spinner("Asking it a handful of questions …"):
        report = check_model(connection.settings(settings()))
    if report.fault:
        show_error(ClewError(report.fault))
    st.table(
        [
            {"Question": one.question, "Answer": one.answer[:120], "": _MARKS[one.right], "Cited": "yes" * one.cited}
            for one in report.asked
        ]
    )
    keeps = "keeps to the protocol" if report.keeps_to_protocol else "does not keep to the protocol, and answers say so"
    speed = f"{report.tokens_per_second:.0f} tokens a second"
    st.caption(f"{report.right} of {len(report.asked)} right · {speed} · {keeps}")


def _renew() -> None:
    forget_settings()
    st.rerun()
