"""The health page: what is connected, whether the model answers, and that no secret is ever in the page."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from clew import health
from clew.database.connection import Database
from clew.database.server.java import find_java
from clew.knowledge_base import KnowledgeBase
from clew.operations.restore import inspect
from clew.settings import load_settings
from clew.testing import Fault, ModelServer
from clew.testing.scripts import echo
from tests.browser.running import Watched, overflow, press, running_app, unfold

KEY, USER, TOKEN, UI_PASSWORD = "sk-test-2f9c1e", "hidden-user", "hidden-token", "hidden-door"


def opened(page: Page, address: str) -> str:
    """The text of the page, with all its parts opened."""
    page.goto(f"{address}/health")
    expect(page.get_by_role("heading", name="Settings and health")).to_be_visible()
    for name in ("All indexes", "Versions", "Settings"):
        unfold(page, name)
    expect(page.get_by_text("CLEW_UI_PORT")).to_be_visible()
    return page.locator("body").inner_text()


def test_it_tells_what_is_connected(app: str, database: Database, examples: KnowledgeBase, narrow: Watched) -> None:
    page = narrow.page
    text = opened(page, app)
    expect(page.locator("dl.health").first).to_have_css("padding-left", "0px")
    version = database.read("health/components")[0]["version"]
    for told in (database.server.uri, f"{version}, community edition", "are online", "all-MiniLM-L6-v2", "GB free of"):
        assert told in text, told
    assert ("kept by Clew" in text) == database.server.managed
    fast = health.vector_instructions(database)
    assert fast is not None
    if database.server.managed:
        assert fast == find_java(load_settings()).vectors
    assert ("with the processor's vector instructions" in text) == fast
    assert "None is set up, and none is needed" in text
    assert overflow(page) <= 0


def test_faults_are_looked_for_and_a_backup_is_taken_away(
    app: str, database: Database, examples: KnowledgeBase, wide: Watched, tmp_path: Path
) -> None:
    page = wide.page
    page.goto(f"{app}/health")
    press(page, page.get_by_role("button", name="Look for faults"))
    expect(page.get_by_text("its weights are as they should be")).to_be_visible(timeout=60_000)
    press(page, page.get_by_role("button", name="Check ", exact=False))
    expect(page.get_by_text("All is whole")).to_be_visible(timeout=60_000)
    press(page, page.get_by_role("button", name="Make a backup"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click(timeout=60_000)
    download.value.save_as(tmp_path / "one.clew")
    assert examples.name in inspect(tmp_path / "one.clew").knowledge_bases


def test_no_secret_is_in_the_page_and_the_model_can_be_tried(
    environment: dict[str, str],
    examples: KnowledgeBase,
    database: Database,
    tmp_path: Path,
    wide: Watched,
) -> None:
    with ModelServer(echo, api_key=KEY) as server:
        variables = {
            "CLEW_KB": examples.name,
            "CLEW_LLM_MODEL": server.model,
            "CLEW_LLM_API_KEY": KEY,
            "CLEW_UI_PASSWORD": UI_PASSWORD,
            "CLEW_LLM_BASE_URL": server.base_url,
        }
        with running_app(environment, tmp_path, **variables) as address:
            page = wide.page
            page.goto(f"{address}/health")
            page.get_by_label("Password", exact=True).fill(UI_PASSWORD)
            page.keyboard.press("Enter")
            press(page, page.get_by_role("button", name="Test the model"))
            expect(page.get_by_text("It replied in")).to_be_visible()
            server.faults = lambda _: Fault("status", 500, message=f"out of order {KEY}")
            press(page, page.get_by_role("button", name="Test the model"))
            alert = page.get_by_role("alert").filter(has_text="status 500")
            expect(alert).to_be_visible()
            assert "\n" not in alert.inner_text()
            for name in ("Versions", "Settings"):
                unfold(page, name)
            expect(page.get_by_text("CLEW_UI_PORT")).to_be_visible()
            shown = page.content() + page.locator("body").inner_text()
    assert "set, and not shown" in shown
    assert database.server.password not in shown
    for secret in (KEY, UI_PASSWORD):
        assert secret not in shown
    logged = "".join(path.read_text("utf-8", "replace") for path in tmp_path.glob("*.log"))
    assert KEY not in logged
    assert UI_PASSWORD not in logged


def test_an_address_shows_without_what_is_secret_in_it(
    environment: dict[str, str], examples: KnowledgeBase, tmp_path: Path, wide: Watched
) -> None:
    address_of_model = f"http://{USER}:{TOKEN}@127.0.0.1:9/v1?token={TOKEN}"
    variables = {"CLEW_KB": examples.name, "CLEW_LLM_BASE_URL": address_of_model, "CLEW_LLM_MODEL": "some-model"}
    with running_app(environment, tmp_path, **variables) as address:
        text = opened(wide.page, address)
        press(wide.page, wide.page.get_by_role("button", name="Test the model"))
        expect(wide.page.get_by_role("alert").filter(has_text="cannot be reached")).to_be_visible()
        shown = wide.page.content()
    assert "http://127.0.0.1:9/v1" in text
    assert USER not in shown
    assert TOKEN not in shown
