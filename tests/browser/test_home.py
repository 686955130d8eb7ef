"""A knowledge base as a home: what is in it, what it can be asked, and what can be done with it as a whole."""

from __future__ import annotations

import contextlib

from playwright.sync_api import Page, TimeoutError, expect

from clew.knowledge_base import KnowledgeBase
from tests.browser.running import EXAMPLES, Watched, enter, press, settle, temporary_base

SLOW_MS = 120_000


def from_menu(page: Page, label: str) -> None:
    """Choose from the menu of a knowledge base; once more where that was shut by the page being drawn anew."""
    item = page.get_by_role("menuitem", name=label)
    for _ in range(2):
        press(page, page.get_by_role("button", name="Describe, rename, hide or delete"))
        with contextlib.suppress(TimeoutError):
            item.click(timeout=5_000)
            return
    item.click()


def test_a_home_says_what_is_in_it_and_suggests_what_is_answered_surely(
    app: str, base: KnowledgeBase, wide: Watched
) -> None:
    for path in sorted(EXAMPLES.iterdir()):
        if path.stem in ("ansby", "isobel-marr", "ruben-calloway", "port-elleray", "margit-strand"):
            base.ingest_bytes(path.read_bytes(), path.name)
    base.ingest_bytes(b"Item,Cost\nMill,40\nQuay,70\n", "budget.csv")
    base.describe("Towns *and* their people")
    page = wide.page
    page.goto(f"{app}/?kb={base.name}")
    expect(page.get_by_role("heading", level=1)).to_have_text(base.name)
    expect(page.get_by_text("Towns *and* their people")).to_be_visible()
    expect(page.get_by_text("csv 1")).to_be_visible()
    question = page.locator(".st-key-suggestions button").first
    expect(question).to_be_visible(timeout=SLOW_MS)
    assert base.database.read("kb/about", kb=base.name)[0]["suggested"]
    press(page, question)
    expect(page.locator(".answer").get_by_text("Sure", exact=True)).to_be_visible(timeout=SLOW_MS)
    page.goto(f"{app}/?kb={base.name}")
    settle(page)
    press(page, page.locator(".st-key-recent button"))
    expect(page.locator(".answer")).to_be_visible()


def test_a_base_is_made_described_renamed_hidden_and_deleted(
    app: str, base: KnowledgeBase, examples: KnowledgeBase, wide: Watched
) -> None:
    page = wide.page
    page.goto(f"{app}/?kb={examples.name}")
    press(page, page.get_by_role("button", name="All knowledge bases"))
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text(f"{examples.name} · 42 documents")).to_be_visible()
    enter(page, dialog.get_by_role("textbox", name="Name of a new knowledge base"), "no good")
    expect(dialog.get_by_role("alert")).to_contain_text("is no name for a knowledge base")
    dialog.get_by_role("textbox", name="What it is about").fill("Mills")
    enter(page, dialog.get_by_role("textbox", name="Name of a new knowledge base"), base.name)
    expect(page.get_by_role("heading", level=1)).to_have_text(base.name)
    expect(page.get_by_text("This knowledge base is empty")).to_be_visible()
    base.ingest_bytes(b"Orla Finch built the Tarn Mill in 1850.", "mill.txt")
    with temporary_base(base.database, base.settings) as renamed:
        page.reload()
        expect(page.get_by_text("1 fact")).to_be_visible()
        from_menu(page, "Describe or rename")
        expect(dialog.get_by_role("textbox", name="What it is about")).to_have_value("Mills")
        enter(page, dialog.get_by_role("textbox", name="Name", exact=True), renamed.name)
        press(page, dialog.get_by_role("button", name="Save"))
        expect(page.get_by_role("heading", level=1)).to_have_text(renamed.name)
        assert [row["title"] for row in renamed.documents()] == ["mill"]
        assert not base.exists()
        from_menu(page, "Hide from lists")
        from_menu(page, "Delete")
        expect(dialog).to_contain_text("1 document")
        press(page, dialog.get_by_role("button", name="Delete"))
        expect(page.get_by_role("heading", level=1)).not_to_have_text(renamed.name)
        assert not renamed.exists()
