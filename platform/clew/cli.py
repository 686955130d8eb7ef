"""The command line: `clew --help`.

With ``--json`` a command prints one JSON object on standard output; everything else always goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

import click

from clew.errors import ClewError, InputError
from clew.evaluation.commands import evaluate
from clew.extraction.commands import extraction_options
from clew.importing.commands import import_
from clew.resolution.commands import entities
from clew.retrieval.commands import strategies
from clew.serving.commands import browse

if TYPE_CHECKING:
    from rich.console import Console

    from clew.knowledge_base import KnowledgeBase
    from clew.settings import Settings
    from clew.types import Json

F = TypeVar("F", bound=Callable[..., Any])

SKIPPED = 1
"""Exit code of an ingest that skipped something."""
INTERRUPTED = 130


class _Group(click.Group):
    """Commands whose expected errors, and Ctrl-C, are one line on standard error."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ClewError as error:
            click.echo(f"clew: {error}", err=True)
            ctx.exit(error.exit_code)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except KeyboardInterrupt:
            click.echo("clew: interrupted; run the same command again to go on.", err=True)
            # An interrupt inside of exec, as of a dataclass that is being imported, counts as unhandled until the next
            # exec, and Python would then end by the signal instead of with this code.
            exec("")  # noqa: S102
            ctx.exit(INTERRUPTED)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="clew-graph", prog_name="clew")
def main() -> None:
    """Documents in, cited answers out: a knowledge hypergraph in Neo4j, and an agent that walks it.

    Start with:  clew ingest FILES   and   clew ask "QUESTION"
    """


def _json_option(command: F) -> F:
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")(command)


def _kb_option(command: F) -> F:
    return click.option("--kb", metavar="NAME", help="Knowledge base (CLEW_KB, else 'default').")(command)


def _yes_option(command: F) -> F:
    return click.option("--yes", is_flag=True, help="Delete without asking.")(command)


# The managed server


@main.command()
@_json_option
def up(as_json: bool) -> None:
    """Start Neo4j, or say where it runs."""
    from clew.database.server import managed as server

    settings = _settings()
    server.up(settings)
    _print_status(server.status(settings), as_json)


@main.command()
@_json_option
def down(as_json: bool) -> None:
    """Stop the Neo4j server that Clew runs."""
    from clew.database.server import managed as server

    stopped = server.down(_settings())
    if as_json:
        _print_json({"stopped": stopped})
    else:
        click.echo("Neo4j has stopped." if stopped else "Clew runs no Neo4j.", err=True)


@main.command()
@_json_option
def status(as_json: bool) -> None:
    """Say whether Neo4j runs, and where."""
    from clew.database.server import managed as server

    found = server.status(_settings())
    _print_status(found, as_json)
    if not found["running"]:
        sys.exit(1)


@main.command()
@click.option("-n", "--lines", type=click.IntRange(min=1), default=100, show_default=True, help="Lines from the end.")
@click.option("-f", "--follow", is_flag=True, help="Go on printing what is added.")
@_json_option
def logs(lines: int, follow: bool, as_json: bool) -> None:
    """Print the log of the Neo4j server that Clew runs."""
    from clew.database.server import managed as server

    if as_json and follow:
        raise InputError("--json prints one object and --follow never ends: use one of them.")
    found = server.logs(_settings(), lines=lines, follow=follow)
    if as_json:
        _print_json({"lines": list(found)})
        return
    for line in found:
        click.echo(line)


# Documents


