"""Questions that people asked and whose answers they found right, as training questions."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from clew.agent.abstain import is_unknown
from clew.errors import InputError
from clew.evaluation.metrics import normalize_answer
from clew.knowledge_base import KnowledgeBase
from clew.types import Json

APPROVING = ("good", "up", "right", True, 1)
"""Values of a trajectory's ``feedback`` that say its answer is right."""


def approved_questions(base: KnowledgeBase, count: int) -> list[Json]:
    """The latest such questions, each once, with its answer, or the ``correction`` that a person gave.

    Raises InputError where there is none.
    """
    rows = base.database.read("train/approved", kb=base.name, approving=list(APPROVING), limit=count)
    found: dict[str, Json] = {}
    for row in rows:
        if row["answer"] and not is_unknown(row["answer"]):
            question = {"id": row["id"], "question": row["question"], "answers": [row["answer"]]}
            if row["supporting"]:
                question["supporting"] = row["supporting"]
            found.setdefault(normalize_answer(row["question"]), question)
    if not found:
        raise InputError(
            f"No answer in the knowledge base {base.name!r} has been found right yet: "
            "give feedback in the app, or make questions --from graph."
        )
    return list(found.values())


def split_questions(rows: Sequence[Json], shares: Mapping[str, float], seed: int) -> dict[str, Sequence[Json]]:
    """Questions at random into train, dev and test; ``shares`` are those of the latter two."""
    shuffled = random.Random(seed).sample(list(rows), len(rows))
    dev, test = (round(shares[name] * len(rows)) for name in ("dev", "test"))
    return {"test": shuffled[:test], "dev": shuffled[test : test + dev], "train": shuffled[test + dev :]}
