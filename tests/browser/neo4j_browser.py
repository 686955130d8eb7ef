"""Neo4j Browser in a page: opened with a query filled in, connected, and the query run."""

from __future__ import annotations

from playwright.sync_api import Page

from clew.serving.browse import browser_address
from clew.types import Json

PATIENCE_MS = 90_000
TRIES = 4


def run_filled(page: Page, server: Json, password: str, query: str, shows: str = "") -> None:
    """Open the address that ``clew browse`` gives for a query, run it, and wait until the selector ``shows`` is seen.

    Neo4j Browser sometimes says that it is connected and has no connection a moment later, by a race of its own on
    loading with a kept password; then the address is opened once more, as a person would do.
    """
    lost = page.get_by_text("No connection found").first
    for _ in range(TRIES):
        _run_once(page, server, password, query)
        if not shows:
            return
        page.locator(shows).first.or_(lost).first.wait_for(timeout=PATIENCE_MS)
        if not lost.is_visible():
            return
    raise AssertionError(f"Neo4j Browser lost its connection {TRIES} times in a row")


def _run_once(page: Page, server: Json, password: str, query: str) -> None:
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
