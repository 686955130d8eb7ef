"""The plan of a dry run: what a training run will need, before it starts."""

from __future__ import annotations

import streamlit as st

from clew.reporting.table import Cell, Table
from clew.runs import Job
from clew.trainer.runs.plan import GIB, GPU_GIB
from clew.ui import view
from clew.ui.components.figures import show_table
from clew.ui.components.steps import show_steps


def show_plan(job: Job) -> None:
    """Draw what the dry run has found out: memory, steps and time, and one trajectory of the untrained model."""
    plan = job.progress
    if "parts" not in plan:
        return
    fits = "fits" if plan["fits"] else "does not fit"
    st.write(
        f"Peak **{plan['peak'] / GIB:,.2f} GiB** on one device: it {fits} a GPU of {GPU_GIB} GiB."
        + (f" Its rollouts take {plan['hours']:,.1f} h one after another as here." if plan["hours"] >= 0.05 else "")
    )
    with st.expander("Memory, part by part"):
        rows = [
            [Cell(part["name"]), Cell(f"{part['bytes'] / GIB:,.2f}"), Cell(part["held"]), Cell(part["why"])]
            for part in plan["parts"]
        ]
        show_table(Table(["", "GiB", "held", "how it is counted"], rows), "Memory")
    heads = ["phase", "method", "steps", "batches", "trajectories", "tokens, at most"]
    phases = [
        [Cell(str(phase["name"])), Cell(phase["method"]), *(Cell(f"{phase[name]:,}") for name in _COUNTED)]
        for phase in plan["phases"]
    ]
    show_table(Table(heads, phases), "Phases")
    with st.expander("One trajectory of the untrained model"):
        st.caption(f"At {plan['rate']:,.0f} tokens a second on this machine.")
        show_steps(view.rollout(plan["rollout"]), f"plan-{job.name}")


_COUNTED = ("steps", "batches", "trajectories", "tokens")
