"""The figures of an evaluation as tables, and on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from rich.console import Console

from clew.evaluation.metric import JUDGED, METRICS, UNANSWERED, columns, declared, main_metric, plain_number, short
from clew.evaluation.runs import Run
from clew.reporting.table import Cell, Table, show
from clew.reporting.terminal import plain, print_table
from clew.types import Json

FAILED_NOTE = (
    f"{', '.join(map(short, UNANSWERED))} count a question that failed as wrong, every other mean is over those that "
    "did not fail; the same command, without --new, asks them again."
)
"""What a reader has to know of the figures where a question has failed."""
MISSING_NOTE = (
    f"{{}} missing: {' and '.join(map(short, JUDGED))} are over the answers that have one; the same command, without "
    "--new, asks again for what is missing."
)
"""What a reader has to know where so many replies of the judge are missing."""
SPREAD = ("part", "metric", "mean", "worst", "best", "deviation", "questions")
"""The columns of ``spread_rows``."""
SPREAD_OVER = {"wordings": ("paraphrases", "stability"), "repeats": ("repeats",)}
"""What a spread is taken over, and which field of a row it lies in: the first for retrieval, else of answers."""

CHANGED = 5
"""Questions that are shown of those that lost most between two runs, and of those that gained most."""


class Overview(NamedTuple):
    """A run's parts (strategies, or policies over strategies) with their figures, and how to look at them.

    ``main`` is the metric that the parts are judged by, ``shown`` those of the table, ``cost`` what quality is held
    against, ``notes`` what a reader has to know of the figures.
    """

    parts: dict[str, Json]
    main: str
    shown: list[str]
    cost: str
    cost_title: str
    notes: list[str]


def overview(summary: Json) -> Overview:
    """What figures are there, and which of them to look at first."""
    parts = parts_of(summary)
    names = metrics_of(parts)
    main = main_metric([name for name in names if not plain_number(name)])
    known = [m.name for m in METRICS if any(row.get(m.name) is not None for row in parts.values())]
    shown = columns(dict.fromkeys([*names, *known]))
    if not count_failed(summary):
        shown = [name for name in shown if name != "failed"]
    timed = ("ms_per_query", "milliseconds a query") if "strategies" in summary else ("seconds", "seconds a question")
    return Overview(parts, main, shown, *timed, notes(summary))


def headline(view: Overview) -> str:
    """The best of the parts in a few words: "26 of 30 right: auto · clew"; empty where nothing was measured."""
    known = [(row[view.main], name) for name, row in view.parts.items() if row.get(view.main) is not None]
    if not known:
        return ""
    value, name = max(known, key=lambda one: one[0])
    row = view.parts[name]
    if view.main == "right":
        asked = row["counts"]["right"]
        return f"{number(value * asked)} of {asked:,} right: {name}"
    return f"{short(view.main)} {share(row, view.main, interval=True)}: {name}"


def meanings(view: Overview) -> list[tuple[str, str]]:
    """The columns of the figures with what each of them means."""
    return [(short(name), words) for name in view.shown if (words := declared(name).meaning)]


def figures_table(view: Overview) -> Table:
    """A row for each part, the best of a column set off, the main metric with its interval.

    Where most of a column share the best, none is set off. A part whose every question failed has no quality to show.
    """
    best = {metric: value for metric in view.shown if (value := _best(view, metric)) is not None}
    rows = []
    for name, row in view.parts.items():
        cells = [Cell(name, "" if name.endswith(row["searched"]) else f"({row['searched']})")]
        for metric in view.shown:
            text = number(row.get(metric)) if plain_number(metric) else share(row, metric)
            small = share(row, metric, interval=True).removeprefix(text).strip() if metric == view.main else ""
            if all_failed(row, view.main) and metric in UNANSWERED:
                text, small = "failed", ""
            is_best = metric in best and row.get(metric) == best[metric] and not _passed_over(metric, row)
            cells.append(Cell(text, small, is_best))
        rows.append(cells)
    return Table(["", *map(short, view.shown)], rows)


def _best(view: Overview, metric: str) -> float | None:
    """The best value of a column; None where there is none, or where most have it."""
    rows = [row for row in view.parts.values() if row.get(metric) is not None and not _passed_over(metric, row)]
    values = [float(row[metric]) for row in rows]
    if len(values) < 2 or not declared(metric).best:
        return None
    best = min(values) if declared(metric).best == "least" else max(values)
    return best if values.count(best) <= len(values) / 2 else None


def idle(row: Json) -> bool:
    """Whether these are figures of the strategy that retrieves nothing, and of nobody who answers without."""
    return row["searched"] == "none" and not row.get("llm_calls")


def all_failed(row: Json, main: str) -> bool:
    """Whether every question of a part failed, so that its figures say nothing of answers."""
    return bool(0 < row.get("failed", 0) == row["counts"].get(main))


def _passed_over(metric: str, row: Json) -> bool:
    """Whether a part is not the best of a column, however little it takes."""
    return declared(metric).best == "least" and idle(row)


def print_figures(console: Console, summary: Json) -> None:
    """The parts of a run, a row each: quality in per cent, what a question costs, and the first part beside."""
    view = overview(summary)
    table = figures_table(view)
    part = "strategy" if "strategies" in summary else "policy · strategy"
    heads = [part, *table.heads[1:], f"Δ {short(view.main)}, p"]
    rows = [[*row, Cell(against(own, view.main))] for row, own in zip(table.rows, view.parts.values(), strict=True)]
    show(console, Table(heads, rows))
    _print_groups(console, {name: row["by"] for name, row in view.parts.items()}, view.main)
    _print_spread(console, view.parts)
    for note in notes({**summary, "warnings": ()}):  # which standard error has shown
        console.print(note, markup=False, soft_wrap=True)


def print_runs(console: Console, runs: Sequence[Run]) -> None:
    """The kept runs, the latest first."""
    rows = []
    for run in runs:
        config, summary = run.config, run.summary()
        what = " ".join([*config.get("policies", []), *config.get("strategies", [])])
        state = "complete" if is_complete(summary) else "unfinished"
        if failed := count_failed(summary or {}):
            state += f", {failed:,} failed"
        rows.append([run.name, config.get("questions", ""), what, config.get("started", ""), state])
    print_table(console, ("run", "questions", "what", "started", "state"), rows, whole="run")


def print_comparison(console: Console, comparison: Json) -> None:
    """What the second run has more than the first, for each part and metric that both have."""
    rows = []
    for part, metrics in comparison["parts"].items():
        for metric, found in metrics.items():
            change, low, high = (signed(found[field], metric, 2) for field in ("difference", "low", "high"))
            interval = f" [{low}, {high}]" if found["count"] > 1 else ""
            rows.append([part, short(metric), change + interval, f"{found['p']:.3f}", found["count"]])
    print_table(console, ("part", "metric", "second − first", "p", "questions"), rows, names=2)
    lines = [f"{part}: {words}" for part, words in comparison["conclusions"].items()]
    lines += [f"They differ in {name}: {a} → {b}." for name, (a, b) in comparison["differs"].items()]
    for line in filter(None, [*lines, comparison["note"]]):
        console.print(plain(line), markup=False, soft_wrap=True)
    if changed := comparison["changed"]:
        metric = short(comparison["metric"])
        asked = sum(found["count"] for m in comparison["parts"].values() if (found := m.get(comparison["metric"])))
        cut = "; these lost most and gained most, --json has all" if len(changed) > 2 * CHANGED else ""
        console.print(f"\nChanged in {metric}: {len(changed):,} of {asked:,}{cut}", markup=False, soft_wrap=True)
        ends = changed if len(changed) <= 2 * CHANGED else [*changed[:CHANGED], *changed[-CHANGED:]]
        rows = [[plain(one["question"]), _side(one, 0), _side(one, 1)] for one in ends]
        print_table(console, ("question", f"first, {metric}", f"second, {metric}"), rows)


def _side(question: Json, place: int) -> str:
    """What one of two runs made of a question that ``compare_runs`` found changed: its figure, and any answer."""
    figure = f"{100 * question[('first', 'second')[place]]:.0f}"
    answer = f" {plain(question['answers'][place]) or '—'}" if "answers" in question else ""
    return figure + answer


def answer_rows(summary: Json) -> list[Json]:
    """The rows of an answers summary, of which one alone lies at the top."""
    return list(summary["matrix"]) if "matrix" in summary else [summary]


def parts_of(summary: Json) -> dict[str, Json]:
    """The rows of a summary by strategy, or by policy over strategy."""
    if "strategies" in summary:
        return dict(summary["strategies"])
    return {f"{row['policy']} · {row['strategy']}": row for row in answer_rows(summary)}


def count_failed(summary: Json) -> int:
    """How many questions have failed, each policy over each strategy counted by itself."""
    return sum(row.get("failed", 0) for row in answer_rows(summary))


def notes(summary: Json) -> list[str]:
    """What a reader has to know of the figures: that questions have failed, that replies of a judge are missing."""
    missing = sum(row.get("judge_replies_missing", 0) for row in parts_of(summary).values())
    found = [*summary.get("warnings", ()), *[FAILED_NOTE] * (count_failed(summary) > 0)]
    replies = "1 reply of the judge is" if missing == 1 else f"{missing:,} replies of the judge are"
    return [*found, MISSING_NOTE.format(replies)] if missing else found


def is_complete(summary: Json | None) -> bool:
    """Whether a run has come to its end, with figures of all that it measures."""
    return summary is not None and not summary.get("incomplete")


def metrics_of(parts: Mapping[str, Json]) -> list[str]:
    """The metrics that any part has a value of, in the order in which they come."""
    return list(dict.fromkeys(m for row in parts.values() for m in row["counts"] if row["counts"][m]))


def group_names(parts: Iterable[Json], group: str) -> list[str]:
    """The names of a group of questions in their order: hops by number, kinds by name."""
    names = {name for by in parts for name in by.get(group, {})}
    return sorted(names, key=int) if group == "hops" else sorted(names)


def share(row: Json, metric: str, *, interval: bool = False) -> str:
    """A share in per cent, with ``interval`` its 95 % interval after it; a dash where it is not known."""
    if row.get(metric) is None:
        return "–"
    text = f"{100 * row[metric]:.1f}"
    if interval and metric in row.get("intervals", {}):
        low, high = row["intervals"][metric]
        text += f" [{100 * low:.1f}–{100 * high:.1f}]"
    return text


def number(value: float | None) -> str:
    """A number with as many digits as a reader wants."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def signed(value: float, metric: str, digits: int = 1) -> str:
    """A difference with its sign: of shares in points with so many decimal ``digits``, of others as ``number``."""
    if not plain_number(metric):
        return f"{100 * value:+.{digits}f}"
    return f"{'-' if value < 0 else '+'}{number(abs(value))}"


