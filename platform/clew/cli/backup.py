"""``clew backup`` and ``clew restore``: knowledge bases into a file, and back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clew.cli.options import current_settings, json_option, print_json, say, tell
from clew.errors import InputError, NotFoundError

if TYPE_CHECKING:
    from clew.types import Json

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("file", type=_FILE)
@click.option("--kb", metavar="NAME", multiple=True, help="Only this knowledge base; may be given again.")
@click.option("--verify", is_flag=True, help="Check the file instead of writing it, and say what is in it.")
@json_option
def backup(file: Path, kb: tuple[str, ...], verify: bool, as_json: bool) -> None:
    """Write all knowledge bases of the server to one FILE, while others go on writing.

    Documents, facts, vectors, merges, refusals, trajectories and ratings are in it. `clew restore FILE` makes them
    again, on any server.
    """
    if verify:
        from clew.operations.restore import inspect

        content = inspect(file)
        _tell(as_json, {"file": str(file), **content.header, "knowledge_bases": content.knowledge_bases})
        return
    from clew.knowledge_base import connect, list_knowledge_bases
    from clew.operations.backup import backup as run

    with connect(current_settings(), progress=True) as database:
        known = [row["name"] for row in list_knowledge_bases(database)]
        if unknown := next((name for name in kb if name not in known), None):
            raise NotFoundError(f"There is no knowledge base {unknown!r}: see `clew kb list`.")
        names = list(kb) or known
        if not names:
            raise InputError("There is no knowledge base to back up: see `clew kb list`.")
        done = run(database, file, names, _progress(as_json))
    _tell(as_json, {"file": str(file), "bytes": done.bytes, "knowledge_bases": done.knowledge_bases})


@click.command()
@click.argument("file", type=_FILE)
@click.option("--kb", metavar="NAME", help="Only this knowledge base of the file.")
@click.option("--into", metavar="NAME", help="The name that it gets; else the one that it had.")
@json_option
def restore(file: Path, kb: str | None, into: str | None, as_json: bool) -> None:
    """Make the knowledge bases of a backup FILE again. What is there already is never touched.

    A restore that was interrupted goes on where it was when it is run again.
    """
    from clew.knowledge_base import connect
    from clew.operations.restore import restore as run

    with connect(current_settings(), progress=True) as database:
        names = run(database, file, name=kb, into=into, on_progress=_progress(as_json))
    there = "\n".join(f"Knowledge base {new!r} is there." for new in names.values())
    tell(as_json, {"file": str(file), "restored": names}, there)


def _progress(as_json: bool) -> Callable[[str], None]:
    shown: set[str] = set()

    def tell(stage: str) -> None:
        if stage not in shown and not as_json:
            shown.add(stage)
            say(f"{stage} …")

    return tell


def _tell(as_json: bool, found: Json) -> None:
    if as_json:
        print_json(found)
        return
    for name, counts in found["knowledge_bases"].items():
        say(f"{name}: " + ", ".join(f"{count:,} {kind}" for kind, count in counts.items()))
    size = f"{found['bytes'] / 1e6:,.1f} MB" if "bytes" in found else f"whole; of Clew {found['clew']}, {found['made']}"
    say(f"{found['file']}: {size}.")
