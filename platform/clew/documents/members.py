"""Files in a file: members of archives, attachments of messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from clew.documents.format import Input
from clew.documents.parsed import Parsed, Rejected, Unreadable

_DEEPEST = 3
_SEPARATOR = "/"


def members(source: Input, files: Iterable[tuple[str, bytes]]) -> Iterator[Parsed | Rejected]:
    """The documents in the files, located by path, and the failures.

    Files of formats that are not read are counted by their ending. What all of them unpack to is bounded by the
    ``limit`` of ``source``, and how deep they may be packed in each other.
    """
    assert source.known is not None, "who reads a file of files says which formats are known"
    others: Counter[str] = Counter()
    left = source.limit
    for name, data in files:
        path = PurePosixPath(name.replace("\\", _SEPARATOR))
        shown = _SEPARATOR.join(part for part in path.parts if part not in {_SEPARATOR, ".."})
        if any(part.startswith((".", "__MACOSX")) for part in path.parts):
            continue
        kind = source.known.kind_of(path.name)
        if kind is None:
            others[path.suffix.lower() or "no ending"] += 1
            continue
        source.tick()
        if source.depth >= _DEEPEST:
            yield Rejected(f"{shown}: It is packed too deeply.")
            continue
        try:
            for item in source.known.read(source.member(data, path.name, left), kind):
                if isinstance(item, Rejected):
                    yield replace(item, reason=f"{shown}: {item.reason}")
                    continue
                left -= len(item.text)
                if left < 0:
                    raise Unreadable(f"It unpacks to more than {source.limit / 1e6:g} MB of text (CLEW_MAX_FILE_MB).")
                locator = f"{shown}{_SEPARATOR}{item.locator}" if item.locator else shown
                yield replace(item, locator=locator, kind=item.kind or kind, row=None)
        except Unreadable as error:
            yield Rejected(f"{shown}: {error}")
        except Exception as error:  # whatever a parser makes of a hostile file, the others are read
            yield Rejected(f"{shown}: The file is damaged ({type(error).__name__}).")
    if others:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in others.most_common(10))
        yield Rejected(f"Left out, because files of these kinds cannot be read: {kinds}.", note=True)
