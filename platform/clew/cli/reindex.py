"""``clew reindex``: another encoder for a knowledge base."""

from __future__ import annotations

import click

from clew.cli.options import json_option, kb_option, open_base, print_json, say
from clew.errors import InputError


@click.command()
@kb_option
@click.option("--embedder", metavar="NAME", help="The encoder to change to: a name or a folder, as CLEW_EMBEDDER.")
@click.option("--drop", is_flag=True, help="Delete the vectors of the encoder before, which are kept until then.")
@json_option
def reindex(kb: str | None, embedder: str | None, drop: bool, as_json: bool) -> None:
    """Change a knowledge base to another encoder, while others ask and write.

    The new vectors are made beside the old ones, and searched from one moment to the next. Interrupted, it goes on when
    it is run again; with the old encoder's name it goes back.
    """
    from clew.embedding import load_embedder
    from clew.operations import reindex as work

    if bool(embedder) == drop:
        raise InputError("Name the new encoder with --embedder, or drop the old one's vectors with --drop.")
    with open_base(kb) as base:
        if drop:
            dropped = work.drop(base)
            if as_json:
                print_json({"kb": base.name, "dropped": dropped})
            else:
                say(f"The vectors of {dropped} are gone." if dropped else "There are no other vectors.")
            return
        base.must_exist()
        loaded = load_embedder(base.settings.model_copy(update={"embedder": embedder}))
        done = work.reindex(base, loaded, lambda count: None if as_json else say(f"{count:,} encoded …"))
    if as_json:
        print_json({"kb": base.name, "before": done.before, "now": done.now, "encoded": done.encoded})
    else:
        say(
            f"{base.name!r} is searched with {done.now}. Go back with `clew reindex --kb {base.name} --embedder "
            f"{done.before}`, or let the old vectors go with `clew reindex --kb {base.name} --drop`."
        )
