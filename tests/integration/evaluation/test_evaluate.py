"""``clew evaluate`` on the examples: figures, runs that go on after a kill, the matrix, and what is refused."""

from __future__ import annotations

import html
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from clew.cli import main
from clew.errors import InputError
from clew.evaluation.answers import AnswersPlan, evaluate_answers
from clew.evaluation.datasets import load_questions
from clew.evaluation.embedders import RememberingEmbedder, TimedEmbedder
from clew.evaluation.retrieval import RetrievalPlan, evaluate_retrieval, summarise_retrieval
from clew.knowledge_base import KnowledgeBase
from clew.settings import Settings
from clew.testing import Fault, ModelServer, Script, agent, schedule
from clew.types import Json
from tests.integration.conftest import EXAMPLES

Run = subprocess.CompletedProcess[str]


class Evaluate:
    """The command line in this process, on the example encyclopaedia, with a folder of its own for runs."""

    def __init__(self, environment: dict[str, str], base: KnowledgeBase, folder: Path) -> None:
        self.environment, self.kb, self.folder = environment, base.name, folder

    def arguments(self, command: str, *options: str, directory: Path = EXAMPLES) -> list[str]:
        runs = ["--runs", str(self.folder / "runs")]
        if command in ("retrieval", "answers"):
            return ["evaluate", command, str(directory), "--kb", self.kb, *runs, *options]
        return ["evaluate", command, *options, *runs]

    def __call__(
        self, command: str, *options: str, directory: Path = EXAMPLES, variables: dict[str, str] | None = None
    ) -> Run:
        environment = self.environment | (variables or {})
        gone = dict.fromkeys(os.environ.keys() - environment.keys())
        arguments = self.arguments(command, *options, directory=directory)
        done = CliRunner().invoke(main, arguments, env={**gone, **environment}, prog_name="clew")
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Run(arguments, done.exit_code, done.stdout, done.stderr)

    def figures(self, command: str, *options: str, variables: dict[str, str] | None = None) -> Any:
        run = self(command, *options, "--json", "-", variables=variables)
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)

    def start(self, command: str, *options: str) -> subprocess.Popen[str]:
        arguments = [sys.executable, "-m", "clew.cli", *self.arguments(command, *options)]
        return subprocess.Popen(arguments, env=self.environment, stderr=subprocess.PIPE, text=True)

    def records(self) -> list[dict[str, Any]]:
        [file] = (self.folder / "runs").glob("*/records.jsonl")
        return [json.loads(line) for line in file.read_text().splitlines(keepends=True) if line.endswith("\n")]

    def await_records(self, count: int, process: subprocess.Popen[str]) -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None:
            files = list((self.folder / "runs").glob("*/records.jsonl"))
            if files and files[0].read_bytes().count(b"\n") >= count:
                return
            time.sleep(0.02)
        raise AssertionError(f"The run did not reach {count} records: {process.poll()}.")


@pytest.fixture
def evaluate(environment: dict[str, str], encyclopaedia: KnowledgeBase, tmp_path: Path) -> Evaluate:
    return Evaluate(environment, encyclopaedia, tmp_path)


def agent_and_judge() -> Script:
    """Plays the agent; as a judge it finds every answer correct, and forgets to score its dimensions."""
    play = agent()

    def reply(messages: list[Json], request: Json) -> str:
        judged = "impartial judge" in str(messages[0]["content"])
        return '{"correct": true}' if judged else play(messages, request)

    return reply


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with ModelServer(agent_and_judge()) as server:
        yield server


OUT_OF_REACH = {"CLEW_LLM_MODEL": "m", "CLEW_LLM_BASE_URL": "http://127.0.0.1:9/v1", "CLEW_LLM_RETRIES": "0"}


def llm(model: ModelServer) -> dict[str, str]:
    return {"CLEW_LLM_MODEL": model.model, "CLEW_LLM_BASE_URL": model.base_url, "CLEW_LLM_RETRIES": "0"}


def refused(run: Run) -> str:
    assert run.returncode != 0
    assert run.stdout == ""
    line = run.stderr.strip().splitlines()[-1]
    assert line.startswith(("clew: ", "Error: "))
    assert "Traceback" not in run.stderr
    return line


