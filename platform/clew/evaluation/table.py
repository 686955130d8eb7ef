"""What an evaluation shows on a terminal: how far it is, and its figures as tables."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from clew.evaluation.runs import Run
from clew.reporting.terminal import plain, print_table
from clew.types import Json

FAILED_NOTE = (
    "EM, F1, SBERT, ACC_L, G-E and answered count a question that failed as wrong, every other mean is over those that "
    "did not fail; the same command, without --new, asks them again."
)
"""What a reader has to know of the figures where a question has failed."""
MISSING_NOTE = (
    "{} missing: ACC_L and G-E are over the answers that have one; the same command, without --new, asks "
    "again for what is missing."
)
"""What a reader has to know where so many replies of the judge are missing."""
SPREAD = ("part", "metric", "mean", "worst", "best", "deviation", "questions")
"""The columns of ``spread_rows``."""
SPREAD_OVER = {"wordings": ("paraphrases", "stability"), "repeats": ("repeats",)}
"""What a spread is taken over, and which field of a row it lies in: the first for retrieval, else of answers."""

CHANGED = 5
"""Questions that are shown of those that lost most between two runs, and of those that gained most."""
_LINES_EVERY = 10.0


@contextmanager
def evaluation_progress(console: Console, parts: Sequence[str], total: int) -> Iterator[Callable[[str, int], None]]:
    """Show how many of ``total`` questions each part has, with rate and time left; lines where there is no terminal.

    What a part has at its first call was done before, and does not count for the rate.
    """
    if console.is_terminal:
        with _bars(console, parts, total) as on_done:
            yield on_done
        return
    done: dict[str, int] = {}
    before: dict[str, int] = {}
    began: dict[str, float] = {}
    last = [time.monotonic()]

    def line(part: str, more: int) -> None:
        now = time.monotonic()
        done[part] = done.get(part, 0) + more
        if part not in began:
            began[part], before[part] = now, more
        if now - last[0] > _LINES_EVERY and done[part] > before[part]:
            last[0] = now
            rate = (done[part] - before[part]) / max(now - began[part], 1e-6)
            left = _duration((total - done[part]) / rate)
            text = f"{plain(part)}: {done[part]:,}/{total:,} · {rate:,.1f}/s · {left} left"
            console.print(text, markup=False, highlight=False, soft_wrap=True)

    yield line


@contextmanager
def _bars(console: Console, parts: Sequence[str], total: int) -> Iterator[Callable[[str, int], None]]:
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        tasks: dict[str, TaskID] = {}

        def on_done(part: str, more: int) -> None:
            if part not in tasks:
                name = f"{plain(part)} ({len(tasks) + 1} of {len(parts)})" if len(parts) > 1 else plain(part)
                tasks[part] = progress.add_task(name, total=total, completed=more, rate="")
                return
            progress.update(tasks[part], advance=more)
            speed = next(task.speed for task in progress.tasks if task.id == tasks[part])
            progress.update(tasks[part], rate=f"{speed:,.1f}/s" if speed else "")

        yield on_done


def print_retrieval(console: Console, summary: Json) -> None:
    """The strategies of a run, a row each: recall and answer recall in per cent, milliseconds, and the first beside."""
    strategies: Json = summary["strategies"]
    metrics = retrieval_metrics(metrics_of(strategies))
    main = main_metric(metrics)
    columns = ["strategy", *map(short, metrics), "ms", "ms w/o encoder", f"Δ {short(main)}, p"]
    rows = [
        [
            _called(name, row),
            *(share(row, metric, interval=metric == main) for metric in metrics),
            number(row.get("ms_per_query")),
            number(row.get("ms_per_query_without_embedding")),
            against(row, main),
        ]
        for name, row in strategies.items()
    ]
    print_table(console, columns, rows, names=1)
    _print_groups(console, {name: row["by"] for name, row in strategies.items()}, main)
    _print_spread(console, strategies)


def print_answers(console: Console, summary: Json) -> None:
    """The policies over strategies of a run, a row each: quality in per cent, and what a question costs."""
    rows = answer_rows(summary)
    judged = [name for name in ("acc_l", "g_e") if any(row.get(name) is not None for row in rows)]
    some_failed = count_failed(summary) > 0
    columns = ["policy", "strategy", *["failed"] * some_failed]
    columns += ["EM", "F1", *map(short, judged), "answered", "F1 of answered"]
    columns += ["calls", "turns", "tokens", "s", "cost/1k", "Δ F1, p"]
    print_table(
        console,
        columns,
        [
            [
                row["policy"],
                _called(row["strategy"], row),
                *[number(row["failed"])] * some_failed,
                share(row, "em"),
                share(row, "f1", interval=True),
                *(share(row, name) for name in judged),
                share(row, "answered"),
                share(row, "f1_of_answered"),
                *(number(row.get(name)) for name in ("calls", "turns", "tokens", "seconds", "cost_per_1k_questions")),
                against(row, "f1"),
            ]
            for row in rows
        ],
        names=2,
    )
    parts = parts_of(summary)
    _print_groups(console, {name: row["by"] for name, row in parts.items()}, "f1")
    _print_spread(console, parts)
    for note in notes({**summary, "warnings": ()}):  # which standard error has been told
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
    if comparison["note"]:
        console.print(plain(comparison["note"]), markup=False, soft_wrap=True)
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
    said = f" {plain(question['answers'][place]) or '—'}" if "answers" in question else ""
    return figure + said


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


def main_metric(metrics: Sequence[str]) -> str:
    """What is looked at first: F1, recall@5 or what comes nearest to it; empty where nothing was measured.

    Nearest by ratio: 2 and 10 are nearer to 5 than 1 is.
    """
    order = ("f1", nearest(metrics, "recall@"), nearest(metrics, "answer_recall@"), *metrics)
    return next((metric for metric in order if metric in metrics), "")


def nearest(metrics: Sequence[str], name: str) -> str:
    """Of the metrics ``name@k`` the one whose k comes nearest to 5 by ratio; empty where there is none."""
    ks = [int(m.removeprefix(name)) for m in metrics if m.startswith(name)]
    return f"{name}{min(ks, key=lambda k: abs(math.log(k / _USUAL_K)))}" if ks else ""


def group_names(parts: Iterable[Json], group: str) -> list[str]:
    """The names of a group of questions in their order: hops by number, kinds by name."""
    names = {name for by in parts for name in by.get(group, {})}
    return sorted(names, key=int) if group == "hops" else sorted(names)


def retrieval_metrics(metrics: Sequence[str]) -> list[str]:
    """The shares of a table of retrieval: of the all-recalls only the one that belongs to the main metric."""
    all_recall = f"all_{nearest(metrics, 'recall@')}"
    return [m for m in metrics if not m.startswith(("all_", "ms_")) or m == all_recall]


def short(metric: str) -> str:
    """A metric's name as the head of a column."""
    return _SHORT.get(metric, metric.replace("answer_recall@", "ans@").replace("recall@", "R@").replace("_R@", " R@"))


def plain_number(metric: str) -> bool:
    """Whether a metric is a number of its own, and no share that is shown in per cent."""
    return metric.startswith("ms_") or metric in _NUMBERS


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


_SHORT = {
    "em": "EM",
    "f1": "F1",
    "f1_graphrag_r1": "F1 (GraphRAG-R1)",
    "sbert": "SBERT",
    "r_s": "R-S",
    "acc_l": "ACC_L",
    "g_e": "G-E",
    "f1_of_answered": "F1 of answered",
    "llm_calls": "calls of a model",
    "cost_per_1k_questions": "cost/1k",
    "ms_per_query": "ms",
    "ms_per_query_without_embedding": "ms w/o encoder",
}
_USUAL_K = 5
_NUMBERS = frozenset({"calls", "turns", "llm_calls", "tokens", "cost", "cost_per_1k_questions", "seconds", "failed"})


def _called(strategy: str, row: Json) -> str:
    """A strategy as it was named, with what ``default`` stood for."""
    return strategy if row["searched"] == strategy else f"{strategy} ({row['searched']})"


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


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
