"""The policy without a model on papers of an office: a lease, minutes, an award, a CV, a report, a plan, a manual.

What most of them are about stands beside their title, or in a line of its own, and not in each sentence.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.database.connection import Database
from clew.knowledge_base import KnowledgeBase
from clew.settings import Settings

PAPERS = Path(__file__).parents[1] / "papers"
ANSWERS = {
    "How much did Brackwater Sailing Club have at the bank on 28 February?": "£48,215",
    "When did the old drainage pump fail?": "17 January",
    "When does the lease of the warehouse at Cooper's Wharf begin?": "1 September 2025",
    "How long is the fixed term of the lease?": "five years",
    "Who pays for the electricity and water?": "Tenant",
    "May the tenant sublet the premises without the consent of the landlord?": "no",
    "To whom must damage to the premises be reported?": "Mr Osric Tamblyn",
    "How heavy is the DP-40?": "21 kg",
    "How often must the strainer be cleaned?": "every month",
    "Why was the shaft seal of the DP-40 redesigned?": "the earlier rubber seal wore out in salt water",
    "Can the DP-40 be used for fuel?": "no",
    "How much did Tessmar pay for Nordhavn Ventiler?": "€11.5 million",
    "Why did the revenue of Tessmar grow in 2024?": (
        "strong demand for drainage pumps after the floods in the Varn valley"
    ),
    "In which year was the maker of the DP-40 founded?": "1957",
    "What nationality is Marguerite Oyelaran?": "Irish",
    "Who supervised the master's thesis of Marguerite Oyelaran?": "Professor Iain Stroud",
    "How many patents does Marguerite Oyelaran hold?": "three",
    "Which medal did Marguerite Oyelaran receive in 2021?": "Brunswick Medal",
    "Does Marguerite Oyelaran speak Norwegian?": "yes",
    "Who was the counsel of Kolbrunn Castings?": "Ms Adaeze Whitcombe",
    "When did Tessmar file its request for arbitration?": "21 February 2023",
    "What caused the porosity of the housings?": "wrong casting temperature",
    "Which arbitrator dissented?": "Ms Sall",
    "Who is the project manager of the Saltmarsh Pumping Station?": "Henrike Solberg",
    "When is the start of construction of the Saltmarsh Pumping Station?": "1 September 2025",
    "How many homes were flooded in the winter of 2023/24?": "130",
    "Which company programs the controls of the pumping station?": "Orbit Automation",
    "Why may no work be done near the reed beds between March and June?": "bitterns breed there",
    "Who chairs the steering group?": "Philippa Ungar",
    "Does the project include the repair of the sea wall?": "no",
    "How many items may children borrow?": "12",
    "What is the fine for returning a book late?": "20 pence",
    "Is food allowed in the reading room?": "no",
    "Who plans school visits at the Quillhaven library?": "Tobias Rennick",
    "Was the lift installed in 2016?": "yes",
    "Was the lift installed in 2014?": "no",
    "Is heating provided?": "no",
    "Can the old drainage pump be repaired?": "no",
    "Is spray painting permitted?": "no",
    "Is scanning free?": "yes",
    "Who is the landlord?": "Farrow Estates Limited",
    "Who is the tenant?": "Brackwater Sailing Club",
}
UNTOLD = (
    "Who won the summer regatta?",
    "Which company insures the warehouse at Cooper's Wharf?",
    "How loud is the DP-40 pump?",
    "Who audited the annual accounts of Tessmar Pumps?",
    "How many children does Marguerite Oyelaran have?",
    "Which court set aside the award of 9 April 2024?",
    "Which bank lends the town the money for the pumping station?",
    "How many books does the Quillhaven Public Library own?",
    "Who is the vice-commodore of Brackwater Sailing Club?",
    "When was the warehouse at Cooper's Wharf built?",
    "How much does the DP-40 cost in the United States?",
    "How many employees does Nordhavn Ventiler have?",
    "Who is Marguerite Oyelaran married to?",
    "When was Kolbrunn Castings founded?",
    "Who is the architect of the Saltmarsh Pumping Station?",
    "Who is the director of the Quillhaven Public Library?",
)


@pytest.fixture(scope="module")
def kb(database: Database, settings: Settings) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(f"test-{uuid.uuid4().hex[:12]}", settings=settings) as opened:
        report = opened.ingest(str(PAPERS))
        assert report.documents == len(list(PAPERS.iterdir()))
        yield opened
        opened.delete()


@pytest.mark.parametrize("question", ANSWERS)
def test_what_a_paper_tells_is_read(kb: KnowledgeBase, question: str) -> None:
    trajectory = kb.ask(question, policy="extractive", store=False)
    assert trajectory.answer == ANSWERS[question]
    assert trajectory.citations


@pytest.mark.parametrize("question", UNTOLD)
def test_what_no_paper_tells_is_not_made_up(kb: KnowledgeBase, question: str) -> None:
    trajectory = kb.ask(question, policy="extractive", store=False)
    assert (trajectory.answered, trajectory.stopped, trajectory.citations) == (False, "unknown", ())
