"""The policy without a model over real documents: what it answers, how sure it says it is, and what it cites."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from clew import KnowledgeBase
from clew.agent.abstain import FOUND, UNKNOWN
from clew.agent.policies.reader.policy import ReaderPolicy
from clew.evaluation.metrics import f1
from clew.types import Trajectory
from tests.integration.conftest import EXAMPLES
from tests.integration.graphs import add, document

DOCUMENTS = {
    "Heron Bridge": "The Heron Bridge crosses the Sarn at Osby. It was designed by Eva Strand and opened on 3 May "
    "1911. The bridge is 212 metres long.",
    "Eva Strand": "Eva Strand (1871–1944) was an engineer. She was born in Norddal, where her father kept a mill.",
    "Osby Mill": "The Osby Mill was not designed by Eva Strand. It was built by Nils Ek in 1874.",
    "Lease of the Osby Mill": "The rent is 1,200 euros a month.\n\nThe contract ends on 30 April 2025.",
    "Vandor": "Vandor is a steel company. In 2021 its revenue was 12.4 million euros. In 2022 it was 14.1 million.",
}


@pytest.fixture(scope="module")
def asked(encyclopaedia: KnowledgeBase) -> Iterator[KnowledgeBase]:
    """A few invented documents, for tests that only ask."""
    base = KnowledgeBase(f"{encyclopaedia.name}-reader", encyclopaedia.database, encyclopaedia.settings)
    base.__dict__["embedder"] = encyclopaedia.embedder
    add(base, *(document(base, title, text) for title, text in DOCUMENTS.items()))
    yield base
    base.delete()


def ask(base: KnowledgeBase, question: str, history: list[tuple[str, str]] | None = None) -> Trajectory:
    return base.ask(question, policy="reader", history=history or (), store=False)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who designed the Heron Bridge?", "Eva Strand"),
        ("When was the Heron Bridge opened?", "3 May 1911"),
        ("How long is the Heron Bridge?", "212 metres"),
        ("How much is the rent of the Osby Mill?", "1,200 euros"),
    ],
)
def test_a_fact_that_stands_there_is_answered_and_cited(asked: KnowledgeBase, question: str, answer: str) -> None:
    trajectory = ask(asked, question)
    assert f1(trajectory.answer, (answer,)) >= 0.6, trajectory.answer
    assert trajectory.verdict.kind in ("sure", "probable")
    assert trajectory.verdict.reason
    assert any(answer in citation.quote for citation in trajectory.citations)


def test_a_value_beside_a_denial_is_shown_and_marked(asked: KnowledgeBase) -> None:
    trajectory = ask(asked, "Who built the Osby Mill?")
    assert ("Nils Ek", True) in trajectory.citations[0].pieces()


def test_two_hops_are_two_turns_that_a_person_can_follow(asked: KnowledgeBase) -> None:
    trajectory = ask(asked, "Where was the designer of the Heron Bridge born?")
    queries = [step.query for step in trajectory.steps if step.query]
    assert len(queries) >= 2
    assert any("Eva Strand" in query for query in queries)
    assert "Norddal" in trajectory.answer or any("Norddal" in c.quote for c in trajectory.citations)


@pytest.mark.parametrize(
    "question",
    [
        "Who painted the ceiling of the Osby opera house?",
        "What was the revenue of Vandor in 1987?",
        "Which telephone number does the harbour office of Quellan have?",
    ],
)
def test_what_no_document_says_gets_no_sure_answer(asked: KnowledgeBase, question: str) -> None:
    trajectory = ask(asked, question)
    assert trajectory.verdict.kind != "sure"
    if not trajectory.answered:
        assert trajectory.answer in (FOUND, UNKNOWN)
        assert trajectory.verdict.kind in ("found", "nothing")


def test_where_there_is_no_value_the_sentences_are_cited(asked: KnowledgeBase) -> None:
    trajectory = ask(asked, "Summarise the lease of the Osby Mill.")
    assert trajectory.verdict.kind == "found"
    assert "language model" in trajectory.verdict.reason
    assert trajectory.citations
    assert any(citation.title == "Lease of the Osby Mill" for citation in trajectory.citations)


def test_a_sentence_that_denies_is_not_sure_of_what_it_denies(asked: KnowledgeBase) -> None:
    trajectory = ask(asked, "Who designed the Osby Mill?")
    assert not (trajectory.answer == "Eva Strand" and trajectory.verdict.kind == "sure")


def test_a_follow_up_is_understood(asked: KnowledgeBase) -> None:
    trajectory = ask(asked, "When was it opened?", [("Who designed the Heron Bridge?", "Eva Strand")])
    assert "1911" in trajectory.answer


def test_nothing_is_kept_between_calls(asked: KnowledgeBase) -> None:
    """The same steps give the same turn, whatever was asked before."""
    trajectory = ask(asked, "Where was the designer of the Heron Bridge born?")
    for number in range(len(trajectory.steps)):
        said = ReaderPolicy().act(trajectory.question, trajectory.steps[:number])
        assert said.text == trajectory.steps[number].raw


def test_quotes_are_the_documents_own(asked: KnowledgeBase) -> None:
    for question in ("Who designed the Heron Bridge?", "Summarise the lease of the Osby Mill."):
        for citation in ask(asked, question).citations:
            text = asked.document(citation.document)["text"]
            assert citation.quote == text[citation.start : citation.end] != ""


def test_most_questions_of_the_examples_are_answered(encyclopaedia: KnowledgeBase) -> None:
    rows = [json.loads(line) for line in (EXAMPLES / "questions.jsonl").read_text("utf-8").splitlines()]
    wrong_and_sure = 0
    right = 0
    for row in rows:
        trajectory = encyclopaedia.ask(row["question"], policy="reader-guess", store=False)
        good = f1(trajectory.answer, tuple(row["answers"])) >= 0.6
        right += good
        wrong_and_sure += trajectory.verdict.kind == "sure" and not good
        queries = [step.query.lower().replace("the ", "") for step in trajectory.steps if step.query]
        assert len(set(queries)) == len(queries), "a query differs from another by no more than an article"
    assert right >= 23
    assert wrong_and_sure <= 1
