"""A real small model through the whole agent: whatever it says, there is a clear outcome, and citations are exact."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.evaluation import model_check
from clew.knowledge_base import KnowledgeBase
from clew.settings import load_settings
from tests.small_model import MODEL, missing, small_model

EXAMPLES = Path(__file__).parents[3] / "examples"
OUTCOMES = {"", "unknown", "malformed", "turns", "tokens"}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(bool(missing()), reason=f"the small model is {missing()}"),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the model is served, once for all that ask it: it takes a while to load."""
    with small_model() as served:
        yield served


def test_whatever_a_small_model_says_ends_in_a_clear_outcome(encyclopaedia: KnowledgeBase, address: str) -> None:
    rows = [json.loads(line) for line in (EXAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()[:1]]
    given = {"llm_model": MODEL, "llm_base_url": address, "policy": "llm", "max_turns": 3, "llm_timeout": 600.0}
    base = KnowledgeBase(encyclopaedia.name, encyclopaedia.database, encyclopaedia.settings.model_copy(update=given))
    base.__dict__["embedder"] = encyclopaedia.embedder
    for row in rows:
        t = base.ask(row["question"], store=False)
        assert t.stopped in OUTCOMES
        assert t.answer
        assert t.steps[0].query, "something was looked up, whatever the model wrote"
        for citation in t.citations:
            text = base.document(citation.document)["text"]
            assert citation.quote == text[citation.start : citation.end] != ""


def test_the_check_reports_a_small_model(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    few = model_check.QUESTIONS[:2]  # it writes a few tokens a second, and no answer is looked at
    monkeypatch.setattr(model_check, "QUESTIONS", few)
    settings = load_settings(_env_file=None, llm_model=MODEL, llm_base_url=address, llm_timeout=600.0)
    report = model_check.check_model(settings)
    assert not report.fault
    assert len(report.asked) == len(few)
    assert report.tokens_per_second > 0
    # A request that is sent again without a refused option is a call whose reply is read once.
    assert 0 < sum(report.forms.values()) <= report.usage.calls
