"""What a document says of itself: kept with it, shown, and brought in anew where it alone has changed."""

from __future__ import annotations

from pathlib import Path

from clew.agent.loop import Finished
from clew.knowledge_base import KnowledgeBase
from clew.types import Trajectory


def test_metadata_is_stored_typed_and_shown(kb: KnowledgeBase, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text(
        "---\ntitle: Fees\nauthor: Anna Berg\ntags: [port, fees]\n---\nThe berth of the Tern costs 40 crowns."
    )
    rows = tmp_path / "rows.csv"
    rows.write_text("id,author,year,text\n7,Jon Ek,2020,The quay of Corran is new.\n8,,,The quay of Ardg is old.\n")
    kb.ingest(str(note), str(rows))
    told = {document["title"]: document["metadata"] for document in kb.documents()}
    assert told == {
        "Fees": {"author": "Anna Berg", "tags": ["port", "fees"]},
        "The quay of Corran is new.": {"author": "Jon Ek", "year": "2020"},
        "The quay of Ardg is old.": {},
    }
    fees = next(document for document in kb.documents() if document["title"] == "Fees")
    shown = kb.document(fees["id"])
    assert shown["metadata"]["author"] == "Anna Berg"
    assert shown["text"].endswith("author: Anna Berg.")

    note.write_text(note.read_text().replace("[port, fees]", "[port]"))
    report = kb.ingest(str(note), str(rows))
    assert (report.documents, report.replaced, report.unchanged) == (1, 1, 2)
    assert kb.document(fees["id"])["metadata"]["tags"] == ["port"]


def test_what_was_guessed_and_left_out_is_in_the_report(kb: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_bytes("Skibet sejler til Ærø, og Åse følger med.".encode("cp1252"))
    (tmp_path / "page.html").write_text("<p>A seat costs <del>90</del> 70 crowns.</p>")
    (tmp_path / "map.gif").write_bytes(b"GIF89a")
    report = kb.ingest(str(tmp_path))
    assert report.skipped == ()
    notes = {(Path(note.source).name, note.reason.partition(":")[0]) for note in report.notes}
    assert notes == {
        ("old.txt", "Its encoding is guessed"),
        ("page.html", "Left out"),
        (tmp_path.name, "Left out, because files of these kinds cannot be read"),
    }


def test_a_filter_that_no_document_fulfils_is_the_reason(kb: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "dam.md").write_text("---\nauthor: Liv Moen\n---\nThe Skar Dam was built by Per Lund in 1931.")
    kb.ingest(str(tmp_path / "dam.md"))
    asked = "Who built the Skar Dam?"
    assert kb.ask(asked, filter={"author": "Liv Moen"}).answer == "Per Lund"
    for given in (kb.ask(asked, filter='author="Liv"'), _finished(kb, asked, 'author="Liv"')):
        assert (given.verdict.kind, given.verdict.reason) == ("nothing", "No document fulfils author=Liv.")


def _finished(kb: KnowledgeBase, question: str, filter: str) -> Trajectory:
    *_, last = kb.stream(question, filter=filter)
    assert isinstance(last, Finished)
    return last.trajectory
