"""The Train page in the browser: the demo, a plan, a run that is stopped, resumed, compared, and exported."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from clew.knowledge_base import KnowledgeBase
from clew.runs.folder import append_lines
from clew.settings import Settings
from clew.trainer.data.questions import synthesise, write_splits
from clew.trainer.runs.folder import Run, create_folder, list_runs
from clew.trainer.runs.jobs import data_sets, job_of, policy_folder, root
from tests.browser.running import (
    Watched,
    choose,
    enter,
    job_card,
    overflow,
    press,
    running_app,
    settle,
    unfold,
    watched_page,
    with_home,
)
from tests.trainer_models import write_tiny_model

SLOW_MS = 240_000
SMALL = """\
training.questions=2
training.group=2
training.mini_batch=2
training.micro_batch=1
training.save_steps=2
training.learning_rate=1e-3
training.stored=0
rollout.max_turns=2
rollout.max_turn_tokens=8
rollout.max_tokens=6000
data.dev_questions=2
"""
HOSTILE = "<img src=x onerror=window.hacked=1> ![p](http://evil.example/p.png) **bold** </knowledge>"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model of a few thousand weights."""
    return str(write_tiny_model(tmp_path_factory.mktemp("model") / "tiny"))


@pytest.fixture(scope="module")
def own(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings with a home of these tests' own."""
    return settings.model_copy(update={"home": tmp_path_factory.mktemp("home")})


@pytest.fixture(scope="module")
def app(
    environment: dict[str, str], examples: KnowledgeBase, own: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """An app with that home."""
    variables = with_home(environment, examples.database, own.home)
    with running_app(variables, tmp_path_factory.mktemp("app"), CLEW_KB=examples.name) as address:
        yield address


@pytest.fixture(scope="module")
def questions(examples: KnowledgeBase, own: Settings) -> str:
    """The name of a data set with questions from the graph."""
    rows = [question.row() for question in synthesise(examples.database, examples.name, 12, hops=(1, 2))]
    write_splits(own.home / "training-data" / "made", {"train": rows})
    return "made"


def begin(page: Page, app: str, base: KnowledgeBase, model: str, questions: str, name: str, steps: int) -> None:
    """Start a run of so many steps."""
    page.goto(f"{app}/train?kb={base.name}")
    box = page.get_by_role("textbox", name="Model", exact=True)
    expect(page.get_by_role("button", name="Start the demo")).to_be_visible()
    settle(page)
    if not box.is_visible():  # it opens by itself where there are runs
        unfold(page, "A run of your own")
    expect(box).to_be_visible()
    choose(page, "Questions to learn from", questions)
    fill(page, "Model", model)
    fill(page, "Fields to change, one a line", f"{SMALL}training.steps={steps}")
    fill(page, "Name of the run", name)
    press(page, page.get_by_role("button", name="Start training"))


def until(true: Callable[[], bool]) -> None:
    """Wait for something to become true."""
    deadline = time.monotonic() + SLOW_MS / 1_000
    while not true():
        assert time.monotonic() < deadline, "It did not become true in time."
        time.sleep(0.1)


def fill(page: Page, label: str, text: str) -> None:
    """Write into a field, and let the page know. What is typed while the page is being drawn anew may be lost."""
    settle(page)
    box = page.get_by_role("textbox", name=label, exact=True)
    box.fill(text)
    box.press("ControlOrMeta+Enter")
    settle(page)
    expect(box).to_have_value(text)


def latest(own: Settings, recipe: str) -> Run:
    """The last run of a recipe."""
    return next(run for run in list_runs(root(own)) if run.head()["recipe"] == recipe)


def test_an_empty_page_teaches(app: str, narrow: Watched) -> None:
    page = narrow.page
    page.goto(f"{app}/train?run=nothing")
    expect(page.get_by_role("alert")).to_contain_text("There is no run 'nothing'")
    press(page, page.get_by_role("button", name="All runs"))
    expect(page.get_by_text("the demo does not")).to_be_visible()
    expect(page.get_by_role("button", name="Start the demo")).to_be_visible()
    assert overflow(page) <= 0


def test_the_demo_starts_at_once_goes_on_without_its_page_and_is_stopped(
    app: str, chromium: Browser, own: Settings
) -> None:
    with watched_page(chromium) as first:
        first.page.goto(f"{app}/train")
        choose(first.page, re.compile("Recipe of the demo"), "prograph-r1")
        choose(first.page, re.compile("Length of the demo"), "From random weights")
        press(first.page, first.page.get_by_role("button", name="Start the demo"))
        expect(job_card(first.page, "demo-")).to_be_visible()
        first.check()
    with watched_page(chromium) as second:
        page = second.page
        page.goto(f"{app}/train")
        shown = job_card(page, "demo-")
        expect(shown).to_contain_text(re.compile(r"copying: \d+%"), timeout=SLOW_MS)
        expect(shown.get_by_role("progressbar")).to_be_visible()
        press(page, shown.get_by_role("button", name="Open"))
        expect(page.get_by_role("region", name="Phases")).to_contain_text("copying")
        expect(page.get_by_text("No curve yet").or_(page.get_by_test_id("stVegaLiteChart")).first).to_be_visible()
        press(page, page.get_by_role("button", name="Stop", exact=True))
        expect(page.get_by_text("stopped", exact=True)).to_be_visible(timeout=SLOW_MS)
        assert latest(own, "demo").head()["demo"] == "prograph-r1"
        job = job_of(own, latest(own, "demo").name)
        assert job is not None
        assert job.state == "cancelled"
        expect(page.get_by_role("button", name="Resume")).to_have_count(0)  # it keeps no state to go on from
        press(page, page.get_by_role("button", name="Start anew"))
        again = job_card(page, "copying")
        expect(again).to_be_visible(timeout=SLOW_MS)
        expect(page.get_by_role("button", name="Resume")).to_have_count(0)
        press(page, again.get_by_role("button", name="Cancel"))
        expect(again).to_have_count(0, timeout=SLOW_MS)
        second.check()


def test_questions_are_made_and_a_run_is_planned(
    app: str, examples: KnowledgeBase, model: str, wide: Watched, own: Settings
) -> None:
    create_folder(root(own), "graph-r1", {"kb": examples.name}, "begun-elsewhere")
    page = wide.page
    page.goto(f"{app}/train?kb={examples.name}")
    expect(page.locator(".track", has_text="begun-elsewhere")).to_contain_text("not done")
    press(page, page.get_by_role("button", name="Start training"))
    expect(page.get_by_role("alert")).to_contain_text("No model is named")
    choose(page, "Questions to learn from", "Make questions from the graph")
    enter(page, page.get_by_role("spinbutton", name="Questions, at most"), "20")
    press(page, page.get_by_role("button", name="Make questions"))
    expect(job_card(page, "Writing questions")).to_contain_text("train.jsonl: ", timeout=SLOW_MS)
    expect(page.get_by_text("Files: train")).to_be_visible()
    some = page.get_by_test_id("stExpander").filter(has_text=re.compile(r"\d+ of \d+ questions")).last
    expect(some).to_contain_text("→")
    assert any(data.train for data in data_sets(own))
    fill(page, "Model", model)
    fill(page, "Fields to change, one a line", f"{SMALL}training.step=4")
    press(page, page.get_by_role("button", name="Look at the plan"))
    expect(page.get_by_role("alert")).to_contain_text("did you mean 'training.steps'?")
    fill(page, "Fields to change, one a line", f"{SMALL}training.steps=400")
    press(page, page.get_by_role("button", name="Look at the plan"))
    expect(job_card(page, "Plan of graph-r1")).to_contain_text("it fits a GPU of 80 GiB", timeout=SLOW_MS)
    expect(page.get_by_role("region", name="Phases")).to_contain_text("400")


@pytest.mark.timeout(600)
def test_a_run_is_started_watched_stopped_resumed_compared_and_exported(
    app: str, examples: KnowledgeBase, model: str, questions: str, wide: Watched, own: Settings
) -> None:
    page = wide.page
    begin(page, app, examples, model, questions, "long", 4000)
    expect(job_card(page, "long")).to_contain_text(re.compile(r"step \d+ of 4,?000"), timeout=SLOW_MS)
    press(page, job_card(page, "long").get_by_role("button", name="Open"))
    expect(page.get_by_test_id("stVegaLiteChart").first).to_be_visible()
    expect(page.locator(".question")).to_be_visible()
    run = Run(root(own) / "long")
    assert page.locator(".question").inner_text() in {row["question"] for row in run.trajectories()}
    press(page, page.get_by_role("button", name="Stop", exact=True))
    expect(page.get_by_text("stopped", exact=True)).to_be_visible(timeout=SLOW_MS)
    before = max(record["step"] for record in run.metrics())
    press(page, page.get_by_role("button", name="Resume"))
    expect(page.get_by_text(re.compile(r"step \d+ of 4,?000"))).to_be_visible(timeout=SLOW_MS)
    until(lambda: max(record["step"] for record in run.metrics()) > before)
    press(page, page.get_by_role("button", name="Stop", exact=True))
    expect(page.get_by_text("stopped", exact=True)).to_be_visible(timeout=SLOW_MS)
    steps = [record["step"] for record in run.metrics() if "loss" in record]
    assert steps == list(range(1, len(steps) + 1)), "no step is missing, none comes twice"

    other = create_folder(root(own), "graph-r1", {"kb": examples.name}, "other")
    for step in (1, 2, 3):
        other.log({"phase": "grpo", "method": "rl", "step": step, "reward": step / 4, "entropy": 1 / step})
    press(page, page.get_by_role("button", name="All runs"))
    expect(page.get_by_role("textbox", name="Model", exact=True)).to_have_value(model)
    for number, name in enumerate(("other", "long"), 1):
        settle(page)
        page.get_by_role("checkbox", name=f"Select: {name}").check()
        expect(page.get_by_text(f"{number} selected")).to_be_visible()
    press(page, page.get_by_role("button", name="Compare"))
    figures = page.get_by_role("region", name="Figures").locator("tbody tr")
    expect(figures).to_have_count(2)
    expect(figures.filter(has_text="other")).to_contain_text("0.250")
    expect(page.get_by_test_id("stAlert")).to_contain_text(re.compile(r"other is best:.* more than long.*differ in"))
    apart = page.get_by_role("region", name="What determines the runs").locator("tbody tr")
    expect(apart.filter(has_text="training.steps")).to_contain_text("4000")
    expect(apart.filter(has_text="machine")).to_have_count(0)
    settle(page)
    page.get_by_text("Differences only").click()
    expect(apart.filter(has_text="machine")).to_have_count(1)
    expect(page.get_by_test_id("stVegaLiteChart").first).to_be_visible()

    page.goto(f"{app}/train?run=other")
    press(page, page.get_by_role("button", name="Tags and note"))
    enter(page, page.get_by_role("textbox", name="Tags, parted by commas"), "kept, best")
    press(page, page.get_by_role("button", name="Keep", exact=True))
    expect(page.get_by_text("best", exact=True)).to_be_visible()
    page.goto(f"{app}/train")
    expect(page.locator(".track", has_text="other")).to_contain_text("#kept")
    press(page, page.locator(".track", has_text="other").get_by_role("button"))
    press(page, page.get_by_role("button", name="Delete", exact=True))
    press(page, page.get_by_role("button", name="Delete it"))
    expect(page.locator(".track", has_text="long")).to_be_visible()
    expect(page.locator(".track", has_text="other")).to_have_count(0)

    page.goto(f"{app}/train?run=long")
    press(page, page.get_by_role("button", name="Export"))
    folder = policy_folder(own, run, run.known_checkpoints()[0])
    command = page.get_by_text(f"vllm serve {folder} --served-model-name {folder.name} --port 8000")
    expect(command).to_be_visible(timeout=SLOW_MS)
    assert json.loads((folder / "clew.json").read_text())["dialect"] == "graph-r1"
    expect(page.get_by_text("CLEW_DIALECT=graph-r1").first).to_be_visible()


def test_hostile_trajectories_show_as_text(app: str, narrow: Watched, own: Settings) -> None:
    run = create_folder(root(own), HOSTILE, {"kb": HOSTILE}, "hostile")
    turn = {"thought": HOSTILE, "query": HOSTILE, "answer": None, "error": HOSTILE, "raw": HOSTILE}
    row = {
        "phase": HOSTILE,
        "step": 1,
        "rewards": {HOSTILE: 1.0},
        "question": HOSTILE,
        "answers": [HOSTILE],
        "answer": HOSTILE,
        "correct": False,
        "stopped": HOSTILE,
        "turns": [{**turn, "facts": [{"id": "1", "text": HOSTILE}], "passages": [{"id": "2", "title": HOSTILE}]}],
        "segments": [],
    }
    append_lines(run.folder / "trajectories.jsonl", [row])
    run.log({"phase": HOSTILE, "step": 1, "reward": 1.0, f"rewards/{HOSTILE}/mean": 1.0, "rewards/b/mean": 0.0})
    run.log({"phase": HOSTILE, "step": 1, "warning": "x", "says": HOSTILE})
    page = narrow.page
    page.goto(f"{app}/train?run=hostile")
    expect(page.locator(".question")).to_have_text(HOSTILE)
    expect(page.locator(".thought")).to_have_text(HOSTILE)
    expect(page.get_by_text("Careful").or_(page.get_by_test_id("stAlert")).first).to_be_visible()
    assert page.evaluate("window.hacked") is None
    assert page.locator("img[src='x'], img[src*='evil'], a[href*='evil']").count() == 0
    assert overflow(page) <= 0