def test_retrieval(evaluate: Evaluate) -> None:
    file = evaluate.folder / "out.json"
    run = evaluate("retrieval", "--strategy", "chunks,default,none", "--k", "5,1", "--json", str(file))
    assert run.returncode == 0, run.stderr
    assert "R@5" in run.stdout
    assert f" --runs {evaluate.folder / 'runs'}`" in run.stderr
    found = json.loads(file.read_text())
    assert (found["dataset"], found["questions"], found["k"]) == ("examples", 30, [1, 5])
    assert list(found["strategies"]) == ["chunks", "default", "none"]
    default = found["strategies"]["default"]
    assert default["searched"] == Settings.model_fields["strategy"].default
    for name in ("recall@1", "recall@5", "all_recall@5", "answer_recall@5", "r_s"):
        assert all(0 <= row[name] <= 1 for row in found["strategies"].values())
        low, high = default["intervals"][name]
        assert low <= default[name] <= high
    for row in found["strategies"].values():
        assert row["recall@1"] <= row["recall@5"]
        assert row["all_recall@5"] <= row["recall@5"]
        assert 0 <= row["ms_per_query_without_embedding"] <= row["ms_per_query"]
    assert default["recall@5"] > 0.6
    assert default["ms_per_query_without_embedding"] < default["ms_per_query"]
    assert found["strategies"]["none"]["recall@5"] == found["strategies"]["none"]["r_s"] == 0
    assert found["strategies"]["none"]["against"]["chunks"]["recall@5"]["p"] < 0.01
    assert sum(row["questions"] for row in default["by"]["hops"].values()) == 30
    assert "deviation" not in run.stdout
    assert found["construction"]["nodes"] > found["construction"]["Hyperedge"] > 0
    [listed] = json.loads(evaluate("list", "--json").stdout)["runs"]
    assert listed["searched"] == ["chunks", default["searched"], "none"]


def test_the_spread_over_wordings_is_shown(evaluate: Evaluate) -> None:
    shown = evaluate("retrieval", "--strategy", "chunks", "--paraphrases", "2", "--limit", "4").stdout
    [head] = [line for line in shown.splitlines() if "deviation" in line]
    assert head.split() == ["part", "metric", "mean", "worst", "best", "deviation", "questions"]
    assert re.search(r"^chunks +R@5( +\d+\.\d){4} +4 *$", shown, re.MULTILINE)


def test_a_batch_finds_the_same(evaluate: Evaluate) -> None:
    one, many = (evaluate.figures("retrieval", "--strategy", "chunks", "--batch", n, "--new") for n in ("1", "16"))
    assert one["run"] != many["run"]
    assert one["strategies"]["chunks"]["recall@5"] == many["strategies"]["chunks"]["recall@5"]
    compared = evaluate("compare", one["run"], many["run"], "--json")
    assert json.loads(compared.stdout)["parts"]["chunks"]["recall@5"]["difference"] == 0
    assert "R@5" in evaluate("compare", one["run"], many["run"]).stdout


def test_answers(evaluate: Evaluate, encyclopaedia: KnowledgeBase) -> None:
    before = encyclopaedia.stats()["nodes"]["Trajectory"]
    found = evaluate.figures("answers", "--policy", "reader", "--strategy", "graph-r1", "--limit", "6")
    assert (found["dataset"], found["questions"], found["policy"]) == ("examples", 6, "reader")
    for name in ("em", "f1", "f1_graphrag_r1", "answered", "f1_of_answered", "sbert"):
        assert 0.5 < found[name] <= 1
    assert found["turns"] == found["calls"] + 1
    assert (found["tokens"], found["cost"], found["failed"]) == (0, 0, 0)
    assert found["seconds"] > 0
    assert encyclopaedia.stats()["nodes"]["Trajectory"] == before
    page = evaluate("report", found["run"]).stdout.strip()
    text = Path(page).read_text("utf-8")
    question = load_questions(EXAMPLES)[0].question
    assert question in text
    assert "http" not in text.replace("http-equiv", "")
    listed = json.loads(evaluate("list", "--json").stdout)["runs"]
    assert [(run["run"], run["complete"]) for run in listed] == [(found["run"], True)]
    worse = evaluate.figures("answers", "--policy", "reader", "--strategy", "none", "--limit", "6")
    changed = evaluate("compare", found["run"], worse["run"]).stdout
    assert f"Changed in right: {round(6 * found['right'])} of 6" in changed
    assert question in changed


