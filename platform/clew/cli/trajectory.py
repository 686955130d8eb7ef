"""The command for stored answers."""

from __future__ import annotations

from dataclasses import asdict, replace

import click

from clew.cli.options import json_option, kb_option, open_base, open_console, print_json


@click.command()
@click.argument("id")
@kb_option
@json_option
def trajectory(id: str, kb: str | None, as_json: bool) -> None:
    """Show a stored answer, and how the documents that it cites stand now."""
    from rich.text import Text

    from clew.cli.terminal import print_answer, print_standing
    from clew.reporting.terminal import plain
    from clew.reporting.verdict import verdict_now
    from clew.trajectories.read import open_trajectory

    with open_base(kb) as base:
        stored = open_trajectory(base, id)
        found = base.standing(id)
    if as_json:
        standing = [asdict(one) | {"touched": one.touched} for one in found]
        print_json({**asdict(stored), "standing": standing})
        return
    console = open_console(stderr=False)
    shown = stored.trajectory
    console.print(Text(f" ? {plain(shown.question)}", style="magenta"), soft_wrap=True)
    print_answer(console, replace(shown, verdict=verdict_now(shown.verdict, any(one.touched for one in found))))
    print_standing(console, found)
