"""Questions that the cells of tables answer: look up, filter, count, most and least, sum, yes or no."""

from __future__ import annotations

from collections.abc import Sequence

from clew.agent.policies.reader.aggregates import SUPERLATIVE, TOTAL, aggregate
from clew.agent.policies.reader.lookup import lookup, opinions, whole_row
from clew.agent.policies.reader.rows import Answer, Row, asked_words
from clew.questions.plan import Kind


def answers(question: str, kind: Kind, rows: Sequence[Row], *, whole: bool = True) -> list[Answer]:
    """What the cells of some rows say to a question; empty where they say nothing, or several things.

    ``whole`` says that these are all rows of their tables, so that they can be counted and summed.
    """
    asked = asked_words(question)
    if kind == "yes/no":
        return list(opinions(question, rows, asked))
    total = TOTAL.search(question)
    over_rows = SUPERLATIVE.search(question) or total
    found = lookup(question, [row for row in rows if row.is_total] if total else () if over_rows else rows, asked)
    if not found and whole and (over_rows or kind in ("count", "list")):
        found = aggregate(question, kind, rows, asked)
    return found or (lookup(question, rows, asked) if over_rows else []) or whole_row(rows, asked)