def test_the_matrix_with_a_model_and_a_judge(evaluate: Evaluate, model: ModelServer) -> None:
    options = ("--policy", "reader,llm", "--strategy", "chunks,graph-r1", "--limit", "3", "--parallel", "3")
    found = evaluate.figures("answers", *options, "--judge", "--paraphrases", "1", variables=llm(model))
    rows = {(row["policy"], row["strategy"]): row for row in found["matrix"]}
    assert list(rows) == [(p, s) for p in ("reader", "llm") for s in ("chunks", "graph-r1")]
    assert rows["llm", "chunks"]["tokens"] > 0 == rows["reader", "chunks"]["tokens"]
    assert rows["llm", "chunks"]["llm_calls"] >= 2
    for row in rows.values():
        assert row["stability"]["f1"]["questions"] == 3
        assert row["acc_l"] == row["answered"]  # an empty answer is wrong without a judge
        assert row["judge_replies_missing"] == round(3 * row["answered"])
        assert row["counts"]["g_e"] == 3 - row["judge_replies_missing"]
        assert row["judge_cost"] == 0  # the model has no price
    assert "reader · chunks" in rows["llm", "chunks"]["against"]


def test_a_failing_model_is_asked_again(evaluate: Evaluate) -> None:
    options = ("--policy", "llm", "--strategy", "chunks", "--limit", "3")
    with ModelServer(faults=schedule(Fault("status", 400))) as server:
        run = evaluate("answers", *options, "--json", "-", variables=llm(server))
        assert run.returncode == 5
        assert "1 question failed" in run.stderr
        assert "The same command asks it again." in run.stderr
        first = json.loads(run.stdout)
        assert (first["failed"], first["counts"]["f1"], len(evaluate.records())) == (1, 3, 2)
        assert "complete, 1 failed" in evaluate("list").stdout
        assert json.loads(evaluate("list", "--json").stdout)["runs"][0]["failed"] == 1
        page = Path(evaluate("report", first["run"]).stdout.strip()).read_text("utf-8")
        assert re.search(r"<th[^>]*>failed</th>", page)
        assert "count a question that failed as wrong" in page
        [why] = first["failures"].values()
        assert "status 400" in why
        assert f'Failed:</span> <span class="text">{html.escape(why)}' in page.replace("&#39;", "&#x27;")
        second = evaluate.figures("answers", *options, variables=llm(server))
        assert (second["failed"], second["run"]) == (0, first["run"])
    with ModelServer(faults=lambda number: Fault("status", 400)) as server:
        run = evaluate("answers", *options, "--new", variables=llm(server))
        assert "failed" in run.stdout.splitlines()[0]
        assert "count a question that failed as wrong" in run.stdout
        assert "3 questions failed" in run.stderr
        assert "The same command without --new asks them again." in run.stderr
        run = evaluate("answers", *options[:-1], "2", "--repeats", "2", variables=llm(server))
        assert "4 askings, paraphrases and repeats among them, failed" in run.stderr
        line = refused(evaluate("answers", "--policy", "llm", "--limit", "9", variables=llm(server)))
        assert line.startswith("clew: ")


def test_a_judge_that_cannot_be_used_does_not_cost_the_answers(evaluate: Evaluate) -> None:
    options = ("--policy", "reader", "--strategy", "chunks", "--limit", "3")
    run = evaluate("answers", *options, "--judge", "--json", "-", variables=OUT_OF_REACH)
    assert run.returncode == 5
    found = json.loads(run.stdout)
    assert found["f1"] > 0
    assert found.get("acc_l") is None
    assert found["judge_replies_missing"] == 6
    assert "cannot be reached" in found["judge_error"]
    line = run.stderr.strip().splitlines()[-1]
    assert "cannot be reached" in line
    assert "The same command without --judge shows the other figures, and with a judge that works goes on." in line
    assert evaluate.figures("answers", *options)["run"] == found["run"]
    with ModelServer(agent_and_judge(), api_key="right") as server:
        run = evaluate("answers", *options, "--judge", variables=llm(server) | {"CLEW_LLM_API_KEY": "wrong"})
        assert run.returncode == 5
        assert "EM" in run.stdout
        assert "refused the key" in run.stderr
        run = evaluate("answers", *options, "--judge", variables=llm(server) | {"CLEW_LLM_API_KEY": "right"})
        assert run.returncode == 0, run.stderr
        assert "is complete" in run.stderr
    with ModelServer(agent_and_judge()) as other:
        again = evaluate.figures("answers", *options, "--judge", variables=llm(other))
        assert (again["run"], again["acc_l"], len(other.requests)) == (found["run"], 1.0, 6)


