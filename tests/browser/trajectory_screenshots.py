"""``python -m tests.browser.trajectory_screenshots`` writes pictures of trajectories: listed, alone, compared, grown.

It needs a Neo4j (NEO4J_URI, or Clew's own) and a Chromium, and leaves nothing behind in the database.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect

from clew.knowledge_base import connect
from clew.settings import load_settings
from tests.browser.pictures import DESK, FLAT, Act, browser, environment, from_the_top, picture, told
from tests.browser.running import EXAMPLES, running_app, temporary_base
from tests.browser.samples import TRAINED, UNKNOWN, store_samples

BASE = "lighthouses-asked"
EMPTY = "lighthouses-unasked"
QUESTION = "Who founded the school attended by the author of A Keeper's Almanac?"
TALL = (420, 1_400)


def main() -> None:
    """Start the app on the examples with some trajectories, and take every picture."""
    settings = load_settings()
    with (
        connect(settings, progress=True) as database,
        temporary_base(database, settings, BASE) as base,
        temporary_base(database, settings, EMPTY) as empty,
        tempfile.TemporaryDirectory() as folder,
        browser() as chromium,
    ):
        base.ingest(str(EXAMPLES))
        empty.ingest(str(EXAMPLES / "tarrock.txt"))
        first = store_samples(base)
        base.rate(first.id, 1, "The birthplace and its source are right.")
        asked = base.ask(QUESTION, policy="reader")
        base.rate(UNKNOWN, -1)
        shown = f"?kb={BASE}&trajectory="
        pictures: tuple[tuple[str, str, tuple[int, int], bool, Act], ...] = (
            ("chat-grown", f"{shown}{asked.id}", DESK, False, _grow),
            ("chat-judged", f"{shown}{first.id}", DESK, True, _judge),
            ("trajectories", f"trajectories?kb={BASE}", DESK, False, _select),
            ("trajectories-narrow", f"trajectories?kb={BASE}", TALL, False, _listed),
            ("trajectories-dark", f"trajectories?kb={BASE}", DESK, True, _select),
            ("trajectories-empty", f"trajectories?kb={EMPTY}", DESK, False, _teaches),
            ("trajectories-error", f"trajectories{shown}gone", FLAT, False, told),
            ("trajectory-training", f"trajectories{shown}{TRAINED}", (1400, 1_560), False, _answered),
            ("trajectories-compared", f"trajectories{shown}{first.id}&beside={UNKNOWN}", DESK, False, _answered),
        )
        with running_app(environment(), Path(folder), CLEW_KB=BASE) as address:
            for name, path, size, dark, act in pictures:
                picture(chromium, f"{address}/{path}", name, size, dark, act)


def _answered(page: Page) -> None:
    expect(page.locator(".answer").first).to_be_visible(timeout=60_000)
    from_the_top(page)


def _grow(page: Page) -> None:
    _answered(page)
    page.get_by_role("radio", name="Graph").click()
    node = page.locator(".node.entity.used").last
    node.press("Enter")
    node.press("Enter")
    expect(page.locator(".node.grown").first).to_be_attached(timeout=30_000)


def _judge(page: Page) -> None:
    _answered(page)
    page.get_by_test_id("stFeedback").scroll_into_view_if_needed()
    page.get_by_role("button", name="Share").click()


def _listed(page: Page) -> None:
    expect(page.locator(".track").first).to_be_visible(timeout=60_000)


def _select(page: Page) -> None:
    _listed(page)
    for number in (1, 2):
        page.locator(".track input").nth(number).check()
        expect(page.get_by_text(f"{number} selected")).to_be_visible()


def _teaches(page: Page) -> None:
    expect(page.get_by_text("There is none yet.")).to_be_visible(timeout=60_000)


if __name__ == "__main__":
    main()
