"""The HTTP client under every chat client: it drops options that a server refuses, and goes straight to loopback."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx2
from openai import DefaultHttpxClient

from clew.llm.address import is_loopback
from clew.llm.options import REFUSALS, Manners, manners, request_of


class ChatHttpClient(DefaultHttpxClient):
    """Sends a request as its server takes it (``clew.llm.options``), and again at once without what was refused.

    Proxies come from the environment (``HTTPS_PROXY``, ``ALL_PROXY`` with ``socks5://`` …), except for an address of
    this machine. A stream has ``timeout`` seconds from its head to its end; then reading it raises TimeoutError.
    """

    def __init__(self, base_url: str, timeout: float) -> None:
        super().__init__(trust_env=not is_loopback(base_url))
        self._chat_url, self._stream_seconds = base_url, timeout

    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request, for the last time without the options that the server has refused."""
        body = request_of(request.content) if request.method == "POST" else {}
        known = manners(self._chat_url, str(body.get("model", "")))
        request = self._adapted(request, body, known)
        response = super().send(request, **options)
        while (
            body
            and response.status_code in REFUSALS
            and known.learn(body := request_of(request.content), response.read())
        ):
            request = self._adapted(request, body, known)
            response = super().send(request, **options)
        _limit_time(response, self._stream_seconds)
        return response

    def _adapted(self, request: httpx2.Request, body: dict[str, Any], known: Manners) -> httpx2.Request:
        taken = known.apply(body)
        if taken == body:
            return request
        headers = {n: v for n, v in request.headers.items() if n.lower() not in ("content-length", "transfer-encoding")}
        content = json.dumps(taken, ensure_ascii=False).encode()
        return httpx2.Request("POST", request.url, headers=headers, content=content, extensions=request.extensions)


def _limit_time(response: httpx2.Response, seconds: float) -> None:
    """Give a stream so long from its head to its end.

    The client's own timeout is from one piece to the next, and a server that keeps the line open while it says nothing,
    with comments (``: ping``) or with empty lines before its JSON, never meets it.
    """
    if response.is_closed:
        return
    pieces, deadline = response.iter_raw, time.monotonic() + seconds

    def in_time(*args: Any) -> Iterator[bytes]:
        for piece in pieces(*args):
            yield piece
            if time.monotonic() > deadline:
                raise TimeoutError(f"no end of the reply after {seconds:g} s")

    vars(response)["iter_raw"] = in_time
