"""Commands for documents: list, show, delete."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from clew.cli.options import confirm, json_option, kb_option, open_base, open_console, print_json, say, tell, yes_option
from clew.errors import InputError

if TYPE_CHECKING:
    from clew.knowledge_base import KnowledgeBase


@click.group()
def document() -> None:
    """List, show and delete documents."""


@document.command("list")
@kb_option
@json_option
def document_list(kb: str | None, as_json: bool) -> None:
    """List the documents of a knowledge base."""
    from clew.documents.metadata import metadata_line
    from clew.reporting.terminal import print_table

    with open_base(kb) as base:
        documents = base.documents()
    if as_json:
        print_json({"documents": documents})
        return
    rows = [
        (d["id"], d["title"], d["characters"], d["chunks"], metadata_line(d["metadata"]), d["source"])
        for d in documents
    ]
    names = ("id", "title", "characters", "chunks", "metadata", "source")
    print_table(open_console(stderr=False), names, rows, whole="id")


@document.command("show")
@click.argument("id")
@kb_option
@json_option
def document_show(id: str, kb: str | None, as_json: bool) -> None:
    """Show a document with its text."""
    from clew.documents.metadata import metadata_line
    from clew.reporting.terminal import plain

    with open_base(kb) as base:
        found = base.document(id)
    if as_json:
        print_json(found | {"blocks": list(map(asdict, found["blocks"]))})
        return
    say(f"{plain(found['title'])}\n{plain(found['source'])}")
    if found["metadata"]:
        say(plain(metadata_line(found["metadata"])))
    click.echo(plain(found["text"]))


@document.command("delete")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--all", "everything", is_flag=True, help="Delete all documents.")
@kb_option
@yes_option
@json_option
def document_delete(ids: Sequence[str], everything: bool, kb: str | None, yes: bool, as_json: bool) -> None:
    """Delete documents, with exactly what nothing else supports."""
    if bool(ids) == everything:
        raise InputError("Name the documents to delete (see `clew document list`), or use --all.")
    with open_base(kb) as base:
        chosen = list(ids) if ids else [d["id"] for d in base.documents()]
        confirm(f"Delete {len(chosen):,} document(s) from {base.name!r}{_kept_answers(base, chosen)}?", yes)
        deleted = base.delete_documents(*chosen)
    tell(as_json, {"deleted": deleted}, f"{deleted:,} document(s) deleted.")


def _kept_answers(base: KnowledgeBase, chosen: Sequence[str]) -> str:
    """What becomes of the answers that were kept: they quote documents, and go with the last one."""
    nodes = base.stats()["nodes"]
    if not (kept := nodes["Trajectory"]):
        return ""
    if len(set(chosen)) >= nodes["Document"]:
        return f", and with the last one the {kept:,} answers that were kept, with their ratings"
    return "; answers that were kept stay, with what they quote"
