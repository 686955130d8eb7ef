"""The Evaluate page: measure strategies and policies on questions, look at figures, single questions, and two runs."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import streamlit as st

from clew import ui
from clew.errors import ClewError, InputError
from clew.evaluation.compare import compare_runs
from clew.evaluation.job import KIND, RUNS
from clew.evaluation.report import render as render_report
from clew.evaluation.runs import Run, find_run, list_runs
from clew.evaluation.table import headline, is_complete, overview
from clew.reporting.progress import duration
from clew.reporting.terminal import counted
from clew.runs import Job, jobs
from clew.trainer.runs.jobs import DATA
from clew.types import Json
from clew.ui.components.evaluating import ask_what
from clew.ui.components.figures import show_comparison, show_overview
from clew.ui.components.questions import show_asked, show_questions
from clew.ui.components.run_list import show_runs
from clew.ui.components.work import JobCard, go, show_jobs
from clew.ui.session import settings, show_error
from clew.ui.text import markdown, visible, when

ASSETS = Path(ui.__file__).parent / "assets"
RUN, BESIDE, QUESTION = "run", "beside", "question"
"""Query parameters: a run, a second one to compare it with, one of its questions."""


def render() -> None:
    """Draw the page: what the address names, else the list of runs."""
    st.html(ASSETS / "figures.css")
    names = [st.query_params[name] for name in (RUN, BESIDE) if st.query_params.get(name)]
    if not names:
        _start_and_list()
        return
    question = st.query_params.get(QUESTION)
    back, wanted = ("The whole run", {RUN: names[0]}) if question else ("All evaluations", {})
    if st.button(back, icon=":material/arrow_back:", type="tertiary"):
        go(**wanted)
    try:
        runs = [find_run(_root(), name) for name in names]
        if len(runs) == 2:
            _compare(*runs)
        elif question:
            show_asked(runs[0], question)
        else:
            _one(runs[0])
    except ClewError as error:
        show_error(error)


def _root() -> Path:
    return settings().home / RUNS


def _under_way() -> set[str]:
    """The names of the runs that go on now."""
    return {str(job.progress.get("run")) for job in jobs(settings(), KIND) if job.running}


def _start_and_list() -> None:
    st.title("Evaluate", anchor=False)
    runs = list_runs(_root())
    intro = st.container()  # also where it stays empty, so that what follows keeps its place
    if not runs:
        intro.write(
            "How well are questions answered here, and by what? An evaluation asks questions whose answers are known, "
            "over each retrieval strategy and each policy that you choose, and shows quality, time and single "
            "questions side by side."
        )
    ask_what(st.session_state.get("kb"))
    show_jobs([KIND, DATA], _card)
    if runs:
        st.subheader("Runs", anchor=False)
        show_runs(runs, partial(_item, _under_way()), "evaluations", "Evaluations")


def _card(job: Job, state: str) -> JobCard:
    about, progress = job.about, job.progress
    if job.kind == DATA:
        made = f"**Making {about.get('what')}** of {markdown(str(about.get('kb')), 60)}"
        return JobCard(made, "reading the graph" * job.running)
    done, total = sum(progress.get("done", {}).values()), progress.get("total", 0) * len(progress.get("parts", ()))
    title = f"**{str(about.get('measure')).capitalize()}** on {markdown(str(about.get('dataset')), 60)}"
    title += f", knowledge base {markdown(str(about.get('kb')), 60)}"
    run = str(progress.get("run", ""))
    opens = {RUN: run} if run and state not in ("waiting", "running") else None
    if state == "waiting":
        return JobCard(title, "It begins by itself.")
    if not total:
        return JobCard(title, "loading the encoder" if state == "running" else "", None, opens)
    words = [f"{done:,} of {total:,}"]
    if state == "running" and 0 < done < total:
        now = next((part for part in progress["parts"] if progress["done"].get(part, 0) < progress["total"]), "")
        words += [markdown(now, 60), f"{duration(job.seconds)} so far"]
    elif state == "done":
        words.append(duration(job.seconds))
    return JobCard(title, " · ".join(words), done / total, opens)


def _item(under_way: set[str], run: Run, chosen: bool) -> Json:
    config, summary = run.config, run.summary()
    best = "Under way: its figures come with the last answer."
    if run.name not in under_way:
        best = "Not complete yet: start it again with the same choices, and it goes on."
    if summary:
        best = headline(overview(summary)) or best
    what = [*config.get("policies", ()), *config.get("strategies", ())]
    meta = [counted(config.get("questions", 0), "question"), f"knowledge base {config.get('kb')}", ", ".join(what)]
    meta += [f"k {config.get('settings', {}).get('top_k')}"] if config.get("command") == "answers" else []
    meta.append(when(config.get("started")))
    return {
        "id": run.name,
        "question": f"{str(config.get('command')).capitalize()} on {visible(str(config.get('dataset')), 80)}",
        "answer": visible(best, 160),
        "answered": is_complete(summary),
        "comment": "",
        "mark": "",
        "meta": " · ".join(visible(part, 120) for part in meta),
        "chosen": chosen,
    }


def _one(run: Run) -> None:
    config, summary = run.config, run.summary()
    st.title(f"{str(config['command']).capitalize()} on {markdown(str(config['dataset']), 80)}", anchor=False)
    facts = [counted(config["questions"], "question"), f"knowledge base {config['kb']}", str(config["embedder"])]
    facts += [f"{name} {', '.join(map(str, config[name]))}" for name in ("k",) if name in config]
    st.caption(" · ".join(markdown(fact, 80) for fact in [*facts, when(config["started"]), run.name]))
    if not is_complete(summary) and run.name in _under_way():
        show_jobs([KIND], _card)
        return
    if summary is None:
        raise InputError(
            f"This run is not complete: {run.done():,} answers are kept. Resume it, or start it again with the same "
            "choices, and it goes on."
        )
    view = overview(summary)
    if failed := sum(int(row.get("failed") or 0) for row in view.parts.values()):
        st.warning(f"{counted(failed, 'question')} failed, counted as wrong; the same choices ask again.")
    show_overview(view)
    st.download_button(
        "Report",
        lambda: render_report(run, summary),
        f"{run.name}.html",
        "text/html",
        icon=":material/download:",
        on_click="ignore",
        help="All of it as one page",
    )
    st.subheader("Question by question", anchor=False)
    show_questions(run, view.main)


def _compare(first: Run, second: Run) -> None:
    st.title("Two evaluations", anchor=False)
    for place, run in (("First", first), ("Second", second)):
        config = run.config
        what = ", ".join([*config.get("policies", ()), *config.get("strategies", ())])
        parts = [run.name, str(config["dataset"]), str(config["kb"]), what, when(config["started"])]
        st.caption(f"**{place}**: " + " · ".join(markdown(part, 100) for part in parts))
    comparison = compare_runs(first, second)
    values = {name: [markdown(one, 60) for one in pair] for name, pair in comparison["differs"].items()}
    differs = [f"{name} **{a}** → **{b}**" for name, (a, b) in values.items()]
    st.write(f"They differ in {'; '.join(differs)}." if differs else "Both were started with the same choices.")
    st.caption("Above zero, the second has more. Where an interval holds zero, the difference may be chance.")
    if comparison["note"]:
        st.caption(markdown(comparison["note"], 300))
    show_comparison(comparison)
