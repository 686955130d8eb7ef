"""A run as one HTML page: curves, reward parts, and trajectories from start, middle and end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean

from clew.evaluation.statistics import mean_interval
from clew.reporting import page
from clew.reporting.progress import duration
from clew.reporting.svg import Mark, curve
from clew.reporting.table import Table
from clew.trainer.config import TEST
from clew.trainer.runs.folder import Run, figure
from clew.types import Json

MOST_MARKS = 50
RIGHT = "mean_token_accuracy"
"""What a supervised phase logs of tokens that are right."""
SAMPLES = 3
"""Trajectories shown of each part of the run."""

_LOGGED = {
    "entropy": "entropy",
    "kl": "KL to the reference",
    "loss": "loss",
    "grad_norm": "gradient norm",
    "retrieval/share": "retrieval's share of rollout time",
    "retrieval/hit_rate": "queries that bring the answer",
    "retrieval/empty": "queries that bring nothing",
    "retrieval/repeated": "queries asked again",
    "well_formed": "well-formed turns",
    "value_loss": "value head's error",
}


def summary(run: Run) -> Json:
    """The run in figures: phases with their rewards and best development scores, test figures, warnings."""
    metrics, head, state = run.metrics(), run.head(), run.state()
    by_phase: dict[str, list[Json]] = {str(name): [] for name in head.get("phases", ())}
    for record in metrics:
        if "phase" in record:
            by_phase.setdefault(str(record["phase"]), []).append(record)
    return {
        "run": run.name,
        "recipe": head.get("recipe"),
        "kb": head.get("kb"),
        "status": state.get("status"),
        "started": head.get("started"),
        "code": head.get("code"),
        "phases": [_phase(name, own) for name, own in by_phase.items()],
        "test": state.get("test"),
        "warnings": [f"{r['phase']} step {r['step']}: {r['says']}" for r in metrics if "warning" in r],
    }


def _phase(name: str, records: list[Json]) -> Json:
    """The steps of a phase, its first and last rewards, and its best look at the development set."""
    rewards = [reward for record in records if (reward := figure(record, "reward")) is not None]
    looks = [record for record in records if "dev/em" in record and record["step"]]
    row: Json = {"phase": name, "steps": max([0, *(int(record.get("step", 0)) for record in records)])}
    row |= _times(records)
    if rewards:
        part = max(1, len(rewards) // 10)
        row |= {"first_reward": fmean(rewards[:part]), "last_reward": fmean(rewards[-part:])}
    return row | _best_look(looks)


def _best_look(looks: Sequence[Json]) -> Json:
    """The best look at the development set: by F1, or by EM in the demo, which has no F1."""
    if not looks:
        return {}
    metric = "dev/f1" if "dev/f1" in looks[0] else "dev/em"
    best = max(looks, key=lambda record: float(record[metric]))
    named = {"best_em": "dev/em", "best_step": "step", "best_f1": "dev/f1"}
    return {name: best[logged] for name, logged in named.items() if logged in best}


def _times(records: Sequence[Json]) -> Json:
    """Of a phase all steps, the last share of right tokens, its seconds, and those to go at that rate."""
    steps = [record for record in records if "of" in record]
    if not steps:
        return {}
    first, last = steps[0], steps[-1]
    row = {"of": last["of"]} | ({"accuracy": last[RIGHT]} if RIGHT in last else {})
    if len(steps) > 1:
        seconds = last["at"] - first["at"]
        left = seconds / max(1, last["step"] - first["step"]) * (last["of"] - last["step"])
        row |= {"seconds": seconds, "seconds_left": left}
    return row


def write_report(run: Run, file: Path) -> Path:
    """Write the page of a run to a file, and return that. Raises InputError where it cannot be written."""
    return page.write_page(render(run), file)


def render(run: Run) -> str:
    """The page as text."""
    metrics, trajectories = run.metrics(), [row for row in run.trajectories() if row["phase"] != TEST]
    offsets, figures, head = phase_offsets(metrics), summary(run), run.head()
    libraries = (head.get("libraries") or {}).items()
    about = [
        f"{figures['recipe']} on {figures['kb']}",
        figures["status"],
        figures["started"],
        f"code {figures['code']}",
    ]
    content = {
        "title": figures["run"],
        "meta": [*about, *(f"{name} {version}" for name, version in libraries)],
        "told": figures,
        "phases": phases_table(figures),
        "figures": [figure for figure in _figures(metrics, trajectories, offsets) if figure["svg"]],
        "parts": _samples(trajectories, offsets),
    }
    return page.render("clew.trainer.runs", "report.html", content)


def phases_table(figures: Json) -> Table:
    """A row for each phase of a ``summary``: its rewards, and the best that it did on the development set."""
    names = ("accuracy", "first_reward", "last_reward", "best_f1", "best_em", "best_step")
    heads = ["phase", "steps", "took", "left", "tokens right", "reward, first", "last", "best dev F1", "EM", "at step"]
    now = max((at for at, phase in enumerate(figures["phases"]) if phase["steps"]), default=-1)
    rows = [
        [*_progress(phase, at - now, figures["status"]), *(_number(phase.get(name)) for name in names)]
        for at, phase in enumerate(figures["phases"])
    ]
    return Table.of(heads, rows)


def _progress(phase: Json, after: int, status: str) -> list[str]:
    """Name, steps, time and time left of a phase that comes so many ``after`` the present one."""
    if after > 0:
        return [phase["phase"], "to come", "", ""]
    under_way = after == 0 and status != "done" and "of" in phase
    steps = f"{phase['steps']:,} of {phase['of']:,}" if under_way else f"{phase['steps']:,}"
    took, left = (duration(phase[name]) if name in phase else "" for name in ("seconds", "seconds_left"))
    return [phase["phase"], steps, took, left if under_way else ""]


def _number(value: object) -> str:
    return "" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def phase_offsets(metrics: Sequence[Json]) -> dict[str, int]:
    """How many steps went before each phase."""
    offsets: dict[str, int] = {}
    done = 0
    for phase in dict.fromkeys(str(record["phase"]) for record in metrics):
        offsets[phase] = done
        done += max(int(record["step"]) for record in metrics if record["phase"] == phase)
    return offsets


def _figures(metrics: Sequence[Json], trajectories: Sequence[Json], offsets: dict[str, int]) -> list[Json]:
    bounds = list(offsets.values())[1:]

    def of_trajectories(title: str, value: Callable[[Json], float]) -> Json:
        grouped: dict[int, list[float]] = defaultdict(list)
        for row in trajectories:
            grouped[_at(row, offsets)].append(value(row))
        return {"title": title, "svg": curve(_marks(grouped), title, bounds)}

    def logged(name: str, title: str) -> Json:
        grouped: dict[int, list[float]] = defaultdict(list)
        for row in metrics:
            if (value := figure(row, name)) is not None:
                grouped[_at(row, offsets)].append(value)
        return {"title": title, "svg": curve(_marks(grouped), title, bounds)}

    names = dict.fromkeys(name for row in trajectories for name in row["rewards"])
    return [
        logged("dev/f1", "F1 on the development set"),
        logged("dev/em", "EM on the development set"),
        of_trajectories("reward", lambda row: sum(row["rewards"].values())),
        *(of_trajectories(f"reward: {name}", partial(_part, name)) for name in names),
        of_trajectories("EM of trajectories", lambda row: float(row["correct"])),
        {"title": "pass@G", "svg": curve(_marks(_pass_at_group(trajectories, offsets)), "pass@G", bounds)},
        of_trajectories("turns", lambda row: float(len(row["turns"]))),
        of_trajectories("retrievals", lambda row: float(row["retrievals"])),
        of_trajectories("tokens of the policy", _own_tokens),
        *(logged(name, title) for name, title in _LOGGED.items()),
    ]


def _part(name: str, row: Json) -> float:
    return float(row["rewards"].get(name, 0.0))


def _pass_at_group(trajectories: Sequence[Json], offsets: dict[str, int]) -> dict[int, list[float]]:
    """Of each question's group, whether one of its trajectories is right."""
    groups: dict[tuple[int, str], bool] = defaultdict(bool)
    for row in trajectories:
        groups[_at(row, offsets), row["question_id"]] |= bool(row["correct"])
    found: dict[int, list[float]] = defaultdict(list)
    for (step, _), passed in groups.items():
        found[step].append(float(passed))
    return found