def test_a_model_out_of_reach_does_not_cost_the_figures_of_the_others(evaluate: Evaluate) -> None:
    file = evaluate.folder / "out.json"
    options = ("--policy", "llm,reader", "--strategy", "chunks,words", "--limit", "6")
    run = evaluate("answers", *options, "--json", str(file), variables=OUT_OF_REACH)
    assert run.returncode == 5
    found = json.loads(file.read_text())
    assert [(row["policy"], row["strategy"]) for row in found["matrix"]] == [("reader", "chunks"), ("reader", "words")]
    assert "reader · chunks" in found["matrix"][1]["against"]
    assert [(one["strategy"], one["kept"], one["of"]) for one in found["incomplete"]] == [
        ("chunks", 0, 6),
        ("words", 0, 6),
    ]
    assert "reader" in run.stdout
    line = run.stderr.strip().splitlines()[-1]
    assert line.startswith("clew: llm · chunks (0 of 6 kept), llm · words (0 of 6 kept) are incomplete: ")
    assert "cannot be reached" in line
    assert "unfinished" in evaluate("list").stdout
    page = Path(evaluate("report", found["run"]).stdout.strip()).read_text("utf-8")
    assert "llm · words (0 of 6 kept) are incomplete" in page
    alone = evaluate("answers", "--policy", "llm", "--limit", "6", variables=OUT_OF_REACH)
    assert "cannot be reached" in refused(alone)


def test_what_the_knowledge_base_lacks_is_told(evaluate: Evaluate) -> None:
    rows = [json.loads(line) for line in (EXAMPLES / "questions.jsonl").read_text().splitlines()][:3]
    rows[0]["supporting"] = [{"title": "No such page", "text": "Nobody has written it."}, rows[0]["supporting"][0]]
    (evaluate.folder / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)))
    total = len({json.dumps(one) for row in rows for one in row["supporting"]})
    run = evaluate("retrieval", "--strategy", "chunks", "--json", "-", directory=evaluate.folder)
    assert run.returncode == 0, run.stderr
    told = f"1 of {total} supporting passages is not in the knowledge base {evaluate.kb}: recall counts them as missed"
    assert told in run.stderr
    found = json.loads(run.stdout)
    assert told in found["warnings"][0]
    assert told in html.unescape(Path(evaluate("report", found["run"]).stdout.strip()).read_text("utf-8"))
    assert "warnings" not in evaluate.figures("retrieval", "--strategy", "chunks", "--limit", "3")


def test_what_a_run_was_measured_on_has_changed(evaluate: Evaluate) -> None:
    options = ("--policy", "reader", "--strategy", "chunks", "--limit", "3")
    first = evaluate.figures("answers", *options)
    run = evaluate("answers", *options, "--top-k", "3")
    assert f"The settings (top_k) have changed since run {first['run']} (3 of 3 kept): starting afresh." in run.stderr
    assert "changed" not in evaluate("answers", *options).stderr
    assert "changed" not in evaluate("answers", *options[:-1], "2").stderr


