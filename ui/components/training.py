"""What only a trajectory of training has: the parts of its reward, and its tokens by who wrote them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clew.trajectories.store import TokenRun
from clew.ui.components import frontend
from clew.ui.text import visible

MOST_TOKENS = 6_000
"""Tokens that are shown; the rest is counted."""


def show_rewards(rewards: Mapping[str, float], key: str) -> None:
    """Draw the reward's parts as bars around zero."""
    widest = max((abs(value) for value in rewards.values()), default=0.0) or 1.0
    bars = [
        {"name": visible(name.replace("_", " "), 60), "value": f"{value:.3g}", "share": value / widest}
        for name, value in rewards.items()
    ]
    frontend("training")(key=f"rewards-{key}", data={"bars": bars})


def show_tokens(tokens: Sequence[TokenRun], key: str) -> None:
    """Draw the tokens in order; those of the environment, which no loss touches, are pale."""
    runs = []
    room = MOST_TOKENS
    for run in tokens:
        if room > 0:
            runs.append({"owner": run.owner, "turn": run.turn + 1, "texts": [text[:200] for text in run.texts[:room]]})
            room -= len(run.texts)
    counts = {owner: sum(len(run.texts) for run in tokens if run.owner == owner) for owner in ("policy", "environment")}
    frontend("training")(key=f"tokens-{key}", data={"runs": runs, "counts": counts, "left_out": max(0, -room)})
