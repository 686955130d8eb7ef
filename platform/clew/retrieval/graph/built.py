"""What a strategy builds over the whole graph: made on first use, and kept in memory while the graph stays as it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar

from clew.database.server.progress import spinner
from clew.retrieval.graph.hypergraph import Graph
from clew.retrieval.graph.search import Place

T = TypeVar("T")

KEPT = 8
"""Things kept in memory, at most; the one not used for longest goes first."""


@dataclass(slots=True)
class _Kept:
    lock: Lock = field(default_factory=Lock)
    version: str | None = None
    value: Any = None


_kept: dict[Hashable, _Kept] = {}
_kept_lock = Lock()


def built(place: Place, graph: Graph, name: Hashable, make: Callable[[], T], doing: str) -> T:
    """What ``make`` gives for this version of the graph, made anew only where the version is another than last time.

    ``name`` tells apart what is built over one knowledge base. While a terminal waits for it, it is shown what is being
    done. Threads that ask at the same time wait for one of them to make it.
    """
    # Who began before the knowledge base changed its encoder still sees the vectors of before, in the same version.
    of = place.database.server.uri, place.database.name, place.kb, place.database.documents, graph.encoder, name
    with _kept_lock:
        kept = _kept.pop(of, None) or _Kept()
        _kept[of] = kept
        while len(_kept) > KEPT:
            del _kept[next(iter(_kept))]
    with kept.lock:
        if kept.version != graph.version:
            with spinner(f"{doing} of knowledge base {place.kb!r} …", show=sys.stderr.isatty()):
                kept.value = make()
            kept.version = graph.version
        value: T = kept.value
        return value
