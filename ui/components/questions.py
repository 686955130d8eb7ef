"""The questions of an evaluation: those that went worst first, and what each strategy and policy made of one."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from clew.errors import NotFoundError
from clew.evaluation.metric import short
from clew.evaluation.report import worst_questions
from clew.evaluation.runs import RECORDS, SUMMARY, Run, find_run
from clew.evaluation.table import overview
from clew.reporting.verdict import WORDS
from clew.trajectories.read import open_trajectory
from clew.types import Json
from clew.ui import view
from clew.ui.components.steps import show_steps
from clew.ui.components.tracks import show_list
from clew.ui.components.trajectory import show_question, show_trajectory
from clew.ui.components.work import go
from clew.ui.session import knowledge_base
from clew.ui.text import markdown, visible

PAGE = 8


@st.fragment
def show_questions(run: Run, metric: str) -> None:
    """Draw the questions of a run, page by page; one that is opened is named by the address."""
    rows = _questions(str(run.folder), metric, _stamp(run))
    key = f"questions-of-{run.name}"
    given = {part["verdict"] for row in rows for part in row["parts"]}
    if verdicts := [kind for kind in WORDS if kind in given]:
        wanted = st.segmented_control("Verdict", verdicts, format_func=WORDS.__getitem__, key=f"verdict-of-{run.name}")
        rows = [row for row in rows if not wanted or any(part["verdict"] == wanted for part in row["parts"])]
    page = int(st.session_state.get(key, 1))
    st.caption("Those that went worst come first. Open one to see every turn.")
    opened = show_list(
        [_item(row, short(metric)) for row in rows[(page - 1) * PAGE : page * PAGE]], None, f"list-{key}", "Questions"
    )
    if len(rows) > PAGE:
        st.pagination(-(-len(rows) // PAGE), key=key, max_visible_pages=5)
    if opened:
        go(run=run.name, question=opened)


def show_asked(run: Run, id: str) -> None:
    """Draw one question with its right answers, and what became of it. Raises NotFoundError for an unknown one."""
    summary = run.summary()
    metric = overview(summary).main if summary else ""
    row = next((row for row in _questions(str(run.folder), metric, _stamp(run)) if row["id"] == id), None)
    if row is None:
        raise NotFoundError(f"The run {run.name} has no question {id[:60]!r}: go back to the whole run.")
    show_question(row["question"])
    lines = [f"Right answer: {markdown(row['answers'], 300)}"]
    lines += [f"written in {markdown(row['supporting'], 300)}"] if row["supporting"] else []
    st.caption(" · ".join(lines + [markdown(part) for part in [row["about"]] if part]))
    parts = {part["name"]: part for part in row["parts"]}
    if not parts:
        st.info("This question has no answer yet.")
        return
    names = list(parts)
    name = names[0]
    if len(names) > 1:
        labels = {n: f"{n}: {parts[n]['score']}" for n in names}
        name = str(st.selectbox("Answered by", names, format_func=lambda n: labels[n], key=f"part-{run.name}-{id}"))
    _part(run, parts[name], f"{run.name}-{id}-{names.index(name)}")


def _part(run: Run, part: Json, key: str) -> None:
    if part["failed"]:
        st.info(f"This failed, and counts as wrong: {markdown(part['failed'], 300)}")
        return
    st.caption(markdown(" · ".join(filter(None, [part.get("verdict", ""), part["detail"]])), 300))
    if part.get("gold"):
        st.caption(markdown(f"Gold: {part['gold']}", 600))
    if part["trajectory"]:
        base = knowledge_base(str(run.config["kb"]))
        try:
            show_trajectory(base, open_trajectory(base, part["trajectory"]).trajectory, key)
            return
        except NotFoundError:
            st.caption("Its trajectory has been deleted from the graph since; this is what the run has kept of it.")
    show_steps(view.recorded(part), key)


def _item(row: Json, metric: str) -> Json:
    by_metric = any(part["score"].isdigit() for part in row["parts"])
    scores = f"{metric} — " * by_metric + ", ".join(f"{part['name']}: {part['score']}" for part in row["parts"])
    given = dict.fromkeys(part["answer"] for part in row["parts"] if part["answer"])
    answer = f"{' / '.join(given)} (right: {row['answers']})" if given else f"right: {row['answers']}"
    return {
        "id": row["id"],
        "question": visible(row["question"], 300),
        "answer": visible(answer, 240),
        "answered": any(part["answered"] for part in row["parts"]),
        "comment": "",
        "mark": "",
        "meta": visible(" · ".join(filter(None, [scores, row["about"]])), 240),
        "chosen": False,
    }


def _stamp(run: Run) -> float:
    files = [run.folder / name for name in (RECORDS, SUMMARY)]
    return max((file.stat().st_mtime for file in files if file.exists()), default=0.0)


@st.cache_data(max_entries=8, ttl=3_600, show_spinner="Reading the run …")
def _questions(folder: str, metric: str, stamp: float) -> list[Json]:

    place = Path(folder)
    run = find_run(place.parent, place.name)
    return worst_questions(run, run.questions(), metric)
