"""``clew reindex``: another encoder for a knowledge base."""

from __future__ import annotations

import click

from clew.cli.options import json_option, kb_option, open_base, say, tell
from clew.errors import InputError


@click.command()
@kb_option
@click.option("--embedder", metavar="NAME", help="The encoder to change to: a name or a folder (CLEW_EMBEDDER).")
@click.option("--drop", is_flag=True, help="Delete the vectors of the encoder before, which are kept until then.")
@json_option
def reindex(kb: str | None, embedder: str | None, drop: bool, as_json: bool) -> None:
    """Change a knowledge base to another encoder, while others ask and write.

    Without --embedder it is the one that CLEW_EMBEDDER names. The new vectors are made beside the old ones, and
    searched from one moment to the next. Interrupted, it goes on when it is run again; with the old encoder's name it
    goes back.
    """
    from clew.embedding import load_embedder
    from clew.operations import reindex as work
    from clew.settings import load_settings

    if embedder and drop:
        raise InputError("Change to the new encoder first: --drop lets go of the old one's vectors afterwards.")
    with open_base(kb) as base:
        if drop:
            dropped = work.drop(base)
            gone = f"The vectors of {dropped} are gone." if dropped else "There are no other vectors."
            tell(as_json, {"kb": base.name, "dropped": dropped}, gone)
            return
        base.must_exist()
        loaded = load_embedder(load_settings(embedder=embedder) if embedder else base.settings)
        done = work.reindex(base, loaded, lambda count: None if as_json else say(f"{count:,} encoded …"))
    tell(
        as_json,
        {"kb": base.name, "before": done.before, "now": done.now, "encoded": done.encoded},
        f"{base.name!r} is searched with {done.now}. Go back with `clew reindex --kb {base.name} --embedder "
        f"{done.before}`, or let the old vectors go with `clew reindex --kb {base.name} --drop`.",
    )
