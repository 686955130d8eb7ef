"""Trajectories that are stored: opened as they were, found, rated, exported, and handed to the trainer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from clew.agent.protocol import get_dialect
from clew.errors import InputError, NotFoundError
from clew.evaluation.datasets import load_questions
from clew.knowledge_base import KnowledgeBase
from clew.trajectories.corrections import (
    correct,
    corrections,
    corrections_file,
    move_corrections,
    sentences_seen,
)
from clew.trajectories.export import as_json, as_markdown, training_example, write_training_file
from clew.trajectories.read import facts_around, open_trajectory, stated_at
from clew.trajectories.store import (
    TokenRun,
    TrajectoryFilter,
    delete_trajectories,
    home_of_trajectory,
    store_trajectory,
)
from clew.types import Trajectory, Verdict, VerdictKind

PAGES = {
    "Aldo Reef": "Aldo Reef (born 3 May 1820) was a diver. Aldo Reef was born in Marsh End. Aldo Reef wrote *Tides*.",
    "Marsh End": "Marsh End is a village on the Lode. It was founded in 1702 by Ida Sallow.",
}
QUESTION = "Where was Aldo Reef born?"
DIALECT = get_dialect("graph-r1")


@pytest.fixture
def base(kb: KnowledgeBase, tmp_path: Path) -> KnowledgeBase:
    for title, text in PAGES.items():
        (tmp_path / f"{title}.txt").write_text(f"{title}\n\n{text}\n")
    kb.ingest(str(tmp_path))
    return kb


def asked(base: KnowledgeBase) -> Trajectory:
    return base.ask(QUESTION, policy="reader")


def test_it_opens_as_it_was(base: KnowledgeBase) -> None:
    trajectory = asked(base)
    stored = open_trajectory(base, trajectory.id)
    assert stored.trajectory == trajectory
    assert (stored.origin, stored.rating, stored.comment, stored.lost) == ("chat", 0, "", 0)
    assert home_of_trajectory(base.database, trajectory.id) == base.name
    assert home_of_trajectory(base.database, "none") is None

    reef = next(d["id"] for d in base.documents() if d["title"] == "Aldo Reef")
    base.delete_documents(reef)
    torn = open_trajectory(base, trajectory.id)
    assert torn.lost > 0
    assert torn.trajectory.citations == trajectory.citations
    with pytest.raises(InputError, match="1 whose facts are deleted"):
        write_training_file(base, [trajectory.id])


@pytest.mark.parametrize(
    ("kind", "stopped", "now"), [("found", "", "unsupported"), ("probable", "guess", "guess"), ("sure", "", "sure")]
)
def test_verdicts_of_before_have_the_kinds_of_now(
    base: KnowledgeBase, kind: VerdictKind, stopped: str, now: str
) -> None:
    old = replace(asked(base), id=f"old-{now}", verdict=Verdict(kind, "So it was."), answered=True, stopped=stopped)
    store_trajectory(base.database, old)
    assert open_trajectory(base, old.id).trajectory.verdict.kind == now
    rows, _ = base.find_trajectories(TrajectoryFilter(verdict=now))
    assert [row["verdict"] for row in rows if row["id"] == old.id] == [now]


def test_ratings_are_kept_and_checked(base: KnowledgeBase) -> None:
    trajectory = asked(base)
    base.rate(trajectory.id, -1, " wrong village\0 ")
    base.rate(trajectory.id, 1)
    stored = open_trajectory(base, trajectory.id)
    assert (stored.rating, stored.comment) == (1, "wrong village")
    with pytest.raises(NotFoundError):
        base.rate("none", 1)
    with pytest.raises(InputError, match="rating"):
        base.rate(trajectory.id, 2)
    with pytest.raises(InputError, match="comment"):
        base.rate(trajectory.id, 1, "x" * 3_000)


def test_they_are_found_by_what_they_are(base: KnowledgeBase) -> None:
    first = asked(base)
    base.rate(first.id, 1, "Good find")
    second = replace(first, id="b" * 32, question="Who knows?", answer="I don't know", answered=False, policy="other")
    store_trajectory(base.database, second, origin="evaluation")

    def found(**wanted: object) -> list[str]:
        rows, total = base.find_trajectories(TrajectoryFilter(**wanted))  # type: ignore[arg-type]
        assert total == len(rows)
        return [row["id"] for row in rows]

    assert found() == [second.id, first.id]
    assert found(text="ALDO") == found(text="good find") == found(rating=1) == found(origin="chat") == [first.id]
    assert found(answered=False) == found(policy="other") == found(origin="evaluation") == [second.id]
    assert found(text="nothing of the kind") == found(strategy="none") == []
    rows, total = base.find_trajectories(skip=1, limit=1)
    assert ([row["id"] for row in rows], total) == ([first.id], 2)
    with pytest.raises(InputError, match="origin"):
        store_trajectory(base.database, replace(first, id="c" * 32), origin="dream")


def test_training_ones_keep_rewards_and_tokens(base: KnowledgeBase) -> None:
    trajectory = replace(asked(base), id="d" * 32)
    tokens = (TokenRun("policy", 0, ("<think>", "Hm")), TokenRun("environment", 0, ("[1]",)))
    store_trajectory(
        base.database,
        trajectory,
        origin="training",
        answers=["Marsh End", "The village"],
        rewards={"format": 0.5, "answer": 1.0},
        tokens=tokens,
        history=[("Who?", "Aldo Reef")],
    )
    stored = open_trajectory(base, trajectory.id)
    assert stored.tokens == tokens
    assert stored.rewards == {"format": 0.5, "answer": 1.0}
    assert stored.answers == ("Marsh End", "The village")
    assert stored.history == (("Who?", "Aldo Reef"),)


def test_exports_hold_all_of_it(base: KnowledgeBase) -> None:
    trajectory = asked(base)
    stored = open_trajectory(base, trajectory.id)
    whole = json.loads(as_json(stored))
    assert whole["trajectory"]["citations"][0]["quote"] == trajectory.citations[0].quote
    text = as_markdown(stored, DIALECT)
    assert "**Marsh End**" in text
    assert "## Turn 1" in text
    hostile = replace(stored, trajectory=replace(trajectory, question="<script> ![x](http://evil.example) [a](b)"))
    assert as_markdown(hostile, DIALECT).startswith("# \\<script\\> \\!\\[x\\]\\(http\\://evil.example\\)")

    example = training_example(stored, DIALECT)
    roles = [message["role"] for message in example["messages"]]
    assert roles == ["user", "assistant"] * (len(roles) // 2)
    assert len(example["turns"]) == len(trajectory.steps)
    assert all(DIALECT.is_well_formed(turn["text"]) for turn in example["turns"])
    assert example["messages"][-1]["content"].endswith("<answer>Marsh End</answer>")
    later = training_example(replace(stored, history=(("Who is a diver?", "Aldo Reef"),)), DIALECT)
    assert "Earlier answer: Aldo Reef" in later["question"]


def test_the_trainer_reads_the_file(base: KnowledgeBase, tmp_path: Path) -> None:
    first, second = asked(base), asked(base)
    base.rate(second.id, -1)
    file = write_training_file(base, [first.id, second.id, first.id], tmp_path / "out")
    assert (file.written, file.left_out) == (1, {"marked as bad": 1})
    [question] = load_questions(file.path)
    assert (question.id, question.question, list(question.answers)) == (first.id, QUESTION, ["Marsh End"])
    from clew.trainer.data.demonstrations import fault

    assert fault(json.loads(file.path.read_text("utf-8")), DIALECT) == ""
    with pytest.raises(InputError, match="nothing to train on"):
        write_training_file(base, [second.id])


def test_a_node_is_surrounded_by_facts(base: KnowledgeBase) -> None:
    step = next(step for step in asked(base).steps if step.facts)
    fact = next(f for f in step.facts if "Aldo Reef" in f.entities)
    around = facts_around(base, fact.id, "Aldo Reef")
    assert around
    assert all("Aldo Reef" in one.entities and one.id != fact.id and one.sources for one in around)
    known = [one.id for one in around]
    assert facts_around(base, fact.id, "Aldo Reef", known) == []
    assert {one.id for one in facts_around(base, fact.id)} >= set(known)
    assert facts_around(base, "gone") == []


def test_the_fact_that_states_a_cited_span_is_found(base: KnowledgeBase) -> None:
    given = asked(base)
    [cited] = given.citations
    facts = {fact.id for step in given.steps for fact in step.facts}
    [stated] = stated_at(base, [(cited.document, cited.version, cited.start, cited.end)])
    assert stated.id in facts
    for span in ((cited.document, "other", cited.start, cited.end), ("gone", "", 0, 9)):
        assert stated_at(base, [span]) == []


def test_corrections_are_questions_with_their_sentence_and_follow_the_name(base: KnowledgeBase, tmp_path: Path) -> None:
    kb = KnowledgeBase(base.name, base.database, base.settings.model_copy(update={"home": tmp_path}))
    given = asked(kb)
    correct(kb, given.id, "wrong")
    correct(kb, given.id, "Drummel", given.citations[0])
    [question] = load_questions(corrections_file(kb.settings, kb.name))
    assert (question.question, question.answers) == (QUESTION, ("Drummel",))
    assert question.supporting[0].text == given.citations[0].quote
    move_corrections(kb.settings, kb.name, "other")
    assert [row["id"] for row in corrections(kb.settings, "other")] == [given.id]
    assert corrections(kb.settings, kb.name) == []
    gone = KnowledgeBase(f"{base.name}-gone", base.database, kb.settings)
    gone.ingest_bytes(b"One.", "one.md")
    move_corrections(kb.settings, "other", gone.name)
    gone.delete()
    assert corrections(kb.settings, gone.name) == []


def test_a_correction_may_name_a_sentence_that_was_found_and_not_cited(base: KnowledgeBase) -> None:
    given = asked(base)
    seen = [one.quote for one in sentences_seen(given)]
    assert seen[0] == given.citations[0].quote
    assert "Aldo Reef (born 3 May 1820) was a diver." in seen
    assert len(set(seen)) == len(seen)


def test_they_are_ordered_and_deleted(base: KnowledgeBase) -> None:
    slow = replace(asked(base), id="5" * 32, seconds=900.0)
    store_trajectory(base.database, slow, origin="training", rewards={"answer": 2.0})
    found = [base.find_trajectories(order=order) for order in ("slowest", "best")]
    assert [rows[0]["id"] for rows, _ in found] == [slow.id, slow.id]
    delete_trajectories(base.database, base.name, [slow.id])
    assert base.find_trajectories()[1] == found[0][1] - 1
