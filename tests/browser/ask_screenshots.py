"""``python -m tests.browser.ask_screenshots`` writes the pictures of the Ask page, wide and narrow, light and dark.

They go to docs/images. It needs a Neo4j (NEO4J_URI, or Clew's own) and a Chromium, and leaves nothing behind in the
database. The picture of the very first visit is taken where the database has no knowledge base yet.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from playwright.sync_api import Page, expect

from clew.knowledge_base import connect, list_knowledge_bases
from clew.settings import load_settings
from tests.browser.pictures import DESK, browser, environment, from_the_top, picture, told
from tests.browser.running import EXAMPLES, ask, running_app, temporary_base, watched_page

QUESTION = "Who founded the school attended by the author of A Keeper's Almanac?"
BASE = "lighthouses"
VERDICTS = {
    "sure": "Who designed the Vessel Rock Lighthouse?",
    "probable": QUESTION,
    "found": "Why was the Old Maren Light given up?",
    "nothing": "Qwertz uiop?",
}
"""A question of the examples for each verdict."""
KINDS = {
    "list": "Which languages does Helena Voss speak?",
    "yes-no": "Is subletting permitted?",
    "comparison": "Which is heavier, the Kestrel 200 or the Kestrel 300?",
}
"""A question of ``OFFICE`` for kinds that no span answers."""
OFFICE = {
    "cv.md": "# Helena Voss\n\nBorn in Graz.\n\n## Languages\n\nGerman, English, Norwegian and Italian\n",
    "lease.txt": "LEASE AGREEMENT\n\nThe lease ends on 31 March 2027. Subletting is not permitted.\n",
    "prices.csv": "Article,Weight,Price\nKestrel 200,1.9 kg,€349\nKestrel 300,2400 g,€429\n",
}
"""Documents such as an office has."""
CHANGED = "When does the lease end?"
TALL = (420, 1_880)
"""Narrow, and long enough to hold a whole answer."""


def main() -> None:
    """Start the app on the examples, and take every picture."""
    settings = load_settings()
    with (
        connect(settings, progress=True) as database,
        temporary_base(database, settings, BASE) as base,
        tempfile.TemporaryDirectory() as folder,
        browser() as chromium,
    ):
        if not list_knowledge_bases(database):
            with running_app(environment(), Path(folder)) as address:
                picture(chromium, address, "chat-welcome", (1400, 700), False, _welcomed)
        base.ingest(str(EXAMPLES))
        with running_app(environment(), Path(folder), CLEW_KB=BASE) as address:
            page = f"{address}/?kb={BASE}"
            with watched_page(chromium) as first:  # whose question waits until the encoder is loaded
                first.page.goto(page)
                _answered(first.page)
            picture(chromium, page, "chat-empty", (1400, 700), False, _suggested)
            picture(chromium, page, "chat", DESK, False, _answered)
            picture(chromium, page, "chat-narrow", TALL, False, _answered)
            picture(chromium, page, "chat-dark", DESK, True, _answered)
            picture(chromium, page, "source", DESK, False, _opened)
            for name, question in VERDICTS.items():
                picture(chromium, page, f"verdict-{name}", (1400, 900), False, partial(_answered, question=question))
            office = Path(folder) / "office"
            office.mkdir()
            for name, text in OFFICE.items():
                (office / name).write_text(text, encoding="utf-8")
            base.ingest(str(office))
            for name, question in KINDS.items():
                picture(chromium, page, f"kind-{name}", (1400, 900), False, partial(_answered, question=question))
            asked = base.ask(CHANGED, policy="reader")
            (office / "lease.txt").write_text(OFFICE["lease.txt"].replace("2027", "2029"), encoding="utf-8")
            base.ingest(str(office))
            picture(chromium, f"{page}&trajectory={asked.id}", "verdict-changed", (1400, 900), False, _changed)
            picture(chromium, f"{page}&trajectory=gone", "chat-error", (1400, 600), False, _refused)


def _welcomed(page: Page) -> None:
    expect(page.get_by_role("button", name="Load the example encyclopaedia")).to_be_visible(timeout=60_000)


def _suggested(page: Page) -> None:
    expect(page.get_by_text("Try one of these")).to_be_visible(timeout=60_000)


def _answered(page: Page, question: str = QUESTION) -> None:
    _suggested(page)
    ask(page, question)
    expect(page.locator(".answer")).to_be_visible(timeout=60_000)
    from_the_top(page)


def _changed(page: Page) -> None:
    expect(page.get_by_role("button", name="Ask again")).to_be_visible(timeout=60_000)
    expect(page.locator(".citation")).to_contain_text("From an older version")
    from_the_top(page)


def _refused(page: Page) -> None:
    told(page)
    from_the_top(page)


def _opened(page: Page) -> None:
    _answered(page)
    page.locator(".mark").first.click()
    expect(page.locator(".pane mark, .pane .box").first).to_be_visible()


if __name__ == "__main__":
    main()
