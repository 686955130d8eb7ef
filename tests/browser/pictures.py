"""What the commands that take the pictures of docs/images share."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.browser.running import ROOT, opened_chromium, watched_page

IMAGES = ROOT / "docs" / "images"
DESK = (1400, 1_060)
FLAT = (1400, 520)
"""For pages that say little."""
SETTLED_MS = 2_500
BRIEF_MS = 300
PATIENCE_MS = 180_000

Act = Callable[[Page], None]
"""What is done on a page before its picture is taken."""


def environment() -> dict[str, str]:
    """The environment variables of an app that is started from here."""
    return dict(os.environ) | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def browser() -> AbstractContextManager[Browser]:
    """A Chromium with the patience that pictures need."""
    return opened_chromium(PATIENCE_MS)


@contextlib.contextmanager
def shown_home() -> Iterator[Path]:
    """A folder for runs and policies whose path may be read in a picture; removed afterwards. It must not exist yet."""
    home = Path(tempfile.gettempdir()) / "clew-home"
    home.mkdir()
    try:
        yield home
    finally:
        shutil.rmtree(home)


def told(page: Page) -> None:
    """Wait for the line that says what is wrong."""
    page.get_by_role("alert").first.wait_for()


def from_the_top(page: Page) -> None:
    """Scroll up to where the page begins, once it no longer follows its end."""
    page.wait_for_timeout(SETTLED_MS)
    page.evaluate(
        "document.querySelector('[data-testid=stAppScrollToBottomContainer], [data-testid=stMain]').scrollTo(0, 0)"
    )


def picture(browser: Browser, address: str, name: str, size: tuple[int, int], dark: bool, act: Act) -> None:
    """Open a page of this size, act on it, and save what it shows."""
    with watched_page(browser, size, dark=dark) as watched:
        watched.page.goto(address)
        act(watched.page)
        save(watched.page, name)


def save(page: Page, name: str, *, after_ms: int = SETTLED_MS) -> None:
    """Write the picture once the page has had time to settle."""
    page.mouse.move(5, 5)
    page.wait_for_timeout(after_ms)
    IMAGES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=IMAGES / f"{name}.png")
    print(IMAGES.relative_to(ROOT) / f"{name}.png")
