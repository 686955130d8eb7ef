"""Trajectories of every kind in a knowledge base of the examples."""

from __future__ import annotations

import re
from dataclasses import replace

from clew.agent.protocol import get_dialect
from clew.knowledge_base import KnowledgeBase
from clew.trajectories.export import training_example
from clew.trajectories.read import open_trajectory
from clew.trajectories.store import TokenRun, store_trajectory
from clew.types import Fact, Step, Trajectory

QUESTION = "Where was the designer of the Skarn Head Lighthouse born?"
TRAINED, UNKNOWN = "1" * 32, "2" * 32


def store_samples(base: KnowledgeBase) -> Trajectory:
    """One trajectory of the chat, which is returned, one of training, and one of an evaluation without an answer."""
    trajectory = base.ask(QUESTION, policy="reader")
    turns = training_example(open_trajectory(base, trajectory.id), get_dialect("graph-r1"))["turns"]
    tokens = [
        TokenRun(owner, turn, tuple(re.findall(r"\s*\w+|\s*[^\w\s]+", said[field])))
        for turn, said in enumerate(turns)
        for owner, field in (("policy", "text"), ("environment", "knowledge"))
        if said[field]
    ]
    store_trajectory(
        base.database,
        replace(trajectory, id=TRAINED, policy="graph-r1, step 40"),
        origin="training",
        answers=["Drummel"],
        rewards={"format": 1.0, "answer_f1": 0.5, "length": -0.25},
        tokens=tokens,
    )
    unknown = replace(
        trajectory, id=UNKNOWN, question="Who melted antimony?", answer="I don't know", answered=False, citations=()
    )
    store_trajectory(base.database, unknown, origin="evaluation")
    return trajectory


def large(base: KnowledgeBase) -> tuple[Step, ...]:
    """Steps with more facts than a graph can show."""
    seen: set[str] = set()
    steps = []
    for result in base.retrieve(["lighthouse", "island", "born", "engineer", "harbour", "glassworks"], k=40):
        facts: list[Fact] = [fact for fact in result.facts if fact.id not in seen]
        seen |= {fact.id for fact in facts}
        steps.append(Step("I look.", result.query, tuple(facts)))
    return tuple(steps)