@main.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@_kb_option
@extraction_options
@click.option("--ray", metavar="ADDRESS", help="Spread the work over Ray: local, auto, HOST:PORT or ray://HOST:10001.")
@_json_option
def ingest(
    sources: Sequence[str],
    kb: str | None,
    extractor: str,
    budget: str | None,
    estimate: bool,
    ray: str | None,
    as_json: bool,
) -> None:
    """Bring documents into a knowledge base.

    A SOURCE is a file, a folder, a glob, an http(s) address, or - for standard input; txt, md, html, pdf, docx, pptx,
    csv, json and jsonl are read. Ingesting again changes nothing, and finishes what was interrupted. The exit code is
    1 where a source was skipped, 5 where a budget did not last.
    """
    from clew.extraction import commands as extraction
    from clew.ingest.load import total_bytes
    from clew.ingest.spread import connected
    from clew.reporting.terminal import plain
    from clew.terminal import gained, ingest_progress

    if estimate:
        found = extraction.print_estimate(kb, sources, _settings())
        return _print_json(found) if as_json else None
    limit = extraction.check_options(extractor, budget, _settings())
    console = _console()
    with connected(ray) as spread, _open(kb) as base, ingest_progress(console, total_bytes(sources)) as on_progress:
        report = extraction.ingest_with(base, sources, extractor, limit, on_progress, spread)
    for skipped in report.skipped:
        click.echo(f"skipped {plain(skipped.source)}: {plain(skipped.reason)}", err=True)
    if as_json:
        _print_json(asdict(report))
    else:
        click.echo(f"{base.name}: {gained(report)}, {len(report.skipped):,} skipped; {report.seconds:.1f} s.", err=True)
        if report.extraction:
            extraction.print_extraction(report.extraction)
    if report.stopped:
        click.echo(f"clew: {report.stopped}", err=True)
        sys.exit(extraction.STOPPED)
    if report.skipped:
        sys.exit(SKIPPED)


@main.group()
def document() -> None:
    """List, show and delete documents."""


@document.command("list")
@_kb_option
@_json_option
def document_list(kb: str | None, as_json: bool) -> None:
    """List the documents of a knowledge base."""
    from clew.reporting.terminal import print_table

    with _open(kb) as base:
        documents = base.documents()
    if as_json:
        _print_json({"documents": documents})
        return
    rows = [(d["id"], d["title"], d["characters"], d["chunks"], d["source"]) for d in documents]
    print_table(_console(stderr=False), ("id", "title", "characters", "chunks", "source"), rows, whole="id")


@document.command("show")
@click.argument("id")
@_kb_option
@_json_option
def document_show(id: str, kb: str | None, as_json: bool) -> None:
    """Show a document with its text."""
    from clew.reporting.terminal import plain

    with _open(kb) as base:
        found = base.document(id)
    if as_json:
        _print_json(found)
        return
    click.echo(f"{plain(found['title'])}\n{plain(found['source'])}", err=True)
    click.echo(plain(found["text"]))


@document.command("delete")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--all", "everything", is_flag=True, help="Delete all documents.")
@_kb_option
@_yes_option
@_json_option
def document_delete(ids: Sequence[str], everything: bool, kb: str | None, yes: bool, as_json: bool) -> None:
    """Delete documents, with exactly what nothing else supports."""
    if bool(ids) == everything:
        raise InputError("Name the documents to delete (see `clew document list`), or use --all.")
    with _open(kb) as base:
        chosen = list(ids) if ids else [d["id"] for d in base.documents()]
        _confirm(f"Delete {len(chosen):,} document(s) from {base.name!r}?", yes)
        deleted = base.delete_documents(*chosen)
    if as_json:
        _print_json({"deleted": deleted})
    else:
        click.echo(f"{deleted:,} document(s) deleted.", err=True)


@main.group("kb")
def knowledge_base() -> None:
    """List and delete knowledge bases."""


@knowledge_base.command("list")
@_json_option
def kb_list(as_json: bool) -> None:
    """List the knowledge bases."""
    from clew.knowledge_base import connect, list_knowledge_bases
    from clew.reporting.terminal import print_table

    with connect(_settings(), progress=True) as database:
        found = list_knowledge_bases(database)
    if as_json:
        _print_json({"knowledge_bases": found})
    elif not found:
        click.echo("There is no knowledge base yet: `clew ingest FILES --kb NAME` makes one.", err=True)
    else:
        rows = [(k["name"], k["documents"], k["embedder"]) for k in found]
        print_table(_console(stderr=False), ("name", "documents", "encoder"), rows, whole="name")


@knowledge_base.command("delete")
@click.argument("name")
@_yes_option
@_json_option
def kb_delete(name: str, yes: bool, as_json: bool) -> None:
    """Delete a whole knowledge base with its trajectories."""
    with _open(name) as base:
        documents = len(base.documents())
        _confirm(f"Delete knowledge base {name!r} with {documents:,} documents and all trajectories?", yes)
        base.delete()
    if as_json:
        _print_json({"deleted": name})
    else:
        click.echo(f"Knowledge base {name!r} is deleted.", err=True)


