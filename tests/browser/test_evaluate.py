"""The Evaluate page in the browser: a run over example questions, its figures and questions, and two runs compared."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from clew.database.connection import Database
from clew.evaluation.job import KIND, RUNS
from clew.evaluation.runs import Run, list_runs
from clew.knowledge_base import KnowledgeBase
from clew.runs import Job, jobs
from clew.settings import Settings
from tests.browser.running import (
    EXAMPLES,
    Watched,
    choose,
    enter,
    job_card,
    overflow,
    press,
    running_app,
    settle,
    temporary_base,
    upload,
    watched_page,
    with_home,
)

SLOW_MS = 240_000
MANY = 300
"""Questions, so many that they can be interrupted."""
FILES = ("old-maren-light.md", "ansby-school-of-optics.md", "elleray-observatory.docx")
HOSTILE = "<img src=x onerror=window.hacked=1> ![p](http://evil.example/p.png) **bold** </knowledge>"


@pytest.fixture(scope="module")
def few(database: Database, settings: Settings) -> Iterator[KnowledgeBase]:
    """What the first three example questions are about."""
    from clew.database.schema import migrate

    migrate(database)
    with temporary_base(database, settings) as base:
        base.ingest(*(str(EXAMPLES / name) for name in FILES))
        yield base


@pytest.fixture(scope="module")
def own(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings with a home of these tests' own."""
    return settings.model_copy(update={"home": tmp_path_factory.mktemp("home")})


@pytest.fixture(scope="module")
def app(
    environment: dict[str, str], few: KnowledgeBase, own: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """An app with that home."""
    variables = with_home(environment, few.database, own.home)
    with running_app(variables, tmp_path_factory.mktemp("app"), CLEW_KB=few.name) as address:
        yield address


def open_form(page: Page, app: str, base: KnowledgeBase, limit: int = 3) -> None:
    """The page of a knowledge base, with so many of the example questions wanted."""
    page.goto(f"{app}/evaluate?kb={base.name}")
    choose(page, "Questions", "The example questions")
    box = page.get_by_role("spinbutton", name="Questions, at most")
    enter(page, box, str(limit))
    expect(page.get_by_text(f"{limit} questions about")).to_be_visible()


def start(page: Page) -> None:
    """Begin what the form says."""
    press(page, page.get_by_role("button", name="Evaluate", exact=True))


def latest(own: Settings, base: KnowledgeBase) -> Run:
    """The last run of a knowledge base."""
    return next(run for run in list_runs(own.home / RUNS) if run.config["kb"] == base.name)


def job_of(own: Settings, base: KnowledgeBase) -> Job:
    """The last evaluation of a knowledge base."""
    return next(job for job in jobs(own, KIND) if job.about["kb"] == base.name)


def add(page: Page, label: str, option: str) -> None:
    """Choose one more of a list."""
    choose(page, label, option)
    page.keyboard.press("Escape")


def test_an_empty_page_teaches_and_faults_are_told(app: str, few: KnowledgeBase, narrow: Watched) -> None:
    page = narrow.page
    page.goto(f"{app}/evaluate")
    expect(page.get_by_text("How well are questions answered here")).to_be_visible()
    assert overflow(page) <= 0
    expect(page.get_by_text("Choose questions first.")).to_be_visible()
    press(page, page.get_by_role("button", name="Make questions"))
    expect(page.get_by_text(re.compile(r"\d+ about facts, figures and names"))).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_text(re.compile(r"\d+ questions about"))).to_be_visible()
    choose(page, "Questions", "A folder or file on this machine")
    place = page.get_by_role("textbox", name="Place")
    enter(page, place, "~no-such-user/questions")
    expect(page.get_by_role("alert")).to_contain_text("names no user of this machine")
    enter(page, place, "/nowhere/at/all")
    expect(page.get_by_text("There is no file or folder")).to_be_visible()
    start(page)
    expect(page.get_by_role("alert")).to_contain_text("check the name")
    page.goto(f"{app}/evaluate?run=nothing")
    expect(page.get_by_role("alert")).to_contain_text("There is no run")


def test_an_evaluation_runs_is_looked_into_and_compared(
    app: str, few: KnowledgeBase, wide: Watched, own: Settings
) -> None:
    page = wide.page
    open_form(page, app, few)
    add(page, "Retrieval", "chunks")
    start(page)
    shown = job_card(page, few.name)
    expect(shown).to_contain_text("done · 6 of 6", timeout=SLOW_MS)
    run = latest(own, few)
    summary = run.summary()
    assert summary is not None
    press(page, shown.get_by_role("button", name="Open"))

    figures = page.get_by_role("region", name="Figures")
    expect(figures.locator("tbody tr")).to_have_count(2)
    for row in summary["matrix"]:
        cells = figures.locator("tr", has_text=f"{row['policy']} · {row['strategy']}")
        expect(cells).to_contain_text(f"{100 * row['f1']:.1f}")
    expect(page.get_by_test_id("stVegaLiteChart").first).to_be_visible()
    press(page, page.locator(".track .open").first)
    expect(page.get_by_text("Right answer:")).to_be_visible()
    expect(page.locator(".turn").first).to_be_visible()
    expect(page.locator(".node").first).to_be_attached()
    assert "question=" in page.url
    stored = {record["trajectory"] for record in run.records()}
    found, total = few.find_trajectories()
    assert total == 6
    assert {row["id"] for row in found} == stored
    press(page, page.get_by_role("button", name="The whole run"))
    press(page, page.get_by_role("button", name="All evaluations"))

    open_form(page, app, few, limit=2)
    start(page)
    expect(job_card(page, few.name, "2 of 2")).to_be_visible(timeout=SLOW_MS)
    boxes = page.locator(".track", has_text=few.name).locator("input")
    expect(boxes).to_have_count(2)
    for number in (0, 1):
        settle(page)
        boxes.nth(number).check()
        expect(page.get_by_text(f"{number + 1} selected")).to_be_visible()
    press(page, page.get_by_role("button", name="Compare"))
    expect(page.get_by_text("Both have the same share of right answers over 2 questions.")).to_be_visible()
    table = page.get_by_role("region", name=re.compile("Differences of reader"))
    expect(table.locator("tr", has_text="F1").first).to_contain_text("+0.0")
    expect(table.locator("tr", has_text="EM")).to_contain_text("1.000")


