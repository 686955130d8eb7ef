"""``python -m tests.browser.measuring_screenshots`` writes the pictures of the Evaluate and Train pages.

They go to docs/images. It needs a Neo4j (NEO4J_URI, or Clew's own) and a Chromium, and leaves nothing behind in the
database; runs and jobs lie in a folder of their own, which is thrown away. The curves are those of two demos, trained
for the pictures unless CLEW_DEMOS names a folder of runs that has them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from clew.evaluation.job import RUNS
from clew.evaluation.runs import list_runs
from clew.knowledge_base import connect
from clew.settings import load_settings
from tests.browser.pictures import (
    BRIEF_MS,
    DESK,
    SETTLED_MS,
    Act,
    browser,
    environment,
    from_the_top,
    picture,
    save,
    shown_home,
    told,
)
from tests.browser.running import EXAMPLES, choose, running_app, temporary_base, watched_page, with_home
from tests.trainer_models import write_tiny_model

BASE = "lighthouses-measured"
DEMOS = {"demo-graph-r1": "graph-r1", "demo-prograph-r1": "prograph-r1"}
OTHERS = ("chunks", "words", "graph-r1")
LONG = (1400, 1_700)
LONGER = (1400, 2_480)
"""For a run with its latest trajectory below the curves."""
TALL = (420, 1_700)
SMALL = """\
training.questions=4
training.group=4
training.mini_batch=8
training.steps=4
training.save_steps=2
rollout.max_turns=2
rollout.max_turn_tokens=8
rollout.max_tokens=6000
data.dev_questions=2
"""
SLOW_MS = 180_000


def main() -> None:
    """Start the app, measure and train, and take every picture."""
    settings = load_settings()
    with (
        connect(settings, progress=True) as database,
        temporary_base(database, settings, BASE) as base,
        shown_home() as home,
        browser() as chromium,
    ):
        base.ingest(str(EXAMPLES))
        variables = with_home(environment(), database, home)
        with running_app(variables, home, CLEW_KB=BASE) as address:
            picture(chromium, f"{address}/evaluate", "evaluate-empty", (1400, 700), False, _evaluate_teaches)
            picture(chromium, f"{address}/train", "train-empty", (1400, 480), False, _train_teaches)
            _evaluated(chromium, f"{address}/evaluate")
            _trained(variables, home)
            _started(chromium, f"{address}/train", str(write_tiny_model(home / "models" / "tiny-qwen2")))
            for name, path, size, dark, act in _pictures(home):
                picture(chromium, f"{address}/{path}", name, size, dark, act)


def _pictures(home: Path) -> list[tuple[str, str, tuple[int, int], bool, Act]]:
    found, five, single = (run.name for run in list_runs(home / RUNS))
    one, answers = (f"evaluate?kb={BASE}&run={name}" for name in (found, five))
    trained = f"train?kb={BASE}&run=demo-graph-r1"
    return [
        ("evaluate", f"evaluate?kb={BASE}", DESK, False, _listed),
        ("evaluate-narrow", f"evaluate?kb={BASE}", TALL, False, _listed),
        ("evaluate-run", one, LONG, False, _drawn),
        ("evaluate-run-dark", one, LONG, True, _drawn),
        ("evaluate-run-narrow", one, TALL, False, _drawn),
        ("evaluate-question", f"{answers}&question=q21", DESK, False, _answered),
        ("evaluate-compared", f"evaluate?kb={BASE}&run={single}&beside={five}", (1400, 1_300), False, _drawn),
        ("evaluate-error", f"evaluate?kb={BASE}&run=answers-gone", (1400, 420), False, told),
        ("train", f"train?kb={BASE}", LONG, False, _listed),
        ("train-run", trained, LONGER, False, _drawn),
        ("train-run-dark", trained, LONGER, True, _drawn),
        ("train-run-narrow", trained, TALL, False, _drawn),
        ("train-compared", f"{trained}&beside=demo-prograph-r1", LONG, False, _drawn),
        ("train-error", f"train?kb={BASE}&run=gone", (1400, 420), False, told),
        ("train-policy", f"train?kb={BASE}&run=first", (1400, 1_200), False, _policy),
    ]


def _evaluated(browser: Browser, address: str) -> None:
    """Three runs: answers by one strategy and by two, with one fact a query and with five, and retrieval by four.

    The first two share the strategy that answers unlike with more facts, so that there is something to compare.
    """
    with watched_page(browser, DESK) as watched:
        page = watched.page
        for measure, k, strategies in (
            ("Answers", 1, ("chunks",)),
            ("Answers", 5, ("chunks",)),
            ("Retrieval", 0, OTHERS),
        ):
            page.goto(f"{address}?kb={BASE}")
            choose(page, "Questions", "The example questions")
            page.get_by_role("radiogroup", name="Measure").get_by_text(measure).click()
            if k:
                box = page.get_by_role("spinbutton", name="Facts per query (k)")
                box.fill(str(k))
                box.press("Enter")
            if k == 1:
                page.get_by_role("combobox", name="Retrieval").press("Backspace")  # away with the one that is chosen
            for strategy in strategies:
                choose(page, "Retrieval", strategy)
                page.keyboard.press("Escape")
            times = {1: "once", 5: "twice"}.get(k, f"{len(strategies) + 1} times")
            expect(page.get_by_text(times)).to_be_visible()
            page.get_by_role("button", name="Evaluate", exact=True).click()
            card = page.locator("[class*='st-key-job-']").first
            if k == 5:
                expect(card).to_contain_text("so far", timeout=SLOW_MS)
                save(page, "evaluate-running", after_ms=BRIEF_MS)
            expect(card).to_contain_text(f"{measure} on examples")
            expect(card).to_contain_text("done ·", timeout=SLOW_MS)


def _trained(environment: dict[str, str], home: Path) -> None:
    runs = home / "training"
    runs.mkdir(exist_ok=True)
    for name, recipe in DEMOS.items():
        known = Path(os.environ.get("CLEW_DEMOS", "")) / name
        if known.is_dir() and os.environ.get("CLEW_DEMOS"):
            shutil.copytree(known, runs / name)
            continue
        command = [sys.executable, "-m", "clew.trainer", "demo", "--recipe", recipe, "--name", name]
        subprocess.run(command, env=environment, check=True, capture_output=True)


def _started(browser: Browser, address: str, model: str) -> None:
    """Questions, a plan and a run of a tiny model over the examples."""
    with watched_page(browser, DESK) as watched:
        page = watched.page
        page.goto(f"{address}?kb={BASE}")
        page.get_by_role("button", name="Make questions").click()
        expect(page.get_by_text("Files: train")).to_be_visible(timeout=SLOW_MS)
        fields = {"Model": model, "Fields to change, one a line": SMALL, "Name of the run": "first"}
        for label, text in fields.items():
            page.get_by_role("textbox", name=label, exact=True).fill(text)
            page.get_by_role("textbox", name=label, exact=True).press("ControlOrMeta+Enter")
        page.get_by_role("button", name="Look at the plan").click()
        expect(page.get_by_role("region", name="Phases")).to_be_visible(timeout=SLOW_MS)
        page.get_by_text("Memory, part by part").click()
        page.get_by_text("Memory, part by part").scroll_into_view_if_needed()
        save(page, "train-plan")
        page.get_by_role("button", name="Start training").click()
        card = page.locator("[class*='st-key-job-']").filter(has_text=f"first, knowledge base {BASE}")
        expect(card).to_contain_text("done", timeout=SLOW_MS)
        page.goto(f"{address}?kb={BASE}&run=first")
        page.get_by_role("button", name="Export").click()
        expect(page.get_by_text("vllm serve")).to_be_visible(timeout=SLOW_MS)


def _evaluate_teaches(page: Page) -> None:
    expect(page.get_by_text("How well are questions answered here")).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_role("button", name="Evaluate", exact=True)).to_be_visible()


def _train_teaches(page: Page) -> None:
    expect(page.get_by_role("button", name="Start the demo")).to_be_visible(timeout=SLOW_MS)


def _listed(page: Page) -> None:
    expect(page.locator(".track").first).to_be_visible(timeout=SLOW_MS)


def _drawn(page: Page) -> None:
    expect(page.get_by_test_id("stVegaLiteChart").first).to_be_visible(timeout=SLOW_MS)
    page.wait_for_timeout(SETTLED_MS)


def _answered(page: Page) -> None:
    expect(page.locator(".answer").first).to_be_visible(timeout=SLOW_MS)
    from_the_top(page)


def _policy(page: Page) -> None:
    expect(page.get_by_text("vllm serve")).to_be_visible(timeout=SLOW_MS)
    page.get_by_text("In the chat choose").scroll_into_view_if_needed()


if __name__ == "__main__":
    main()
