"""``clew evaluate``: measure retrieval and answers, keep the runs, compare and show them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from clew.cli import evaluate_run
from clew.cli.options import current_settings, json_option, kb_option, open_console, print_json, say
from clew.errors import ClewError, InputError, ModelError, SettingsError

if TYPE_CHECKING:
    from clew.evaluation.datasets import Question
    from clew.knowledge_base import KnowledgeBase
    from clew.types import Json

F = TypeVar("F", bound=Callable[..., Any])

FAILED = 5
"""Exit code where the model failed on some of the questions."""


@click.group()
def evaluate() -> None:
    """Measure retrieval and answers on questions with gold answers.

    DIR is a file, or a folder with questions.jsonl: lines of {question, answers}, with answers [] where there is none
    to find, and "every": true where all are wanted. A JSON list and a table with these columns do, too (csv), and so do
    the original files of SQuAD, HotpotQA, 2WikiMultiHopQA, MuSiQue, PopQA, NQ and TriviaQA; `clew evaluate corpus`
    takes the passages out of those that carry some. A run is kept, and the same command goes on with it.
    """


def _names(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name for part in value.split(",") if (name := part.strip())))
    if not names:
        raise click.BadParameter("name at least one")
    return names


def _ks(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, ...]:
    from clew.evaluation.retrieval import MOST_ASKED

    try:
        ks = tuple(sorted({int(part) for part in value.split(",")}))
    except ValueError as error:
        raise click.BadParameter(f"{value!r} is no list of numbers such as 2,5,10") from error
    if not 1 <= ks[0] <= ks[-1] <= MOST_ASKED:
        raise click.BadParameter(f"every k must be from 1 to {MOST_ASKED:,}")
    return ks


def _runs_option(command: F) -> F:
    text = "Where runs are kept; else evaluations in Clew's home."
    return click.option("--runs", metavar="FOLDER", type=click.Path(path_type=Path), help=text)(command)


def _run_options(command: F) -> F:
    """What both measurements share."""
    options = (
        click.argument("directory", metavar="DIR", type=click.Path(path_type=Path)),
        kb_option,
        click.option(
            "--strategy",
            "strategies",
            metavar="A,B",
            default="default",
            callback=_names,
            help="Strategies; default is Clew's own default, whatever CLEW_STRATEGY says.",
        ),
        click.option("--limit", type=click.IntRange(min=1), help="Only the first questions."),
        click.option(
            "--paraphrases",
            type=click.IntRange(0, 8),
            default=0,
            help="Also ask each question in up to this many other words, and report the spread.",
        ),
        click.option("--new", is_flag=True, help="Start afresh instead of going on with the same run."),
        _runs_option,
        click.option(
            "--json", "json_file", metavar="FILE", help="Write the figures as one JSON object; - is standard output."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


@evaluate.command()
@_run_options
@click.option(
    "--k", "ks", metavar="N,N", default="2,5,10", show_default=True, callback=_ks, help="Passages to look at."
)
@click.option(
    "--batch",
    type=click.IntRange(1, 1024),
    default=1,
    show_default=True,
    help="Questions in one call: 1 is what a person waits for, 64 what a training run gets.",
)
def retrieval(
    directory: Path,
    kb: str | None,
    strategies: tuple[str, ...],
    limit: int | None,
    paraphrases: int,
    new: bool,
    runs: Path | None,
    json_file: str | None,
    ks: tuple[int, ...],
    batch: int,
) -> None:
    """Measure recall and latency of strategies.

    No agent is asked: each strategy gets the questions themselves, and its passages are ranked.
    """
    from clew.evaluation.retrieval import RetrievalPlan, evaluate_retrieval, summarise_retrieval, wordings
    from clew.evaluation.runs import configuration, head, open_run

    plan = RetrievalPlan(strategies, ks, batch, paraphrases)
    questions, out = _questions(directory, limit), evaluate_run.target(json_file)
    with _open(kb) as base:
        searched = _searched(base, strategies)
        what = {"k": ks, "batch": batch, "paraphrases": paraphrases, "strategies": strategies, "searched": searched}
        total = len(wordings(questions, paraphrases))
        config = configuration("retrieval", directory, base, questions, what)
        evaluate_run.changed(_root(runs), config, total * len(strategies), new)
        run = open_run(_root(runs), config, questions, new=new)
        warnings = evaluate_run.missing_passages(base, questions, "recall counts them as missed")
        with (
            evaluate_run.kept(run, total * len(strategies), new),
            run.writing() as write,
            evaluate_run.progress(run, strategies, total) as on_done,
        ):
            evaluate_retrieval(base, questions, plan, run.records(), write, on_done)
    with evaluate_run.finishing():
        summary = {**head(run), **warnings, **summarise_retrieval(run.records(), questions, plan)}
        run.finish(summary)
        evaluate_run.show(run, summary, out, runs)


@evaluate.command()
@_run_options
@click.option(
    "--policy", "policies", metavar="P,P", default="auto", show_default=True, callback=_names, help="Who answers."
)
@click.option("--judge", is_flag=True, help="Let the model of the settings judge the answers too (ACC_L, G-E).")
@click.option(
    "--parallel",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Questions at a time; more than 1 pays for a policy that waits for a model.",
)
@click.option("--repeats", type=click.IntRange(1, 32), default=1, help="Ask that often: for a policy that samples.")
@click.option("--store", is_flag=True, help="Keep the trajectories in the graph, as `clew ask` does.")
@click.option("--top-k", type=click.IntRange(1, 1000), help="Facts or passages a query; else CLEW_TOP_K.")
def answers(
    directory: Path,
    kb: str | None,
    strategies: tuple[str, ...],
    limit: int | None,
    paraphrases: int,
    new: bool,
    runs: Path | None,
    json_file: str | None,
    policies: tuple[str, ...],
    judge: bool,
    parallel: int,
    repeats: int,
    store: bool,
    top_k: int | None,
) -> None:
    """Measure EM, F1, calls, seconds and cost of answers.

    Several policies and strategies make a matrix: each policy over each strategy.
    """
    from clew.evaluation import answers as measured
    from clew.evaluation.retrieval import wordings
    from clew.evaluation.runs import configuration, head, open_run
    from clew.reporting.terminal import counted

    plan = measured.AnswersPlan(policies, strategies, parallel, paraphrases, repeats, judge, store)
    questions, out = _questions(directory, limit), evaluate_run.target(json_file)
    with _open(kb, top_k) as base:
        what: Json = {"policies": policies, "strategies": strategies, "searched": _searched(base, strategies)}
        what |= {"paraphrases": paraphrases, "repeats": repeats, "parallel": parallel}
        _check_policies(base, policies, judge)
        total = len(wordings(questions, paraphrases)) + (repeats - 1) * len(questions)
        parts = [measured.label(cell) for cell in plan.cells()]
        config = configuration("answers", directory, base, questions, what)
        evaluate_run.changed(_root(runs), config, total * len(parts), new)
        run = open_run(_root(runs), config, questions, new=new)
        warnings = evaluate_run.missing_passages(base, questions, "no answer can rest on them")
        no_judge: ClewError | None = None
        with evaluate_run.kept(run, total * len(parts), new, judged=judge), run.writing() as write:
            with evaluate_run.progress(run, parts, total) as on_done:
                failed, unfinished = measured.evaluate_answers(base, questions, plan, run.records(), write, on_done)
            given_up = next(iter(unfinished.values()), None)
            if given_up and len(unfinished) == len(parts):
                raise given_up  # there are no figures
            if judge and not given_up:
                try:
                    with evaluate_run.progress(run, ["judge"], len(questions) * len(parts)) as on_done:
                        measured.judge_records(
                            base.settings, questions, run.records(), parallel, write, lambda n: on_done("judge", n)
                        )
                except (ModelError, SettingsError) as error:
                    no_judge = error
    with evaluate_run.finishing():
        figures = measured.summarise_answers(
            run.records(), questions, plan, run.config["construction"], failed, list(unfinished)
        )
        if given_up:
            warnings = evaluate_run.with_warning(
                warnings, f"{evaluate_run.incomplete(figures['incomplete'])}: {given_up}"
            )
        summary = {**head(run), **warnings, **figures}
        if no_judge:
            summary["judge_error"] = str(no_judge)
        run.finish(summary)
        evaluate_run.show(run, summary, out, runs)
    same = f"The same command{evaluate_run.WITHOUT_NEW if new else ''}"
    if failed:
        failures = "question" if total == len(questions) else "asking, paraphrases and repeats among them,"
        failures = counted(len(failed), failures)
        say(
            f"clew: {failures} failed, the first: {failed[0].asked.question.id}: {failed[0].why} {same} asks "
            f"{'it' if len(failed) == 1 else 'them'} again."
        )
    if given_up:
        say(f"clew: {evaluate_run.incomplete(figures['incomplete'])}: {given_up} {same} goes on with it.")
    if no_judge:
        say(
            f"clew: The judge has not judged every answer: {no_judge} {same} without --judge shows the other figures, "
            "and with a judge that works goes on."
        )
    if failed or given_up or no_judge:
        sys.exit(no_judge.exit_code if no_judge else FAILED)


@evaluate.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--out", metavar="FOLDER", required=True, type=click.Path(path_type=Path), help="Where the files go.")
@json_option
def corpus(file: Path, out: Path, as_json: bool) -> None:
    """Write the passages of a benchmark's file to be ingested.

    FOLDER gets corpus.jsonl for `clew ingest`, and questions.jsonl with the questions that are asked about it.
    """
    from clew.evaluation.datasets import CORPUS, write_corpus
    from clew.reporting.terminal import counted

    passages, questions = write_corpus(file, out)
    if as_json:
        print_json({"corpus": str(out / CORPUS), "passages": passages, "questions": questions})
        return
    folder, passages_file = shlex.quote(str(out)), shlex.quote(str(out / CORPUS))
    click.echo(f"{counted(passages, 'passage')} and {counted(questions, 'question')} are in {out}.")
    say(
        f"`clew ingest {passages_file} --kb NAME` brings the passages in, and "
        f"`clew evaluate retrieval {folder} --kb NAME` asks about them."
    )


@evaluate.command("list")
@_runs_option
@json_option
def list_(runs: Path | None, as_json: bool) -> None:
    """List the kept runs, the latest first."""
    from clew.evaluation.runs import list_runs
    from clew.evaluation.table import count_failed, is_complete, print_runs

    found = list_runs(_root(runs))
    if runs is not None and not runs.is_dir():
        raise InputError(f"There is no folder {runs}: name one that holds runs with --runs, or leave it out.")
    if as_json:
        summaries = [(run, run.summary()) for run in found]
        rows = [
            {"run": r.name, "complete": is_complete(s), "failed": count_failed(s or {}), **r.config}
            for r, s in summaries
        ]
        print_json({"runs": rows})
    elif not found:
        say(f"There is no run in {_root(runs)} yet: `clew evaluate retrieval DIR{evaluate_run.again(runs)}` makes one.")
    else:
        print_runs(open_console(stderr=False), found)


@evaluate.command()
@click.argument("first", metavar="RUN")
@click.argument("second", metavar="RUN")
@_runs_option
@json_option
def compare(first: str, second: str, runs: Path | None, as_json: bool) -> None:
    """Compare two runs question by question.

    What the second has more is positive.
    """
    from clew.evaluation.compare import compare_runs
    from clew.evaluation.runs import find_run
    from clew.evaluation.table import print_comparison

    found = compare_runs(find_run(_root(runs), first), find_run(_root(runs), second))
    if as_json:
        print_json(found)
    else:
        print_comparison(open_console(stderr=False), found)


@evaluate.command()
@click.argument("name", metavar="RUN")
@_runs_option
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="The page; else report.html in the run.")
@click.option("--open", "open_it", is_flag=True, help="Open it in a web browser.")
def report(name: str, runs: Path | None, out: Path | None, open_it: bool) -> None:
    """Write a run as one HTML page.

    The page needs nothing else; its place is printed.
    """
    from clew.evaluation.report import write_report
    from clew.evaluation.runs import find_run

    run = find_run(_root(runs), name)
    page = write_report(run, out or run.folder / "report.html")
    click.echo(page)
    if open_it:
        click.launch(page.resolve().as_uri())


def _open(kb: str | None, top_k: int | None = None) -> KnowledgeBase:
    from clew.knowledge_base import KnowledgeBase

    settings = current_settings()
    if top_k is not None:
        settings = settings.model_copy(update={"top_k": top_k})
    return KnowledgeBase.open(kb, settings=settings, progress=True)


def _root(runs: Path | None) -> Path:
    return runs or current_settings().home / "evaluations"


def _questions(directory: Path, limit: int | None) -> list[Question]:
    from clew.evaluation.datasets import load_questions

    return load_questions(directory)[:limit]


def _searched(base: KnowledgeBase, names: Sequence[str]) -> list[str]:
    """The strategies by their own names, all of which exist: a run must not go on with another default."""
    from clew.evaluation.retrieval import resolved

    return [base.strategy(resolved(name)).name for name in names]


def _check_policies(base: KnowledgeBase, names: Sequence[str], judge: bool) -> None:
    from clew.agent.policies import create_policy

    for name in names:
        create_policy(name, base.settings)
    if judge and not base.settings.llm_model:
        raise InputError("A judge needs a model: set CLEW_LLM_MODEL, or leave --judge out.")
