"""Commands that open Clew to other programs: serve, and mcp."""

from __future__ import annotations

import os
from importlib.util import find_spec

import click

from clew.cli.options import current_settings, kb_option, say
from clew.errors import SettingsError


@click.command()
@click.option("--host", metavar="ADDRESS", help="Address to listen on (CLEW_SERVE_HOST).")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on (CLEW_SERVE_PORT).")
@click.option("--workers", type=click.IntRange(1, 64), help="Processes (CLEW_SERVE_WORKERS).")
@click.option("--allow-write", is_flag=True, help="Let MCP clients bring in documents, too.")
def serve(host: str | None, port: int | None, workers: int | None, allow_write: bool) -> None:
    """Serve REST, an OpenAI-compatible endpoint, search for rollouts, and MCP (docs/serve.md).

    Beyond loopback nothing is answered without a token: see `clew token`.
    """
    from clew.serving.server import run_server

    given = {"HOST": host, "PORT": port, "WORKERS": workers, "MCP_WRITE": True if allow_write else None}
    os.environ.update({f"CLEW_SERVE_{name}": str(value) for name, value in given.items() if value is not None})
    settings = current_settings()
    run_server(settings, lambda: say(f"http://{settings.serve_host}:{settings.serve_port} (Ctrl-C stops it)"))


@click.command()
@kb_option
@click.option("--allow-write", is_flag=True, help="Also offer tools that bring in documents.")
def mcp(kb: str | None, allow_write: bool) -> None:
    """Serve a knowledge base to an editor or agent over MCP, on standard input and output (docs/serve.md)."""
    if find_spec("mcp") is None:
        raise SettingsError("MCP needs a package: run `pip install mcp`, or `make install-mcp` in a checkout.")
    from clew.serving.mcp import run_stdio

    run_stdio(current_settings(), kb, allow_write=allow_write)
