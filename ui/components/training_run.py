"""One training run: how far it is, its curves, its latest trajectories, and how its policy is used."""

from __future__ import annotations

import streamlit as st

from clew.errors import ClewError, InputError
from clew.reporting.progress import duration
from clew.reporting.table import Cell, Table
from clew.runs import Job
from clew.trainer.runs.compare import changes, differences
from clew.trainer.runs.folder import MODEL, Run
from clew.trainer.runs.jobs import (
    DEMO,
    DEMO_RECIPES,
    EXPORT,
    delete_run,
    job_of,
    policy_folder,
    resume,
    serving,
    start_demo,
    start_export,
)
from clew.trainer.runs.live import token_runs
from clew.trainer.runs.report import phases_table, summary
from clew.trainer.runs.report import render as render_report
from clew.types import Json
from clew.ui import view
from clew.ui.components.curves import show_curves
from clew.ui.components.figures import show_table
from clew.ui.components.steps import show_steps
from clew.ui.components.training import show_rewards, show_tokens
from clew.ui.components.trajectory import show_question
from clew.ui.components.work import JobCard, go, show_jobs
from clew.ui.session import settings, show_error
from clew.ui.text import markdown, visible, when

LIVE_SECONDS = 3.0
SAMPLES = 12
CHOSEN = "The chosen one"


def show_run(run: Run) -> None:
    """Draw a run, by itself anew while it goes on."""
    head = run.head()
    st.title(markdown(run.name, 80), anchor=False)
    facts = [recipe_of(run), str(head.get("kb")), when(head.get("started"))]
    facts += [f"code {head['code']}"] if head.get("code") else []
    st.caption(" · ".join(markdown(fact, 80) for fact in facts))
    job = job_of(settings(), run.name)
    _state(run, job)
    _about(run)
    live = job is not None and job.running
    st.fragment(_live, run_every=LIVE_SECONDS if live else None)(run)
    _samples(run)
    if head.get("recipe") != DEMO:
        _use(run)


def recipe_of(run: Run) -> str:
    """The recipe of a run; that of a demo with the word before it."""
    head = run.head()
    return " ".join(str(head[name]) for name in ("recipe", "demo") if head.get(name))


def state_of(run: Run, job: Job | None) -> str:
    """How a run stands, in a word or two."""
    status = str(run.state().get("status"))
    if status == "done" or job is None:
        return "done" if status == "done" else "not done"
    return {"interrupted": "interrupted", "cancelled": "stopped", "done": "not done"}.get(job.state, str(job.state))


def summary_table(runs: list[Run]) -> Table:
    """The figures of runs, a row for each: rewards, the best look at the development set, and the test."""
    rows = []
    for run in runs:
        facts = summary(run)
        phases = facts["phases"]
        rewards = [phase for phase in phases if "first_reward" in phase]
        looked = [phase for phase in phases if "best_em" in phase]
        best: Json = max(
            looked, key=lambda phase: float(phase["best_f1"] if "best_f1" in phase else phase["best_em"]), default={}
        )
        test = facts["test"] or {}
        rows.append(
            [
                Cell(run.name),
                Cell(recipe_of(run)),
                Cell(f"{sum(phase['steps'] for phase in rewards or phases):,}"),
                Cell(duration(seconds) if (seconds := sum(phase.get("seconds", 0) for phase in phases)) else "–"),
                _number(rewards[0]["first_reward"] if rewards else None),
                _number(rewards[-1]["last_reward"] if rewards else None),
                _number(best.get("best_f1")),
                _number(best.get("best_em")),
                _number(test.get("em"), test.get("em_interval")),
                _number(test.get("f1"), test.get("f1_interval")),
            ]
        )
    heads = [
        "",
        "recipe",
        "steps",
        "took",
        "reward, first",
        "last",
        "dev F1, best",
        "dev EM there",
        "test EM",
        "test F1",
    ]
    return Table(heads, rows)


def _number(value: float | None, interval: list[float] | None = None) -> Cell:
    if value is None:
        return Cell("–")
    return Cell(f"{value:.3f}", f"[{interval[0]:.3f}, {interval[1]:.3f}]" if interval else "")


def _state(run: Run, job: Job | None) -> None:
    state = state_of(run, job)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(state, color="green" if state == "done" else "blue" if state == "running" else "gray")
        if job and job.running and state != "done":
            stopping = job.cancelling
            label = "Stopping …" if stopping else "Stop"
            if st.button(label, icon=":material/stop_circle:", disabled=stopping):
                job.cancel()
                st.rerun()
        elif state != "done":
            _again(run)
        st.download_button(
            "Report",
            lambda: render_report(run),
            f"{run.name}.html",
            "text/html",
            icon=":material/download:",
            on_click="ignore",
            help="Curves with intervals, and trajectories, as one page",
        )
    if job and (error := job.error):
        show_error(ClewError(error.removeprefix("trainer: ")))


def _about(run: Run) -> None:
    """What the run departs from its recipe in and came from, and what a person has noted."""
    if changed := changes(run):
        st.markdown(f"**Other than its recipe:** {markdown('; '.join(changed), 1_500)}")
    with st.expander("Recipe, data, seed and machine", icon=":material/info:"):
        show_table(differences([run], only=False), "What determines the run")
    notes = run.notes()
    with st.container(horizontal=True, vertical_alignment="center"):
        shown = [f"`{markdown(tag, 40)}`" for tag in notes["tags"]] + [markdown(notes["note"], 600)]
        st.markdown(" ".join(filter(None, shown)) or "No tags, no note.", width="stretch")
        with st.popover("Tags and note", icon=":material/edit_note:"):
            tags = st.text_input("Tags, parted by commas", ", ".join(notes["tags"]), key=f"tags-{run.name}")
            note = st.text_area("Note", notes["note"], key=f"note-{run.name}")
            if st.button("Keep", key=f"keep-{run.name}"):
                run.annotate(list(dict.fromkeys(filter(None, map(str.strip, tags.split(","))))), note.strip())
                st.rerun()
        with st.popover("Delete", icon=":material/delete:", type="tertiary"):
            st.write("The run goes with its curves, trajectories and checkpoints. This cannot be undone.")
            if st.button("Delete it", type="primary", key=f"delete-{run.name}"):
                try:
                    delete_run(settings(), run)
                except ClewError as fault:
                    show_error(fault)
                else:
                    go()