@main.command()
@_kb_option
@_json_option
def stats(kb: str | None, as_json: bool) -> None:
    """Count the nodes and relationships of a knowledge base."""
    from clew.reporting.terminal import print_table

    with _open(kb) as base:
        counts = base.stats()
    if as_json:
        _print_json({"kb": base.name, **counts})
        return
    rows = [(name, f"{n:,}") for name, n in {**counts["nodes"], **counts["relationships"]}.items()]
    print_table(_console(stderr=False), ("what", "how many"), rows)


# Questions


@main.command()
@click.argument("question")
@_kb_option
@click.option("--policy", metavar="NAME", help="Who answers: extractive (no model), extractive-guess, llm, or auto.")
@click.option("--strategy", metavar="NAME", help="How the graph is searched, such as graph-r1.")
@click.option("--k", type=click.IntRange(1, 1000), help="Facts that one query brings back.")
@_json_option
def ask(question: str, kb: str | None, policy: str | None, strategy: str | None, k: int | None, as_json: bool) -> None:
    """Let the agent answer a question, and cite the spans the answer rests on."""
    from clew.terminal import print_answer, print_event

    console = _console()
    with _open(kb) as base:
        show = None if as_json else lambda event: print_event(console, event)
        trajectory = base.ask(question, policy=policy, strategy=strategy, k=k, on_event=show)
    if not as_json:
        print_answer(console, trajectory)
        return
    steps = [
        {
            "thought": step.thought,
            "query": step.query,
            "facts": [
                {"id": fact.id, "text": fact.text, "entities": list(fact.entities), "score": fact.score}
                for fact in step.facts
            ],
            "passages": [asdict(passage) for passage in step.passages],
            "note": step.note,
        }
        for step in trajectory.steps
    ]
    _print_json(
        {
            "answer": trajectory.answer,
            "answered": trajectory.answered,
            "citations": [asdict(citation) for citation in trajectory.citations],
            "steps": steps,
            "trajectory": trajectory.id,
            "policy": trajectory.policy,
            "strategy": trajectory.strategy,
            "seconds": trajectory.seconds,
            "stopped": trajectory.stopped,
            "usage": asdict(trajectory.usage),
        }
    )


@main.command()
@click.argument("queries", nargs=-1, required=True, metavar="QUERY...")
@_kb_option
@click.option("--strategy", metavar="NAME", help="How the graph is searched, such as graph-r1.")
@click.option("--k", type=click.IntRange(1, 1000), help="Facts and passages for each query.")
@_json_option
def retrieve(queries: Sequence[str], kb: str | None, strategy: str | None, k: int | None, as_json: bool) -> None:
    """Find facts and passages for each QUERY, without an agent."""
    from clew.terminal import print_retrieved

    with _open(kb) as base:
        results = base.retrieve(queries, k, strategy)
    if as_json:
        _print_json({"strategy": strategy or base.settings.strategy, "results": [asdict(r) for r in results]})
    else:
        print_retrieved(_console(stderr=False), results)


# Looking


@main.command()
@click.option("--host", metavar="ADDRESS", help="Address to listen on (CLEW_UI_HOST).")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on (CLEW_UI_PORT).")
def ui(host: str | None, port: int | None) -> None:
    """Open the app in a web browser."""
    from clew.serving.app import run_app

    settings = _settings()
    run_app(settings, host or settings.ui_host, settings.ui_port if port is None else port)


def _settings() -> Settings:
    from clew.settings import load_settings

    return load_settings()


@contextmanager
def _open(kb: str | None) -> Iterator[KnowledgeBase]:
    from clew.knowledge_base import KnowledgeBase

    with KnowledgeBase.open(kb, settings=_settings(), progress=True) as base:
        yield base


def _console(*, stderr: bool = True) -> Console:
    from clew.reporting.terminal import make_console

    return make_console(stderr=stderr)


def _confirm(question: str, yes: bool) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise InputError(f"{question} Add --yes to do it without being asked.")
    if not click.confirm(question, err=True):
        raise InputError("Nothing was deleted.")


def _print_json(value: Json) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, default=str))


def _print_status(found: Json, as_json: bool) -> None:
    if as_json:
        _print_json(found)
        return
    from clew.terminal import print_status

    print_status(_console(), found)


for command in (browse, entities, evaluate, import_, strategies):
    main.add_command(command)

if __name__ == "__main__":
    main()