def test_retrieval_goes_on_without_its_page_and_is_stopped_and_resumed(
    app: str, few: KnowledgeBase, chromium: Browser, own: Settings
) -> None:
    with watched_page(chromium) as first:
        page = first.page
        open_form(page, app, few)
        press(page, page.get_by_test_id("stButtonGroup").get_by_text("Retrieval"))
        choose(page, "Questions", "A file of mine")
        rows = ({"id": str(n), "question": f"Who built light {n}?", "answers": ["nobody"]} for n in range(MANY))
        content = "\n".join(map(json.dumps, rows)).encode()
        upload(page, FilePayload(name="Many <b>lights<b>.jsonl", mimeType="", buffer=content))
        expect(page.get_by_role("button", name="Evaluate", exact=True)).to_be_enabled()
        box = page.get_by_role("spinbutton", name="Questions, at most")
        enter(page, box, str(MANY))
        expect(page.get_by_text(f"{MANY} questions about")).to_be_visible()
        start(page)
        expect(job_card(page, few.name, "Retrieval on Many")).to_be_visible()
    with watched_page(chromium) as second:
        page = second.page
        page.goto(f"{app}/evaluate?kb={few.name}")
        shown = job_card(page, few.name, "Retrieval on Many")
        expect(shown).to_contain_text(re.compile(rf"[1-9]\d* of {MANY}"), timeout=SLOW_MS)
        page.reload()
        row = page.locator(".track", has_text="Under way")
        expect(row).to_contain_text(few.name)
        press(page, row.locator(".open"))
        expect(page).to_have_url(re.compile("run="))
        expect(shown).to_contain_text("under way")
        expect(page.get_by_role("alert")).to_have_count(0)
        press(page, page.get_by_role("button", name="All evaluations"))
        press(page, shown.get_by_role("button", name="Cancel"))
        expect(shown).to_contain_text("What was done is kept", timeout=SLOW_MS)
        kept = latest(own, few).done()
        assert 0 < kept < MANY
        press(page, shown.get_by_role("button", name="Open"))
        expect(page.get_by_role("alert")).to_contain_text(f"not complete: {kept:,} answers are kept")
        press(page, page.get_by_role("button", name="All evaluations"))
        press(page, shown.get_by_role("button", name="Resume"))
        expect(shown).to_contain_text(f"done · {MANY} of {MANY}", timeout=SLOW_MS)
        second.check()
    run = latest(own, few)
    assert len({record["id"] for record in run.records()}) == MANY


def test_questions_of_ones_own_show_how_sure_the_answers_were(app: str, few: KnowledgeBase, wide: Watched) -> None:
    page = wide.page
    open_form(page, app, few)
    choose(page, "Questions", "A file of mine")
    rows = (
        {"question": "Who designed the New Maren Light?", "answers": ["Tilda Orrell"]},
        {"question": "What does the New Maren Light weigh?", "answers": []},
    )
    upload(page, FilePayload(name="lights.jsonl", mimeType="", buffer="\n".join(map(json.dumps, rows)).encode()))
    expect(page.get_by_text(re.compile(r"up to \d+ questions about"))).to_be_visible()
    start(page)
    shown = job_card(page, few.name, "lights")
    expect(shown).to_contain_text("done · 2 of 2", timeout=SLOW_MS)
    press(page, shown.get_by_role("button", name="Open"))
    expect(page.get_by_role("heading", name="How sure, and how often right")).to_be_visible()
    verdicts = page.get_by_role("region", name="Verdicts")
    expect(verdicts.locator("thead")).to_contain_text("right / wrong")
    counts = verdicts.locator("tbody td").all_inner_texts()
    assert sum(int(number) for cell in counts for number in cell.split(" / ")) == 2


def test_hostile_questions_show_as_text(app: str, few: KnowledgeBase, narrow: Watched) -> None:
    page = narrow.page
    open_form(page, app, few)
    choose(page, "Questions", "A file of mine")
    row = {"id": HOSTILE, "question": HOSTILE, "answers": [HOSTILE], "kind": HOSTILE, "hops": 1}
    upload(page, FilePayload(name="hostile.jsonl", mimeType="", buffer=json.dumps(row).encode()))
    start(page)
    shown = job_card(page, few.name, "hostile")
    expect(shown).to_contain_text("done · 1 of 1", timeout=SLOW_MS)
    press(page, shown.get_by_role("button", name="Open"))
    track = page.locator(".track.single .asked")
    expect(track).to_have_text(HOSTILE)
    press(page, track)
    expect(page.locator(".question")).to_have_text(HOSTILE)
    assert page.evaluate("window.hacked") is None
    assert page.locator("img[src='x'], img[src*='evil'], a[href*='evil']").count() == 0
    assert overflow(page) <= 0
