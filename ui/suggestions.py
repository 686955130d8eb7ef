"""Questions that a knowledge base answers surely, found in the background and kept with it.

They are made of its facts, as those of a training run are, and put to the reader: those that it answers surely, and as
the fact says, are suggested. That is done once for a version of the knowledge base, and never while a page is drawn.
"""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from clew import KnowledgeBase
from clew.database.connection import Row
from clew.errors import ClewError
from clew.evaluation.metrics import normalize_answer

if TYPE_CHECKING:
    from clew.trainer.data.questions import Synthetic

WANTED = 6
TRIED = 40
"""Questions that are put to the reader, at most."""
MOST_FACTS = 200_000
"""Facts of a knowledge base that are looked through for questions, at most."""
_LONGEST = 110
_SHARE = 0.5
"""What the search takes of the time, at most: somebody may be asking meanwhile."""

_log = logging.getLogger(__name__)
_under_way: set[str] = set()


def suggestions(base: KnowledgeBase, about: Row, version: str) -> tuple[list[str], bool]:
    """What may be asked, as ``kb/about`` has it, and whether more is being looked for, which this begins."""
    if about["suggested_at"] != version and base.name not in _under_way:
        _under_way.add(base.name)
        threading.Thread(target=_look, args=(base, version), name="clew-suggest", daemon=True).start()
    return about["suggested"], base.name in _under_way


def _look(base: KnowledgeBase, version: str) -> None:
    found: list[str] = []
    try:
        found = _found(base)
    except ClewError as error:
        _log.info("no suggestions for %s: %s", base.name, error)
    finally:
        with suppress(ClewError):
            base.database.write("kb/suggest", kb=base.name, questions=found, version=version)
        _under_way.discard(base.name)


def _found(base: KnowledgeBase) -> list[str]:
    """Questions with a sure and right answer, each about another document."""
    from clew.trainer.data.questions import synthesise

    if base.stats()["nodes"]["Hyperedge"] > MOST_FACTS:
        return []
    try:
        made = synthesise(base.database, base.name, 10 * TRIED, hops=(1,))
    except ClewError:  # nothing in it that a question can be made of
        return []
    plain: dict[str, Synthetic] = {}
    for one in sorted(made, key=_stiffness):
        if not one.walk[-1].cloze and len(one.question) <= _LONGEST:
            plain.setdefault(one.walk[-1].page, one)
    sure: list[str] = []
    for one in list(plain.values())[:TRIED]:
        began = time.monotonic()
        answer = base.ask(one.question, policy="reader", store=False)
        right = normalize_answer(answer.answer) in map(normalize_answer, one.answers)
        if answer.verdict.kind == "sure" and right:
            sure.append(one.question)
        if len(sure) == WANTED:
            break
        time.sleep((time.monotonic() - began) * (1 / _SHARE - 1))
    return sure


def _stiffness(one: Synthetic) -> int:
    """How little a question sounds like a person: what a cell says is asked stiffly, least so where it is a figure."""
    return (1 if one.answers[0][:1].isdigit() else 2) if one.walk[-1].asks == "value" else 0