def test_no_question_pays_for_what_is_loaded_once(evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str | None, str]] = []
    ask = KnowledgeBase.ask

    def recorded(self: KnowledgeBase, question: str, **options: Any) -> Any:
        asked.append((options["strategy"], question))
        return ask(self, question, **options)

    monkeypatch.setattr(KnowledgeBase, "ask", recorded)
    evaluate.figures("answers", "--policy", "reader", "--strategy", "chunks,words", "--limit", "5")
    questions = [question.question for question in load_questions(EXAMPLES)[:5]]
    for strategy in ("chunks", "words"):
        own = [question for name, question in asked if name == strategy]
        assert own == questions[-3:] + questions


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGKILL, -9), (signal.SIGINT, 130)])
def test_a_run_goes_on_where_it_was_cut_short(evaluate: Evaluate, sent: signal.Signals, code: int) -> None:
    options = ("--policy", "reader", "--strategy", "graph-r1", "--limit", "20")
    process = evaluate.start("answers", *options)
    evaluate.await_records(3, process)
    process.send_signal(sent)
    _, said = process.communicate(timeout=60)
    assert process.returncode == code, said
    kept = evaluate.records()
    assert 3 <= len(kept) < 20
    if sent == signal.SIGINT:
        assert f"keeps {len(kept)} of 20" in said
    [file] = (evaluate.folder / "runs").glob("*/records.jsonl")
    with file.open("ab") as out:
        out.write(b'{"type": "answer", "id": "q')
    run = evaluate("answers", *options, "--json", "-")
    assert run.returncode == 0, run.stderr
    assert f"goes on after {len(kept)} of 20" in run.stderr
    records = evaluate.records()
    assert records[: len(kept)] == kept
    assert sorted(record["id"] for record in records) == sorted(q.id for q in load_questions(EXAMPLES)[:20])
    assert json.loads(run.stdout)["questions"] == 20


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("retrieval", "--strategy", "chunks,nothing"), "nothing"),
        (("retrieval", "--strategy", ","), "name at least one"),
        (("retrieval", "--k", "0"), "k"),
        (("retrieval", "--k", "5,x"), "5,x"),
        (("retrieval", "--k", ""), "list of numbers"),
        (("retrieval", "--limit", "0"), "--limit"),
        (("answers", "--top-k", "1001"), "--top-k"),
        (("retrieval", "--json", "/nowhere/out.json"), "/nowhere/out.json"),
        (("retrieval", "--json", "a" * 300), "File name too long"),
        (("retrieval", "--json", "/proc/out.json"), "cannot be written to /proc/out.json"),
        (("retrieval", "--kb", "no-such-base"), "no-such-base"),
        (("retrieval", "--strategy", "chunk"), "'chunk' (did you mean 'chunks'?)"),
        (("answers", "--policy", "oracle"), "oracle"),
        (("answers", "--policy", "Reade"), "did you mean 'reader'?"),
        (("answers", "--strategy", "zzz"), "no strategy 'zzz'; choose one of"),
        (("answers", "--judge"), "CLEW_LLM_MODEL"),
        (("report", "missing"), "missing"),
        (("compare", "a", "b"), "'a'"),
        (("list",), "no folder"),
    ],
)
def test_wrong_arguments_get_one_line(evaluate: Evaluate, options: tuple[str, ...], word: str) -> None:
    assert word in refused(evaluate(*options))
    assert not (evaluate.folder / "runs").exists()


def test_the_list_of_a_folder_without_runs(evaluate: Evaluate) -> None:
    runs = evaluate.folder / "runs"
    runs.mkdir()
    run = evaluate("list")
    assert (run.returncode, run.stdout) == (0, "")
    assert f"`clew evaluate retrieval DIR --runs {runs}`" in run.stderr
    assert f"`clew evaluate list --runs {runs}`" in refused(evaluate("report", "missing"))


@pytest.mark.parametrize("content", [None, "", "{torn", "[]", '{"question": "Who?"}', "\x00"])
def test_questions_that_cannot_be_used_get_one_line(evaluate: Evaluate, content: str | None) -> None:
    if content is not None:
        (evaluate.folder / "questions.jsonl").write_text(content)
    assert str(evaluate.folder) in refused(evaluate("retrieval", directory=evaluate.folder))
    assert str(evaluate.folder / "gone") in refused(evaluate("answers", directory=evaluate.folder / "gone"))


def test_a_benchmark_becomes_a_corpus_that_can_be_ingested(evaluate: Evaluate, kb: KnowledgeBase) -> None:
    context = [["Ansby Light", ["It stands in Ansby. ", "Ruben Calloway built it."]], ["Ansby", ["A village."]]]
    row = {"_id": "q", "question": "Who built it?", "answer": "Ruben Calloway", "context": context}
    file, folder = evaluate.folder / "hotpot.json", evaluate.folder / "made here"
    file.write_text(json.dumps([row | {"supporting_facts": [["Ansby Light", 1]]}]))

    def made() -> Run:
        done = CliRunner().invoke(main, ["evaluate", "corpus", str(file), "--out", str(folder)], prog_name="clew")
        return Run([], done.exit_code, done.stdout, done.stderr)

    run = made()
    assert run.stdout == f"2 passages and 1 question are in {folder}.\n"
    assert f"clew ingest '{folder / 'corpus.jsonl'}' --kb NAME" in run.stderr
    assert [question.id for question in load_questions(folder)] == ["q"]
    assert kb.ingest(str(folder / "corpus.jsonl")).documents == 2
    assert "exists already" in refused(made())