def _again(run: Run) -> None:
    """A button that goes on with a run, or starts the demo anew, which keeps no state to go on from."""
    head = run.head()
    is_demo = head.get("recipe") == DEMO
    label, icon = ("Start anew", ":material/replay:") if is_demo else ("Resume", ":material/play_arrow:")
    if not st.button(label, icon=icon):
        return
    try:
        if is_demo:
            start_demo(settings(), str(head.get("demo") or DEMO_RECIPES[0]), short=bool(head.get("short")))
        else:
            resume(settings(), run)
    except ClewError as fault:
        show_error(fault)
        return
    if is_demo:
        go()
    st.rerun()


def _live(run: Run) -> None:
    job = job_of(settings(), run.name)
    state = state_of(run, job)
    key = f"state-of-{run.name}"
    before = st.session_state.get(key)
    st.session_state[key] = state
    if before not in (None, state):
        st.rerun()
    if job and job.running:
        share, words = progress_of(job)
        st.progress(share or 0.0, text=words)
    show_table(phases_table(summary(run)), "Phases")
    show_table(summary_table([run]), "Figures")
    for warning in summary(run)["warnings"]:
        st.warning(markdown(warning), icon=":material/warning:")
    show_curves([run])


def progress_of(job: Job) -> tuple[float | None, str]:
    """How far a run is, and in words: the phase with its step, or else what was printed last."""
    progress = job.progress
    if "share" in progress:
        return float(progress["share"]), f"{markdown(progress['phase'], 40)}: {markdown(progress['words'], 120)}"
    line = next((line for line in reversed(job.log(5)) if line.strip()), "starting …")
    if "step" in progress:
        words = f"{markdown(progress['phase'], 40)}: step {progress['step']:,} of {progress['of']:,}"
        return progress["step"] / max(1, progress["of"]), words
    return None, markdown(line, 160)


@st.fragment
def _samples(run: Run) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.subheader("Latest trajectories", anchor=False)
        st.button("Look again", icon=":material/refresh:", type="tertiary", key=f"samples-again-{run.name}")
    rows = run.latest_trajectories(SAMPLES)
    if not rows:
        st.caption("None yet. The first come when the policy has played its first questions.")
        return
    number = st.selectbox(
        "Trajectory", range(len(rows)), format_func=lambda n: _label(rows[n]), key=f"sample-{run.name}"
    )
    row = rows[int(number)]
    key = f"{run.name}-{row['phase']}-{row['step']}-{number}"
    show_question(row["question"])
    left, right = st.columns([3, 2], gap="large")
    with left:
        show_steps(view.rollout(row), f"steps-{key}")
    with right:
        if row["rewards"]:
            st.markdown("**Reward**")
            show_rewards(row["rewards"], key)
        if tokens := token_runs(run, row):
            with st.expander("Tokens"):
                show_tokens(tokens, key)


def _label(row: Json) -> str:
    reward = f"reward {sum(row['rewards'].values()):.2f} · " if row["rewards"] else ""
    right = "right" if row["correct"] else "wrong"
    return visible(f"{row['phase']} step {row['step']} · {reward}{right} · {row['question']}", 140)


def _use(run: Run) -> None:
    st.subheader("Use its policy", anchor=False)
    known = ([CHOSEN] if (run.folder / MODEL).is_dir() else []) + run.known_checkpoints()
    if not known:
        st.caption("There is no checkpoint yet. Once there is, it can be exported, served, and asked in the chat.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choice = str(st.selectbox("Policy", known, key=f"policy-{run.name}", width=260))
        checkpoint = "" if choice == CHOSEN else choice
        folder = policy_folder(settings(), run, checkpoint)
        there = folder.is_dir()
        if st.button("Export", icon=":material/save_alt:", disabled=there):
            start_export(settings(), run, checkpoint)
            st.rerun()
    show_jobs([EXPORT], _exported)
    if there:
        _served(run, checkpoint)


def _served(run: Run, checkpoint: str) -> None:
    try:
        dialect = serving(policy_folder(settings(), run, checkpoint))
    except InputError as error:
        show_error(error)
        return
    st.write("Serve it, name it in your file of settings, and start the app again. Then the chat answers with it.")
    gpu, cpu = st.tabs(["With a GPU", "Without one"])
    for tab, command, named in ((gpu, dialect.gpu, dialect.gpu_settings), (cpu, dialect.cpu, dialect.cpu_settings)):
        with tab:
            st.code(command, language=None, wrap_lines=True)
            st.code(named, language="ini", wrap_lines=True)
    st.caption(
        "In the chat choose **llm** under Options → Who answers. The page Settings and health tests whether the model "
        "replies."
    )


def _exported(job: Job, state: str) -> JobCard:
    which = str(job.about.get("checkpoint")) or "the chosen policy"
    return JobCard(f"**Export** of {markdown(str(job.about.get('run')), 60)}, {markdown(which, 40)}")
