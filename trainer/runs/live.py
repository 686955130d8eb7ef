"""A run while it goes on, as plain data for a page: its curves so far, and its latest trajectories."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean

from clew.trainer.config import load_recipe
from clew.trainer.runs.folder import CONFIG, MODEL, TOKENIZER, Run, figure
from clew.trainer.runs.report import phase_offsets
from clew.trajectories.store import TokenRun
from clew.types import Json

MOST_POINTS = 150
PANELS: dict[str, tuple[tuple[str, str], ...]] = {
    "Reward": (("reward", "reward"),),
    "On the development set": (("dev/em", "EM"), ("dev/f1", "F1")),
    "Turns and queries": (("rollout/turns", "turns"), ("retrieval/queries", "queries")),
    "Right answers in rollouts": (("em", "EM"),),
    "Form": (("well_formed", "well-formed turns"), ("answered", "answered")),
    "Retrieval": (
        ("retrieval/hit_rate", "brings the answer"),
        ("retrieval/empty", "brings nothing"),
        ("retrieval/repeated", "asked again"),
    ),
    "Retrieval's share of rollout time": (("retrieval/share", "share"),),
    "Entropy": (("entropy", "entropy"),),
    "Tokens right": (("mean_token_accuracy", "share"),),
    "Loss": (("loss", "loss"),),
    "KL to the reference": (("kl", "KL"),),
}
"""What is drawn together: a title, and the names in the metrics with what they are called."""


def curves(metrics: Sequence[Json], smoothing: float = 0.0, *, minutes: bool = False) -> dict[str, list[Json]]:
    """The curves of a run by panel: ``{step, series, value}``, neighbouring steps taken together where there are many.

    Steps count on from phase to phase; with ``minutes`` the time since the first of ``metrics`` stands in their place.
    ``smoothing`` is the share of the mean before that stays in each point. The parts of the reward are a panel of
    their own where there are several.
    """
    place = _clock(metrics) if minutes else _counter(metrics)
    panels = dict(PANELS)
    parts = dict.fromkeys(name for record in metrics for name in record if _is_part(name))
    if len(parts) > 1:
        series = tuple((name, name.removeprefix("rewards/").removesuffix("/mean")) for name in parts)
        panels = {"Reward": panels.pop("Reward"), "Parts of the reward": series, **panels}
    found = {}
    for title, named in panels.items():
        points = [point for name, label in named for point in _points(metrics, place, name, label, smoothing)]
        if points:
            found[title] = points
    return found


def _counter(metrics: Sequence[Json]) -> Callable[[Json], float | None]:
    """Which step of the whole run a record is of."""
    offsets = phase_offsets(metrics)
    return lambda record: offsets.get(str(record["phase"]), 0) + int(record["step"])


def _clock(metrics: Sequence[Json]) -> Callable[[Json], float | None]:
    """Minutes from the first record to this one; None where it has no time."""
    began = next((record["at"] for record in metrics if "at" in record), 0.0)
    return lambda record: (record["at"] - began) / 60 if "at" in record else None


def phase_bounds(metrics: Sequence[Json]) -> list[tuple[int, str]]:
    """Where each phase begins, and what it is called."""
    return [(step, name) for name, step in phase_offsets(metrics).items()]


def token_runs(run: Run, row: Json) -> list[TokenRun]:
    """The tokens of a trajectory as texts; empty where the run's tokenizer is not at hand."""
    file = _tokenizer(run)
    if file is None:
        return []
    from tokenizers import Tokenizer

    decode = Tokenizer.from_file(str(file)).decode
    return [
        TokenRun(s["owner"], s["turn"], tuple(decode([id], skip_special_tokens=False) for id in s["ids"]))
        for s in row["segments"]
    ]


def _tokenizer(run: Run) -> Path | None:
    places = [run.folder / TOKENIZER, run.folder / MODEL, *run.folder.glob("checkpoints/*/final")]
    if (run.folder / CONFIG).is_file():
        places.append(Path(load_recipe(str(run.folder / CONFIG)).model.path))
    files = (place / "tokenizer.json" for place in places)
    return next((file for file in files if file.is_file()), None)


def _is_part(name: str) -> bool:
    return name.startswith("rewards/") and name.endswith("/mean")


def _points(
    metrics: Sequence[Json], place: Callable[[Json], float | None], name: str, label: str, smoothing: float
) -> list[Json]:
    values: dict[float, list[float]] = defaultdict(list)
    for record in metrics:
        if (value := figure(record, name)) is not None and (at := place(record)) is not None:
            values[at].append(value)
    steps = sorted(values)
    width = -(-len(steps) // MOST_POINTS) or 1
    points: list[Json] = []
    for first in range(0, len(steps), width):
        some = steps[first : first + width]
        mean = fmean(value for step in some for value in values[step])
        before = points[-1]["value"] if points else mean
        points.append({"step": fmean(some), "series": label, "value": smoothing * before + (1 - smoothing) * mean})
    return points
