"""The Train page: choose what to train and on what, see the plan, watch runs, compare them, use what came out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from clew import ui
from clew.errors import ClewError
from clew.runs import Job
from clew.trainer.packages import COMMAND, missing
from clew.trainer.runs.compare import comparison, demo_model, differences
from clew.trainer.runs.folder import METRICS, STATE, Run, find_run, list_runs
from clew.trainer.runs.jobs import DATA, DEMO, DEMO_RECIPES, PLAN, job_of, root, start_demo
from clew.trainer.runs.jobs import RUN as TRAINING
from clew.trainer.runs.report import summary
from clew.types import Json
from clew.ui.components.curves import show_curves
from clew.ui.components.figures import show_table
from clew.ui.components.plan import show_plan
from clew.ui.components.run_list import show_runs
from clew.ui.components.training_form import FIELDS, OWN, ask_what
from clew.ui.components.training_run import progress_of, show_run, state_of, summary_table
from clew.ui.components.work import JobCard, go, show_jobs
from clew.ui.session import settings, show_error
from clew.ui.text import markdown, visible, when

STYLE = Path(ui.__file__).parent / "assets" / "figures.css"
RUN, BESIDE = "run", "beside"
"""Query parameters: a run, and those to compare it with, parted by commas."""
MOST_BESIDE = 5
_LENGTHS = ("In a minute", "From random weights")


def render() -> None:
    """Draw the page: what the address names, else the form and the list of runs."""
    st.html(STYLE)
    names = [name for key in (RUN, BESIDE) for name in st.query_params.get(key, "").split(",") if name]
    if not names:
        _start_and_list()
        return
    # Streamlit forgets what is not drawn. Not where the form is drawn: what is just being typed there would be undone.
    for field in FIELDS:
        if field in st.session_state:
            st.session_state[field] = st.session_state[field]
    if st.button("All runs", icon=":material/arrow_back:", type="tertiary"):
        go()
    try:
        runs = [find_run(root(settings()), name) for name in names]
        if len(runs) > 1:
            _compare(runs)
        else:
            show_run(runs[0])
    except ClewError as error:
        show_error(error)


def _start_and_list() -> None:
    st.title("Train", anchor=False)
    if missing():
        st.warning("Training needs some packages more. Install them in the repository, and start the app again:")
        st.code(COMMAND, language=None)
        return
    runs = list_runs(root(settings()))
    intro = st.container()  # also where it stays empty, so that what follows keeps its place
    if not runs:
        intro.write(
            "Here a language model learns to find its way through a knowledge base: it asks, reads what comes back, "
            "answers, and is rewarded for right answers. Each paper's method is a recipe. A model of a few billion "
            "weights needs a GPU; the demo does not: a tiny model learns on this machine, in a minute."
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        recipe = st.selectbox("Recipe of the demo", DEMO_RECIPES, label_visibility="collapsed", width=160)
        length = st.selectbox("Length of the demo", _LENGTHS, label_visibility="collapsed", width=200)
        if st.button("Start the demo", icon=":material/play_circle:", type="secondary" if runs else "primary"):
            start_demo(settings(), recipe, short=length == _LENGTHS[0])
            st.rerun()
        st.caption("No data, no model, no GPU: watch curves and trajectories as they come.")
    show_jobs([TRAINING, PLAN, DATA], _card, _more)
    is_open = bool(runs) or OWN in st.session_state
    with st.expander("A run of your own", icon=":material/model_training:", expanded=is_open):
        ask_what(st.session_state.get("kb"))
    if runs:
        st.subheader("Runs", anchor=False)
        kept = _tagged(runs)
        show_runs(kept, _item, "training-runs", "Training runs", beside=MOST_BESIDE)


def _tagged(runs: Sequence[Run]) -> list[Run]:
    """The runs with the tags that are chosen, all of them where none is."""
    tags = {run.name: set(run.notes()["tags"]) for run in runs}
    known = sorted(set().union(*tags.values()))
    wanted = set(st.pills("Tags", known, selection_mode="multi", key="training-tags")) if known else set()
    return [run for run in runs if wanted <= tags[run.name]]


def _card(job: Job, state: str) -> JobCard:
    about = job.about
    kb = f", knowledge base {markdown(str(about['kb']), 60)}" if about.get("kb") else ""
    if job.kind == DATA:
        written = [line.rpartition("/")[2].partition(" (")[0] for line in job.log(6) if ".jsonl: " in line]
        words = markdown(" · ".join(written), 200) if state == "done" else "reading the graph"
        return JobCard(f"**Writing {about.get('what')}**{kb}", words)
    if job.kind == PLAN:
        words = "loading the model, playing one question" if state == "running" else ""
        return JobCard(f"**Plan** of {markdown(str(about.get('recipe')), 60)}{kb}", words)
    name = str(about.get("run"))
    title = f"**{markdown(name, 80)}**{kb}"
    there = (root(settings()) / name).is_dir()
    share, words = progress_of(job) if state == "running" else (None, "")
    words = words or ("It begins by itself." if state == "waiting" else "")
    return JobCard(title, words, share, {RUN: name} if there else None)


def _more(job: Job, state: str) -> None:
    if job.kind == PLAN and state == "done":
        show_plan(job)


def _item(run: Run, chosen: bool) -> Json:
    head, state = run.head(), state_of(run, job_of(settings(), run.name))
    facts = _summary(run.name, str(run.folder), _stamp(run))
    rewards = [phase for phase in facts["phases"] if "first_reward" in phase]
    parts = [state]
    if rewards:
        parts.append(f"reward {rewards[0]['first_reward']:.3f} → {rewards[-1]['last_reward']:.3f}")
    test = facts["test"] or {}
    if "em_before" in test:
        parts.append(f"test EM {test['em_before']:.3f} → {test['em']:.3f}")
    elif "em" in test:
        parts.append(f"test EM {test['em']:.3f}")
    recipe = f"demo: {demo_model(head)}" if head.get("recipe") == DEMO else str(head.get("recipe"))
    notes = run.notes()
    tags = [f"#{tag}" for tag in notes["tags"]]
    meta = [recipe, str(head.get("kb")), when(head.get("started")), *tags]
    return {
        "id": run.name,
        "question": visible(run.name, 120),
        "answer": " · ".join(parts),
        "answered": state == "done",
        "comment": visible(notes["note"], 200),
        "mark": "",
        "meta": " · ".join(visible(part, 80) for part in meta),
        "chosen": chosen,
    }


@st.cache_data(max_entries=100, show_spinner=False)
def _summary(name: str, folder: str, stamp: tuple[float, ...]) -> Json:
    return summary(Run(Path(folder)))


def _stamp(run: Run) -> tuple[float, ...]:
    files = [run.folder / name for name in (METRICS, STATE)]
    return tuple(file.stat().st_mtime for file in files if file.exists())


def _compare(runs: list[Run]) -> None:
    st.title("Runs compared", anchor=False)
    st.info(markdown(comparison(runs), 1_000), icon=":material/compare_arrows:")
    show_table(summary_table(runs), "Figures")
    st.caption("The reward at first and last is the mean of a tenth of the steps; in brackets stand 95 % intervals.")
    only = st.toggle("Differences only", True, key="differences-only")
    show_table(differences(runs, only=only), "What determines the runs")
    show_curves(runs)
