"""Whether a knowledge base holds what questions are known to rest on: retrieval cannot find what is not there."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from clew.evaluation.datasets import Question, Support
from clew.evaluation.metrics import passage_key, recall_at_k
from clew.knowledge_base import KnowledgeBase

_AT_ONCE = 1000


def missing_supporting(base: KnowledgeBase, questions: Sequence[Question]) -> tuple[int, int]:
    """How many different supporting passages no passage of the knowledge base counts for, and how many there are.

    They are compared as recall compares them. One without a title is taken to be there: to tell, all passages would
    have to be read.
    """
    wanted = dict.fromkeys(support for question in questions for support in question.supporting)
    by_title: dict[str, list[Support]] = {}
    for support in wanted:
        if support.title:
            by_title.setdefault(passage_key(support.title, "")[0], []).append(support)
    documents = _documents_by_id(base, by_title) if by_title else {}
    ids = list(documents)
    found: set[Support] = set()
    for at in range(0, len(ids), _AT_ONCE):
        for row in base.database.read("evaluate/passages", kb=base.name, ids=ids[at : at + _AT_ONCE]):
            own = [(row["title"], text) for text in row["texts"]]
            found |= {s for s in by_title[documents[row["id"]]] if recall_at_k(own, [s], max(1, len(own)))}
    return sum(bool(support.title) and support not in found for support in wanted), len(wanted)


def _documents_by_id(base: KnowledgeBase, titles: Collection[str]) -> dict[str, str]:
    """The titles of the documents that have one of these, by their ids."""
    rows = base.database.read("evaluate/titles", kb=base.name)
    keys = {row["id"]: passage_key(row["title"] or "", "")[0] for row in rows}
    return {id: key for id, key in keys.items() if key in titles}
