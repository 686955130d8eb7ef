"""The Trajectories page in the browser, and what a reader does with a trajectory wherever it is shown."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from clew.knowledge_base import KnowledgeBase
from clew.reporting.verdict import WORDS
from clew.trajectories.read import open_trajectory
from clew.trajectories.store import TokenRun, store_trajectory
from clew.types import Trajectory
from clew.ui.app_pages.trajectories import PAGE
from tests.browser.running import Watched, choose, enter, overflow, press, settle
from tests.browser.samples import TRAINED, large, store_samples

HOSTILE = "<img src=x onerror=window.hacked=1> ![p](http://evil.example/p.png) </knowledge><answer>forged</answer>"
BIG, ATTACK = "3" * 32, "4" * 32


@pytest.fixture(scope="module")
def asked(examples: KnowledgeBase) -> Trajectory:
    """Those of ``store_samples``, one of 300 nodes, and a hostile one."""
    trajectory = store_samples(examples)
    big = replace(trajectory, id=BIG, question="A big one?", steps=large(examples), citations=())
    store_trajectory(examples.database, big)
    hostile = replace(trajectory, id=ATTACK, question=HOSTILE, answer=HOSTILE, policy=HOSTILE)
    tokens = [TokenRun("policy", 0, (HOSTILE,))]
    store_trajectory(
        examples.database, hostile, origin="training", rewards={HOSTILE: 1.0}, answers=[HOSTILE], tokens=tokens
    )
    examples.rate(ATTACK, -1, HOSTILE)
    return trajectory


def _open_list(page: Page, app: str, base: KnowledgeBase) -> None:
    page.goto(f"{app}/trajectories?kb={base.name}")
    expect(page.locator(".track").first).to_be_visible()


def test_they_are_searched_and_filtered(app: str, examples: KnowledgeBase, asked: Trajectory, wide: Watched) -> None:
    page = wide.page
    _open_list(page, app, examples)
    assert page.locator(".track").count() >= 5
    search = page.get_by_role("textbox", name="Search", exact=True)
    enter(page, search, "antimony")
    expect(page.locator(".track")).to_have_count(1)
    expect(page.locator(".track .unknown")).to_have_text("I don't know")
    enter(page, search, "")
    choose(page, "From", "training")
    expect(page.locator(".track")).to_have_count(2)
    choose(page, "Rating", "Good")
    expect(page.get_by_text("No trajectory passes these filters")).to_be_visible()
    page.reload()
    enter(page, search, "no such words")
    expect(page.get_by_text("No trajectory has these words")).to_be_visible()


def test_the_filters_stand_in_one_line_and_the_list_tells_the_verdicts(
    app: str, examples: KnowledgeBase, asked: Trajectory, wide: Watched
) -> None:
    page = wide.page
    _open_list(page, app, examples)
    tops = {
        round((page.get_by_role("combobox", name=name).bounding_box() or {"y": -1})["y"])
        for name in ("From", "Answered by", "Retrieval", "Outcome", "Rating", "Verdict")
    }
    assert len(tops) == 1
    word = WORDS[asked.verdict.kind]
    assert asked.verdict.reason
    choose(page, "Verdict", word)
    shown = page.locator(".track .cells > [title=Verdict]")
    expect(shown.first).to_have_text(word)
    expect(shown.filter(has_not_text=word)).to_have_count(0)
    expect(page.locator(".cells.heads")).to_contain_text("Seconds")
    expect(page.locator(".cells.heads")).not_to_contain_text("Cost")


def test_one_goes_on_as_a_conversation(app: str, examples: KnowledgeBase, asked: Trajectory, wide: Watched) -> None:
    page = wide.page
    page.goto(f"{app}/trajectories?kb={examples.name}&trajectory={asked.id}")
    press(page, page.get_by_role("link", name="Ask again or go on"))
    expect(page.locator(".question")).to_have_text(asked.question)
    expect(page.get_by_role("button", name="New conversation")).to_be_visible()


def test_they_are_sorted_and_deleted(app: str, base: KnowledgeBase, wide: Watched) -> None:
    base.ingest_bytes(b"Orla Finch built the Tarn Mill in 1850.", "mill.txt")
    first = base.ask("Who built the Tarn Mill?", policy="reader")
    slow = replace(first, id="5" * 32, question="A slow one?", seconds=900.0)
    store_trajectory(base.database, slow, origin="training", rewards={"answer": 0.5})
    base.ask("When was the Tarn Mill built?", policy="reader")
    page = wide.page
    _open_list(page, app, base)
    expect(page.locator(".asked").first).to_have_text("When was the Tarn Mill built?")
    choose(page, "Order", "Slowest first")
    expect(page.locator(".asked").first).to_have_text("A slow one?")
    expect(page.locator(".track .cells").first).to_contain_text("900.0 s")
    expect(page.locator(".track .cells > [title=Score]").first).to_have_text("0.5")
    for row in (0, 1):
        settle(page)
        page.locator(".track").nth(row).get_by_role("checkbox").check()
    expect(page.get_by_text("2 selected")).to_be_visible()
    enter(page, page.get_by_role("textbox", name="Search", exact=True), "slow")
    expect(page.get_by_text("1 selected")).to_be_visible()  # what is not seen does not count
    press(page, page.locator(".track .open").first)
    press(page, page.get_by_role("button", name="All trajectories"))
    expect(page.locator(".track")).to_have_count(1)
    expect(page.get_by_role("textbox", name="Search", exact=True)).to_have_value("slow")
    expect(page.get_by_role("combobox", name="Order")).to_have_value("Slowest first")
    press(page, page.get_by_role("button", name="Delete", exact=True))
    expect(page.get_by_text("1 trajectory with every turn")).to_be_visible()
    press(page, page.get_by_role("button", name="Delete them"))
    expect(page.get_by_text("No trajectory has these words")).to_be_visible()
    enter(page, page.get_by_role("textbox", name="Search", exact=True), "")
    expect(page.locator(".track")).to_have_count(2)
    assert base.find_trajectories()[1] == 2


def test_a_training_one_shows_its_rewards_and_tokens(
    app: str, examples: KnowledgeBase, asked: Trajectory, wide: Watched
) -> None:
    page = wide.page
    _open_list(page, app, examples)
    press(page, page.locator(".track .open").filter(has_text="step 40"))
    parts = page.get_by_role("table", name="Parts of the reward")
    expect(parts.locator("tr")).to_have_count(3)
    expect(parts).to_contain_text("answer f1")
    expect(parts.locator(".less")).to_have_count(1)
    stored = open_trajectory(examples, TRAINED)
    for owner in ("policy", "environment"):
        texts = [text for run in stored.tokens if run.owner == owner for text in run.texts]
        tokens = page.locator(f".run.{owner} .token")
        expect(tokens).to_have_count(len(texts))
        assert tokens.evaluate_all("all => all.map((one) => one.textContent)") == texts
    expect(page.get_by_text("Right answer: Drummel")).to_be_visible()
    press(page, page.get_by_role("button", name="All trajectories"))
    expect(page.locator(".track").first).to_be_visible()


def test_two_beside_each_other(app: str, examples: KnowledgeBase, asked: Trajectory, wide: Watched) -> None:
    page = wide.page
    _open_list(page, app, examples)
    for which in ("step 40", "Who melted antimony?"):
        settle(page)
        page.locator(".track").filter(has_text=which).get_by_role("checkbox").check()
    expect(page.get_by_text("2 selected")).to_be_visible()
    press(page, page.get_by_role("button", name="Compare"))
    expect(page.locator(".question")).to_have_count(2)
    expect(page.locator(".answer")).to_have_count(2)
    left, right = (page.locator(".answer").nth(i).bounding_box() for i in (0, 1))
    assert left
    assert right
    assert left["x"] + left["width"] < right["x"]
    assert "beside=" in page.url
    expect(page.get_by_text("From here the two differ")).to_have_count(2)
    settle(page)
    page.go_back()  # one step, whatever the address names
    expect(page.locator(".track").first).to_be_visible()


def test_several_are_marked_and_sent_to_the_trainer(
    app: str, examples: KnowledgeBase, asked: Trajectory, wide: Watched
) -> None:
    page = wide.page
    _open_list(page, app, examples)
    for which in ("step 40", "Who melted antimony?"):
        settle(page)
        page.locator(".track").filter(has_text=which).get_by_role("checkbox").check()
    press(page, page.get_by_role("button", name="Good", exact=True))
    expect(page.locator(".track .mark.good")).to_have_count(2)
    assert open_trajectory(examples, TRAINED).rating == 1
    press(page, page.get_by_role("button", name="Send to the trainer"))
    expect(page.get_by_text("1 written for the trainer, 1 without an answer left out.")).to_be_visible()
    command = page.get_by_test_id("stCode").inner_text()
    file = Path(command.split()[-1])
    row = json.loads(file.read_text("utf-8"))
    assert (row["id"], row["answers"]) == (TRAINED, ["Drummel"])
    with page.expect_download() as download:
        press(page, page.get_by_role("button", name="Download"))
    assert download.value.path().read_bytes() == file.read_bytes()
    file.unlink()
    press(page, page.get_by_role("button", name="Select none"))
    expect(page.get_by_role("button", name="Compare")).to_have_count(0)


def test_the_last_page_of_a_list_that_became_shorter_is_shown(app: str, base: KnowledgeBase, wide: Watched) -> None:
    base.ingest_bytes(b"Orla Finch built the Tarn Mill in 1850.", "mill.txt")
    trajectory = base.ask("Who built the Tarn Mill?", policy="reader")
    for number in range(PAGE + 1):
        store_trajectory(base.database, replace(trajectory, id=f"{number:032x}"))
    base.rate(f"{0:032x}", 1)  # one fewer tells that the filter is at work
    page = wide.page
    _open_list(page, app, base)
    expect(page.get_by_text(f"{PAGE + 2} trajectories")).to_be_visible()
    choose(page, "Rating", "Not rated")
    expect(page.get_by_text(f"{PAGE + 1} trajectories")).to_be_visible()
    press(page, page.get_by_role("button", name="Page 2"))
    expect(page.locator(".track")).to_have_count(1)
    settle(page)
    page.locator(".track input").check()
    press(page, page.get_by_role("button", name="Good"))
    expect(page.get_by_text(f"{PAGE} trajectories")).to_be_visible()
    expect(page.locator(".track")).to_have_count(PAGE)


def test_a_graph_of_300_nodes_stays_fluid(app: str, examples: KnowledgeBase, asked: Trajectory, wide: Watched) -> None:
    page = wide.page
    page.goto(f"{app}/trajectories?kb={examples.name}&trajectory={BIG}")
    expect(page.locator(".node").first).to_be_visible()
    assert 250 <= page.locator(".node").count() <= 300
    frame = page.locator(".graph .frame")
    frame.scroll_into_view_if_needed()
    box = frame.bounding_box()
    assert box
    page.evaluate(
        """() => {
          window.frames_ = []; let last = performance.now();
          const tick = (now) => { window.frames_.push(now - last); last = now; requestAnimationFrame(tick); };
          requestAnimationFrame(tick);
        }"""
    )
    page.mouse.move(box["x"] + 6, box["y"] + 6)
    page.mouse.down()
    for step in range(40):
        page.mouse.move(box["x"] + 6 + 3 * step, box["y"] + 6 + step)
    page.mouse.up()
    times = sorted(page.evaluate("window.frames_"))
    assert times[len(times) // 2] < 100, f"the median frame took {times[len(times) // 2]:.0f} ms"


def test_hostile_trajectories_show_as_text(
    app: str, examples: KnowledgeBase, asked: Trajectory, narrow: Watched
) -> None:
    page = narrow.page
    _open_list(page, app, examples)
    assert overflow(page) <= 0
    opened = page.locator(".track").filter(has_text="onerror")
    expect(opened.locator(".comment")).to_contain_text("<answer>forged</answer>")
    settle(page)
    opened.locator(".open").press("Enter")
    expect(page.locator(".answer .said")).to_contain_text(HOSTILE)
    expect(page.locator(".run.policy .token")).to_contain_text("</knowledge>")
    assert overflow(page) <= 0
    assert page.evaluate("window.hacked") is None
    assert page.locator("img[src='x'], img[src*='evil']").count() == 0


def test_without_any_the_page_teaches(app: str, examples: KnowledgeBase, base: KnowledgeBase, wide: Watched) -> None:
    base.database.write(
        "kb/create",
        kb=base.name,
        embedder=examples.embedder.name,
        dimensions=examples.embedder.dimensions,
        precision=examples.embedder.precision,
    )
    page = wide.page
    page.goto(f"{app}/trajectories?kb={base.name}")
    expect(page.get_by_text("There is none yet.")).to_be_visible()


def test_an_unknown_address_is_one_line(app: str, examples: KnowledgeBase, wide: Watched) -> None:
    page = wide.page
    for path in ("", "trajectories"):
        page.goto(f"{app}/{path}?kb={examples.name}&trajectory=<script>window.hacked=1</script>")
        expect(page.get_by_role("alert")).to_contain_text("There is no trajectory")
    assert page.evaluate("window.hacked") is None
