"""Bodies of requests on their way in: how large and how slow they may be, and how many of one caller.

A request whose body is still coming takes no place among those that are worked on, so that half-sent ones keep nobody
else from being answered.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive, Scope

from clew.settings import Settings

BODY_BYTES = 8 << 20
"""A body that is no upload and no chat, at most."""
CHAT_BYTES = 32 << 20
"""A conversation, at most: chat clients send every picture again with each question."""
UPLOAD_BYTES = 512 << 20
"""An upload with all its files, at most; each file keeps to the setting ``CLEW_MAX_FILE_MB``."""
FORM_BYTES = 1 << 20
"""What a form with one file may be larger than the file."""
SECONDS = 20.0
"""How long a body may take, besides a second for each ``SLOWEST`` bytes of it that have come."""
SLOWEST = 16 << 10
SHARE = 2
"""One caller may send as many bodies at a time as a process works on requests, divided by this."""
_CHAT = "/v1/chat/completions"
_SEVERAL = re.compile(r"/api/knowledge-bases/[^/]+/documents")
_ONE = re.compile(r"/api/knowledge-bases/[^/]+/(documents/[^/]+|evaluations)")


class Bodies:
    """The bodies that are coming in to one process."""

    def __init__(self) -> None:
        self.coming: Counter[str] = Counter()

    def begin(self, caller: str, settings: Settings) -> None:
        """Take in another of a caller's. Answers 503 where that are too many at a time."""
        if self.coming[caller] >= max(1, settings.serve_concurrency // SHARE):
            raise HTTPException(503, "Too many bodies are on their way: finish some first.", {"Retry-After": "1"})
        self.coming[caller] += 1

    def end(self, caller: str) -> None:
        """One of a caller's is here, or given up."""
        self.coming[caller] -= 1
        if not self.coming[caller]:
            del self.coming[caller]


def has_body(headers: Headers) -> bool:
    """Whether a body comes after these headers."""
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


def limit(scope: Scope, settings: Settings) -> tuple[int, str]:
    """How large the body of a request may be, in bytes, and what is said of one that is larger."""
    path, of_file = scope["path"], int(settings.max_file_mb * 1e6)
    if _ONE.fullmatch(path) and of_file + FORM_BYTES < UPLOAD_BYTES:
        return of_file + FORM_BYTES, f"The file is larger than {settings.max_file_mb:g} MB (CLEW_MAX_FILE_MB)."
    if _ONE.fullmatch(path) or _SEVERAL.fullmatch(path):
        most = UPLOAD_BYTES
    else:
        most = CHAT_BYTES if path == _CHAT else BODY_BYTES
    return most, f"The body is larger than {most >> 20} MiB: send less at once."


def taken_in(receive: Receive, most: int, too_large: str, whole: Callable[[], None], length: int = 0) -> Receive:
    """Receive a body of a ``length``, if it says so, within its limits; ``whole`` is called once when it is here.

    One that is too large is read to its end first: a client hears nothing while it is sending. Answers 413 for it, and
    408 for one that is too slow.
    """
    read, ended, began = 0, False, time.monotonic()

    async def limited() -> Message:
        nonlocal read, ended
        if ended:
            return await receive()
        while True:
            left = began + SECONDS + read / SLOWEST - time.monotonic()
            try:
                message = await asyncio.wait_for(receive(), max(0.0, left))
            except TimeoutError:
                raise HTTPException(408, "The body took too long to come: send it faster, or less at once.") from None
            read += len(message.get("body", b""))
            ended = not message.get("more_body", False)
            if ended:
                whole()
            if max(read, length) <= most or message["type"] == "http.disconnect":
                return message
            if ended:
                raise HTTPException(413, too_large)

    return limited
