"""What sets training runs apart: what determines each, where they differ, and which came out best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from clew.errors import ClewError
from clew.reporting.table import Cell, Table
from clew.trainer.config import load_recipe, recipe_names
from clew.trainer.runs.folder import CONFIG, Run
from clew.trainer.runs.report import summary
from clew.types import Json

_OWN = ("name", "description", "paper", "data.", "model.path", "retrieval.kb", "seed")
"""Fields that every run sets, or that are told in words of their own."""
MOST = 8
"""Differences that are named in a sentence."""
_JUDGED = (
    ("em", "test EM", "em_interval"),
    ("f1", "test F1", "f1_interval"),
    ("best_f1", "best F1 on the development set", ""),
    ("best_em", "best EM on the development set", ""),
    ("last_reward", "reward at the end", ""),
)
"""What runs are judged by: the first that all of them have."""


def determines(run: Run) -> dict[str, str]:
    """What a run came from, by name: recipe, model, data, graph, seed, machine, versions; then the recipe's fields."""
    head, fields = run.head(), _fields(run)
    found = {
        "recipe": head.get("demo") or head.get("recipe"),
        "model": fields.get("model.path") or demo_model(head),
        "knowledge base": head.get("kb"),
        "documents": (head.get("graph") or {}).get("Document"),
        "questions": _counted(head.get("questions", {}) | {"demonstrations": head.get("demonstrations")}),
        "questions' digest": str(head.get("questions_digest", ""))[:8],
        "seed": fields.get("seed", head.get("seed")),
        "libraries": _counted(head.get("libraries") or {}),
        **{name: head.get(name) for name in ("machine", "code")},
    }
    own = {name: value for name, value in fields.items() if not name.startswith(_OWN)}
    return {name: str(value) for name, value in found.items() if value not in (None, "")} | own


def demo_model(head: Json) -> str:
    """What the demo trains, in words."""
    return "a tiny model that knew the protocol" if head.get("short") else "a tiny model, from nothing"


def _counted(figures: Mapping[str, object]) -> str:
    return ", ".join(f"{value} {name}" for name, value in figures.items() if value)


def changes(run: Run) -> list[str]:
    """The fields in which a run departs from its recipe as it is today, as ``training.steps = 4 instead of 400``."""
    name = str(run.head().get("recipe"))
    if name not in recipe_names() or not (own := _fields(run)):
        return []
    usual = dict(_flat(load_recipe(name).model_dump(mode="json")))
    return [
        f"{field} = {value} instead of {usual.get(field, 'nothing')}"
        for field, value in own.items()
        if value != usual.get(field) and not field.startswith(_OWN)
    ]


def differences(runs: Sequence[Run], *, only: bool = True) -> Table:
    """A row for each thing that determines the runs, ``only`` those that differ, and a column for each run."""
    found = [determines(run) for run in runs]
    rows = []
    for name in dict.fromkeys(chain(*found)):
        values = [one.get(name, "–") for one in found]
        if not only or len(set(values)) > 1:
            rows.append([Cell(name), *map(Cell, values)])
    return Table(["", *(run.name for run in runs)], rows)


def comparison(runs: Sequence[Run]) -> str:
    """Which run came out best, by what and by how much, and in what the runs differ; in plain sentences."""
    names = [row[0].text for row in differences(runs).rows]
    more = " and more" if len(names) > MOST else ""
    differ = f"They differ in {', '.join(names[:MOST])}{more}." if names else "They differ in nothing but chance."
    return f"{_best({run.name: _figures(run) for run in runs})} {differ}"


def _best(runs: Mapping[str, Json]) -> str:
    """Which of the runs with these figures is best, by the first figure that all of them have."""
    judged = next((by for by in _JUDGED if all(by[0] in one for one in runs.values())), None)
    if judged is None:
        return "There is no figure yet that all of them have."
    name, label, interval = judged
    first, second = sorted(runs, key=lambda run: -runs[run][name])[:2]
    ahead = f"{runs[first][name] - runs[second][name]:.3f}"
    if float(ahead) == 0:
        return f"The best are equal: {label} {runs[first][name]:.3f}."
    low, high = (runs[run].get(interval, [0.0, 1.0])[side] for run, side in ((first, 0), (second, 1)))
    known = interval in runs[first] and interval in runs[second]
    why = "Their 95 % intervals overlap" if known else "There are no intervals"
    chance = f" {why}, so it may be chance." if low < high else ""
    return f"{first} is best: {label} {runs[first][name]:.3f}, {ahead} more than {second}.{chance}"


def _figures(run: Run) -> Json:
    found = summary(run)
    figures: Json = {}
    for phase in found["phases"]:
        figures |= {name: value for name, value in phase.items() if value is not None}
    return figures | (found["test"] or {})


def _fields(run: Run) -> dict[str, str]:
    """The fields of a run's recipe by their dotted names; none where it has no recipe that can be read."""
    if not (run.folder / CONFIG).is_file():
        return {}
    try:
        return dict(_flat(run.recipe().model_dump(mode="json")))
    except ClewError:
        return {}


def _flat(value: object, place: str = "") -> Iterator[tuple[str, str]]:
    parts = value if isinstance(value, Mapping) else dict(enumerate(value)) if isinstance(value, list | tuple) else None
    if parts is None:
        yield place, str(value)
        return
    for name, part in parts.items():
        yield from _flat(part, f"{place}.{name}" if place else str(name))