def test_a_question_as_long_as_a_book_and_hostile_ones(evaluate: Evaluate) -> None:
    hostile = "Who \ud800 </details><script>alert(1)</script>\x1b[2J " + "is " * 2000
    rows = [
        {"id": "a", "question": hostile, "answers": ["<b>\ud800"], "kind": "[/x]\ud800"},
        {"id": "b", "question": "?", "answers": ["?"], "kind": "b"},
    ]
    file = evaluate.folder / "questions.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    run = evaluate("retrieval", "--strategy", "chunks,clew", directory=evaluate.folder)
    assert run.returncode == 0, run.stderr
    assert "kind [/x] (1)" in run.stdout
    run = evaluate("answers", "--policy", "reader", "--json", "-", directory=evaluate.folder)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    default = Settings.model_fields["strategy"].default
    assert (found["failed"], found["strategy"], found["searched"]) == (0, "default", default)
    page = Path(evaluate("report", found["run"]).stdout.strip()).read_text("utf-8")
    assert "<script" not in page
    file.write_text(json.dumps(rows[0] | {"question": hostile * 2}))
    for command in ("retrieval", "answers"):
        assert "line 1: the question 'a' has" in refused(evaluate(command, directory=evaluate.folder))


def test_plans_that_make_no_sense_are_refused_at_once(encyclopaedia: KnowledgeBase) -> None:
    for options, message in (
        ({"ks": ()}, "at least one number of passages"),
        ({"ks": (0,)}, "each from 1 to"),
        ({"batch": 0}, "batch is 0"),
        ({"strategies": ()}, "strategies holds no name"),
        ({"strategies": "chunks"}, "strategies is the text 'chunks'"),
    ):
        with pytest.raises(InputError, match=message):
            RetrievalPlan(**{"strategies": ("chunks",), **options})  # type: ignore[arg-type]
    with pytest.raises(InputError, match="policies holds no name"):
        AnswersPlan((), ("chunks",))
    records: list[Json] = []
    for plan in (AnswersPlan(("reader", "nope"), ("chunks",)), AnswersPlan(("reader",), ("chunks", "nope"))):
        with pytest.raises(InputError, match="'nope'"):
            evaluate_answers(encyclopaedia, load_questions(EXAMPLES), plan, (), records.extend, lambda *_: None)
    assert records == []


def test_deeper_where_facts_share_passages(encyclopaedia: KnowledgeBase) -> None:
    questions = load_questions(EXAMPLES)[:8]
    plan = RetrievalPlan(("hyperedges", "chunks"), (5,), batch=8)
    records: list[dict[str, Any]] = []
    evaluate_retrieval(encyclopaedia, questions, plan, (), records.extend, lambda *_: None)
    found = summarise_retrieval(records, questions, plan)["strategies"]
    assert found["chunks"]["asked"] == 5 < found["hyperedges"]["asked"]
    assert all(len(record["passages"]) <= 5 for record in records)
    again: list[dict[str, Any]] = []
    evaluate_retrieval(encyclopaedia, questions, plan, records, again.extend, lambda *_: None)
    assert again == []


def test_facts_are_marked_and_numbered_as_thoughts_name_them(encyclopaedia: KnowledgeBase) -> None:
    questions = load_questions(EXAMPLES)[:6]
    plan = AnswersPlan(("reader",), ("graph-r1",))
    records: list[Json] = []
    assert evaluate_answers(encyclopaedia, questions, plan, (), records.extend, lambda *_: None) == ([], {})
    named = 0
    for record in records:
        facts = [fact for step in record["steps"] for fact in step["facts"]]
        assert [fact["number"] for fact in facts] == list(range(1, len(facts) + 1))
        for number in re.findall(r"\[(\d+)\]", record["steps"][-1]["thought"]):
            assert facts[int(number) - 1]["text"]
            named += facts[int(number) - 1]["supporting"] and facts[int(number) - 1]["answer"]
    assert named >= 3


def test_encoders_around_an_encoder(encyclopaedia: KnowledgeBase) -> None:
    plain = encyclopaedia.embedder
    timed, remembering = TimedEmbedder(plain), RememberingEmbedder(TimedEmbedder(plain))
    texts = ["Ansby", "Iskeld", "Ansby"]
    assert (timed.embed(texts) == plain.embed(texts)).all()
    assert timed.seconds > 0
    assert abs(remembering.embed(texts) - plain.embed(texts)).max() < 1e-3
    assert (remembering.embed(texts)[0] == remembering.embed(["Ansby"])[0]).all()
    assert remembering.embed([]).shape == (0, plain.dimensions)
    assert (timed.name, timed.dimensions) == (plain.name, plain.dimensions)
