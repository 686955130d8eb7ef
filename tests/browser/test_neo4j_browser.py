"""Neo4j Browser as `clew browse` opens it: connected, each favourite filled in, drawn in the colours of the style."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from clew.database.server.managed import status
from clew.explore.search import search_facts
from clew.knowledge_base import KnowledgeBase
from clew.serving.browse import favourite, favourites, query_for
from clew.settings import Settings
from clew.types import Json
from tests.browser.neo4j_browser import run_filled

TABLES = {"connected"}
"""Favourites that answer with rows instead of a graph."""
NAMES = {
    "document": ("Skarn Head Lighthouse",),
    "entity": ("Skarn Head Lighthouse",),
    "shared": ("Josiah Marr", "Skarn Head Lighthouse"),
    "thread": ("Skarn Head Lighthouse", "Iskeld"),
}
QUESTION = "Where was the designer of the Skarn Head Lighthouse born?"
HYPEREDGE = "rgb(47, 111, 159)"
TWINS = b"Sea Gate was built in 1850. Seagate stands in Norham. Sea Gate burnt in 1901. Seagate was bought in 1910."


@pytest.fixture(scope="module")
def server(settings: Settings, examples: KnowledgeBase) -> Json:
    """The tests' own server, with a trajectory to look at."""
    found = status(settings)
    if not found["managed"]:
        pytest.skip("NEO4J_URI names a server of its own, whose Neo4j Browser is not Clew's")
    examples.ask(QUESTION, policy="reader")
    return found


@pytest.fixture(scope="module")
def neo4j_browser(chromium: Browser, server: Json, examples: KnowledgeBase) -> Iterator[Page]:
    """A page that is connected and has the style."""
    page = chromium.new_page(viewport={"width": 1400, "height": 900})
    run_filled(page, server, examples.database.server.password, query_for("style", examples.name))
    # Its policy on content forbids Playwright's own way to wait for an expression.
    deadline = time.monotonic() + 60
    while "Hyperedge" not in page.evaluate("localStorage.getItem('neo4j.grass') ?? ''") and time.monotonic() < deadline:
        page.wait_for_timeout(200)
    yield page
    page.close()


@pytest.mark.parametrize("name", [item.name for item in favourites() if item.name not in TABLES | {"duplicates"}])
def test_a_favourite_is_drawn_with_readable_captions(
    neo4j_browser: Page, server: Json, examples: KnowledgeBase, name: str
) -> None:
    names = search_facts(examples, "Skarn Head Lighthouse", by="words")[:1] if name == "fact" else NAMES.get(name, ())
    drawn = _drawn(neo4j_browser, server, examples, favourite(name, examples.name, names))
    assert any(label in " ".join(drawn) for label in ("Skarn", "Merrow", "Marr", "Lighthouse"))
    assert all(any(character.isalnum() for character in label) for label in drawn)
    colours = {
        circle.get_attribute("fill") for circle in neo4j_browser.locator("svg g.node circle.b-outline").all()
    } - {None}
    assert HYPEREDGE in colours
    assert len(colours) > 1


def test_every_favourite_runs_as_it_is_pasted(server: Json, examples: KnowledgeBase) -> None:
    assert len(favourites()) >= 8
    for item in favourites():
        rows = examples.database.read(f"browse/{item.name}", **dict.fromkeys(item.parameters), kb=examples.name)
        assert rows or item.name == "duplicates", item.name


def test_the_table_of_the_most_connected(neo4j_browser: Page, server: Json, examples: KnowledgeBase) -> None:
    best = examples.database.read("browse/connected", kb=examples.name)[0]["entity"]
    query = favourite("connected", examples.name)
    run_filled(neo4j_browser, server, examples.database.server.password, query, f"""text='"{best}"'""")


def test_duplicates_are_drawn(neo4j_browser: Page, server: Json, base: KnowledgeBase) -> None:
    base.ingest_bytes(TWINS, "gates.txt")
    drawn = " ".join(_drawn(neo4j_browser, server, base, favourite("duplicates", base.name)))
    assert "Sea Gate" in drawn
    assert "Seagate" in drawn


def _drawn(page: Page, server: Json, base: KnowledgeBase, query: str) -> list[str]:
    """Run a query; the captions of the nodes that it draws."""
    run_filled(page, server, base.database.server.password, query, "svg g.node")
    return [" ".join(node.locator("text").all_text_contents()).strip() for node in page.locator("svg g.node").all()]
