"""Readers of complex formats, run in a process of their own.

A hostile file can make any parser loop, eat memory or crash. So each one is read in a child process that has a limit on
memory and an alarm clock: the worst file costs its own reading, never the ingest. The child knows no setting and no
key, can write no file, and has no network where the system lets a process give that up (``sandbox.py``). It is started
for the first such file and serves the following ones; run as a module, this file is that child.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import accumulate, pairwise
from typing import IO, Any

from clew.child import python_module
from clew.documents.format import Input
from clew.documents.kinds import FORMATS, KNOWN
from clew.documents.markup import is_markup, without_signs
from clew.documents.parsed import Parsed, Rejected, Unreadable
from clew.documents.pdf import ocr
from clew.documents.pdf.page import drawn
from clew.documents.sandbox import forbid_files, leave_network
from clew.documents.web.blocks import plain, text_of_html
from clew.text.normalise import one_line
from clew.text.outline import from_json, to_json
from clew.types import Json

MEMORY = 900_000_000
"""Bytes that reading one document may take, beyond what the child needs to start."""

_PIECE, _PAGE = "piece of a web page", "page of a PDF"
"""What is asked of the child in place of a format where a value is read, and where a page is drawn."""
_LARGEST_PICTURE = 40_000_000
_MOST_UNREADABLE = 3
_MOST_TURNS = 20
_BUSY = 4
"""Seconds that may pass for each of work, on a machine that has much else to do."""
_NEEDED = ("SYSTEMROOT", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


class Reader:
    """The child process; a context manager that ends it. Not safe to share between threads.

    ``seconds`` is the processor time that one document may take, and one page of a PDF. ``without_network`` says, once
    a document has been read, whether the system has taken the network from the child.
    """

    def __init__(self, seconds: float, memory: int = MEMORY) -> None:
        self._seconds = seconds
        self._memory = memory
        self._process: subprocess.Popen[bytes] | None = None
        self.without_network = False
        self._unreadable_pieces = 0

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, source: Input, kind: str, **wanted: Any) -> list[Parsed | Rejected]:
        """Read one file of the format ``kind``: the documents in it, and what of it could not be read.

        Raises Unreadable where the parser says so, and where it takes too long, needs too much memory or crashes.
        """
        options = {key: getattr(source, key) for key in ("name", "limit", "charset", "encoding")} | {"wanted": wanted}
        try:
            process = self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            _send(process.stdin, {"kind": kind, "size": len(source.data), **options}, source.data)
            header, body = _receive(process.stdout)
        except (OSError, EOFError, ValueError) as error:
            raise Unreadable(self._death(self.close())) from error
        except BaseException:
            self.close()  # an interrupt in mid-answer: what follows would be read as the next document's
            raise
        if "reason" in header:
            raise Unreadable(header["reason"])
        ends = accumulate((one["bytes"] for one in header["items"]), initial=0)
        spans = pairwise(ends)
        return [_unpacked(one, body[start:end]) for one, (start, end) in zip(header["items"], spans, strict=True)]

    def plain(self, text: str) -> str:
        """The text of a value that is a piece of a web page; any other, and what cannot be read, as it is.

        Each that cannot be read costs the time of a document, so that after a few of them no more are tried.
        """
        if self._unreadable_pieces >= _MOST_UNREADABLE or not is_markup(text):
            return without_signs(text)
        data = text.encode("utf-8", "replace")
        try:
            pieces = self.read(Input(data, "", 4 * len(data), "utf-8"), _PIECE)
        except Unreadable:
            self._unreadable_pieces += 1
            return text
        return next((piece.text for piece in pieces if isinstance(piece, Parsed)), "") or text

    def draw(self, data: bytes, page: int, quote: str, spans: Sequence[Sequence[int]] = (), before: str = "") -> Json:
        """A page of a PDF as a picture, and where the quote stands on it (``pdf.page``). Raises Unreadable."""
        wanted = {"number": page, "quote": quote, "spans": spans, "before": before}
        [found] = self.read(Input(data, "", _LARGEST_PICTURE), _PAGE, **wanted)
        assert isinstance(found, Parsed)
        sizes: Json = json.loads(found.text)
        return sizes

    def close(self) -> int | None:
        """End the child, and give its exit status; the next document starts another."""
        process, self._process = self._process, None
        if process is None:
            return None
        process.kill()
        process.communicate()
        return process.returncode

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            command = python_module(__name__, str(self._seconds), str(self._memory))
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=_environment()
            )
            assert self._process.stdout is not None
            greeting, _ = _receive(self._process.stdout)
            self.without_network = bool(greeting["without_network"])
        return self._process

    def _death(self, status: int | None) -> str:
        if status in {-signal.SIGALRM, -signal.SIGPROF}:
            return f"Reading it took more than {self._seconds:g} seconds (CLEW_PARSE_TIMEOUT)."
        if status in {-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGBUS}:
            return "It crashed its reader; the file is damaged or malicious."
        return f"Its reader ended before it was done (status {status}); it may have run out of memory."


def _environment() -> dict[str, str]:
    """What a Python needs to start, and nothing that is secret."""
    kept = {name: os.environ[name] for name in _NEEDED if name in os.environ}
    path = os.pathsep.join(filter(None, sys.path))
    return kept | {"PYTHONPATH": path, "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def _send(stream: IO[bytes], header: dict[str, Any], body: bytes) -> None:
    stream.write(json.dumps(header).encode() + b"\n")
    stream.write(body)
    stream.flush()


def _receive(stream: IO[bytes]) -> tuple[dict[str, Any], bytes]:
    line = stream.readline()
    if not line:
        raise EOFError
    header: dict[str, Any] = json.loads(line)
    body = stream.read(header["size"])
    if len(body) < header["size"]:
        raise EOFError
    return header, body


def _serve(seconds: float, memory: int) -> None:
    """The child's life: documents from standard input, answers to standard output, until its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the parent's to handle
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nothing that a library prints may get between the answers
    _limit_memory(memory)
    forbid_files()
    _send(answers, {"without_network": leave_network(), "size": 0}, b"")
    while True:
        try:
            request, data = _receive(sys.stdin.buffer)
        except EOFError:
            return
        body = b""
        try:
            packed = [_packed(one) for one in _parse(data, request, seconds)]
            body = b"".join(text for _, text in packed)
            if len(body) > 4 * request["limit"] or len(body.decode()) > request["limit"]:
                raise Unreadable(f"It unpacks to more than {request['limit'] / 1e6:g} MB of text (CLEW_MAX_FILE_MB).")
            answer: dict[str, Any] = {"items": [header | {"bytes": len(text)} for header, text in packed]}
        except Unreadable as error:
            answer = {"reason": str(error)}
        except MemoryError:
            answer = {"reason": f"Reading it needs more than {memory / 1e6:g} MB of memory."}
        except RecursionError:
            answer = {"reason": "It is nested too deeply."}
        except Exception as error:  # whatever a parser makes of a hostile file, the file is to blame
            problem = one_line(str(error), 100)
            answer = {"reason": f"The file is damaged ({type(error).__name__}{': ' if problem else ''}{problem})."}
        _allow(0.0)
        _send(answers, answer | {"size": len(body)}, body)
        del data, body


