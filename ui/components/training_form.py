"""The form that says what is to be trained, on what, and how."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from clew.errors import ClewError
from clew.trainer.config import Recipe, load_recipe, recipe_names
from clew.trainer.runs.jobs import (
    DataSet,
    Wanted,
    data_sets,
    keep_upload,
    start_plan,
    start_run,
    write_demonstrations,
    write_questions,
)
from clew.ui.components.question_file import show_some
from clew.ui.session import is_personal, pages, settings, show_error
from clew.ui.text import markdown

NEXT = "train-data-next"
"""Where a session keeps the name of the data set that is being made for it."""
OWN = "train-own"
"""Whether a session has come for a run of its own, so that the form is open."""
FIELDS = ("train-recipe", "train-model", "train-data", "train-changes")
"""What is still there when the reader comes back from a run."""
MAKE, UPLOAD, PLACE = "Make questions from the graph", "Bring a file", "A file on this machine"


def train_on(data: str) -> None:
    """Go to the page Train with the form open and a data set chosen."""
    st.session_state[OWN], st.session_state[NEXT] = True, data
    st.switch_page(pages()["train"])


def ask_what(kb: str | None) -> None:
    """Draw the form, and start what it says."""
    if kb is None:
        st.info("There is no knowledge base to train on yet: bring documents in on the page **Documents**.")
        return
    with st.container(key="training-form"):
        left, right = st.columns(2, gap="medium")
        with left:
            recipe = _recipe()
            model = st.text_input(
                "Model",
                key="train-model",
                placeholder="Qwen/Qwen2.5-3B-Instruct",
                help="A folder in Hugging Face's form, or a name on a model hub.",
            )
            name = st.text_input("Name of the run", key="train-name", placeholder="made from recipe and time")
        with right:
            data = _data(kb)
            shown = _demonstrations(kb, recipe, data)
        changes = st.text_area(
            "Fields to change, one a line",
            key="train-changes",
            placeholder="training.steps=100\nmodel.lora_rank=16",
            height=90,
            help="Every field of the recipe can be set; an unknown one is refused with the nearest name.",
        )
        with st.expander("The recipe with all its fields"):
            st.code(_toml(recipe.name), language="toml", height=360)
        fields = tuple(line.strip() for line in changes.splitlines() if line.strip())
        train = (data.train,) if data and data.train else ()
        files = (data.dev, data.test) if data else ("", "")
        wanted = Wanted(recipe.name, kb, model.strip(), train, *files, shown, fields)
        with st.container(horizontal=True, vertical_alignment="center"):
            plan = st.button("Look at the plan", icon=":material/checklist:", help="A dry run: nothing is trained.")
            begin = st.button("Start training", type="primary", icon=":material/model_training:")
            st.caption(f"On the knowledge base **{markdown(kb, 60)}**, one run after the other.")
    if plan or begin:
        try:
            start_plan(settings(), wanted) if plan else start_run(settings(), wanted, name.strip())
        except ClewError as error:
            show_error(error)
            return
        st.rerun()


def _recipe() -> Recipe:
    names = recipe_names()
    name = st.selectbox("Recipe", names, index=names.index("graph-r1"), key="train-recipe")
    recipe = load_recipe(str(name))
    phases = " → ".join(phase.name for phase in recipe.phases)
    st.caption(f"{markdown(recipe.description)} {markdown(recipe.paper)}. Phases: {markdown(phases)}.")
    return recipe


def _data(kb: str) -> DataSet | None:
    sets = {data.name: data for data in data_sets(settings())}
    other = [MAKE, UPLOAD, PLACE] if is_personal() else [MAKE, UPLOAD]
    if st.session_state.get(NEXT) in sets:
        st.session_state["train-data"] = st.session_state.pop(NEXT)
    kind = str(st.selectbox("Questions to learn from", [*sets, *other], key="train-data"))
    if kind in sets:
        data = sets[kind]
        files = [name for name in ("train", "dev", "test") if getattr(data, name)]
        st.caption(f"Files: {', '.join(files)}." + (" The test is asked once, at the end." if data.test else ""))
        show_some(data.train)
        return data
    if kind == MAKE:
        st.caption(
            "Walks of one to four facts become questions, and rows, figures and names of any document; no fact of a "
            "test question is a training fact. Ten are shown before you use them."
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            count = st.number_input("Questions, at most", 10, 100_000, 500, key="train-count", width=180)
            if st.button("Make questions", icon=":material/quiz:"):
                _try(lambda: str(write_questions(settings(), kb, int(count)).about["name"]))
        return None
    if kind == UPLOAD:
        file = st.file_uploader("File", key="train-file", help="As clew evaluate takes them: {id, question, answers}.")
        if file and st.button("Keep it", icon=":material/save:"):
            _try(lambda: keep_upload(settings(), file.name, file.getvalue()).name)
        return None
    place = st.text_input("Place", key="train-place", placeholder="/data/train.jsonl").strip()
    return DataSet(Path(place).stem, place) if place else None


def _demonstrations(kb: str, recipe: Recipe, data: DataSet | None) -> str:
    if all(phase.method != "sft" for phase in recipe.phases):
        return ""
    known = list(data.demonstrations) if data else []
    if known:
        return str(st.selectbox("Demonstrations", known, format_func=lambda file: Path(file).name, key="train-shown"))
    st.caption("A phase of this recipe learns from demonstrations: an oracle writes them for the questions above.")
    if data and st.button("Write demonstrations", icon=":material/draw:"):
        _try(lambda: str(write_demonstrations(settings(), kb, data, recipe.name).about["name"]))
    return ""


def _try(made: Callable[[], str]) -> None:
    """Begin to make a data set; it is chosen as soon as it is there."""
    try:
        st.session_state[NEXT] = made()
    except ClewError as error:
        show_error(error)
        return
    st.rerun()


@st.cache_data(show_spinner=False)
def _toml(name: str) -> str:
    from clew.trainer.config import dump_toml

    return dump_toml(load_recipe(name))
