"""A kept evaluation as one HTML page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from clew.agent.abstain import in_a_line
from clew.errors import InputError
from clew.evaluation.compare import part_of, values_by_part
from clew.evaluation.datasets import Question
from clew.evaluation.figures import Values
from clew.evaluation.metric import UNANSWERED, declared, held_against, plain_number, short
from clew.evaluation.runs import Run
from clew.evaluation.table import (
    SPREAD,
    SPREAD_OVER,
    Overview,
    all_failed,
    figures_table,
    group_names,
    idle,
    number,
    overview,
    parts_of,
    spread_rows,
)
from clew.reporting import page
from clew.reporting.svg import Point, calibration, panel, scatter
from clew.reporting.table import Cell, Table
from clew.reporting.terminal import counted
from clew.reporting.verdict import WORDS
from clew.types import Json

WIDE, NARROW = 1100, 380
MOST_QUESTIONS = 200
"""Questions that are shown one by one, so that the page of a large run still opens."""

_GRAPH = {
    "Document": "documents",
    "Chunk": "chunks",
    "Hyperedge": "facts",
    "Entity": "entities",
    "HAS_CHUNK": "edges from document to chunk",
    "STATES": "edges from chunk to fact",
    "CONNECTS": "edges from fact to entity",
    "model_tokens": "tokens of the model",
    "model_cost": "cost of the model",
    "cost_per_1m_tokens": "cost for 1M tokens of documents",
}


def write_report(run: Run, file: Path) -> Path:
    """Write the page of a run to a file, and return that.

    Raises InputError where the run has no figures yet, or the file cannot be written.
    """
    summary = run.summary()
    if summary is None:
        raise InputError(f"The run {run.name} is not complete: run its command again to finish it.")
    return page.write_page(render(run, summary), file)


def render(run: Run, summary: Json) -> str:
    """The page as text."""
    return page.render("clew.evaluation", "report.html", _content(run, summary))


def _content(run: Run, summary: Json) -> Json:
    view = overview(summary)
    parts, main = view.parts, view.main
    is_answers = run.config["command"] == "answers"
    points = cost_points(view)
    questions = run.questions()
    legend = "Shares in per cent." if is_answers else f"Shares in per cent, {view.cost_title} with the encoder."
    return {
        "title": f"{'Answers' if is_answers else 'Retrieval'} on {run.config['dataset']}",
        "meta": _meta(run),
        "legend": legend,
        "notes": view.notes,
        "figures": figures_table(view),
        "quality": short(main),
        "cost": view.cost_title,
        "left_out": [name for name, row in parts.items() if idle(row) and row.get(view.cost) is not None],
        "wide": scatter(points, view.cost_title, short(main), WIDE),
        "narrow": scatter(points, view.cost_title, short(main), NARROW, 300),
        "verdicts": verdicts_table(parts),
        "calibrations": [
            (name, calibration(row["calibration"])) for name, row in parts.items() if row.get("calibration")
        ],
        "groups": _groups(parts, main),
        "differences": _differences(parts, held_against(view.shown), main),
        "stability": [(over, rows) for over in SPREAD_OVER if (rows := _stability(parts, over)).rows],
        "graph": _graph(summary["construction"]),
        "questions_note": _note(len(questions), main),
        "questions": worst_questions(run, questions, main)[:MOST_QUESTIONS],
    }


def _meta(run: Run) -> list[str]:
    config = run.config
    questions = counted(config["questions"], "question")
    return [questions, f"knowledge base {config['kb']}", config["embedder"], str(config["started"])[:10], run.name]


def cost_points(view: Overview) -> list[Point]:
    """The parts as points of quality over cost, those that have both.

    A strategy that retrieves nothing takes no time, and would press all others together at the end of the axis.
    """
    metric, cost = view.main, view.cost
    return [
        Point(name, row[cost], row[metric], *row["intervals"].get(metric, (row[metric], row[metric])))
        for name, row in view.parts.items()
        if row.get(metric) is not None and row.get(cost) is not None and not idle(row)
    ]


def _groups(parts: Mapping[str, Json], metric: str) -> list[Json]:
    found = []
    # There is no room for a policy that all have in common.
    one_policy = len({row["policy"] for row in parts.values() if "policy" in row}) == 1
    called = {part: row["strategy"] if one_policy else part for part, row in parts.items()}
    missing = "failed" if any(all_failed(row, metric) for row in parts.values()) else "–"
    for group, title in (("hops", "number of hops"), ("kind", "kind of question")):
        names = group_names([row["by"] for row in parts.values()], group)
        panels = []
        for name in names:
            known = {part: row for part, row in parts.items() if not all_failed(row, metric)}
            own = {part: known[part]["by"].get(group, {}).get(name, {}) if part in known else {} for part in parts}
            rows = [
                (called[part], row.get(metric), *row.get("intervals", {}).get(metric, (row.get(metric),) * 2))
                for part, row in own.items()
            ]
            label = _hops(name) if group == "hops" else name
            most = max(row["by"].get(group, {}).get(name, {}).get("questions", 0) for row in parts.values())
            panels.append({"name": label, "questions": counted(most, "question"), "plot": panel(rows, NARROW, missing)})
        if panels:
            found.append({"name": title, "panels": panels})
    return found


def verdicts_table(parts: Mapping[str, Json]) -> Table:
    """Each part's answers by verdict, right and wrong."""
    verdicts = {name: row["verdicts"] for name, row in parts.items() if row.get("verdicts")}
    kinds = [kind for kind in WORDS if any(any(row.get(kind, ())) for row in verdicts.values())]
    rows = [[name, *("{} / {}".format(*row.get(kind, (0, 0))) for kind in kinds)] for name, row in verdicts.items()]
    return Table.of(["", *(f"{WORDS[kind]}: right / wrong" for kind in kinds)], rows)


