"""The command that asks the agent."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from clew.cli.options import (
    INTERRUPTED,
    filter_option,
    json_option,
    kb_option,
    open_base,
    open_console,
    policy_option,
    print_json,
    strategy_option,
    tell_other_encoder,
)

if TYPE_CHECKING:
    from clew.types import Json, Step


@click.command()
@click.argument("question")
@kb_option
@policy_option
@strategy_option
@click.option("--k", type=click.IntRange(1, 1000), help="Facts that one query brings back.")
@filter_option
@json_option
def ask(
    question: str,
    kb: str | None,
    policy: str | None,
    strategy: str | None,
    k: int | None,
    conditions: tuple[str, ...],
    as_json: bool,
) -> None:
    """Let the agent answer a question, and cite the spans the answer rests on."""
    from clew.cli.terminal import print_answer, print_event

    console = open_console()
    with open_base(kb) as base:
        tell_other_encoder(base)
        show = None if as_json else lambda event: print_event(console, event)
        trajectory = base.ask(question, policy=policy, strategy=strategy, k=k, filter=conditions, on_event=show)
    interrupted = trajectory.stopped == "stopped"  # nothing but Ctrl-C can stop it here
    if interrupted and not trajectory.steps:
        raise KeyboardInterrupt
    if not as_json:
        print_answer(console, trajectory)
        console.print(f"   Kept as {trajectory.id}.", style="dim", highlight=False)
        if interrupted:
            sys.exit(INTERRUPTED)
        return
    print_json(
        {
            "answer": trajectory.answer,
            "answered": trajectory.answered,
            "verdict": asdict(trajectory.verdict),
            "citations": [asdict(citation) for citation in trajectory.citations],
            "steps": list(map(_step, trajectory.steps)),
            "trajectory": trajectory.id,
            "policy": trajectory.policy,
            "strategy": trajectory.strategy,
            "filter": list(trajectory.filter),
            "seconds": trajectory.seconds,
            "stopped": trajectory.stopped,
            "usage": asdict(trajectory.usage),
        }
    )
    if interrupted:
        sys.exit(INTERRUPTED)


def _step(step: Step) -> Json:
    facts = [{"id": one.id, "text": one.text, "entities": list(one.entities), "score": one.score} for one in step.facts]
    passages = [asdict(passage) for passage in step.passages]
    return {"thought": step.thought, "query": step.query, "facts": facts, "passages": passages, "note": step.note}
