"""Documents in, cited answers out: Clew from Python, without a language model.

``python examples/ask_from_python.py [QUESTION]`` brings the example encyclopaedia into the knowledge base ``examples``
(nothing happens where it is there already), asks, and prints each turn, the answer, and the words that it rests on.
"""

from __future__ import annotations

import sys
from pathlib import Path

from clew import KnowledgeBase, Trajectory

DOCUMENTS = Path(__file__).parent / "encyclopaedia"
QUESTION = "Where was the founder of the Merrow Lights Board born?"


def ask(kb: KnowledgeBase, question: str) -> Trajectory:
    """Ingest the documents and ask the question; the trajectory is stored in the graph as well."""
    report = kb.ingest(DOCUMENTS)
    for skipped in report.skipped:
        print(f"{skipped.source}: {skipped.reason}", file=sys.stderr)
    return kb.ask(question)


def show(trajectory: Trajectory) -> None:
    """Print what the agent asked turn by turn, what it answered, and where that is written."""
    for number, step in enumerate(trajectory.steps, 1):
        print(f"{number}. {step.thought}")
        if step.query:
            print(f"   asked: {step.query} ({len(step.facts)} facts)")
    print(trajectory.answer)
    for citation in trajectory.citations:
        print(f"   {citation.title}: {citation.quote}")


if __name__ == "__main__":
    with KnowledgeBase.open("examples") as examples:
        show(ask(examples, sys.argv[1] if len(sys.argv) > 1 else QUESTION))
