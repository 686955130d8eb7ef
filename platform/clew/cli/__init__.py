"""The command line: `clew --help`. One file a command, or a noun with its commands.

With ``--json`` a command prints one JSON object on standard output; everything else always goes to standard error.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import Any

import click

from clew.child import keep_current_folder_out
from clew.cli.adopt import adopt
from clew.cli.ask import ask
from clew.cli.backup import backup, restore
from clew.cli.browse import browse
from clew.cli.check import check, doctor
from clew.cli.document import document
from clew.cli.entities import entities
from clew.cli.evaluate import evaluate
from clew.cli.export import export
from clew.cli.import_ import import_
from clew.cli.ingest import ingest
from clew.cli.kb import knowledge_base, stats
from clew.cli.model import model
from clew.cli.options import INTERRUPTED, say
from clew.cli.read import read
from clew.cli.reindex import reindex
from clew.cli.retrieve import retrieve
from clew.cli.schema import schema
from clew.cli.serve import mcp, serve
from clew.cli.server import down, logs, status, up, upgrade
from clew.cli.strategies import strategies
from clew.cli.sync import sync
from clew.cli.token import token
from clew.cli.trajectory import trajectory
from clew.cli.ui import ui
from clew.env_files import passed_over, use
from clew.errors import ClewError, InputError
from clew.files import keep_private

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class _Group(click.Group):
    """Commands whose expected errors, and Ctrl-C, are one line on standard error."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ClewError as error:
            say(f"clew: {error}")
            ctx.exit(error.exit_code)
        except UnicodeEncodeError:
            say("clew: An argument holds bytes that are no UTF-8 text: write it in UTF-8.")
            ctx.exit(InputError.exit_code)
        except BrokenPipeError:
            _let_go()
            ctx.exit(0)
        except OSError as error:
            if error.errno not in _NO_ROOM:
                raise
            _let_go()
            place = error.filename or "Standard output"
            say(f"clew: {place} cannot be written ({error.strerror}): make room, or write elsewhere.")
            ctx.exit(1)
        except KeyboardInterrupt:
            say("clew: interrupted; run the same command again to go on.")
            # An interrupt inside of exec, as of a dataclass that is being imported, counts as unhandled until the next
            # exec, and Python would then end by the signal instead of with this code.
            exec("")  # noqa: S102
            ctx.exit(INTERRUPTED)


def _let_go() -> None:
    """Leave a standard output that takes nothing more, which Python would try once more as it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="clew-graph", prog_name="clew")
@click.option(
    "--env-file",
    metavar="FILE",
    expose_value=False,
    is_eager=True,
    callback=lambda ctx, option, value: use(value) if value else None,
    help="File of settings to read (CLEW_ENV_FILE), beside your own; see .env.example.",
)
def main() -> None:
    """Documents in, cited answers out: a knowledge hypergraph in Neo4j, and an agent that walks it.

    Start with:  clew ingest FILES   and   clew ask "QUESTION"
    """
    keep_current_folder_out()
    keep_private()
    if warning := passed_over():
        say(f"clew: {warning}")


for command in (
    *(up, down, status, logs, upgrade, ingest, read, sync, adopt, document, knowledge_base, stats, ask, retrieve, ui),
    *(browse, entities, evaluate, export, import_, model, schema, strategies, backup, restore, check, doctor, reindex),
    *(serve, mcp, token, trajectory),
):
    main.add_command(command)
