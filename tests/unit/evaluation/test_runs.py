"""Kept runs: found again by what they measure, whole after a torn line, and shown without harm."""

from __future__ import annotations

import io
import json
import re
import resource
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from bs4 import BeautifulSoup
from rich.console import Console

import clew
from clew.errors import InputError, NotFoundError
from clew.evaluation.compare import compare_runs
from clew.evaluation.datasets import Question, Support
from clew.evaluation.measured_code import measured_files
from clew.evaluation.report import render, worst_questions, write_report
from clew.evaluation.retrieval import RetrievalPlan, summarise_retrieval
from clew.evaluation.runs import RECORDS, Run, find_run, list_runs, open_run, outdated, without_login
from clew.evaluation.table import figures_table, overview, print_comparison, print_figures
from clew.reporting.svg import Point, frontier, panel, scatter
from clew.ui.components.figures import differences_table

HOSTILE = "</style></title><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7 * 7 }}\u202e\x1b[2J\ud800"
CONFIG: dict[str, Any] = {
    "command": "retrieval",
    "dataset": "../../etc",
    "kb": "k",
    "questions": 2,
    "strategies": ["chunks", "clew"],
    "embedder": "e",
    "construction": {"nodes": 3, "edges": 2},
}
QUESTIONS = [
    Question("1", HOSTILE, (HOSTILE, "B"), (Support(HOSTILE, HOSTILE),), 2, HOSTILE),
    Question("2", "Who?", ("B",), (Support("T", "Words of a passage"),), 3, "plain"),
]


def record(strategy: str, id: str, recall: float, ms: float = 5.0) -> dict[str, Any]:
    passage = {"title": HOSTILE, "text": HOSTILE, "score": 1.0, "supporting": True, "answer": False}
    return {
        "strategy": strategy,
        "variant": 0,
        "id": id,
        "query": HOSTILE,
        "ms": ms,
        "ms_without_embedding": ms / 2,
        "asked": 5,
        "warm_up_seconds": 0.1,
        "metrics": {"recall@5": recall, "answer_recall@5": None},
        "passages": [passage],
        "facts": [{"text": HOSTILE, "score": 1.0, "ranks": {}}],
    }


def complete(root: Path, values: dict[str, tuple[float, float]], **config: Any) -> Run:
    run = open_run(root, CONFIG | {"strategies": list(values)} | config, QUESTIONS)
    with run.writing() as write:
        write([record(name, str(i), v, 5.0 + i) for name, own in values.items() for i, v in enumerate(own, 1)])
    plan = RetrievalPlan(tuple(values), (5,))
    run.finish({"construction": CONFIG["construction"], **summarise_retrieval(run.records(), QUESTIONS, plan)})
    return run


def test_the_same_configuration_is_the_same_run(tmp_path: Path) -> None:
    run = open_run(tmp_path, CONFIG, QUESTIONS)
    assert run.folder.parent == tmp_path
    assert open_run(tmp_path, CONFIG, QUESTIONS).folder == run.folder
    assert open_run(tmp_path, CONFIG | {"kb": "other"}, QUESTIONS).folder != run.folder
    again = open_run(tmp_path, CONFIG, QUESTIONS, new=True)
    assert again.name == f"{run.name}-2"
    assert open_run(tmp_path, CONFIG, QUESTIONS).folder == again.folder
    assert find_run(tmp_path, again.name).config == again.config
    assert len(list_runs(tmp_path)) == 3
    with pytest.raises(InputError, match="3 runs begin"):
        find_run(tmp_path, "retrieval")
    with pytest.raises(NotFoundError):
        find_run(tmp_path, "../" + tmp_path.name)


def test_two_first_starts_at_one_time_begin_one_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both, replace_file = Barrier(2, timeout=10), Path.replace

    def replace_together(draft: Path, file: Path) -> Path:
        both.wait()
        return replace_file(draft, file)

    monkeypatch.setattr(Path, "replace", replace_together)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: open_run(tmp_path, CONFIG, QUESTIONS), range(2))
    assert first.name == second.name
    assert {file.name for file in first.folder.iterdir()} == {"config.json", "questions.jsonl"}
    assert len(first.questions()) == 2


