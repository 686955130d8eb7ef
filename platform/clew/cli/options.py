"""What commands share: options, opening a knowledge base, asking before a delete, and JSON on standard output."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from clew.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from clew.knowledge_base import KnowledgeBase
    from clew.settings import Settings
    from clew.types import Json, Skipped

INTERRUPTED = 130
"""Exit code of what Ctrl-C ended."""

F = TypeVar("F", bound=Callable[..., Any])


def json_option(command: F) -> F:
    """Add ``--json`` to a command."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")(command)


def kb_option(command: F) -> F:
    """Add ``--kb`` to a command."""
    return click.option("--kb", metavar="NAME", help="Knowledge base (CLEW_KB, else 'default').")(command)


def filter_option(command: F) -> F:
    """Add ``--filter``, which may be given several times, to a command."""
    return click.option(
        "--filter",
        "conditions",
        multiple=True,
        metavar="CONDITION",
        help='Only documents for which this holds: "author=Karin Holt", "year>=2020", "tags in a, b". May be repeated.',
    )(command)


def encoding_option(command: F) -> F:
    """Add ``--encoding`` to a command."""
    help = "What the texts are written in (windows-1250), where it is not UTF-8."
    return click.option("--encoding", metavar="NAME", help=help)(command)


def strategy_option(command: F) -> F:
    """Add ``--strategy`` to a command."""
    return click.option("--strategy", metavar="NAME", help="How the graph is searched, such as graph-r1.")(command)


class _PolicyOption(click.Option):
    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """What each policy says of itself, which is read when somebody asks for it."""
        from clew.agent.policies import POLICIES

        self.help = f"Who answers: {'; '.join(f'{name} ({one.help})' for name, one in POLICIES.items())}."
        return super().get_help_record(ctx)


def policy_option(command: F) -> F:
    """Add ``--policy`` to a command."""
    return click.option("--policy", metavar="NAME", cls=_PolicyOption)(command)


def yes_option(command: F) -> F:
    """Add ``--yes`` to a command."""
    return click.option("--yes", is_flag=True, help="Do it without asking.")(command)


def current_settings() -> Settings:
    """The settings, read when a command needs them."""
    from clew.settings import load_settings

    return load_settings()


@contextmanager
def open_base(kb: str | None) -> Iterator[KnowledgeBase]:
    """Open a knowledge base, and close it in the end."""
    from clew.knowledge_base import KnowledgeBase

    with KnowledgeBase.open(kb, settings=current_settings(), progress=True) as base:
        yield base


def tell_other_encoder(base: KnowledgeBase) -> None:
    """Say where the settings name another encoder than the one that wrote the knowledge base, which is used."""
    rows = base.database.read("kb/encoder", kb=base.name)
    named = base.settings.embedder
    if rows and rows[0]["embedder"] != named and "embedder" in base.settings.model_fields_set:
        say(
            f"{base.name!r} was written with the encoder {rows[0]['embedder']}, which is used; "
            f"`clew reindex --kb {base.name}` changes to {named}."
        )


def open_console(*, stderr: bool = True) -> Console:
    """A console on standard error, or on standard output."""
    from clew.reporting.terminal import make_console

    return make_console(stderr=stderr)


def confirm(question: str, yes: bool, otherwise: str = "Nothing was deleted.") -> None:
    """Ask before something is done. Raises InputError, which says ``otherwise``, where nobody says yes."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise InputError(f"{question} Add --yes to do it without being asked.")
    if not click.confirm(question, err=True):
        raise InputError(otherwise)


def print_json(value: Json) -> None:
    """Print one JSON object on standard output."""
    click.echo(_writable(json.dumps(value, ensure_ascii=False, default=str)))


def tell(as_json: bool, value: Json, line: str) -> None:
    """Print what came of a command: as one JSON object, or as a line for a person."""
    if as_json:
        print_json(value)
    else:
        say(line)


def say_skipped(some: Iterable[Skipped]) -> None:
    """Say of each source why it was skipped."""
    from clew.reporting.terminal import plain

    for one in some:
        say(f"skipped {plain(one.source)}: {plain(one.reason)}")


def say(line: str) -> None:
    """Print a line on standard error."""
    click.echo(_writable(line), err=True)


def _writable(text: str) -> str:
    """What no encoding can write, such as a byte of a file's name that is no UTF-8, as an escape."""
    return text.encode("utf-8", "backslashreplace").decode()
