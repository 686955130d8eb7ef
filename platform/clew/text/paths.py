"""Files by the shortest names that tell them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def unambiguous(paths: Sequence[str]) -> list[str]:
    """The last part of each path, led by as many of its folders as tell it from the others; in their order."""
    parts = {path: path.rstrip("/").split("/") for path in paths}
    depth = dict.fromkeys(parts, 1)
    while True:
        names = {path: "/".join(parts[path][-depth[path] :]) for path in parts}
        often = Counter(names.values())
        longer = [path for path in parts if often[names[path]] > 1 and depth[path] < len(parts[path])]
        if not longer:
            return [names[path] for path in paths]
        for path in longer:
            depth[path] += 1
