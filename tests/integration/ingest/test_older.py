"""A knowledge base of an older Clew: what it holds is asked as before, and what ingesting again would add is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from clew.database.connection import LANGUAGE
from clew.ingest.older import READING, older_readings
from clew.knowledge_base import KnowledgeBase
from clew.operations.check import check

AGE = (
    "MATCH (d:ClewDocument {kb: $kb, title: $title}) REMOVE d.reading "
    "SET d.blocks = CASE WHEN $blocks THEN d.blocks END, d.sha256 = CASE WHEN $blocks THEN d.sha256 ELSE '' END"
)
"""Leaves a document as one of the two versions that told no number has written it."""


def _run(kb: KnowledgeBase, text: str, **params: Any) -> list[dict[str, Any]]:
    with kb.database._driver.session(database=kb.database.name) as session:
        return session.run(LANGUAGE + text, kb=kb.name, **params).data()


def test_what_an_older_clew_has_read_is_told_until_it_is_ingested_again(kb: KnowledgeBase, tmp_path: Path) -> None:
    for name in ("Quays", "Mills", "Locks"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nThe {name} of Corran were built in 1911.\n")
    kb.ingest(str(tmp_path))
    assert older_readings(kb.database, kb.name) == []

    _run(kb, AGE, title="Quays", blocks=False)
    _run(kb, AGE, title="Mills", blocks=True)
    oldest, old = older_readings(kb.database, kb.name)
    assert (oldest.titles, old.titles) == (("Quays",), ("Mills",))
    assert "headings, lists" in oldest.gain
    assert "headings, lists" not in old.gain
    assert old.notice.startswith("1 document was read by an older Clew.")
    report = check(kb)
    assert report.clean
    assert [found.examples for found in report.findings if found.kind == "readings"] == [("Quays",), ("Mills",)]
    assert kb.retrieve(["When were the Quays of Corran built?"])[0].facts

    again = kb.ingest(str(tmp_path))
    assert (again.replaced, again.unchanged) == (1, 2)
    assert older_readings(kb.database, kb.name) == []
    assert _run(kb, "MATCH (d:ClewDocument {kb: $kb}) RETURN DISTINCT d.reading AS of") == [{"of": READING}]
