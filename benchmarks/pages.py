"""How long the app's pages take to show what they are for, and to answer what a reader does, in a headless Chromium.

    python -m benchmarks.pages KB [--question TEXT] [--word WORD] [--rounds N] [--json FILE]

The knowledge base answers the question, and has an entity of the word.

Each round is a browser that knows nothing yet, in front of an app that has been used once. A time ends when the thing
that the reader waits for is seen by one who looks every 25 milliseconds; Playwright's own waiting looks twice a second.
It needs a Chromium (CLEW_CHROMIUM, or the system's).
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page

from clew.explore import look, search
from clew.knowledge_base import KnowledgeBase
from clew.settings import load_settings
from tests.browser.pictures import browser, environment
from tests.browser.running import ask, running_app, settle, watched_page, with_home

QUESTION = "Where was the director of film Ronnie Rocket born?"
WORD = "lighthouse"
LOOK_SECONDS = 0.025
PATIENCE_SECONDS = 30

Reached = Callable[[str, Callable[[], object], Locator], None]
"""Do something, and take the time until what it leads to is visible."""


def main() -> None:
    """Visit every page so many times; print the median and the slowest, in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kb")
    parser.add_argument("--question", default=QUESTION)
    parser.add_argument("--word", default=WORD)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    times: dict[str, list[float]] = {}
    with (
        KnowledgeBase.open(options.kb) as base,
        tempfile.TemporaryDirectory() as folder,
        browser() as chromium,
        running_app(
            with_home(environment(), base.database, load_settings().home), Path(folder), CLEW_KB=base.name
        ) as address,
    ):
        base.ask(options.question, policy="reader")  # so that there is a trajectory to open
        for number in range(options.rounds + 1):
            for name, milliseconds in _round(chromium, address, base, options.question, options.word):
                if number:  # the first round fills the app's caches
                    times.setdefault(name, []).append(milliseconds)
    for name, all_ in times.items():
        print(f"{name:<44} median {statistics.median(all_):6.0f} ms   slowest {max(all_):6.0f} ms")
    if options.json:
        found = {name: {"median": statistics.median(all_), "slowest": max(all_)} for name, all_ in times.items()}
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def _round(
    chromium: Browser, address: str, base: KnowledgeBase, question: str, word: str
) -> Iterator[tuple[str, float]]:
    """Every page opened once, each in a fresh browser, and what a reader does there."""
    entity = search.search_entities(base, word, by="meaning")[0]
    fact = look.entity_facts(base, entity)[0]
    document = look.fact(base, fact)["sources"][0]["document"]
    visits: dict[str, tuple[str, str, Callable[[Page, Reached], None] | None]] = {
        "Ask": ("", "[data-testid=stChatInput]", partial(_asking, question=question)),
        "Documents": ("documents", "[data-testid=stDataFrame] canvas", _documents),
        "Explore": ("explore", ".cards .card", partial(_exploring, word=word)),
        "Entity": (f"explore?see=entity.{entity}", ".graph .node", _entity),
        "Fact": (f"explore?see=fact.{fact}", ".cards mark", None),
        "Document": (f"explore?see=document.{document}", ".facttext .text", None),
        "Overview": ("explore?look=Overview", "canvas, svg.marks", None),
        "Duplicates": ("explore?look=Duplicates", "[data-testid=stMain] button", None),
        "Trajectories": ("trajectories", ".track", partial(_trajectories, word=max(question.split(), key=len))),
        "Evaluate": ("evaluate", "button:has-text('Evaluate')", _evaluate),
        "Train": ("train", "button:has-text('Start the demo')", None),
        "Health": ("health", "[data-testid=stMain] h1", None),
    }
    for name, (path, shown, act) in visits.items():
        found: list[tuple[str, float]] = []
        with watched_page(chromium) as watched:
            page = watched.page

            def reach(
                label: str, do: Callable[[], object], goal: Locator, sink: list[tuple[str, float]] = found
            ) -> None:
                began = time.perf_counter()
                do()
                while not goal.first.is_visible():
                    if time.perf_counter() - began > PATIENCE_SECONDS:
                        raise TimeoutError(f"{label}: nothing came in {PATIENCE_SECONDS} seconds.")
                    time.sleep(LOOK_SECONDS)
                sink.append((label, (time.perf_counter() - began) * 1000))

            target = f"{address}/{path}{'&' if '?' in path else '?'}kb={base.name}"
            reach(f"{name}: first paint", partial(page.goto, target), page.locator(shown))
            if act:
                settle(page)
                act(page, reach)
        yield from found


def _asking(page: Page, reach: Reached, question: str) -> None:
    reach("Ask: a question to its answer", lambda: ask(page, question), page.locator(".answer"))
    settle(page)
    reach("Ask: a citation in its document", page.locator(".citation").first.click, page.locator(".document mark"))


def _documents(page: Page, reach: Reached) -> None:
    row = page.get_by_test_id("stDataFrame").locator(".dvn-scroller")
    delete = page.get_by_role("button", name="Delete", exact=True).and_(page.locator(":enabled"))
    reach("Documents: choose one", lambda: row.click(position={"x": 16, "y": 52}), delete)
    settle(page)
    reach("Documents: what a delete takes along", delete.click, page.get_by_role("dialog").get_by_text("fact"))


def _exploring(page: Page, reach: Reached, word: str) -> None:
    box = page.get_by_placeholder("A name, or what it is like")

    def seek() -> None:
        box.fill(word)
        box.press("Enter")

    found = page.get_by_role("list", name="Entities found").locator(".card", has_text=word[:5])
    reach("Explore: search entities", seek, found)
    settle(page)
    views = page.get_by_test_id("stButtonGroup")
    facts = page.get_by_role("list", name="Facts found").locator(".card")
    reach("Explore: search facts", views.get_by_text("Facts").click, facts)
    settle(page)
    heading = page.get_by_role("heading", name="Evidence")
    reach("Explore: open a fact", facts.locator("a.title").first.click, heading)


def _entity(page: Page, reach: Reached) -> None:
    title = page.get_by_role("list", name="Facts", exact=True).locator("a.title").first
    reach("Entity: open a fact", title.click, page.get_by_role("heading", name="Evidence"))


def _trajectories(page: Page, reach: Reached, word: str) -> None:
    box = page.get_by_role("textbox").first

    def seek() -> None:
        box.fill(word)
        box.press("Enter")

    reach("Trajectories: search", seek, page.locator(".track", has_text=word))
    settle(page)
    reach("Trajectories: open one", page.locator(".track .open").first.click, page.locator(".answer"))


def _evaluate(page: Page, reach: Reached) -> None:
    choice = page.get_by_test_id("stButtonGroup").get_by_text("Retrieval")
    reach("Evaluate: measure retrieval instead", choice.click, page.get_by_text("No agent:"))


if __name__ == "__main__":
    main()
