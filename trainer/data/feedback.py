"""Questions that people asked and whose answers they rated good, as training questions."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from clew.agent.abstain import is_unknown
from clew.errors import InputError
from clew.evaluation.metrics import normalize_answer
from clew.knowledge_base import KnowledgeBase
from clew.types import Json


def approved_questions(base: KnowledgeBase, count: int) -> list[Json]:
    """The latest such questions, each once, with the answer that was found good and what it cites.

    Raises InputError where there is none.
    """
    rows = base.database.read("train/approved", kb=base.name, limit=count)
    found: dict[str, Json] = {}
    for row in rows:
        if not is_unknown(row["answer"]):
            question = {"id": row["id"], "question": row["question"], "answers": [row["answer"]]}
            if row["supporting"]:
                question["supporting"] = row["supporting"]
            found.setdefault(normalize_answer(row["question"]), question)
    if not found:
        raise InputError(
            f"No answer in the knowledge base {base.name!r} has been rated good yet: "
            "give feedback in the app, or make questions --from graph."
        )
    return list(found.values())


def split_questions(rows: Sequence[Json], shares: Mapping[str, float], seed: int) -> dict[str, Sequence[Json]]:
    """Questions at random into train, dev and test; ``shares`` are those of the latter two."""
    shuffled = random.Random(seed).sample(list(rows), len(rows))
    dev, test = (round(shares[name] * len(rows)) for name in ("dev", "test"))
    return {"test": shuffled[:test], "dev": shuffled[test : test + dev], "train": shuffled[test + dev :]}
