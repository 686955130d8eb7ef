"""Neo4j Browser as `clew browse` opens it: connected, the query filled in, the hypergraph drawn."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from clew.database.server import status
from clew.knowledge_base import KnowledgeBase
from clew.serving.browse import browser_address, favourite
from clew.settings import Settings


def test_the_overview_is_drawn(chromium: Browser, settings: Settings, examples: KnowledgeBase) -> None:
    """The favourite shows hyperedges and entities by their names, and can be photographed for the documentation."""
    server = status(settings)
    if not server["managed"]:
        pytest.skip("NEO4J_URI names a server of its own, whose Neo4j Browser is not Clew's")
    page = chromium.new_page(viewport={"width": 1400, "height": 900})
    try:
        page.goto(browser_address(server, favourite("overview", examples.name)))
        _log_in(page, examples.database.server.password)
        page.get_by_test_id("editor-Run").click()
        page.locator("svg .node").first.wait_for(timeout=60_000)
        labels = page.locator("svg g.node text").all_text_contents()
        assert any("Merrow" in label for label in labels)
        assert "Hyperedge (12)" in page.locator("body").inner_text()
        if folder := os.environ.get("CLEW_PICTURES"):
            page.get_by_title("Fullscreen", exact=True).first.click()
            page.wait_for_timeout(5_000)
            page.get_by_label("zoom-to-fit").first.click()
            page.wait_for_timeout(2_000)
            page.screenshot(path=Path(folder) / "neo4j-browser.png")
    finally:
        page.close()


def _log_in(page: Page, password: str) -> None:
    page.get_by_test_id("password").fill(password, timeout=60_000)
    page.get_by_test_id("connect").click()
    page.get_by_text("You are connected as user").wait_for(timeout=60_000)