def gold_line(gold: Sequence[Json]) -> str:
    """What became of a question's gold passages: "Marsh End: found in turn 1, not used"."""
    return "; ".join(
        f"{one['title']}: "
        + (f"found in turn {one['turn']}, {'used' if one['used'] else 'not used'}" if one["turn"] else "never found")
        for one in gold
    )


def _hops(number: str) -> str:
    return f"{number} hop" if number == "1" else f"{number} hops"


def _differences(parts: Mapping[str, Json], metrics: Sequence[str], main: str) -> tuple[str, Table]:
    rows, first = [], next(iter(parts))
    for name, row in parts.items():
        found: Json = next(iter(row.get("against", {}).values()), {})
        if found:
            failed = UNANSWERED if all_failed(row, main) else ()
            cells = [Cell("failed") if metric in failed else _difference(found.get(metric)) for metric in metrics]
            rows.append([Cell(name), *cells])
    return first, Table(["", *map(short, metrics)], rows)


def _difference(found: Json | None) -> Cell:
    if not found:
        return Cell("–")
    mean, low, high = (f"{100 * found[field]:+.1f}".replace("-", "−") for field in ("difference", "low", "high"))
    return Cell(mean, f"[{low}, {high}] p {found['p']:.3f}" if found["count"] > 1 else "one question")


def _stability(parts: Mapping[str, Json], over: str) -> Table:
    return Table(["", *SPREAD[1:]], [[Cell(text) for text in row] for row in spread_rows(parts, over)])


def _graph(counts: Mapping[str, float]) -> list[tuple[str, str]]:
    return [(_GRAPH.get(name, name.lower().replace("_", " ")), number(count)) for name, count in counts.items()]


def _note(questions: int, metric: str) -> str:
    worst = f"Those with the least {short(metric)} come first."
    return worst if questions <= MOST_QUESTIONS else f"{worst} The page shows {MOST_QUESTIONS} of {questions:,}."


def _records_by_question(run: Run, questions: Sequence[Question]) -> dict[str, dict[str, Json]]:
    """The record of each part by question id, also of a question that failed."""
    records: dict[str, dict[str, Json]] = {}
    for record in run.records():
        if not record["variant"] and record.get("type") != "verdict":
            records.setdefault(record["id"], {})[part_of(record)] = record
    for part, row in parts_of(run.summary() or {"strategies": {}}).items():
        for question in questions if row.get("failed") else ():
            failed = {"answered": False, "failed": row.get("failures", {}).get(question.id, "It failed.")}
            records.setdefault(question.id, {}).setdefault(part, failed)
    return records


def worst_questions(run: Run, questions: Sequence[Question], metric: str) -> list[Json]:
    """Every question with what each part made of it; those with the least of the metric come first.

    ``{id, question, answers, supporting, about, parts: [{name, score, detail, answer, answered, steps, citations,
    passages, facts, trajectory, failed}]}``; the trajectory is the id of one that is kept in the graph, and ``failed``
    says why a question has no answer.
    """
    values, records = values_by_part(run), _records_by_question(run, questions)

    def quality(question: Question) -> float:
        own = [v for part in values.values() if (v := part.get(question.id, {}).get(metric)) is not None]
        return sum(own) / len(own) if own else 2.0

    return [
        {
            "id": question.id,
            "question": question.question,
            "answers": " · ".join(question.answers[:8]) or "none: the documents do not say",
            "supporting": " · ".join(dict.fromkeys(s.title or s.text[:60] for s in question.supporting)),
            "about": " · ".join(filter(None, [question.kind, _hops(str(question.hops)) if question.hops else ""])),
            "parts": [
                _part(n, r, values[n].get(question.id, {}), metric) for n, r in records.get(question.id, {}).items()
            ],
        }
        for question in sorted(questions, key=quality)
    ]


def _score(values: Values, metric: str) -> str:
    if (own := values.get(metric)) is None:
        return "–"
    if metric != "right":
        return f"{100 * own:.0f}"
    return {0.0: "wrong", 1.0: "right"}.get(own, f"{100 * own:.0f} % right")  # of a list


def _part(name: str, record: Json, values: Values, metric: str) -> Json:
    beside = {m: v for m, v in values.items() if v is not None and declared(m).beside}
    detail = [f"{short(m)} {number(v) if plain_number(m) else f'{100 * v:.0f}'}" for m, v in beside.items()]
    return {
        "name": name,
        "score": "failed" if record.get("failed") else _score(values, metric),
        "detail": "" if record.get("failed") else " · ".join(detail),
        "answer": in_a_line(record.get("answer", ""), record.get("citations", ())),
        "verdict": record.get("verdict", ""),
        "gold": gold_line(record.get("gold", ())),
        "steps": record.get("steps", ()),
        "citations": record.get("citations", ()),
        "passages": record.get("passages", ()),
        "facts": record.get("facts", ()),
        "answered": record.get("answered", True),
        "trajectory": record.get("trajectory"),
        "failed": record.get("failed", ""),
    }
