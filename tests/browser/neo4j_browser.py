"""Neo4j Browser in a page: opened with a query filled in, connected, and the query run."""

from __future__ import annotations

from playwright.sync_api import Page

from clew.serving.browse import browser_address
from clew.types import Json

PATIENCE_MS = 90_000


def run_filled(page: Page, server: Json, password: str, query: str) -> None:
    """Open the address that ``clew browse`` gives for a query, connect where that is needed, and run it."""
    page.goto("about:blank")  # an address that differs in its query alone would fill in nothing
    page.goto(browser_address(server, query))
    connected = page.get_by_text("You are connected as user").first
    form = page.get_by_test_id("password")
    connected.or_(form).first.wait_for(timeout=PATIENCE_MS)
    if not connected.is_visible():
        form.fill(password)
        page.get_by_test_id("connect").click()
    connected.wait_for(timeout=PATIENCE_MS)
    page.get_by_test_id("editor-Run").click()