def _own_tokens(row: Json) -> float:
    return float(sum(len(segment["ids"]) for segment in row["segments"] if segment["owner"] == "policy"))


def _at(row: Json, offsets: dict[str, int]) -> int:
    return offsets.get(str(row["phase"]), 0) + int(row["step"])


def _marks(grouped: dict[int, list[float]]) -> list[Mark]:
    """At most so many means with 95 % intervals, neighbouring steps taken together."""
    steps = sorted(grouped)
    width = -(-len(steps) // MOST_MARKS) or 1
    marks = []
    for first in range(0, len(steps), width):
        part = steps[first : first + width]
        interval = mean_interval([value for step in part for value in grouped[step]], samples=400)
        if interval:
            marks.append(Mark(fmean(part), interval.mean, interval.low, interval.high))
    return marks


def _samples(trajectories: Sequence[Json], offsets: dict[str, int]) -> list[Json]:
    """Trajectories of the first, the middle and the last batch; of each the worst, a middling and the best one."""
    steps = sorted({_at(row, offsets) for row in trajectories})
    if not steps:
        return []
    chosen = dict.fromkeys((steps[0], steps[len(steps) // 2], steps[-1]))
    names = ["start", "middle", "end"][: len(chosen)]
    parts = []
    for name, step in zip(names, chosen, strict=True):
        rows = [row for row in trajectories if _at(row, offsets) == step]
        rows.sort(key=lambda row: sum(row["rewards"].values()))
        places = dict.fromkeys(round(i * (len(rows) - 1) / (SAMPLES - 1)) for i in range(SAMPLES))
        parts.append({"name": f"{name}, step {step}", "rows": [rows[place] for place in places]})
    return parts
