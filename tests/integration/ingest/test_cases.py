"""Inputs after public bug reports: what must stand in what is read of them, and what must be answered from it.

The files lie beside the repository, so that they are the same for everyone who tries; without them nothing is tried.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.database.connection import Database
from clew.database.schema import migrate
from clew.embedding import Embedder
from clew.ingest.load import load
from clew.knowledge_base import KnowledgeBase
from clew.settings import Settings, load_settings
from clew.types import Document, Skipped

FOLDER = Path(os.environ.get("CLEW_CASES", Path(__file__).parents[4] / "shared" / "cases"))
ENTRIES: list[dict[str, Any]] = (
    json.loads((FOLDER / "expected.json").read_text("utf-8")) if (FOLDER / "expected.json").is_file() else []
)
ASKING = os.environ.get("CLEW_ASK_CASES", "")
"""Set where the questions are to be asked as well, and not only the files read."""

pytestmark = pytest.mark.skipif(not ENTRIES, reason=f"the cases are not at {FOLDER} (CLEW_CASES)")


def _of(*keys: str) -> list[Any]:
    return [pytest.param(entry, id=f"{entry['kind']}-{entry['file']}") for entry in ENTRIES if set(keys) & set(entry)]


@pytest.mark.parametrize("entry", _of("read", "text", "absent", "once"))
def test_what_is_read(entry: dict[str, Any]) -> None:
    found = list(load([str(FOLDER / entry["file"])], kb="cases", settings=load_settings()))
    assert [item for item in found if isinstance(item, Skipped) and not item.note] == []
    text = " ".join(" ".join(item.text for item in found if isinstance(item, Document)).split())
    assert text
    for wanted in entry.get("text", ()):
        assert wanted in text
    for unwanted in entry.get("absent", ()):
        assert unwanted not in text
    for single in entry.get("once", ()):
        assert text.count(single) == 1


@pytest.fixture
def base(database: Database, settings: Settings, embedder: Embedder) -> Iterator[KnowledgeBase]:
    """An empty knowledge base, deleted afterwards."""
    migrate(database)
    base = KnowledgeBase(f"test-cases-{uuid.uuid4().hex[:8]}", database, settings)
    base.__dict__["embedder"] = embedder
    yield base
    base.delete()


@pytest.mark.skipif(not ASKING, reason="the questions are asked where CLEW_ASK_CASES is set")
@pytest.mark.parametrize("entry", _of("ask"))
def test_what_is_answered(entry: dict[str, Any], base: KnowledgeBase) -> None:
    base.ingest(str(FOLDER / entry["file"]))
    wrong = []
    for question, expected in entry["ask"]:
        found = base.ask(question)
        answer = found.answer if found.answered else ""
        fits = expected.lower() in answer.lower() if expected else not answer
        wrong += [] if fits else [(question, expected, answer)]
    assert wrong == []
