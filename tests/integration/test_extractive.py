"""The policy without a model on the example encyclopaedia: real retrieval from a real Neo4j, answers with citations."""

from __future__ import annotations

import json
import re
import unicodedata
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.agent.protocol import get_dialect
from clew.database.connection import Database
from clew.knowledge_base import KnowledgeBase
from clew.reporting.doubts import doubts
from clew.settings import Settings
from clew.trajectories.export import training_example
from clew.trajectories.read import open_trajectory

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTIONS = [json.loads(line) for line in (EXAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def kb(database: Database, settings: Settings) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(f"test-{uuid.uuid4().hex[:12]}", settings=settings) as opened:
        opened.ingest(str(EXAMPLES / "encyclopaedia"))
        yield opened
        opened.delete()


def folded(text: str) -> str:
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    return " ".join(re.findall(r"\w+", re.sub(r"\b(?:a|an|the)\b", " ", plain)))


def test_most_of_the_example_questions_are_answered_with_the_right_bridges(kb: KnowledgeBase) -> None:
    right, bridged = 0, 0
    for question in QUESTIONS:
        trajectory = kb.ask(question["question"], policy="extractive")
        right += folded(trajectory.answer) in {folded(answer) for answer in question["answers"]}
        seen = {fact.sources[0].title for step in trajectory.steps for fact in step.facts}
        bridged += {support["title"] for support in question["supporting"]} <= seen
        assert trajectory.stopped == ("" if trajectory.answered else "unknown")
        assert trajectory.answered == bool(trajectory.citations)
    assert right >= 0.8 * len(QUESTIONS)
    assert bridged >= 0.8 * len(QUESTIONS)


def test_an_answer_rests_on_the_span_that_states_it(kb: KnowledgeBase) -> None:
    trajectory = kb.ask("Where was the designer of the Skarn Head Lighthouse born?", policy="extractive")
    assert trajectory.answer == "Drummel"
    assert [step.query for step in trajectory.steps] == [
        "designer of Skarn Head Lighthouse",
        "Where was Josiah Marr born",
        "",
    ]
    assert any("Drummel" in citation.quote and citation.title == "Josiah Marr" for citation in trajectory.citations)


def test_what_the_documents_do_not_tell_is_not_known(kb: KnowledgeBase) -> None:
    trajectory = kb.ask("Who was the mother of Gregor Tull?", policy="extractive")
    assert not trajectory.answered
    assert not trajectory.citations


def test_a_guess_is_told_as_one_and_is_no_example_to_learn_from(kb: KnowledgeBase) -> None:
    asked = "Who was the mother of Gregor Tull?"
    assert not kb.ask(asked, policy="extractive").answered
    guess = kb.ask(asked, policy="extractive-guess")
    assert guess.answered
    assert guess.stopped == "guess"
    assert guess.policy == "extractive-guess"
    assert guess.answer in guess.steps[-1].thought
    assert "This is a guess" in doubts(guess)
    assert training_example(open_trajectory(kb, guess.id), get_dialect("graph-r1"))["answers"] == []


def test_where_something_is_believed_nothing_is_guessed(kb: KnowledgeBase) -> None:
    sure = kb.ask("Where was the designer of the Skarn Head Lighthouse born?", policy="extractive-guess")
    assert (sure.answer, sure.stopped, doubts(sure)) == ("Drummel", "", "")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Did Clement Orrell ever learn to row?", "no"),
        ("Was Isobel Marr ever married?", "no"),
        ("What is the population of Port Elleray?", "14,800"),
        ("What is the population of the town where Clement Orrell was born?", "3,900"),
        ("What was Tamsin Orrell's profession?", "keeper"),
    ],
)
def test_what_is_denied_or_said_of_another_is_no_answer(kb: KnowledgeBase, question: str, answer: str) -> None:
    assert kb.ask(question, policy="extractive").answer == answer


def test_an_age_is_no_term_of_office(kb: KnowledgeBase) -> None:
    assert not kb.ask("How many years was Edmund Thrale governor?", policy="extractive").answered


def test_a_conversation_is_followed(kb: KnowledgeBase) -> None:
    history: list[tuple[str, str]] = []
    for question, answer in (
        ("Who designed the Skarn Head Lighthouse?", "Josiah Marr"),
        ("Where was he born?", "Drummel"),
        ("And when did he die?", "2 November 1879"),
        ("What about Ruben Calloway?", "12 April 1851"),
    ):
        trajectory = kb.ask(question, policy="extractive", history=history)
        assert (trajectory.question, trajectory.answer) == (question, answer)
        assert trajectory.citations
        history.append((question, trajectory.answer))
    assert not kb.ask("Where was he born?", policy="extractive").answered
