"""Conversations: found again in the sidebar, renamed, deleted; a question that is edited, and kept to a document."""

from __future__ import annotations

from dataclasses import replace

from playwright.sync_api import Page, expect

from clew.agent.policies import POLICIES
from clew.knowledge_base import KnowledgeBase
from clew.trajectories.conversations import find_conversations
from clew.trajectories.store import store_trajectory
from clew.ui.components.conversations import SHOWN
from tests.browser.running import Watched, ask, enter, press, settle


def sidebar(page: Page, text: str) -> None:
    """Open a conversation from the sidebar."""
    press(page, page.locator(".st-key-conversations").get_by_role("button", name=text, exact=True))


def test_a_conversation_is_found_again_renamed_and_deleted(app: str, base: KnowledgeBase, wide: Watched) -> None:
    base.ingest_bytes(b"Orla Finch built the Tarn Mill in 1850. The Tarn Mill burnt down in 1901.", "mill.txt")
    base.ingest_bytes(b"---\nauthor: Anna Berg\n---\n# Quays\n\nThe Corran quay cost 40 crowns.", "quay.md")
    page = wide.page
    page.goto(f"{app}/?kb={base.name}")
    ask(page, "Who built the Tarn Mill?")
    expect(page.locator(".answer").last).to_contain_text("Orla Finch")
    ask(page, "When did it burn down?")
    expect(page.locator("h2.question")).to_have_count(2)
    expect(page.locator(".answer").last).to_contain_text("1901")
    [found] = find_conversations(base.database, base.name)
    assert (found["title"], found["questions"]) == ("Who built the Tarn Mill?", 2)
    press(page, page.get_by_role("button", name="New", exact=True))
    expect(page.get_by_role("heading", level=1)).to_have_text(base.name)

    ask(page, "What did the #quay cost?")
    expect(page.locator(".answer").last).to_contain_text("40 crowns")
    expect(page.locator("h2.question")).to_have_text("What did the Quays cost?")
    expect(page.locator(".answer").last).to_contain_text("only title in Quays")
    press(page, page.get_by_role("button", name="Ask another way"))
    expect(page.get_by_role("menuitem", name="reader-guess")).to_contain_text(POLICIES["reader-guess"].help)
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1400, "height": 560})
    press(page, page.get_by_role("button", name="Edit"))
    expect(page.get_by_test_id("stFormSubmitButton").get_by_role("button")).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1400, "height": 900})
    box = page.get_by_role("textbox", name="The question")
    settle(page)
    box.fill("What did the Corran quay cost?")
    press(page, page.get_by_test_id("stFormSubmitButton").get_by_role("button"))
    expect(page.locator("h2.question")).to_have_text("What did the Corran quay cost?")
    expect(page.locator(".answer").last).to_contain_text("40 crowns")

    page.goto(f"{app}/explore?kb={base.name}")
    sidebar(page, "Who built the Tarn Mill?")
    expect(page.locator("h2.question")).to_have_count(2)
    expect(page.locator(".answer").last).to_contain_text("1901")
    expect(page.locator(".st-key-conversations strong")).to_have_text("Who built the Tarn Mill?")
    cited = page.locator(".answer").first.locator(".citation")
    expect(cited).to_contain_text("Orla Finch")
    base.delete_documents(*(row["id"] for row in base.documents() if row["title"] == "mill"))
    page.reload()
    expect(page.locator(".answer .badge")).to_have_text(["Outdated", "Outdated"])
    press(page, page.get_by_role("link", name="Open it whole"))
    expect(page.locator(".answer")).to_have_count(1)
    expect(page.locator("h2.question")).to_have_text("Who built the Tarn Mill?")
    press(page, page.locator(".st-key-conversations").get_by_role("button", name="More of").last)
    press(page, page.get_by_role("menuitem", name="Rename"))
    dialog = page.get_by_role("dialog")
    enter(page, dialog.get_by_role("textbox", name="Name"), "The mill")
    expect(page.locator(".st-key-conversations").get_by_role("button", name="The mill", exact=True)).to_be_visible()
    press(page, page.locator(".st-key-conversations").get_by_role("button", name="More of").last)
    press(page, page.get_by_role("menuitem", name="Delete"))
    press(page, dialog.get_by_role("button", name="Delete"))
    expect(page.locator(".st-key-conversations").get_by_role("button", name="The mill", exact=True)).to_have_count(0)
    assert [row["title"] for row in find_conversations(base.database, base.name)] == ["What did the Quays cost?"]


def test_all_conversations_can_be_listed(app: str, base: KnowledgeBase, narrow: Watched) -> None:
    base.ingest_bytes(b"Orla Finch built the Tarn Mill in 1850.", "mill.txt")
    first = base.ask("Who built the Tarn Mill?", policy="reader")
    for number in range(SHOWN):
        store_trajectory(base.database, replace(first, id=f"{number:032x}", question=f"Question {number}?"))
    page = narrow.page
    page.goto(f"{app}/?kb={base.name}")
    press(page, page.get_by_test_id("stExpandSidebarButton"))
    listed = page.locator(".st-key-conversations").get_by_role("button", name="More of")
    expect(listed).to_have_count(SHOWN)
    press(page, page.get_by_role("button", name="All conversations"))
    expect(listed).to_have_count(SHOWN + 1)
    press(page, page.get_by_role("button", name="Fewer"))
    expect(listed).to_have_count(SHOWN)
