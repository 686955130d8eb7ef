"""A list of trajectories, or of what else can be opened or selected."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from clew.database.connection import Row
from clew.reporting.verdict import WORDS
from clew.types import Json
from clew.ui.components import frontend, ignore
from clew.ui.markup import plain
from clew.ui.text import visible, when

_HEADS = ("Verdict", "Seconds", "Cost", "Score")
"""Columns; one that is empty in every row is not shown."""
_MARKS = {1: "good", -1: "bad"}


def show_tracks(rows: Sequence[Row], chosen: set[str], key: str) -> str | None:
    """Draw the list; the id of a trajectory that was opened. ``chosen`` takes in what the reader selects."""
    return show_list([_item(row, row["id"] in chosen) for row in rows], chosen, key, "Trajectories")


def show_list(items: Sequence[Json], chosen: set[str] | None, key: str, label: str) -> str | None:
    """Draw a list of ``{id, question, answer, answered, comment, mark, meta, chosen}``; the id of one that was opened.

    Without ``chosen`` there is nothing to select.
    """
    ids = {item["id"] for item in items}

    def choose() -> None:
        picked = st.session_state[key].pick
        if chosen is not None and isinstance(picked, dict) and picked.get("id") in ids:
            (chosen.add if picked.get("on") else chosen.discard)(str(picked["id"]))

    shown = [at for at in range(len(_HEADS)) if any(item["cells"][at] for item in items if "cells" in item)]
    rows = [item | {"cells": [item["cells"][at] for at in shown]} if "cells" in item else item for item in items]
    data = {"items": rows, "label": label, "select": chosen is not None, "heads": [_HEADS[at] for at in shown]}
    clicked = frontend("tracks")(key=key, data=data, on_open_change=ignore, on_pick_change=choose)
    return str(clicked.open) if clicked.open in ids else None


def _item(row: Row, chosen: bool) -> Json:
    turns = f"{row['turns']} {'turn' if row['turns'] == 1 else 'turns'}"
    verdict = WORDS[row["verdict"]] if row["verdict"] else ""
    about = (row["origin"], row["policy"], row["strategy"], turns, when(row["created"]))
    cost = f"{row['cost']:.4f}" if row["cost"] else ""
    score = "" if row["score"] is None else f"{row['score']:.3g}"
    return {
        "id": row["id"],
        "question": visible(row["question"], 300),
        "answer": visible(plain(row["answer"]), 200),
        "answered": bool(row["answered"]),
        "comment": visible(row["comment"] or "", 200),
        "mark": _MARKS.get(row["rating"], ""),
        "meta": " · ".join(visible(part, 40) for part in about if part),
        "cells": [verdict, f"{row['seconds']:.1f} s", cost, score],
        "chosen": chosen,
    }
