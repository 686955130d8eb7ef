"""A language model that is connected in the app: fetched, checked, used at once, its key for the owner alone."""

from __future__ import annotations

import stat
from pathlib import Path

from playwright.sync_api import expect

from clew.database.connection import Database
from clew.knowledge_base import KnowledgeBase
from clew.testing import ModelServer, agent
from tests.browser.running import Watched, ask, enter, press, running_app, settle, with_home

KEY = "sk-of-the-owner"


def test_a_model_is_connected_checked_and_used_at_once(
    environment: dict[str, str],
    database: Database,
    base: KnowledgeBase,
    model: ModelServer,
    wide: Watched,
    tmp_path: Path,
) -> None:
    base.ingest_bytes(b"Orla Finch built the Tarn Mill in 1850.", "mill.txt")
    model.script = agent()
    own = with_home(environment, database, tmp_path / "home")
    with running_app(own, tmp_path, CLEW_POLICY="auto", CLEW_LLM_RETRIES="0") as address:
        page = wide.page
        page.goto(f"{address}/?kb={base.name}")
        settle(page)
        press(page, page.get_by_role("button", name="Language models"))
        dialog = page.get_by_role("dialog")
        address_box = dialog.get_by_role("textbox", name="Address")
        enter(page, address_box, model.base_url)
        enter(page, dialog.get_by_label("Key", exact=True), KEY)
        settle(page)
        expect(dialog.get_by_role("combobox", name="Model")).to_have_value(model.model)
        press(page, dialog.get_by_role("button", name="Check it"))
        expect(dialog.get_by_text("right ·")).to_be_visible()
        press(page, dialog.get_by_role("button", name="Use it"))
        expect(page.get_by_text(f"Model: {model.model}")).to_be_visible()
        assert KEY not in page.content()
        [kept] = (tmp_path / "home").glob("connections.json")
        assert KEY in kept.read_text()
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        ask(page, "Who built the Tarn Mill?")
        expect(page.locator(".answer").last).to_contain_text("llm")
        press(page, page.get_by_role("button", name="Language models"))
        enter(page, address_box, model.base_url)
        box = dialog.get_by_role("combobox", name="Model")
        expect(box).to_have_value(model.model)
        enter(page, box, "another")
        press(page, dialog.get_by_role("button", name="Use it"))
        expect(page.get_by_text("Model: another")).to_be_visible()
        ask(page, "Who built the Tarn Mill?")
        expect(page.get_by_role("alert")).to_contain_text("The model 'another'")  # which the server does not have
