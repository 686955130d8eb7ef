"""Exploring in the browser: search, the pages of entities, facts and documents, and the ways between them."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from benchmarks.snapshot import difference, snapshot
from clew.explore import look, search
from clew.ingest.pipeline import Progress
from clew.knowledge_base import KnowledgeBase
from clew.resolution import merges
from clew.serving.browse import style
from clew.ui.app_pages.explore import PAGE
from clew.ui.components.counts import UNTYPED
from clew.ui.components.workspace import MOST_FACTS
from tests.browser.running import EXAMPLES, Watched, choose, enter, overflow, press, settle, unfold

NAME = "Skarn Head Lighthouse"
ATTACK = "<img src='http://evil.example/x.png' onerror='window.hacked=1'> **bold** [a](http://evil.example) \u202etxt"


def test_search_leads_to_an_entity_a_fact_its_document_and_back(
    app: str, examples: KnowledgeBase, wide: Watched
) -> None:
    page = wide.page
    page.goto(f"{app}/explore?kb={examples.name}")
    expect(page.get_by_text("The best connected")).to_be_visible()
    _seek(page, "skarn hea")
    card = page.get_by_role("list", name="Entities found").get_by_role("link", name=NAME, exact=True)
    press(page, card)
    expect(page.get_by_role("heading", name=NAME)).to_be_visible()
    expect(page).to_have_url(re.compile("see=entity"))
    assert look.entity(examples, _id(page.url, "entity"))["name"] == NAME
    expect(page.locator(".graph .node.fact").first).to_be_visible()
    expect(page.get_by_role("list", name="Sources").get_by_role("link").first).to_be_visible()

    press(page, page.get_by_role("list", name="Facts", exact=True).locator("a.title").first)
    expect(page.get_by_role("heading", name="Evidence")).to_be_visible()
    expect(page).to_have_url(re.compile("see=fact"))
    fact = look.fact(examples, _id(page.url, "fact"))
    source = fact["sources"][0]
    text = str(examples.document(source["document"])["text"])
    expect(page.locator("mark").first).to_have_text(text[source["start"] : source["end"]])
    expect(page.get_by_role("list", name="Evidence").first).to_contain_text(source["title"])

    press(page, page.locator(".chip.document").first)
    here = page.locator(".fact.here").first
    expect(here).to_have_text(text[source["start"] : source["end"]])
    assert "".join(page.locator(".facttext .text > :not(.page)").all_text_contents()) == text
    press(page, here)
    expect(page.get_by_role("heading", name="Evidence")).to_be_visible()
    settle(page)
    page.go_back()
    expect(page.locator(".facttext .text")).to_be_visible()
    press(page, page.get_by_role("button", name="Search"))
    expect(page.get_by_placeholder("A name, or what it is like")).to_have_value("skarn hea")


def test_types_are_asked_for_only_where_a_model_has_told_them_apart(
    app: str, examples: KnowledgeBase, wide: Watched
) -> None:
    page = wide.page
    page.goto(f"{app}/explore?kb={examples.name}")
    press(page, page.get_by_text("Filters", exact=True))
    expect(page.get_by_role("combobox", name="Role")).to_be_visible()
    expect(page.get_by_text(UNTYPED)).to_be_visible()
    expect(page.get_by_role("combobox", name="Entity type")).to_have_count(0)


def test_every_thing_has_an_address_of_its_own_and_a_way_into_neo4j_browser(
    app: str, examples: KnowledgeBase, wide: Watched
) -> None:
    entity = search.search_entities(examples, NAME, by="words")[0]
    fact = look.entity_facts(examples, entity)[0]
    document = look.fact(examples, fact)["sources"][0]["document"]
    for kind, id in (("entity", entity), ("fact", fact), ("document", document)):
        wide.page.goto(f"{app}/explore?kb={examples.name}&see={kind}.{id}")
        press(wide.page, wide.page.get_by_role("button", name="Open in Neo4j Browser"))
        button = wide.page.get_by_role("link", name="Open with the query")
        expect(button).to_have_count(1)
        query = parse_qs(urlsplit(button.get_attribute("href") or "").query)["arg"][0]
        assert f'"{id}" AS {kind}' in query
        assert f'"{examples.name}" AS kb' in query
    sheet = wide.page.get_by_role("link", name="Style sheet").get_attribute("href") or ""
    assert parse_qs(urlsplit(sheet).query)["arg"] == [style()]
    wide.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    password = examples.database.server.password
    assert password not in wide.page.content()
    sent: list[bytes | str] = []
    wide.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(frame)))
    wide.page.reload()
    press(wide.page, wide.page.get_by_role("button", name="Open in Neo4j Browser"))
    asked = wide.page.get_by_role("button", name="Copy the password")
    asked.click()
    expect(wide.page.get_by_role("button", name="Copied")).to_be_visible()
    assert wide.page.evaluate("navigator.clipboard.readText()") == password
    expect(asked).to_be_visible()
    settle(wide.page)
    label = "Copy the password"
    drawn = [frame for frame in map(_text, sent) if label in frame]
    assert [password in frame for frame in drawn] == [False, True, False]


def test_facts_are_found_by_words_and_meaning_and_kept_to_a_document_and_a_role(
    app: str, examples: KnowledgeBase, wide: Watched
) -> None:
    page = wide.page
    page.goto(f"{app}/explore?kb={examples.name}&look=Facts&q=who+drew+the+plans+of+the+lighthouse")
    facts = page.get_by_role("list", name="Facts found")
    expect(facts.locator(".card.fact").first).to_be_visible()
    assert "lighthouse" in facts.inner_text().lower()
    unfold(page, "Filters")
    document = next(row for row in search.list_documents(examples, limit=40) if 3 < row["facts"] < PAGE)
    box = page.get_by_placeholder("Some of its title")
    enter(page, box, str(document["title"]))
    own = set(search.search_facts(examples, document=document["id"]))
    expect(facts.locator("a.title")).to_have_count(len(own))
    assert {_id(title.get_attribute("href") or "", "fact") for title in facts.locator("a.title").all()} == own

    choose(page, "Role", "mention")
    mentioning = search.search_facts(examples, document=document["id"], role="mention")
    expect(facts.locator("a.title")).to_have_count(len(mentioning))


def test_the_overview_counts_what_there_is(app: str, examples: KnowledgeBase, wide: Watched) -> None:
    wide.page.goto(f"{app}/explore?kb={examples.name}&look=Overview")
    facts = wide.page.get_by_test_id("stMetric").filter(has_text="Facts")
    expect(facts).to_contain_text(f"{examples.stats()['nodes']['Hyperedge']:,}")
    expect(wide.page.locator("canvas, svg.marks")).to_have_count(4)


def test_a_suggested_pair_is_merged_undone_and_refused(app: str, base: KnowledgeBase, wide: Watched) -> None:
    text = "Orla Finch built the Tarn Mill. Later Dr. Orla Finch sold the Tarn Mill. Vera Moss left for Skarn."
    base.ingest_bytes(text.encode(), "mill.txt")
    before = snapshot(base.database, base.name)
    page = wide.page
    page.goto(f"{app}/explore?kb={base.name}&look=Duplicates")
    press(page, page.get_by_role("button", name="Find duplicates"))
    expect(page.get_by_text("1 pair found")).to_be_visible()
    suggested = snapshot(base.database, base.name)
    pair = page.locator("[class*=st-key-pair-]").filter(has_text="Dr. Orla Finch")
    expect(pair.get_by_text("the same words")).to_be_visible()
    box = pair.get_by_role("checkbox", name="The same")
    expect(box).to_be_checked()
    assert merges.count_pairs(base)["merges"] == 0
    press(page, page.get_by_role("button", name="Merge 1 ticked pair"))
    expect(page.get_by_text("Merged (1)")).to_be_visible()
    assert merges.count_pairs(base)["merges"] == 1
    press(page, page.get_by_text("Merged (1)"))
    expect(page.get_by_text("by a person")).to_be_visible()
    press(page, pair.get_by_role("button", name="Undo"))
    expect(page.get_by_text("Merged (0)")).to_be_visible()
    assert difference(suggested, snapshot(base.database, base.name)) == []
    press(page, page.get_by_text("Suggested ("))
    expect(pair.get_by_text("the same words")).to_be_visible()
    press(page, pair.get_by_role("button", name="Different"))
    expect(page.get_by_text("Different (1)")).to_be_visible()
    press(page, page.get_by_role("button", name="Find duplicates"))
    expect(page.get_by_text("0 pairs found")).to_be_visible()
    merges.forget_all(base)
    assert difference(before, snapshot(base.database, base.name)) == []


def test_the_graph_shows_what_connects_two_and_its_nodes_are_filtered_hidden_and_pinned(
    app: str, examples: KnowledgeBase, wide: Watched
) -> None:
    page = wide.page
    page.goto(f"{app}/explore?kb={examples.name}&look=Graph")
    expect(page.locator(".node.fact")).to_have_count(MOST_FACTS)
    for label, name in (("What connects", "Josiah Marr"), ("and", "Iskeld")):
        enter(page, page.get_by_role("combobox", name=label, exact=True), name)
    expect(page.get_by_text("the shortest over 2 facts: Josiah Marr →")).to_be_visible()
    for end in ("Josiah Marr", "Iskeld"):
        expect(page.get_by_role("button", name=f"Entity: {end}", exact=True)).to_have_class(re.compile("used"))
    expect(page.get_by_role("list", name="Facts on the way").locator(".card.fact").first).to_be_visible()

    dates = page.locator(".legend").get_by_role("button", name="date")
    year = page.locator(".node.entity", has_text="12 September 1844")
    expect(year).not_to_have_class(re.compile("later"))
    dates.click()
    expect(year).to_have_class(re.compile("later"))
    dates.click()
    year.press("Enter")
    page.get_by_role("button", name="Pin", exact=True).click()
    dates.click()
    expect(year).to_have_class(re.compile("pinned"))
    expect(year).not_to_have_class(re.compile("later"))
    page.get_by_role("button", name="Hide", exact=True).click()
    expect(year).to_have_class(re.compile("later"))
    page.get_by_role("button", name="Show everything").click()
    expect(page.locator(".node.later")).to_have_count(0)


def test_a_question_shows_on_the_facts_it_came_by(app: str, base: KnowledgeBase, wide: Watched) -> None:
    base.ingest_bytes(b"Orla Finch built the Tarn Mill in 1850. Tarn Mill burnt down in 1901.", "mill.txt")
    trajectory = base.ask("Who built the Tarn Mill?", policy="reader")
    fact = trajectory.steps[0].facts[0].id
    assert look.fact(base, fact)["trajectories"][0]["id"] == trajectory.id
    wide.page.goto(f"{app}/explore?kb={base.name}&see=fact.{fact}")
    asked = wide.page.get_by_role("list", name="Trajectories").get_by_role("link", name="Who built the Tarn Mill?")
    press(wide.page, asked)
    expect(wide.page).to_have_url(re.compile(f"trajectories.*{trajectory.id}"))
    expect(wide.page.locator(".stMain")).to_contain_text("Who built the Tarn Mill?")


def test_documents_are_counted_and_listed_to_the_last(app: str, examples: KnowledgeBase, wide: Watched) -> None:
    page = wide.page
    page.goto(f"{app}/explore?kb={examples.name}&look=Documents")
    expect(page.get_by_text("42 documents", exact=True)).to_be_visible()
    press(page, page.get_by_role("button", name="Page 3"))
    expect(page.get_by_role("list", name="Documents found").locator(".card")).to_have_count(42 - 2 * PAGE)


def test_another_knowledge_base_is_not_asked_for_what_this_one_has(
    app: str, examples: KnowledgeBase, base: KnowledgeBase, wide: Watched
) -> None:
    base.ingest_bytes(b"Orla Finch built the Tarn Mill in 1850.", "mill.txt")
    entity = search.search_entities(examples, NAME, by="words")[0]
    page = wide.page
    page.goto(f"{app}/explore?kb={examples.name}&see=entity.{entity}")
    expect(page.get_by_role("heading", name=NAME)).to_be_visible()
    choose(page, "Knowledge base", base.name)
    expect(page.get_by_role("list", name="Entities found")).to_contain_text("Tarn Mill")
    expect(page.get_by_role("alert")).to_have_count(0)
    settle(page)
    page.go_back()  # the choice was a step of its own before the thing was left
    settle(page)
    page.go_back()
    expect(page.get_by_role("heading", name=NAME)).to_be_visible()


@pytest.mark.parametrize("kind", ["entity", "fact", "document"])
def test_what_is_not_there_is_said(app: str, examples: KnowledgeBase, wide: Watched, kind: str) -> None:
    wide.page.goto(f"{app}/explore?kb={examples.name}&see={kind}.nope%3Cb%3E")
    expect(wide.page.get_by_role("alert")).to_contain_text(re.compile(rf"There is no {kind} 'nope<b>'"))
    press(wide.page, wide.page.get_by_role("button", name="Search"))
    expect(wide.page.get_by_text("The best connected")).to_be_visible()


def test_nothing_found_teaches(app: str, examples: KnowledgeBase, wide: Watched) -> None:
    wide.page.goto(f"{app}/explore?kb={examples.name}&by=words")
    _seek(wide.page, "qqqzzzxxx")
    expect(wide.page.get_by_text("Try fewer words")).to_be_visible()


def test_hostile_content_is_shown_and_runs_nothing(app: str, base: KnowledgeBase, narrow: Watched) -> None:
    text = f"Quell {ATTACK} invented the Lamp in 1850. {'Zyx' * 3_400} followed Mordant Quell."
    base.ingest_bytes(json.dumps({"title": f"Quell {ATTACK}", "text": text}).encode(), "quell.jsonl")
    entity = search.search_entities(base, "Quell", by="words")[0]
    fact = search.search_facts(base, "invented", by="words")[0]
    document = look.fact(base, fact)["sources"][0]["document"]
    page = narrow.page
    addresses = (f"see=entity.{entity}", f"see=fact.{fact}", f"see=document.{document}", "look=Facts", "look=Documents")
    for address in addresses:
        page.goto(f"{app}/explore?kb={base.name}&{address}")
        expect(page.locator("main, .stMain")).to_contain_text("<img src=")
        assert overflow(page) <= 0
        assert page.evaluate("window.hacked") is None
        assert page.locator("img[src*='evil'], a[href*='evil']").count() == 0


def test_keyboard_and_a_narrow_window(app: str, examples: KnowledgeBase, narrow: Watched) -> None:
    page = narrow.page
    page.goto(f"{app}/explore?kb={examples.name}&look=Facts&q=lighthouse&by=words")
    first = page.get_by_role("list", name="Facts found").locator("a.title").first
    first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Evidence")).to_be_visible()
    assert overflow(page) <= 0


def _text(frame: bytes | str) -> str:
    return frame if isinstance(frame, str) else frame.decode("utf-8", "replace")


def _seek(page: Page, text: str) -> None:
    box = page.get_by_placeholder("A name, or what it is like")
    enter(page, box, text)


def _id(address: str, kind: str) -> str:
    """The id of the thing of that kind that an address leads to."""
    found, id = parse_qs(urlsplit(address).query)["see"][0].split(".")[:2]
    assert found == kind
    return id


def test_an_ingest_that_has_not_ended_can_be_explored(app: str, base: KnowledgeBase, wide: Watched) -> None:
    """Degrees come last: until then facts are counted."""

    def halt(_: Progress) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        base.ingest(str(EXAMPLES / "ansby.md"), on_progress=halt)
    page = wide.page
    page.goto(f"{app}/explore?kb={base.name}")
    found = page.get_by_role("list", name="Entities found")
    expect(found).to_contain_text("Ansby")
    expect(found).to_contain_text(re.compile(r"\d+ facts"))
    page.goto(f"{app}/explore?kb={base.name}&look=Overview")
    expect(page.get_by_role("list", name="Best connected entities")).to_contain_text("Ansby")
    base.delete_documents(*(row["id"] for row in base.documents()))
    page.goto(f"{app}/explore?kb={base.name}")
    expect(page.get_by_text("There is nothing here yet")).to_be_visible()
