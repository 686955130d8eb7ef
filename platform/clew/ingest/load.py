"""Sources to documents: files, folders, patterns, addresses, standard input and uploads.

Whatever a source holds, it gives documents or one reason why not: no exception, no hang, and never more memory than a
few times the largest document.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from clew.documents.encoding import codec, lines_in_utf8
from clew.documents.format import Input
from clew.documents.isolated import Reader
from clew.documents.kinds import (
    FORMATS,
    READABLE,
    SUFFIXES,
    check_kind,
    ending,
    kind_of_media_type,
    kind_of_name,
    sniffed_kind,
)
from clew.documents.parsed import NO_TEXT, Parsed, Rejected, Unreadable
from clew.errors import InputError
from clew.ids import digest, document_id
from clew.ingest.fetch import fetch, is_address, without_secrets
from clew.text.normalise import normalise, one_line
from clew.text.outline import as_json
from clew.types import Document, Json, Skipped

if TYPE_CHECKING:
    from clew.settings import Settings

STDIN = "-"
"""The source that means standard input."""

PIPED = "stdin"
"""The source of documents from there. What comes next is another text, and no other version of the last one."""

_HEAD = 1 << 20
_LONGEST_REASON = 300
_PATTERN = frozenset("*?[")
_MOST_KINDS = 10

OfRow = Callable[[Document, Json], Document | Skipped]

_Item = tuple[str, Parsed | Rejected]
"""A format, and a document or a rejected row of it."""


def load(
    sources: Sequence[str],
    *,
    kb: str,
    settings: Settings,
    stdin: BinaryIO | None = None,
    allow_private: bool = True,
    of_row: OfRow | None = None,
    encoding: str | None = None,
    reader: Reader | None = None,
) -> Iterator[Document | Skipped]:
    """The documents of all sources, in order, and what was skipped with the reason.

    A source is a file, a folder (read recursively in sorted order, without hidden files, links that leave it, and
    formats that cannot be read, which are counted in a note), a glob pattern, an http(s) address, or ``-`` for
    ``stdin``. A corpus (jsonl) is read line by line and may have any size; everything else may have
    ``settings.max_file_mb``, also once unpacked. ``allow_private=False`` is for a server: addresses on private networks
    are refused. ``of_row`` makes of a document and the row of a local corpus file that it comes from what is given in
    its place. ``encoding`` is what texts are written in, for those that do not start with a mark that says so. The
    child process of ``reader`` reads them, where one is given. Raises InputError where it is no encoding.
    """
    check_encoding(encoding)
    with contextlib.nullcontext(reader) if reader else Reader(settings.parse_timeout) as reader:
        for source in sources:
            if source == STDIN:
                yield from _guarded(PIPED, _read_stdin(stdin, reader, settings, encoding), kb)
            elif is_address(source):
                items = _read_address(source, reader, settings, allow_private, encoding)
                yield from _guarded(storable(without_secrets(source)), items, kb)
            else:
                for path in files(source):
                    if isinstance(path, Skipped):
                        yield path
                    else:
                        yield from _guarded(storable(path), _read_file(path, reader, settings, encoding), kb, of_row)


def load_bytes(
    data: bytes,
    name: str,
    *,
    kb: str,
    settings: Settings,
    source: str | None = None,
    encoding: str | None = None,
    reader: Reader | None = None,
) -> Iterator[Document | Skipped]:
    """The documents of an upload called ``name``; its source is ``upload:NAME`` where none is given."""
    check_encoding(encoding)
    name = storable(name)
    with contextlib.nullcontext(reader) if reader else Reader(settings.parse_timeout) as reader:
        items = _read_bytes(data, name, reader, settings, encoding=encoding)
        yield from _guarded(source or f"upload:{name}", items, kb)


def check_encoding(encoding: str | None) -> None:
    """Raise InputError where ``encoding`` is set and is no encoding."""
    try:
        codec(encoding or "utf-8")
    except LookupError as error:
        raise InputError(f"{one_line(encoding or '', 40)!r} is no encoding: use one such as windows-1250.") from error


def total_bytes(sources: Iterable[str]) -> int:
    """The size of all files that the sources name, for progress; addresses and standard input count nothing."""
    local = (source for source in sources if source != STDIN and not is_address(source))
    paths = (path for source in local for path in files(source) if isinstance(path, Path))
    return sum(_size(path) for path in paths)


def _guarded(source: str, items: Iterator[_Item], kb: str, of_row: OfRow | None = None) -> Iterator[Document | Skipped]:
    """The documents of one source, each once; whatever goes wrong in it becomes its reason."""
    seen: dict[str, int] = {}
    try:
        for kind, item in items:
            if isinstance(item, Rejected):
                # of a file with nothing else in it, what was left out is why it gave nothing
                yield Skipped(source, one_line(item.reason, _LONGEST_REASON), note=item.note and bool(seen))
            elif not item.text:
                yield Skipped(source, NO_TEXT)
            else:
                document = _document(source, kind, item, kb)
                found = of_row(document, item.row or {}) if of_row else document
                if isinstance(found, Document):
                    version = hash(found.sha256)  # a number is small, and a corpus may have millions of rows
                    if found.id in seen:
                        if seen[found.id] != version:
                            yield Skipped(source, _id_taken(item))
                        continue
                    seen[found.id] = version
                yield found
        return
    except Unreadable as error:
        reason = str(error)
    except OSError as error:
        reason = f"It cannot be read ({error.strerror or type(error).__name__})."
    except MemoryError:
        reason = "Reading it needs more memory than there is."
    except (ValueError, RecursionError) as error:
        reason = f"The file is damaged ({one_line(str(error), 100)})."
    yield Skipped(source, one_line(reason, _LONGEST_REASON))


def _id_taken(row: Parsed) -> str:
    named = f"{row.title!r} has the id {row.locator!r} of an earlier row"
    return one_line(named, _LONGEST_REASON // 2) + ": give each row an id of its own."


def _document(source: str, kind: str, parsed: Parsed, kb: str) -> Document:
    metadata = json.dumps(parsed.metadata, ensure_ascii=False) if parsed.metadata else ""
    structure = as_json(parsed.blocks)
    sha256 = digest("\n".join([parsed.title, parsed.text, *filter(None, (metadata, structure))]))
    return Document(
        id=document_id(kb, source, parsed.locator or (sha256 if source == PIPED else "")),
        kb=kb,
        title=parsed.title,
        source=source,
        text=parsed.text,
        sha256=sha256,
        media_type=FORMATS[parsed.kind or kind].media_type,
        locator=parsed.locator,
        pages=parsed.pages,
        notes=parsed.notes,
        metadata=parsed.metadata,
        blocks=parsed.blocks,
    )


def _read_file(path: Path, reader: Reader, settings: Settings, encoding: str | None) -> Iterator[_Item]:
    with _opened(path) as file:
        kind = kind_of_name(path.name)
        lines = FORMATS[kind].lines if kind else None
        if kind and lines:
            head = file.read(_HEAD)
            check_kind(head, kind)
            file.seek(0)
            readline, note = lines_in_utf8(file, head, encoding)
            for item in lines(readline, _limit(settings), reader.plain):
                if note and isinstance(item, Parsed):
                    item, note = replace(item, notes=(note, *item.notes)), ""
                yield kind, item
            return
        if os.fstat(file.fileno()).st_size > _limit(settings):
            raise _too_large(settings)
        data = _rest(b"", file, settings)
    yield from _read_bytes(data, storable(path.name), reader, settings, kind=kind, encoding=encoding)


def _read_address(
    address: str, reader: Reader, settings: Settings, allow_private: bool, encoding: str | None
) -> Iterator[_Item]:
    fetched = fetch(address, settings, allow_private=allow_private)
    kind = kind_of_media_type(fetched.content_type, fetched.name)
    kind = kind or sniffed_kind(fetched.data)
    name = storable(fetched.name)
    yield from _read_bytes(fetched.data, name, reader, settings, kind=kind, charset=fetched.charset, encoding=encoding)


def _read_stdin(stdin: BinaryIO | None, reader: Reader, settings: Settings, encoding: str | None) -> Iterator[_Item]:
    if stdin is None:
        raise Unreadable("There is no standard input to read.")
    first = stdin.readline(_HEAD)
    more = stdin.readline(_HEAD) if first.endswith(b"\n") else b""
    kind = sniffed_kind(first + more) if more else ""
    lines = FORMATS[kind].lines if kind else None
    if lines:
        seen = io.BytesIO(first + more)

        def readline(size: int) -> bytes:
            line = seen.readline(size)
            return line if line.endswith(b"\n") else line + stdin.readline(size - len(line))

        yield from ((kind, item) for item in lines(readline, _limit(settings), reader.plain))
        return
    yield from _read_bytes(_rest(first + more, stdin, settings), "stdin", reader, settings, encoding=encoding)


def _read_bytes(
    data: bytes,
    name: str,
    reader: Reader,
    settings: Settings,
    *,
    kind: str | None = None,
    charset: str | None = None,
    encoding: str | None = None,
) -> Iterator[_Item]:
    limit = _limit(settings)
    if len(data) > limit:
        raise _too_large(settings)
    kind = kind or kind_of_name(name) or sniffed_kind(data)
    check_kind(data, kind)
    source = Input(data, name, limit, charset, encoding, plain=reader.plain)
    items = reader.read(source, kind) if FORMATS[kind].isolated else FORMATS[kind].read(source)
    yield from ((kind, item) for item in items)


def _rest(start: bytes, stream: BinaryIO, settings: Settings) -> bytes:
    """``start`` and what follows in the stream; a stream without end is given up at the limit."""
    data = start + stream.read(_limit(settings) + 1 - len(start))
    if len(data) > _limit(settings):
        raise _too_large(settings)
    return data


def _limit(settings: Settings) -> int:
    return int(settings.max_file_mb * 1e6)


def _too_large(settings: Settings) -> Unreadable:
    return Unreadable(f"It is larger than {settings.max_file_mb:g} MB (CLEW_MAX_FILE_MB).")


def files(source: str) -> Iterator[Path | Skipped]:
    """The files that a local source names, absolute; a reason for each that is no file, and where it names none."""
    shown = storable(source)
    if not source.strip():
        yield Skipped(shown, "The source has no name.")
        return
    if "\0" in source:
        yield Skipped(shown, "A path cannot hold a NUL character.")
        return
    path = absolute(source)
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        yield from _missing(source, path)
        return
    except OSError as error:
        yield Skipped(storable(path), f"It cannot be opened ({error.strerror}).")
        return
    if not stat.S_ISDIR(mode):
        yield path
        return
    yield from _or_reason(_folder(path, path.resolve()), path, "There is nothing to read in this folder")


def _missing(source: str, path: Path) -> Iterator[Path | Skipped]:
    if path.is_symlink():
        yield Skipped(storable(path), "It is a link to something that does not exist.")
    elif "://" in source:
        yield Skipped(storable(without_secrets(source)), "Only http and https addresses can be fetched.")
    elif _PATTERN & set(source):
        yield from _or_reason(_matched(path), path, "No file to read matches this pattern")
    else:
        yield Skipped(storable(path), "There is no such file or folder.")


def _matched(pattern: Path) -> Iterator[Path | Skipped]:
    """The readable files that match, sorted, without hidden ones; ``**`` does not follow links, which may loop."""
    fixed = list(itertools.takewhile(lambda part: not _PATTERN & set(part), pattern.parts))
    rest = pattern.relative_to(Path(*fixed))
    try:
        matches = sorted(Path(*fixed).glob(str(rest / "*" if rest.name == "**" else rest)))
    except ValueError as error:
        yield Skipped(storable(pattern), f"The pattern is not valid ({error}).")
        return
    for path in matches:
        hidden = any(part.startswith(".") for part in path.parts[len(fixed) :])
        if not hidden and ending(path.name) in SUFFIXES and not path.is_dir():
            yield path


def _or_reason(found: Iterator[Path | Skipped], path: Path, reason: str) -> Iterator[Path | Skipped]:
    first = next(found, None)
    if first is None or (isinstance(first, Skipped) and first.note):
        yield Skipped(storable(path), f"{reason} ({READABLE}).")
    if first is not None:
        yield from itertools.chain([first], found)


def _folder(folder: Path, root: Path) -> Iterator[Path | Skipped]:
    """The readable files of a folder and those below it, sorted by name; a stack, because folders may nest deeply.

    The last is a note on the files that are of other formats, by their endings, and on links out of the folder.
    """
    todo = [folder]
    others: Counter[str] = Counter()
    links = 0
    while todo:
        path = todo.pop()
        try:
            if (not path.is_symlink() and path.is_dir()) or path == folder:
                entries = sorted(path.iterdir(), reverse=True)
                todo.extend(entry for entry in entries if not entry.name.startswith("."))
            elif ending(path.name) in SUFFIXES and (not path.is_symlink() or _inside(path, root)):
                yield path
            elif path.is_symlink():
                links += path.exists() and not path.resolve().is_relative_to(root)
            elif path.is_file():
                others[storable(ending(path.name)) or "no ending"] += 1
        except OSError as error:
            yield Skipped(storable(path), f"It cannot be opened ({error.strerror}).")
    for reason in _left_out(others, links):
        yield Skipped(storable(folder), one_line(reason, _LONGEST_REASON), note=True)


def _left_out(others: Counter[str], links: int) -> Iterator[str]:
    """What is said of files of other formats and of links out of a folder."""
    if others:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in others.most_common(_MOST_KINDS))
        more = f" and {others.total():,} files in all" if len(others) > _MOST_KINDS else ""
        yield f"Left out, because files of these kinds cannot be read: {kinds}{more}."
    if links:
        which = "1 link leads" if links == 1 else f"{links:,} links lead"
        yield f"{which} out of this folder, and what is behind was left out: name it as well to read it."


def _inside(path: Path, root: Path) -> bool:
    """Whether a link's target lies in the folder, or is missing (which is reported); a link to a folder is not read."""
    return not path.is_dir() and (not path.exists() or path.resolve().is_relative_to(root))


def _opened(path: Path) -> BinaryIO:
    """Open a regular file; never a pipe or device, which might not end or not begin."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError as error:
        reason = "It is a link to something that does not exist." if path.is_symlink() else "There is no such file."
        raise Unreadable(reason) from error
    except OSError as error:
        raise Unreadable(f"It cannot be opened ({error.strerror}).") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Unreadable("It is not a file but a pipe, socket or device.")
    return os.fdopen(descriptor, "rb")


def absolute(source: str) -> Path:
    """A local source as a whole path, ``~`` and ``..`` resolved, links as they are."""
    with contextlib.suppress(RuntimeError):  # no such user: then it is a file of that name
        source = str(Path(source).expanduser())
    return Path(os.path.abspath(source))  # noqa: PTH100 (resolve() would replace a link by its target)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0


def storable(name: str | Path) -> str:
    """A path as text that a database takes: bytes that are no UTF-8 as escapes."""
    return normalise(os.fsencode(name).decode("utf-8", "backslashreplace").replace("\n", "\\n"))
