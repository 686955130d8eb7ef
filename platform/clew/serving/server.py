"""Starting ``clew serve``: what must hold before it listens, and its workers."""

from __future__ import annotations

import os
import re
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clew.errors import SettingsError
from clew.files import private_folder
from clew.knowledge_base import connect
from clew.serving.hosts import is_loopback
from clew.serving.tokens import Tokens
from clew.tracing import export

if TYPE_CHECKING:
    from clew.settings import Settings

APPLICATION = "clew.serving.api.app:from_settings"
_METRICS = "PROMETHEUS_MULTIPROC_DIR"
_GRACE = 10


def run_server(settings: Settings, ready: Callable[[], None] = lambda: None) -> None:
    """Serve until it is stopped, on the address and with the workers of the settings.

    ``ready`` is called when nothing stands in the way any more. Workers read their settings from the environment, so
    what differs from it must be written there before. Raises SettingsError for an address beyond loopback without a
    token and for a port that is taken, DatabaseError where Neo4j cannot be reached.
    """
    import uvicorn

    host, port, workers = settings.serve_host, settings.serve_port, settings.serve_workers
    if not (is_loopback(host) and settings.serve_tokens == "auto") and not Tokens(settings).all():
        where = "" if is_loopback(host) else f" on {host}"
        raise SettingsError(f"Nobody could use the server{where} without a token: make one with `clew token create`.")
    _check_port(host, port)
    export()  # each worker does it for itself; here it says once what is missing
    connect(settings, progress=True).close()  # what is wrong with it is said once, before any worker starts
    if workers > 1:
        folder = metrics_folder(settings)
        shutil.rmtree(folder, ignore_errors=True)
        private_folder(folder)
        os.environ[_METRICS] = str(folder)
    ready()
    options: dict[str, Any] = {"timeout_graceful_shutdown": _GRACE, "server_header": False, "proxy_headers": False}
    uvicorn.run(
        APPLICATION, factory=True, host=host, port=port, workers=workers, log_config=None, access_log=False, **options
    )


def metrics_folder(settings: Settings) -> Path:
    """Where the workers of one server put their metrics together: one for each address, which only one server has."""
    name = re.sub(r"[^\w.-]", "_", f"{settings.serve_host}-{settings.serve_port}")
    return settings.home / "serve-metrics" / name


def _check_port(host: str, port: int) -> None:
    try:
        family, kind, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        why = error.strerror or error
        raise SettingsError(
            f"Port {port} of {host} cannot be used ({why}): choose others with --host, --port."
        ) from error