def against(row: Json, metric: str) -> str:
    """The difference to the first row in points, and its p; empty for the first row."""
    first: Json = next(iter(row.get("against", {}).values()), {})
    found = first.get(metric)
    return f"{100 * found['difference']:+.1f}, {found['p']:.3f}" if found else ""


def spread_rows(parts: Mapping[str, Json], over: str) -> list[list[str]]:
    """How much the metrics of each part move over the ``wordings`` or ``repeats``; none where there was only one."""
    rows = []
    for name, row in parts.items():
        for metric, one in next((row[field] for field in SPREAD_OVER[over] if row.get(field)), {}).items():
            if isinstance(one, dict):
                values = [f"{100 * one[field]:.1f}" for field in ("mean", "low", "high", "deviation")]
                rows.append([name, short(metric), *values, str(one["questions"])])
    return rows


def _print_groups(console: Console, parts: dict[str, Any], metric: str) -> None:
    for group in ("hops", "kind"):
        names = group_names(parts.values(), group)
        if len(names) < 2 or not metric:
            continue
        counts = next(by[group] for by in parts.values() if by.get(group))
        heads = [f"{group} {name} ({counts[name]['questions'] if name in counts else 0})" for name in names]
        rows = [
            [part, *(share(by.get(group, {}).get(name, {}), metric, interval=True) for name in names)]
            for part, by in parts.items()
        ]
        console.print()
        print_table(console, [short(metric), *heads], rows, names=1)


def _print_spread(console: Console, parts: Mapping[str, Json]) -> None:
    for over in SPREAD_OVER:
        if rows := spread_rows(parts, over):
            console.print()
            print_table(console, SPREAD, rows, names=2)
            console.print(f"Over all {over}; the worst and the best are those of each question.", soft_wrap=True)
