"""Starting the Streamlit app."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from clew.child import keep_current_folder_out, python_module
from clew.errors import SettingsError
from clew.serving.hosts import is_any, is_loopback
from clew.settings import Settings


def run_app(settings: Settings, host: str, port: int) -> NoReturn:
    """Replace this process by the app, listening on ``host`` and ``port``.

    Raises SettingsError for an address beyond loopback without a password, and where Streamlit would read options from
    the current directory.
    """
    if not is_loopback(host) and settings.ui_password is None:
        raise SettingsError(f"The app may listen on {host} only with a password: set CLEW_UI_PASSWORD.")
    package = find_spec("clew.ui")
    if package is None or package.origin is None:
        raise SettingsError("The app is not installed: run `make install` in the repository.")
    script = Path(package.origin).resolve().parent / "server.py"
    _refuse_foreign_options(script.parent)
    options = {
        "server.address": host,
        "server.port": str(port),
        # Where it does not know how it is reached, Streamlit asks a service on the internet for its own address.
        "browser.serverAddress": "localhost" if is_any(host) else host,
        "server.fileWatcherType": "none",
        "server.headless": str(not _has_screen()).lower(),
        "server.maxUploadSize": str(max(1, round(settings.max_file_mb))),
        "browser.gatherUsageStats": "false",
        "client.toolbarMode": "minimal",
        # A full collection after each run of a script, three a second while an answer is awaited, took half of the time
        # until it came: nothing else can run meanwhile.
        "runner.postScriptGC": "false",
    }
    flags = [f"--{name}={value}" for name, value in options.items()]
    # Many threads would each get a heap of their own, and keep it: a third more memory, and slower.
    os.environ.setdefault("MALLOC_ARENA_MAX", "2")
    keep_current_folder_out()
    os.execv(sys.executable, python_module("streamlit", "run", str(script), *flags))  # noqa: S606


def _refuse_foreign_options(own: Path) -> None:
    """Streamlit reads options and secrets beside the working folder's documents, which may be anyone's."""
    found = Path(".streamlit")
    if any((found / name).exists() for name in ("config.toml", "secrets.toml")) and Path.cwd().resolve() != own:
        raise SettingsError(
            f"Streamlit would read its options from {found.absolute()}: start the app from another folder."
        )


def _has_screen() -> bool:
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
