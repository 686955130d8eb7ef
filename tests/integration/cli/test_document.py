"""What deleting documents says that it takes along."""

from __future__ import annotations

from clew.cli.document import _kept_answers
from clew.knowledge_base import KnowledgeBase


def test_it_says_what_becomes_of_kept_answers(kb: KnowledgeBase) -> None:
    kb.ingest_bytes(b"# Quay\n\nThe Corran quay cost 40 crowns.", "quay.md")
    kb.ingest_bytes(b"# Boat\n\nJon Ek bought the boat Tern.", "boat.md")
    ids = [row["id"] for row in kb.documents()]
    assert _kept_answers(kb, ids) == ""
    kb.ask("Who bought the boat Tern?")
    assert "stay, with what they quote" in _kept_answers(kb, ids[:1])
    assert "the 1 answers that were kept, with their ratings" in _kept_answers(kb, ids)
