"""The command that opens the app."""

from __future__ import annotations

import click

from clew.cli.options import current_settings


@click.command()
@click.option("--host", metavar="ADDRESS", help="Address to listen on (CLEW_UI_HOST).")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on (CLEW_UI_PORT).")
def ui(host: str | None, port: int | None) -> None:
    """Open the app in a web browser."""
    from clew.serving.app import run_app

    settings = current_settings()
    run_app(settings, host or settings.ui_host, settings.ui_port if port is None else port)
