"""``python -m tests.browser.screenshots`` writes docs/images: the app on the examples, wide and narrow, light and dark.

It needs a Neo4j (NEO4J_URI, or Clew's own) and a Chromium, and leaves nothing behind in the database.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, FilePayload, Page, expect, sync_playwright

from clew.knowledge_base import connect
from clew.settings import load_settings
from tests.browser.running import EXAMPLES, ROOT, ask, running_app, temporary_base, watched_page

IMAGES = ROOT / "docs" / "images"
QUESTION = "On which island was the designer of the Vessel Rock Lighthouse born?"
BASE = "lighthouses"
INGESTED = "harbours"
UPLOADS = {
    "ingest": ("tarrock.txt", "sarn.md", "thrale-medal.docx"),
    "ingest-narrow": ("hallow.md", "walek-glassworks.html"),
}
DESK = (1400, 1_060)
TALL = (420, 1_700)
"""Narrow, and long enough to hold a whole answer."""
SETTLED_MS = 2_500


def main() -> None:
    """Start the app on the examples, and take every picture."""
    settings = load_settings()
    environment = dict(os.environ) | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    found = os.environ.get("CLEW_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with (
        connect(settings, progress=True) as database,
        temporary_base(database, settings, BASE) as base,
        temporary_base(database, settings, INGESTED) as second,
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
    ):
        base.ingest(str(EXAMPLES))
        later = {name for names in UPLOADS.values() for name in names}
        second.ingest(*(str(path) for path in sorted(EXAMPLES.iterdir())[20:] if path.name not in later))
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        with running_app(environment, Path(folder), CLEW_KB=BASE) as address:
            _chat(browser, address, "chat", DESK)
            _chat(browser, address, "chat-narrow", TALL)
            _chat(browser, address, "chat-dark", DESK, dark=True)
            _source(browser, address, "source", DESK)
            _ingest(browser, address, "ingest", DESK)
            _ingest(browser, address, "ingest-narrow", TALL)
        browser.close()


def _chat(browser: Browser, address: str, name: str, size: tuple[int, int], *, dark: bool = False) -> None:
    with watched_page(browser, size, dark=dark) as watched:
        _answered(watched.page, address)
        _save(watched.page, name)


def _source(browser: Browser, address: str, name: str, size: tuple[int, int]) -> None:
    with watched_page(browser, size) as watched:
        _answered(watched.page, address)
        watched.page.locator(".mark").last.click()
        expect(watched.page.get_by_role("dialog").locator("mark")).to_be_visible()
        _save(watched.page, name)


def _answered(page: Page, address: str) -> None:
    page.goto(f"{address}/?kb={BASE}")
    expect(page.get_by_role("heading", name="Ask the documents")).to_be_visible(timeout=60_000)
    ask(page, QUESTION)
    expect(page.locator(".answer")).to_be_visible(timeout=60_000)


def _ingest(browser: Browser, address: str, name: str, size: tuple[int, int]) -> None:
    with watched_page(browser, size) as watched:
        page = watched.page
        page.goto(f"{address}/documents?kb={INGESTED}")
        expect(page.get_by_role("heading", name=f"In {INGESTED}")).to_be_visible(timeout=60_000)
        files = [FilePayload(name=f, mimeType="", buffer=(EXAMPLES / f).read_bytes()) for f in UPLOADS[name]]
        files.append(FilePayload(name="harbour-plan.pdf", mimeType="", buffer=b"%PDF-1.7 the rest is missing"))
        files.append(FilePayload(name="minutes-1861.txt", mimeType="", buffer=b"  \n"))
        page.locator("input[type=file]").set_input_files(files)
        page.get_by_role("button", name="Bring in").click()
        expect(page.locator(".skipped")).to_be_visible(timeout=60_000)
        page.mouse.move(5, 5)
        _save(page, name)


def _save(page: Page, name: str) -> None:
    page.wait_for_timeout(SETTLED_MS)
    IMAGES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=IMAGES / f"{name}.png")
    print(IMAGES.relative_to(ROOT) / f"{name}.png")


if __name__ == "__main__":
    main()
