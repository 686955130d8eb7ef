"""``python -m tests.browser.documents_screenshots`` writes the pictures of the Documents and Health pages.

They go to docs/images. It needs a Neo4j (NEO4J_URI, or Clew's own) and a Chromium, and leaves nothing behind in the
database. The app's jobs lie in a folder of their own, which is thrown away.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, FilePayload, Page, expect

from clew.knowledge_base import connect
from clew.settings import load_settings
from tests.browser.pictures import BRIEF_MS, DESK, browser, environment, picture, save, told
from tests.browser.running import (
    EXAMPLES,
    bring_in_to,
    mark_document,
    running_app,
    temporary_base,
    watched_page,
    with_home,
)

HARBOURS, ISLANDS, NOTHING = "harbours", "islands", "empty"
UPLOADS = ("ansby.md", "anselm-voss.pdf", "auvray-lens.html", "clement-orrell.txt", "elleray-observatory.docx")
TALL = (420, 1_900)
SLOW_MS = 120_000


def main() -> None:
    """Start the app, and take every picture."""
    settings = load_settings()
    with (
        connect(settings, progress=True) as database,
        temporary_base(database, settings, HARBOURS) as harbours,
        temporary_base(database, settings, ISLANDS),
        temporary_base(database, settings, NOTHING) as nothing,
        tempfile.TemporaryDirectory() as folder,
        browser() as chromium,
    ):
        harbours.ingest(*(str(path) for path in sorted(EXAMPLES.iterdir())[20:]))
        nothing.ingest_bytes(b"This will be deleted.", "gone.txt")
        nothing.delete_documents(*(row["id"] for row in nothing.documents()))
        variables = with_home(environment(), database, Path(folder))
        with running_app(variables, Path(folder), CLEW_KB=HARBOURS) as address:
            _running(chromium, f"{address}/documents?kb={HARBOURS}")
            for name, size, dark in (
                ("ingest", DESK, False),
                ("ingest-narrow", TALL, False),
                ("ingest-dark", DESK, True),
            ):
                _shown(chromium, f"{address}/documents?kb={HARBOURS}", name, size, dark)
            _shown(chromium, f"{address}/documents?kb={NOTHING}", "ingest-empty", (1400, 700), False)
            _delete(chromium, f"{address}/documents?kb={HARBOURS}")
            for name, size, dark in (
                ("health", DESK, False),
                ("health-narrow", TALL, False),
                ("health-dark", DESK, True),
            ):
                _shown(chromium, f"{address}/health?kb={HARBOURS}", name, size, dark)
        silent = {"CLEW_LLM_MODEL": "some-model", "CLEW_LLM_BASE_URL": "http://127.0.0.1:9/v1", "CLEW_LLM_RETRIES": "0"}
        with running_app(variables, Path(folder), CLEW_KB=HARBOURS, **silent) as address:
            picture(chromium, f"{address}/health?kb={HARBOURS}", "health-error", DESK, False, _tried)
        away = variables | {"NEO4J_URI": "bolt://127.0.0.1:9"}
        with running_app(away, Path(folder), CLEW_KB=HARBOURS) as address:
            _shown(chromium, f"{address}/documents", "ingest-error", (1400, 420), False)


def _tried(page: Page) -> None:
    page.get_by_role("button", name="Test the model").click(timeout=SLOW_MS)
    told(page)


def _running(browser: Browser, address: str) -> None:
    """An ingest under way: some files are done, and a corpus takes its time; one file is bad."""
    with watched_page(browser, DESK) as watched:
        page = watched.page
        page.goto(address)
        expect(page.get_by_role("heading", name=f"In {HARBOURS}")).to_be_visible(timeout=SLOW_MS)
        files = [FilePayload(name=name, mimeType="", buffer=(EXAMPLES / name).read_bytes()) for name in UPLOADS]
        files.append(FilePayload(name="harbour-plan.pdf", mimeType="", buffer=b"%PDF-1.7 the rest is missing"))
        files.append(FilePayload(name="minutes-1861.txt", mimeType="", buffer=b"  \n"))
        rows = [f'{{"title": "Buoy {n}", "text": "Buoy {n} was laid off Ansby in {1800 + n}."}}' for n in range(900)]
        files.append(FilePayload(name="buoys.jsonl", mimeType="", buffer="\n".join([*rows, "torn"]).encode()))
        page.locator("input[type=file]").set_input_files(files)
        bring_in_to(page, ISLANDS)
        card = page.locator("[class*='st-key-job-']")
        expect(card.locator(".item.done").first).to_be_visible(timeout=SLOW_MS)
        save(page, "ingest-running", after_ms=BRIEF_MS)
        expect(card).to_contain_text("done ·", timeout=SLOW_MS)


def _delete(browser: Browser, address: str) -> None:
    with watched_page(browser, DESK) as watched:
        page = watched.page
        page.goto(address)
        expect(page.get_by_role("heading", name=f"In {HARBOURS}")).to_be_visible(timeout=SLOW_MS)
        mark_document(page)
        page.get_by_role("button", name="Delete", exact=True).click()
        expect(page.get_by_role("dialog")).to_contain_text("nothing else supports")
        save(page, "ingest-delete")


def _shown(browser: Browser, address: str, name: str, size: tuple[int, int], dark: bool) -> None:
    with watched_page(browser, size, dark=dark) as watched:
        watched.page.goto(address.replace(HARBOURS, ISLANDS) if name.startswith("ingest") else address)
        expect(watched.page.get_by_role("heading").or_(watched.page.get_by_role("alert")).first).to_be_visible()
        save(watched.page, name)


if __name__ == "__main__":
    main()
