"""Questions that a knowledge base answers surely, found in the background and kept with it.

They are made of its facts, as those of a training run are, and put to the reader: those that it answers surely, and as
the fact says, are suggested. That is done once for a version of the knowledge base, and never while a page is drawn.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from itertools import zip_longest
from typing import TYPE_CHECKING

from clew import KnowledgeBase
from clew.database.connection import Row
from clew.errors import ClewError
from clew.evaluation.metrics import right

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
    """Questions with a sure and right answer, of as many documents and columns of tables as there are."""
    from clew.trainer.data.questions import synthesise

    if base.stats()["nodes"]["Hyperedge"] > MOST_FACTS:
        return []
    try:
        made = synthesise(base.database, base.name, 10 * TRIED, hops=(1,))
    except ClewError:  # nothing in it that a question can be made of
        return []
    sure: list[str] = []
    for one in _in_turn(made)[:TRIED]:
        began = time.monotonic()
        asked = _short(one)
        answer = base.ask(asked, policy="reader", store=False)
        if answer.verdict.kind == "sure" and right(answer.answer, one.answers):
            sure.append(asked)
        if len(sure) == WANTED:
            break
        time.sleep((time.monotonic() - began) * (1 / _SHARE - 1))
    return sure


def _in_turn(made: Iterable[Synthetic]) -> list[Synthetic]:
    """The plainest question of each document, then the next ones; of a column only the first."""
    of_page: dict[str, dict[str, Synthetic]] = {}
    for one in sorted(made, key=_stiffness):
        last = one.walk[-1]
        if not last.cloze and len(one.question) <= _LONGEST:
            of_page.setdefault(last.page, {}).setdefault(last.phrase.removesuffix(last.row), one)
    ranks = zip_longest(*(questions.values() for questions in of_page.values()))
    return [one for rank in ranks for one in rank if one]


def _short(one: Synthetic) -> str:
    """What a person would ask: the table goes without saying where the row is named."""
    last = one.walk[-1]
    return f"What is {last.phrase}?" if last.row and last.phrase.startswith("the ") else one.question


def _stiffness(one: Synthetic) -> int:
    """How little a question sounds like a person: least so where a column is quoted, then where it holds no figure."""
    if "“" in one.question:
        return 3
    return (1 if one.answers[0][:1].isdigit() else 2) if one.walk[-1].asks == "value" else 0
