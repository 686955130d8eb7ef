"""Commands for knowledge bases: list, rename, delete, stats."""

from __future__ import annotations

from dataclasses import asdict

import click

from clew.cli.options import (
    confirm,
    current_settings,
    json_option,
    kb_option,
    open_base,
    open_console,
    print_json,
    say,
    tell,
    yes_option,
)


@click.group("kb")
def knowledge_base() -> None:
    """List, rename and delete knowledge bases."""


@knowledge_base.command("list")
@json_option
def kb_list(as_json: bool) -> None:
    """List the knowledge bases."""
    from clew.knowledge_base import connect, list_knowledge_bases
    from clew.reporting.terminal import print_table

    with connect(current_settings(), progress=True) as database:
        found = list_knowledge_bases(database)
    if as_json:
        print_json({"knowledge_bases": found})
    elif not found:
        say("There is no knowledge base yet: `clew ingest FILES --kb NAME` makes one.")
    else:
        rows = [(k["name"], k["documents"], k["embedder"]) for k in found]
        print_table(open_console(stderr=False), ("name", "documents", "encoder"), rows, whole="name")


@knowledge_base.command("delete")
@click.argument("name")
@yes_option
@json_option
def kb_delete(name: str, yes: bool, as_json: bool) -> None:
    """Delete a whole knowledge base with its trajectories, or what a restore has left of one."""
    from clew.operations.restore import unfinished

    with open_base(name) as base:
        if any(row["name"] == base.name for row in unfinished(base.database)):
            what = f"Delete what an unfinished restore has left of {name!r}?"
        else:
            documents = base.stats()["nodes"]["Document"]
            what = f"Delete knowledge base {name!r} with {documents:,} documents and all trajectories?"
        confirm(what, yes)
        base.delete()
    tell(as_json, {"deleted": name}, f"Knowledge base {name!r} is deleted.")


@knowledge_base.command("rename")
@click.argument("name")
@click.argument("new")
def kb_rename(name: str, new: str) -> None:
    """Give a knowledge base another name; all of it is written anew."""
    from clew.operations.move import rename

    with open_base(name) as base:
        rename(base, new)
    say(f"Knowledge base {name!r} is {new!r} now.")


@click.command()
@kb_option
@json_option
def stats(kb: str | None, as_json: bool) -> None:
    """Count the nodes and relationships of a knowledge base."""
    from clew.ingest.older import older_readings
    from clew.reporting.terminal import print_table

    with open_base(kb) as base:
        counts = base.stats()
        older = older_readings(base.database, base.name)
    if as_json:
        print_json({"kb": base.name, **counts, "older_readings": [asdict(one) for one in older]})
        return
    rows = [(name, f"{n:,}") for name, n in {**counts["nodes"], **counts["relationships"]}.items()]
    print_table(open_console(stderr=False), ("what", "how many"), rows)
    for one in older:
        say(one.notice)