def _allow(seconds: float) -> None:
    """Let this process end after so much work, or several times as long where others have the processor; 0: never.

    Without a handler the signals end the process, even in C code.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, _BUSY * seconds)


def _parse(data: bytes, request: dict[str, Any], seconds: float) -> list[Parsed | Rejected]:
    end = time.process_time() + _MOST_TURNS * seconds

    def tick() -> None:
        if time.process_time() > end:
            raise Unreadable(f"Reading it took more than {_MOST_TURNS * seconds:g} seconds; split it.")
        _allow(seconds)

    tick()
    if request["kind"] == _PIECE:
        return [Parsed("", text_of_html(data.decode()))]
    if request["kind"] == _PAGE:
        return [Parsed("", json.dumps(drawn(data, **request["wanted"])))]
    options = {key: request[key] for key in ("name", "limit", "charset", "encoding")}
    return list(FORMATS[request["kind"]].read(Input(data, tick=tick, known=KNOWN, plain=plain, **options)))


def _packed(one: Parsed | Rejected) -> tuple[dict[str, Any], bytes]:
    if isinstance(one, Rejected):
        return {"rejected": asdict(one)}, b""
    return asdict(replace(one, text="", blocks=())) | {"blocks": to_json(one.blocks)}, one.text.encode()


def _unpacked(header: dict[str, Any], text: bytes) -> Parsed | Rejected:
    if "rejected" in header:
        return Rejected(**header["rejected"])
    header.pop("bytes")
    sequences = {key: tuple(header[key]) for key in ("pages", "notes")}
    words = text.decode()
    return Parsed(**header | sequences | {"blocks": from_json(header["blocks"], words), "text": words})


def _limit_memory(memory: int) -> None:
    import resource

    import psutil

    limit = psutil.Process().memory_info().vms + memory
    try:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit + ocr.MEMORY if ocr.is_there() else limit))
    except (ValueError, OSError):  # systems without that limit
        return


if __name__ == "__main__":
    import logging

    logging.disable(logging.CRITICAL)
    _serve(float(sys.argv[1]), int(sys.argv[2]))
