"""The app in a process of its own, and pages that are watched for what should not happen in them."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from playwright.sync_api import (
    Browser,
    BrowserContext,
    FilePayload,
    Locator,
    Page,
    Request,
    TimeoutError,
    expect,
    sync_playwright,
)

from clew.database.connection import Database
from clew.knowledge_base import KnowledgeBase
from clew.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "encyclopaedia"
WIDE = (1400, 900)
NARROW = (420, 860)
_DRAWN = Path(__file__).with_name("drawn.js")
_START_SECONDS = 180
PATIENCE_MS = 120_000
"""How long anything may take: a busy machine is no fault, and what is quick is measured by benchmarks."""
_LIST_MS = 5_000


@dataclass(slots=True)
class Watched:
    """A page, and what should not happen in it."""

    page: Page
    foreign: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def check(self) -> None:
        """Nothing was asked of another host, no script failed, and no dialog was opened."""
        assert self.foreign == []
        assert self.faults == []


@contextlib.contextmanager
def opened_chromium(patience_ms: int) -> Iterator[Browser]:
    """A headless Chromium: the one that CLEW_CHROMIUM names, else the system's; so long an expectation may take."""
    found = os.environ.get("CLEW_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not found:
        raise RuntimeError("There is no Chromium: install one, or name it in CLEW_CHROMIUM.")
    expect.set_options(timeout=patience_ms)
    flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=flags)
        yield browser
        browser.close()


@contextlib.contextmanager
def running_app(
    environment: dict[str, str], folder: Path, *, listen: str = "127.0.0.1", **variables: str
) -> Iterator[str]:
    """Start the app with these environment variables; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    own = {name: value for name, value in environment.items() if not name.startswith(("CLEW_LLM", "OPENAI", "CLEW_UI"))}
    flags = [f"--server.address={listen}", f"--server.port={port}", "--server.headless=true"]
    flags += ["--server.fileWatcherType=none", "--runner.postScriptGC=false"]  # as `clew ui` does
    script = str(ROOT / "ui" / "server.py")
    with (folder / f"app-{port}.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", script, *flags],
            cwd=folder,
            env=own | {"CLEW_POLICY": "reader"} | variables,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            _await(f"http://127.0.0.1:{port}/_stcore/health", process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            try:
                process.wait(10)
            finally:
                process.kill()  # One that hangs would slow every test after it.


def with_home(environment: Mapping[str, str], database: Database, home: Path) -> dict[str, str]:
    """The environment of an app that keeps its runs and jobs in ``home``, on the same Neo4j."""
    server = database.server
    return dict(environment) | {
        "NEO4J_URI": server.uri,
        "NEO4J_USERNAME": server.username,
        "NEO4J_PASSWORD": server.password,
        "CLEW_HOME": str(home),
    }


def _await(address: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(address, trust_env=False).is_success:
                return
        time.sleep(0.2)
    raise RuntimeError("The app did not start.")


@contextlib.contextmanager
def temporary_base(database: Database, settings: Settings, name: str = "") -> Iterator[KnowledgeBase]:
    """A knowledge base that nothing else uses, removed with all that carries its name."""
    name = name or f"test-ui-{uuid.uuid4().hex[:10]}"
    try:
        yield KnowledgeBase(name, database, settings)
    finally:
        while database.write("schema/delete_some", kb=name, limit=5000)[0]["deleted"]:
            pass
        database.write("kb/delete", kb=name)


@contextlib.contextmanager
def watched_page(chromium: Browser, size: tuple[int, int] = WIDE, *, dark: bool = False) -> Iterator[Watched]:
    """A fresh page of this size, watched for what should not happen."""
    context: BrowserContext = chromium.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(path=_DRAWN)
    watched = Watched(context.new_page())

    def asked(request: Request) -> None:
        if not request.url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:")):
            watched.foreign.append(request.url)

    def opened(dialog: object) -> None:
        watched.faults.append(f"dialog: {dialog}")

    watched.page.on("request", asked)
    watched.page.on("pageerror", lambda error: watched.faults.append(str(error)))
    watched.page.on("dialog", opened)
    yield watched
    context.close()


def ask(page: Page, question: str) -> None:
    """Type a question and send it, once the page is drawn: what is typed before may be lost."""
    enter(page, page.get_by_test_id("stChatInputTextArea"), question)


def settle(page: Page) -> None:
    """Wait until the app has drawn what it was last asked for: what is clicked before then may be drawn anew."""
    page.wait_for_function(
        "window.appIsDrawn && document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"
    )


def press(page: Page, button: Locator) -> None:
    """Click a button once the page is drawn: a click while it is being drawn anew may be lost."""
    settle(page)
    button.click()


def enter(page: Page, box: Locator, text: str) -> None:
    """Type into a field once the page is drawn, and let the app know."""
    settle(page)
    box.fill(text)
    box.press("Enter")


def unfold(page: Page, title: str) -> None:
    """Open what is folded, and wait until it is: a list that opens while the page moves under it is shut again."""
    settle(page)
    name = page.locator("summary").get_by_text(title, exact=True)
    name.click()
    expect(page.locator("details").filter(has=name)).to_have_attribute("open", "")
    page.wait_for_function("document.getAnimations().every(({playState}) => playState !== 'running')")
    settle(page)


def upload(page: Page, *files: FilePayload, where: Locator | None = None) -> None:
    """Choose files to bring in, once the page is drawn; ``where`` is what holds the field, if not the page."""
    settle(page)
    (where or page).locator("input[type=file]").set_input_files(files)


def choose(page: Page, label: str | re.Pattern[str], option: str) -> None:
    """Choose one of a list. A list that is drawn anew just as it opens is shut again, and is opened once more."""
    settle(page)
    wanted = page.get_by_role("option", name=option, exact=True)
    page.get_by_role("combobox", name=label).click()
    try:
        wanted.click(timeout=_LIST_MS)
    except TimeoutError:
        page.get_by_role("combobox", name=label).click()
        wanted.click()


def job_card(page: Page, *texts: str) -> Locator:
    """What the page shows of the job with these texts. While one ends, what it was and what it is may both be drawn."""
    cards = page.locator("[class*='st-key-job-']")
    for text in texts:
        cards = cards.filter(has_text=text)
    return cards.first


def bring_in_to(page: Page, kb: str) -> None:
    """Name the knowledge base and begin. What is typed while the page is still taking in the files may be lost."""
    target = page.get_by_role("combobox", name="Into the knowledge base")
    for _ in range(2):
        settle(page)
        target.fill(kb)
        target.press("Enter")
        settle(page)
        if target.input_value() == kb:
            break
    expect(target).to_have_value(kb)
    press(page, page.get_by_role("button", name="Bring in"))


def mark_document(page: Page, row: int = 0) -> None:
    """Mark a row of the table of documents; once more where the table was drawn anew just then."""
    settle(page)
    box = page.get_by_test_id("stDataFrame").locator(".dvn-scroller")
    box.click(position={"x": 16, "y": 52 + 35 * row})
    read = page.get_by_role("button", name="Read", exact=True)
    try:
        expect(read).to_be_enabled(timeout=_LIST_MS)
    except AssertionError:
        box.click(position={"x": 16, "y": 52 + 35 * row})
        expect(read).to_be_enabled()


def overflow(page: Page) -> int:
    """Pixels by which the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))
