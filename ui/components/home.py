"""Where one begins with a knowledge base: what it is about, what is in it, what failed, and what may be asked."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from clew import KnowledgeBase
from clew.database.connection import Row
from clew.documents.kinds import MEDIA_TYPES
from clew.explore import look
from clew.runs import jobs
from clew.runs.ingest import KIND, Item, items_of
from clew.trajectories.conversations import find_conversations
from clew.ui.components.bases import manage
from clew.ui.components.progress import latest_ingest, show_ingest
from clew.ui.session import counts, pages, settings, until_written
from clew.ui.suggestions import suggestions
from clew.ui.text import count, markdown, visible

FORMATS = {media_type: kind for kind, media_type in MEDIA_TYPES.items()}
MOST_KINDS = 12
MOST_FAILED = 3
RECENT = 5
LOOK_SECONDS = 2.0

Ask = Callable[[KnowledgeBase, str], None]


def show_home(base: KnowledgeBase, examples: list[str], ask: Ask, field: Callable[[], None]) -> None:
    """Draw a knowledge base that is asked nothing yet, with the field for a question, which ``field`` draws.

    ``examples`` are questions that it is known to answer.
    """
    about = _about(base)
    with st.container(horizontal=True, vertical_alignment="bottom", key="titled"):
        st.title(markdown(base.name), anchor=False, width="content")
        manage(base, about["description"], about["hidden"])
    if about["description"]:
        st.markdown(markdown(about["description"], 400))
    nodes = counts(base)
    documents, facts = count(nodes["Document"], "document"), count(nodes["Hyperedge"], "fact")
    entities = count(nodes["Entity"], "entity", "entities")
    st.caption(
        f"{markdown(base.name)} holds {documents}, {facts} and {entities}. "
        "Every answer shows the way to it, and the sentences that it rests on."
    )
    if not nodes["Document"]:
        _empty(base)
        field()
        return
    with st.container():  # where it stands, and not at the foot of the window
        field()
    left, right = st.columns([3, 2], gap="large")
    with left:
        _questions(base, examples, ask)
        _recent(base)
    with right, st.container(border=True):
        _documents(base)
        _failed(base)
        st.page_link(pages()["documents"], label="All documents", icon=":material/library_books:")


def _about(base: KnowledgeBase) -> Row:
    return base.database.read("kb/about", kb=base.name)[0]


def _empty(base: KnowledgeBase) -> None:
    job = latest_ingest(base.name)
    if job is not None and (job.state != "done" or any(item.state == "failed" for item in items_of(job))):
        show_ingest(job)
        return
    st.info("This knowledge base is empty: bring in documents on the page Documents.", icon=":material/library_add:")
    st.page_link(pages()["documents"], label="Bring in documents", icon=":material/library_books:")


def _questions(base: KnowledgeBase, examples: list[str], ask: Ask) -> None:
    busy = (job := latest_ingest(base.name)) is not None and job.running
    _, looking = (None, False) if busy else suggestions(base, _about(base), look.version(base))
    st.fragment(_suggested, run_every=LOOK_SECONDS if looking else None)(base, examples, ask, looking)


def _suggested(base: KnowledgeBase, examples: list[str], ask: Ask, looking: bool) -> None:
    found, still = (
        suggestions(base, _about(base), look.version(base)) if looking else (_about(base)["suggested"], False)
    )
    questions = list(dict.fromkeys([*examples, *found]))[:6]
    if not questions:
        if still:
            st.caption("Looking for questions that these documents answer …")
        return
    st.write("Try one of these:" if len(questions) > 1 else "Try this:")
    with st.container(key="suggestions", gap="small"):
        for question in questions:
            label = markdown(question)
            icon = ":material/arrow_forward:"
            if st.button(label, icon=icon, key=f"try-{question}"):
                ask(base, question)
                st.rerun()


def _recent(base: KnowledgeBase) -> None:
    rows: dict[str, Row] = {}  # what was asked again stands here once
    for row in find_conversations(base.database, base.name):
        rows.setdefault(row["title"], row)
    if not rows:
        return
    st.write("Asked lately:")
    with st.container(key="recent", gap=None):
        for row in list(rows.values())[:RECENT]:
            st.button(
                markdown(visible(row["title"], 90)),
                icon=":material/forum:",
                type="tertiary",
                key=f"recent-{row['id']}",
                on_click=open_conversation,
                args=(row["last"],),
            )


def open_conversation(trajectory: str) -> None:
    """Let the page show a conversation by the id of its last trajectory."""
    st.query_params["trajectory"] = trajectory


def _documents(base: KnowledgeBase) -> None:
    counted = _counted(base)
    kinds = [(FORMATS.get(str(row["kind"]), "other"), row["documents"]) for row in counted["kinds"]]
    st.markdown("**Documents**")
    more = sum(number for _, number in kinds[MOST_KINDS:])
    shown = [*kinds[:MOST_KINDS], *([("other", more)] if more else [])]
    st.markdown(" · ".join(f"{markdown(kind)} {number:,}" for kind, number in shown))
    for row in counted["days"]:
        day = row["day"].to_native()
        st.caption(f"{day.day} {day:%B %Y}: {count(row['documents'], 'document')}")


@until_written
def _counted(base: KnowledgeBase) -> Row:
    return base.database.read("kb/home", kb=base.name)[0]


def _failed(base: KnowledgeBase) -> None:
    """Name the files that could not be read, of the jobs that are still kept."""
    found: list[Item] = []
    for job in jobs(settings(), KIND):
        if job.about.get("kb") == base.name:
            found += [item for item in items_of(job) if item.state == "failed"]
    if not found:
        return
    st.markdown(f"**{count(len(found), 'file')} could not be read**")
    for item in found[:MOST_FAILED]:
        st.caption(f"{markdown(item.name, 60)}: {markdown(item.reason, 120)}")
