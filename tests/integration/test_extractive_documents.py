"""The policy without a model on documents that are no encyclopaedia: minutes, a contract, a manual."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.database.connection import Database
from clew.knowledge_base import KnowledgeBase
from clew.settings import Settings

DOCUMENTS = Path(__file__).parents[1] / "documents"
ANSWERS = {
    # minutes
    "When does the dredging of the inner basin begin?": "2 May 2023",
    "Which company dredges the inner basin?": "Brackwater Marine",
    "How much does the dredging cost?": "48,500 euros",
    "How long does the dredging take?": "nine days",
    "When does the next meeting take place?": "9 May 2023",
    "Where does the next meeting take place?": "Lunde",
    "Who chaired the meeting of the harbour committee?": "Runa Keld",
    "Who proposed to replace the crane?": "Tobias Arn",
    "When did the crane fail its inspection?": "27 February 2023",
    "How much does a new crane cost?": "112,000 euros",
    "Who was elected treasurer?": "Marten Vale",
    "Whom did Marten Vale succeed as treasurer?": "Ingrid Solberg",
    # contract
    "Who is the landlord?": "Calder Estates Limited",
    "Who is the tenant?": "Tarn End Rowing Club",
    "Who is the surveyor?": "Edwina Marsh",
    "When does the lease begin?": "1 October 2021",
    "When does the lease end?": "30 September 2031",
    "What is the annual rent?": "7,200 pounds",
    "Who holds the deposit?": "Norrland Savings Bank",
    "Who maintains the roof of the boathouse?": "the landlord",
    "Who maintains the slipway?": "the tenant",
    "By what law is the lease governed?": "Scotland",
    "Who signed for the landlord?": "Gordon Pell",
    "Who signed for the tenant?": "Amara Whitlock",
    # manual
    "Who makes the Kestrel 300?": "Fenwick Instruments",
    "What is the maximum wind speed?": "60 m/s",
    "How long do the batteries last?": "400 hours",
    "How often must the instrument be calibrated?": "24 months",
    "How long does a calibration take?": "five days",
    "What does error E4 mean?": "the impeller is blocked",
    "What does error E7 mean?": "the battery is low",
    "How do I clear an error?": "press and hold the POWER button for 10 seconds",
    "How long does the warranty last?": "36 months",
}
UNTOLD = (
    "Who is the landlord's lawyer?",
    "What colour is the boathouse?",
    "When was the boathouse built?",
    "Who is the president of the rowing club?",
    "What is the tenant's phone number?",
    "How many members does the harbour committee have?",
    "Who repairs the crane?",
    "What is the price of the Kestrel 300?",
)


@pytest.fixture(scope="module")
def kb(database: Database, settings: Settings) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(f"test-{uuid.uuid4().hex[:12]}", settings=settings) as opened:
        report = opened.ingest(str(DOCUMENTS))
        assert report.documents == 3
        yield opened
        opened.delete()


@pytest.mark.parametrize("question", ANSWERS)
def test_minutes_a_contract_and_a_manual_are_read(kb: KnowledgeBase, question: str) -> None:
    trajectory = kb.ask(question, policy="extractive", store=False)
    assert trajectory.answer == ANSWERS[question]
    assert trajectory.citations


@pytest.mark.parametrize("question", UNTOLD)
def test_what_no_document_tells_is_not_made_up(kb: KnowledgeBase, question: str) -> None:
    trajectory = kb.ask(question, policy="extractive", store=False)
    assert (trajectory.answered, trajectory.stopped, trajectory.citations) == (False, "unknown", ())
