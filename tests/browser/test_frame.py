"""Around the pages: the password, a database that is away, and the first visit."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from clew.database.connection import Database
from clew.knowledge_base import KnowledgeBase
from clew.settings import Settings
from tests.browser.running import Watched, choose, press, running_app, settle, temporary_base


def test_the_password_is_asked_for_and_must_be_right(
    environment: dict[str, str], examples: KnowledgeBase, tmp_path: Path, wide: Watched
) -> None:
    variables = {"CLEW_KB": examples.name, "CLEW_UI_PASSWORD": "open sésame"}
    with running_app(environment, tmp_path, **variables) as address:
        page = wide.page
        page.goto(f"{address}/documents?kb={examples.name}")
        box = page.get_by_label("Password", exact=True)
        expect(box).to_be_visible()
        assert examples.name not in page.locator("body").inner_text()
        box.fill("open sesame")
        box.press("Enter")
        expect(page.get_by_text("That is not the password.")).to_be_visible()
        box.fill("open sésame")
        box.press("Enter")
        expect(page.get_by_role("heading", name=f"In {examples.name}")).to_be_visible()


def test_an_address_of_a_knowledge_base_that_is_gone_says_so(
    app: str, examples: KnowledgeBase, base: KnowledgeBase, wide: Watched
) -> None:
    base.ingest_bytes(b"Orla Finch built the Tarn Mill in 1850.", "mill.txt")
    page = wide.page
    page.goto(f"{app}/explore?kb=nosuch")
    told = page.get_by_text("There is no knowledge base nosuch")
    expect(told).to_contain_text(f"this is {examples.name}")
    expect(page.get_by_text("The best connected")).to_be_visible()
    expect(told).to_be_visible()
    expect(page).to_have_title("Explore · Clew")
    choose(page, "Knowledge base", base.name)
    expect(page.get_by_role("list", name="Entities found")).to_contain_text("Tarn Mill")
    expect(told).to_have_count(0)


def test_the_last_knowledge_base_of_this_browser_opens_and_those_of_demos_are_hidden(
    app: str, examples: KnowledgeBase, base: KnowledgeBase, database: Database, settings: Settings, wide: Watched
) -> None:
    base.ingest_bytes(b"Orla Finch built the Tarn Mill in 1850.", "mill.txt")
    with temporary_base(database, settings, "demo-0a1b2c-99-f00d-train") as demo:
        demo.ingest_bytes(b"Ada Holm is a person.", "person.txt")
        page = wide.page
        page.goto(app)
        shown = page.get_by_role("combobox", name="Knowledge base")
        expect(shown).to_have_value(examples.name)
        choose(page, "Knowledge base", base.name)
        settle(page)
        page.goto("about:blank")
        page.goto(app)
        expect(shown).to_have_value(base.name)
        settle(page)
        shown.click()
        expect(page.get_by_role("option", name=examples.name, exact=True)).to_be_visible()
        expect(page.get_by_role("option", name=demo.name, exact=True)).to_have_count(0)
        page.goto(f"{app}/?kb={demo.name}")
        expect(shown).to_have_value(demo.name)


def test_a_missing_database_is_said_with_a_way_to_try_again(
    environment: dict[str, str], tmp_path: Path, wide: Watched
) -> None:
    away = {"NEO4J_URI": "bolt://127.0.0.1:9", "NEO4J_USERNAME": "neo4j", "NEO4J_PASSWORD": "secret-word"}
    with running_app(environment, tmp_path, **away) as address:
        page = wide.page
        page.goto(address)
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text("bolt://127.0.0.1:9")
        press(page, page.get_by_role("button", name="Try again"))
        expect(alert).to_contain_text("bolt://127.0.0.1:9")
        assert "secret-word" not in page.content()
    assert "secret-word" not in "".join(path.read_text() for path in tmp_path.glob("*.log"))


def test_beyond_loopback_nothing_is_shown_without_a_password(
    environment: dict[str, str], tmp_path: Path, wide: Watched
) -> None:
    with running_app(environment, tmp_path, listen="0.0.0.0") as address:
        wide.page.goto(address)
        expect(wide.page.get_by_role("alert")).to_contain_text("only with a password: set CLEW_UI_PASSWORD")
        expect(wide.page.get_by_role("link", name="Documents")).to_have_count(0)
