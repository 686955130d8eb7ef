"""Trajectories in the graph: tied to what they retrieved and cite, and tied again when that comes back."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from clew.database.connection import Database
from clew.database.schema import migrate
from clew.knowledge_base import KnowledgeBase
from clew.settings import Settings
from clew.trajectories.read import open_trajectory
from tests.unit.documents.made import row, workbook

PAGES = {
    "Aldo Reef": "Aldo Reef (born 3 May 1820) was a diver. Aldo Reef was born in Marsh End.",
    "Marsh End": "Marsh End is a village on the Lode. It was founded in 1702 by Ida Sallow.",
}


def test_ties_are_made_again(database: Database, settings: Settings, kb_name: str, tmp_path: Path) -> None:
    """Deleting what a trajectory rests on takes its ties; the same document brings them back, another one does not."""
    migrate(database)
    for title, text in PAGES.items():
        (tmp_path / f"{title}.txt").write_text(f"{title}\n\n{text}\n")
    base = KnowledgeBase(kb_name, database, settings)
    base.ingest(str(tmp_path))
    trajectory = base.ask("Where was Aldo Reef born?", policy="reader")
    assert trajectory.answer == "Marsh End"
    assert [c.quote[a - c.start : b - c.start] for c in trajectory.citations for a, b in c.spans] == ["Marsh End"]
    assert open_trajectory(base, trajectory.id).trajectory.citations == trajectory.citations
    before = base.stats()
    assert before["relationships"]["CITES"] == len(trajectory.citations)
    assert before["relationships"]["RETRIEVED"] == sum(len(step.facts) for step in trajectory.steps)

    reef = next(d["id"] for d in base.documents() if d["title"] == "Aldo Reef")
    base.delete_documents(reef)
    torn = base.stats()
    assert torn["relationships"]["CITES"] < before["relationships"]["CITES"]
    assert torn["nodes"]["Trajectory"] == 1
    assert base.trajectory(trajectory.id)["citations"]

    base.ingest(str(tmp_path))
    assert base.stats() == before
    assert database.read("trajectory/torn", kb=kb_name) == []

    (tmp_path / "Aldo Reef.txt").write_text("Aldo Reef\n\nAldo Reef (born 3 May 1820) was a sailor.\n")
    base.ingest(str(tmp_path))
    assert base.stats()["relationships"]["CITES"] < before["relationships"]["CITES"]
    assert [row["id"] for row in database.read("trajectory/torn", kb=kb_name)] == [trajectory.id]


def test_a_citation_names_the_sheet_that_its_quote_stands_on(
    database: Database, settings: Settings, kb_name: str
) -> None:
    def sheet(*rows: tuple[str, str]) -> str:
        return "".join(row(at, *cells) for at, cells in enumerate((("Office", "Holder"), *rows), 1))

    sheets = {"Harbour": sheet(("Pilot", "Juno Marrack")), "Sheet2": sheet(("Warden", "Abel Finch"))}
    migrate(database)
    base = KnowledgeBase(kb_name, database, settings)
    base.ingest_bytes(workbook(sheets), "staff.xlsx")
    for question, named in (("Who is the Pilot?", "sheet Harbour"), ("Who is the Warden?", "sheet Sheet2")):
        (citation, *_) = base.ask(question, policy="reader").citations
        assert (citation.page, citation.section) == (None, named)


def test_a_citation_names_the_page_that_its_quote_stands_on(
    database: Database, settings: Settings, kb_name: str
) -> None:
    """Short pages are read as one passage, which begins on the first of them."""
    migrate(database)
    file = BytesIO()
    canvas = Canvas(file)
    for line in (
        "Korran Mill was built in 1763.",
        "Korran Mill burnt down in 1822.",
        "Korran Mill was bought by Dora Tessel.",
    ):
        canvas.drawString(72, 700, line)
        canvas.showPage()
    canvas.save()
    base = KnowledgeBase(kb_name, database, settings)
    base.ingest_bytes(file.getvalue(), "mill.pdf")
    for question, answer, page in (
        ("Who bought Korran Mill?", "Dora Tessel", 3),
        ("When did Korran Mill burn down?", "1822", 2),
    ):
        trajectory = base.ask(question, policy="reader")
        assert trajectory.answer == answer
        assert trajectory.steps[0].passages[0].page == 1
        assert [citation.page for citation in trajectory.citations] == [page]
        assert [one["page"] for one in base.trajectory(trajectory.id)["citations"]] == [page]


def test_a_citation_keeps_its_quote_and_says_how_it_stands(
    database: Database, settings: Settings, kb_name: str, tmp_path: Path
) -> None:
    """A quote is found again in a new text, shown beside what stands there instead, or told to be gone."""
    migrate(database)
    page = tmp_path / "Aldo Reef.txt"
    page.write_text(f"Aldo Reef\n\n{PAGES['Aldo Reef']}\n")
    (tmp_path / "Marsh End.txt").write_text(f"Marsh End\n\n{PAGES['Marsh End']}\n")
    base = KnowledgeBase(kb_name, database, settings)
    base.ingest(str(tmp_path))
    asked = base.ask("Where was Aldo Reef born?", policy="reader")
    quote = "Aldo Reef was born in Marsh End."
    assert [c.quote for c in asked.citations] == [quote]
    assert len(asked.citations[0].version) == 12
    assert [one.state for one in base.standing(asked.id)] == ["same"]

    page.write_text(f"Aldo Reef\n\nA longer first line about a diver who was well known. {PAGES['Aldo Reef']}\n")
    base.ingest(str(tmp_path))
    [moved] = base.standing(asked.id)
    assert moved.state == "moved"
    assert base.document(moved.citation.document)["text"][moved.start : moved.end] == quote

    page.write_text("Aldo Reef\n\nAldo Reef (born 3 May 1820) was a diver. Aldo Reef was born in Tarrow.\n")
    base.ingest(str(tmp_path))
    [changed] = base.standing(asked.id)
    assert (changed.state, changed.now, changed.touched) == ("changed", "Aldo Reef was born in Tarrow.", True)
    assert changed.citation.quote == quote
    again = base.ask("Where was Aldo Reef born?", policy="reader")
    assert again.answer == "Tarrow"
    assert again.citations[0].version != changed.citation.version

    base.delete_documents(changed.citation.document)
    assert [one.state for one in base.standing(asked.id)] == ["deleted"]
    assert {row["verdict"] for row in base.find_trajectories()[0]} == {"outdated"}


def test_the_last_document_takes_the_trajectories(
    database: Database, settings: Settings, kb_name: str, tmp_path: Path
) -> None:
    """A knowledge base without documents is empty: answers that quote them go too."""
    migrate(database)
    (tmp_path / "page.txt").write_text("Marsh End\n\n" + PAGES["Marsh End"])
    base = KnowledgeBase(kb_name, database, settings)
    base.ingest(str(tmp_path))
    base.ask("Who founded Marsh End?", policy="reader")
    base.delete_documents(*(d["id"] for d in base.documents()))
    assert set(base.stats()["nodes"].values()) == {0}
    assert set(base.stats()["relationships"].values()) == {0}