def test_a_full_disk_gets_one_line_and_keeps_what_was_written(tmp_path: Path) -> None:
    run = open_run(tmp_path, CONFIG, QUESTIONS)
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    with run.writing() as write:
        write([record("chunks", "1", 1.0)])
        resource.setrlimit(resource.RLIMIT_FSIZE, ((run.folder / RECORDS).stat().st_size + 9, most[1]))
        try:
            with pytest.raises(InputError, match=r"cannot be written .*: free space there"):
                write([record("chunks", "2", 1.0)])
            with pytest.raises(InputError, match=r"cannot be written .*: free space there"):
                run.finish({"many": ["figures"] * 1000})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, most)
    assert [one["id"] for one in run.records()] == ["1"]
    assert run.summary() is None
    assert not list(run.folder.glob(".summary*"))


def test_a_name_that_is_too_long_gets_one_line(tmp_path: Path) -> None:
    long = tmp_path / ("a" * 300)
    with pytest.raises(InputError, match=r"cannot be read \(File name too long\)"):
        list_runs(long)
    with pytest.raises(InputError, match=r"cannot be written \(File name too long\)"):
        open_run(long, CONFIG, QUESTIONS)


def test_a_folder_that_is_a_file_has_no_want_of_space(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for root in (tmp_path / "file", tmp_path / "file" / "runs"):
        with pytest.raises(InputError, match=r"cannot be written \(.*\): name another folder with --runs"):
            open_run(root, CONFIG, QUESTIONS)


def test_what_has_changed_since_a_run_is_named(tmp_path: Path) -> None:
    known = CONFIG | {"version": 1, "code_digest": "a", "settings": {"top_k": 5, "precision": "x"}, "k": (1, 2)}
    run = open_run(tmp_path, known, QUESTIONS)
    assert outdated(tmp_path, known) is None
    assert outdated(tmp_path, known | {"k": (5,)}) is None
    for changed, what in (
        ({"version": 2}, ["the knowledge base k"]),
        ({"version": 2, "construction": {"nodes": 4}, "code_digest": "b"}, ["the knowledge base k", "the code"]),
        ({"settings": {"top_k": 6, "precision": "x"}}, ["the settings (top_k)"]),
    ):
        found = outdated(tmp_path, known | changed)
        assert found is not None
        assert (found[0].name, found[1]) == (run.name, what)


def test_one_process_at_a_time_fills_a_run(tmp_path: Path) -> None:
    run = open_run(tmp_path, CONFIG, QUESTIONS)
    with run.writing() as write:
        write([record("chunks", "1", 1.0)])
        with pytest.raises(InputError, match="Another process"), open_run(tmp_path, CONFIG, QUESTIONS).writing():
            pass
    assert (run.done(), run.summary()) == (1, None)


@pytest.mark.parametrize(
    "line",
    [
        "{torn",
        "{}",
        "[]",
        "null",
        '"text"',
        json.dumps({"strategy": "chunks", "variant": 0, "id": "1"}),
        json.dumps(record("chunks", "1", 1.0) | {"metrics": None}),
        json.dumps(record("chunks", "1", 1.0) | {"id": 1}),
        json.dumps(record("chunks", "1", 1.0) | {"type": []}),
        json.dumps(record("chunks", "1", 1.0) | {"type": "answer"}),
    ],
)
def test_a_damaged_line_is_told(tmp_path: Path, line: str) -> None:
    run = complete(tmp_path, {"chunks": (0.0, 1.0)})
    with (run.folder / RECORDS).open("a") as out:
        out.write(f"{line}\n")
    with pytest.raises(InputError, match=r"Line 3 of .* is damaged: delete the line"):
        write_report(run, tmp_path / "page.html")


def test_figures_by_hand(tmp_path: Path) -> None:
    run = complete(tmp_path, {"chunks": (0.0, 1.0), "clew": (1.0, 1.0)})
    found = json.loads((run.folder / "summary.json").read_text())["strategies"]
    assert (found["chunks"]["recall@5"], found["clew"]["recall@5"]) == (0.5, 1.0)
    assert (found["chunks"]["ms_per_query"], found["chunks"]["ms_per_query_without_embedding"]) == (6.5, 3.25)
    assert found["chunks"]["answer_recall@5"] is None
    assert "against" not in found["chunks"]
    assert found["clew"]["against"]["chunks"]["recall@5"]["difference"] == 0.5
    assert found["chunks"]["by"]["hops"]["2"]["recall@5"] == 0
    assert found["clew"]["by"]["kind"]["plain"]["questions"] == 1


def test_two_runs_are_compared_over_what_both_have(tmp_path: Path) -> None:
    first = complete(tmp_path, {"chunks": (0.0, 1.0)})
    second = complete(tmp_path, {"chunks": (1.0, 1.0), "clew": (1.0, 1.0)})
    third = complete(tmp_path, {"clew": (0.5, 0.0)})
    assert compare_runs(first, second)["parts"]["chunks"]["recall@5"]["difference"] == 0.5
    assert compare_runs(first, third)["parts"]["clew − chunks"]["recall@5"]["difference"] == -0.25
    found = compare_runs(first, second)
    assert found["differs"] == {"retrieval": ["chunks", "chunks, clew"]}
    assert found["conclusions"]["chunks"].startswith("The second's R@5 is 50.0 points higher over 2 questions")
    assert found["changed"] == [
        {"part": "chunks", "id": "1", "question": QUESTIONS[0].question, "first": 0.0, "second": 1.0}
    ]
    assert [one["id"] for one in compare_runs(first, third)["changed"]] == ["2", "1"]
    assert list(compare_runs(second, complete(tmp_path, {"default": (0.5, 0.0)}))["parts"]) == ["default − clew"]
    other = complete(tmp_path, {"clew": (0.5, 0.0)}, kb="other")
    grown = complete(tmp_path, {"clew": (0.5, 0.0)}, construction={"nodes": 4, "edges": 2})
    assert compare_runs(first, second)["note"] == ""
    assert compare_runs(third, other)["note"] == "The knowledge bases differ: k of the first, other of the second."
    assert "k has changed" in compare_runs(third, grown)["note"]
    versions = [complete(tmp_path, {"clew": (0.5, 0.0)}, version=version) for version in "ab"]
    assert compare_runs(third, versions[0])["note"] == ""
    paid = CONFIG["construction"] | {"model_tokens": 5}
    assert compare_runs(third, complete(tmp_path, {"clew": (0.5, 0.0)}, construction=paid))["note"] == ""
    assert "k has changed" in compare_runs(*versions)["note"]
    answers = open_run(tmp_path, CONFIG | {"command": "answers"}, QUESTIONS)
    with pytest.raises(InputError, match="one sort"):
        compare_runs(first, answers)


def test_one_question_has_no_interval_and_hops_stand_by_number(tmp_path: Path) -> None:
    questions = [replace(QUESTIONS[1], id=str(i), hops=hops) for i, hops in enumerate((1, 10, 2, 10))]
    plan = RetrievalPlan(("chunks", "clew"), (5,))
    records = [record(name, q.id, 1.0) for name in plan.strategies for q in questions]
    summary = {"construction": {}, **summarise_retrieval(records, questions, plan)}
    by = summary["strategies"]["chunks"]["by"]["hops"]
    assert list(by) == ["1", "2", "10"]
    assert [list(by[hops]["intervals"]) for hops in by] == [[], [], ["recall@5"]]
    out = io.StringIO()
    print_figures(Console(file=out, width=200), summary)
    (head,) = (line for line in out.getvalue().splitlines() if "hops" in line)
    assert re.findall(r"hops \d+ \(\d\)", head) == ["hops 1 (1)", "hops 2 (1)", "hops 10 (2)"]
    page = render(open_run(tmp_path, CONFIG, questions), summary)
    places = [page.index(f">{name}</h3>".replace("</h3>", " <")) for name in ("1 hop", "2 hops", "10 hops")]
    assert places == sorted(places)
    assert "(1 question)" in page
    alone = {"construction": {}, **summarise_retrieval(records[:1], questions[:1], plan)}
    assert alone["strategies"]["chunks"]["intervals"] == {}
    assert "[" not in figures_table(overview(alone)).rows[0][1].small


def test_runs_without_gold_are_compared_by_their_times_alone(tmp_path: Path) -> None:
    runs = []
    for kb in ("k", "other"):
        run = open_run(tmp_path, CONFIG | {"kb": kb}, QUESTIONS)
        with run.writing() as write:
            write([record("chunks", "1", 1.0) | {"metrics": {"recall@5": None}}])
        runs.append(run)
    found = compare_runs(*runs)
    assert set(found["parts"]["chunks"]) == {"ms_per_query", "ms_per_query_without_embedding"}
    assert (found["metric"], found["changed"]) == ("", [])
    print_comparison(Console(file=io.StringIO()), found)


def test_times_of_batches_have_no_intervals_and_no_differences(tmp_path: Path) -> None:
    """Four questions in batches of two: the two of a batch carry the same time."""
    records = [record(name, str(i), 1.0, ms) for name, ms in (("chunks", 5.0), ("clew", 9.0)) for i in range(4)]
    questions = [replace(QUESTIONS[1], id=str(i)) for i in range(4)]
    for batch in (1, 2):
        plan = RetrievalPlan(("chunks", "clew"), (5,), batch)
        found = summarise_retrieval(records, questions, plan)["strategies"]["clew"]
        assert found["ms_per_query"] == 9.0
        assert ("ms_per_query" in found["intervals"]) == (batch == 1)
        assert ("ms_per_query" in found["against"]["chunks"]) == (batch == 1)
        assert "recall@5" in found["intervals"]
    one = complete(tmp_path, {"chunks": (0.0, 1.0)}, batch=1)
    many = complete(tmp_path, {"chunks": (0.0, 1.0)}, batch=16)
    assert set(compare_runs(one, many)["parts"]["chunks"]) == {"recall@5"}


def test_a_difference_shows_its_digits(tmp_path: Path) -> None:
    found = {"difference": -0.0004, "low": -0.00071, "high": 1234.5, "p": 0.5, "count": 20}
    comparison = {
        "parts": {"llm": {"cost": found, "f1": found}},
        "note": "",
        "changed": [],
        "conclusions": {},
        "differs": {},
    }
    out = io.StringIO()
    print_comparison(Console(file=out, width=200), comparison)
    assert "-0.0004 [-0.00071, +1,234]" in out.getvalue()
    assert "-0.04 [-0.07, +123450.00]" in out.getvalue()
    cost, f1 = differences_table({"cost": found, "f1": found}).rows
    assert [cell.text for cell in cost[:3]] == ["cost", "−0.0004", "−0.00071 to +1,234"]
    assert f1[1].text == "−0.0"


@pytest.mark.parametrize(
    "changed", [{"question": "Where?"}, {"answers": ("C",)}, {"supporting": (Support("T", "Other words"),)}]
)
def test_runs_on_different_questions_of_one_id_are_not_compared(tmp_path: Path, changed: dict[str, Any]) -> None:
    first = complete(tmp_path, {"chunks": (0.0, 1.0)})
    second = complete(tmp_path, {"chunks": (1.0, 1.0)}, dataset="other")
    questions = [QUESTIONS[0], replace(QUESTIONS[1], **changed)]
    (second.folder / "questions.jsonl").write_text("\n".join(json.dumps(asdict(q)) for q in questions))
    with pytest.raises(InputError, match=rf"{first.name} and {second.name} mean different .* id '2'"):
        compare_runs(first, second)


def test_an_address_is_kept_without_its_login() -> None:
    assert without_login("https://user:p%40ss@host:80/v1?key=k") == "host:80/v1"
    assert without_login("") == ""


def test_what_the_measured_code_imports_and_names_tells_runs_apart() -> None:
    names = {file.relative_to(Path(clew.__file__).parent).as_posix() for file in measured_files()}
    assert {"agent/loop.py", "agent/policies/llm/policy.py", "retrieval/strategies/question_walk.py"} <= names
    assert {"questions/words.toml", "text/names.py", "llm/chat.py", "evaluation/metrics.py"} <= names
    assert {"cypher/graph/version.cypher", "reader/reader.py"} <= names
    assert any(name.startswith("reader/weights/") for name in names)
    outside = ("ui/", "trainer/", "cli/", "serving/", "documents/pdf/", "operations/", "ingest/pipeline")
    assert not [name for name in names if name.startswith(outside)]


def test_the_page_shows_hostile_text_and_does_nothing_with_it(tmp_path: Path) -> None:
    run = complete(tmp_path, {"chunks": (0.0, 1.0), "clew": (1.0, 1.0)}, dataset=HOSTILE, embedder=HOSTILE)
    page = write_report(run, tmp_path / "page.html").read_text("utf-8")
    soup = BeautifulSoup(page, "html.parser")
    assert not soup.find_all(["script", "img", "iframe", "object", "link", "a", "form", "base"])
    assert len(soup.find_all("style")) == 1
    assert not re.search(r"\s(?:on\w+|href|src)=", re.sub(r"&[a-z#0-9]+;|>[^<]*<", "><", page))
    shown = soup.get_text()
    assert "<script>alert(1)</script>" in shown
    assert "{{ 7 * 7 }}" in shown
    assert not {"\x1b", "\u202e"} & set(page)
    policy = soup.find("meta", {"http-equiv": "Content-Security-Policy"})
    assert policy is not None
    assert "default-src 'none'" in str(policy)
    assert len(soup.select("details.question")) == 2


def test_an_unfinished_run_has_no_page(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not complete"):
        write_report(open_run(tmp_path, CONFIG, QUESTIONS), tmp_path / "page.html")


def test_plots_escape_and_leave_out_what_is_beaten() -> None:
    points = [Point("<b>", 1, 0.5, 0.4, 0.6), Point("slow", 9, 0.5, 0.4, 0.6), Point("best", 5, 0.9, 0.8, 1.0)]
    assert [point.label for point in frontier(points)] == ["<b>", "best"]
    plot = scatter(points, "ms", "R@5", 380)
    assert "<b>" not in plot
    assert "&lt;b&gt;" in plot
    assert plot.count('class="best"') == 2
    assert plot.count('class="beaten"') == 1
    assert scatter([], "ms", "R@5", 380) == ""
    rows = panel([("<i>", 0.5, 0.4, 0.6), ("none", None, 0, 0)], 380)
    assert "<i>" not in rows
    assert rows.count("<circle") == 1


@pytest.mark.parametrize("costs", [(1e-5, 1e5), (3.0, 3.0), (0.9, 1.1)])
def test_points_lie_inside_the_plot(costs: tuple[float, float]) -> None:
    plot = scatter([Point("a", costs[0], 0, 0, 0), Point("b", costs[1], 1, 1, 1)], "s", "F1", 380)
    soup = BeautifulSoup(plot, "html.parser")
    for circle in soup.find_all("circle"):
        assert 0 < float(str(circle["cx"])) < 380
        assert 0 < float(str(circle["cy"])) < 340
    assert 1 <= len(soup.select(".tick.mid")) <= 8
    assert [tick.text for tick in soup.select(".tick.end")] == ["0", "20", "40", "60", "80", "100"]


def test_a_wrong_answer_to_a_question_without_one_is_among_the_worst(tmp_path: Path) -> None:
    questions = [Question("1", "Who swept?", ("Ada",)), Question("2", "Who sang?", ()), Question("3", "Who hid?", ())]
    run = open_run(tmp_path, CONFIG | {"command": "answers"}, questions)
    scores = {"1": {"f1": 0.5, "right": 0.0}, "2": {"f1": None, "right": 0.0}, "3": {"f1": None, "right": 1.0}}
    with run.writing() as write:
        for id, metrics in scores.items():
            told = {
                "type": "answer",
                "policy": "reader",
                "strategy": "clew",
                "variant": 0,
                "id": id,
                "answer": "x",
                "answered": True,
            }
            write([{**told, "metrics": metrics}])
    rows = worst_questions(run, questions, "right")
    assert [(row["id"], row["parts"][0]["score"]) for row in rows] == [("1", "wrong"), ("2", "wrong"), ("3", "right")]
