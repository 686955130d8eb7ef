"""``python -m tests.browser.explore_screenshots`` writes the pictures of docs/browser.md: Explore, and Neo4j Browser.

It needs Clew's own Neo4j and a Chromium, and leaves nothing behind in the database.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from clew.database.server.managed import status
from clew.explore import look, search
from clew.knowledge_base import KnowledgeBase, connect
from clew.resolution.resolve import resolve
from clew.serving.browse import favourite, query_for
from clew.settings import Settings, load_settings
from tests.browser.neo4j_browser import run_filled
from tests.browser.pictures import SETTLED_MS, browser, environment, save
from tests.browser.running import EXAMPLES, running_app, temporary_base, watched_page

BASE = "lighthouses-explored"
NAME = "Josiah Marr"
QUESTION = "Where was the designer of the Skarn Head Lighthouse born?"
DESK = (1400, 900)
PHONE = (420, 900)
DRAWN_MS = 6_000


def main() -> None:
    """Start the app on the examples, and take every picture."""
    settings = load_settings()
    with (
        connect(settings, progress=True) as database,
        temporary_base(database, settings, BASE) as base,
        tempfile.TemporaryDirectory() as folder,
        browser() as chromium,
    ):
        base.ingest(str(EXAMPLES))
        base.ask(QUESTION, policy="reader")
        resolve(database, BASE, merge=False)
        with running_app(environment(), Path(folder), CLEW_KB=BASE) as address:
            _explore(chromium, f"{address}/explore?kb={BASE}", base)
        _neo4j_browser(chromium, settings, base)


def _explore(browser: Browser, address: str, base: KnowledgeBase) -> None:
    entity = search.search_entities(base, NAME, by="words")[0]
    fact = base.ask(QUESTION, policy="reader", store=False).steps[0].facts[0].id
    source = look.fact(base, fact)["sources"][0]
    thing = f"&see=entity.{entity}"
    pictures = (
        ("explore", "&look=Facts&q=who+built+the+lighthouse", DESK, False),
        ("explore-entity", thing, DESK, False),
        ("explore-fact", f"&see=fact.{fact}", DESK, False),
        ("explore-document", f"&see=document.{source['document']}.{source['start']}", DESK, False),
        ("explore-graph", f"&look=Graph&from={NAME.replace(' ', '+')}&to=Iskeld", DESK, False),
        ("explore-duplicates", "&look=Duplicates", DESK, False),
        ("explore-overview", "&look=Overview", DESK, False),
        ("explore-empty", "&q=zzzz&by=words", DESK, False),
        ("explore-error", "&see=fact.gone", (1400, 420), False),
        ("explore-narrow", "&look=Facts&q=who+built+the+lighthouse", PHONE, False),
        ("explore-dark", thing, DESK, True),
    )
    for name, query, size, dark in pictures:
        with watched_page(browser, size, dark=dark) as watched:
            watched.page.goto(address + query)
            watched.page.locator(
                ".cards .card, .graph .node, .facttext .text, [data-testid=stAlert], [role=alert]"
            ).first.wait_for(timeout=60_000)
            if query == thing or "Graph" in query:
                watched.page.locator(".graph .node").first.wait_for(timeout=60_000)
            save(watched.page, name)


def _neo4j_browser(browser: Browser, settings: Settings, base: KnowledgeBase) -> None:
    server = status(settings)
    page = browser.new_page(viewport={"width": DESK[0], "height": DESK[1]})
    password = base.database.server.password
    run_filled(page, server, password, query_for("style", base.name))
    page.wait_for_timeout(SETTLED_MS)
    for name, query in (
        ("neo4j-browser", favourite("overview", base.name)),
        ("neo4j-browser-trajectory", favourite("trajectory", base.name)),
    ):
        run_filled(page, server, password, query, "svg g.node")
        page.get_by_title("Fullscreen", exact=True).first.click()
        page.wait_for_timeout(DRAWN_MS)
        page.get_by_label("zoom-to-fit").first.click()
        page.get_by_label("zoom-out").first.click()  # what lies under the panel comes into sight
        save(page, name)
    page.close()


if __name__ == "__main__":
    main()
