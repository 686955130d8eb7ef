"""What stands before every route: request ids, who asks, limits, the log and the metrics; and nothing is a bare 500.

Beyond loopback, no route but ``/health`` is reached without a token. On loopback, where none is asked for, a web page
of a stranger might still send requests from the reader's browser: so the host must be this machine by name, and a page
of another origin is refused. No answer ever has a CORS header.
"""

from __future__ import annotations

import base64
import json
import logging
import re
import secrets
import sys
import time
from collections import OrderedDict
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clew.errors import ClewError
from clew.serving.api import metrics
from clew.serving.api.errors import refusal, status_of
from clew.serving.api.service import Service
from clew.serving.hosts import foreign
from clew.serving.tokens import OWNER_GRANT, Grant

OPEN = "/health"
"""What is answered to everybody: whether the server is up."""
HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
GUESSES = 30
"""Wrong tokens a minute from one address; more are not looked at."""
BODY_BYTES = 8 << 20
"""A body that is no upload, at most."""
UPLOAD_BYTES = 512 << 20
"""An upload with all its files, at most; each file keeps to the setting ``CLEW_MAX_FILE_MB``."""
_UPLOADS = re.compile(r"/api/knowledge-bases/[^/]+/(documents(/[^/]+)?|evaluations)")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_KEPT = 10_000
_log = logging.getLogger("clew.serve")


class Guard:
    """ASGI middleware around the whole app."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.under_way = 0
        self.rates = Rates()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what may not pass, and pass on the rest."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        service: Service = scope["app"].state.service
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        request = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        began, status = time.perf_counter(), 0

        async def with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                told = MutableHeaders(scope=message)
                told["X-Request-ID"] = request
                for name, value in HEADERS.items():
                    told.setdefault(name, value)
            await send(message)

        self.under_way += 1
        metrics.UNDER_WAY.inc()
        try:
            most = UPLOAD_BYTES if _UPLOADS.fullmatch(scope["path"]) else BODY_BYTES
            answer = self._refused(service, scope, headers, most) or self.app
            await answer(scope, _limited(receive, most), with_headers)
        except ClewError as error:  # such as a file of tokens that is damaged
            await refusal(status_of(error), str(error))(scope, receive, with_headers)
        except Exception:
            _log.exception("A request failed", extra={"request": request})
            if not status:
                said = f"Something unforeseen went wrong: the server's log says what, at request {request}."
                await refusal(500, said)(scope, receive, with_headers)
        finally:
            self.under_way -= 1
            metrics.UNDER_WAY.dec()
            self._note(scope, request, status, time.perf_counter() - began)

    def _refused(self, service: Service, scope: Scope, headers: Headers, most: int) -> Response | None:
        """Why a request may not pass, as an answer; else who asks is noted in its scope."""
        address = (scope.get("client") or ("unknown",))[0]
        if scope["path"] == OPEN:
            return None
        if self.under_way > service.settings.serve_concurrency:
            return refusal(503, "Too many requests are under way: try again soon.", {"Retry-After": "1"})
        token = _token(headers.get("authorization", ""))
        grant = service.tokens.find(token) if token else None
        if grant is None and service.open:  # clients of OpenAI's API always send a key, whatever it is
            grant = OWNER_GRANT
            if why := foreign(headers, service.settings.serve_host):
                return refusal(403, why)
        if grant is None:
            if token and self.rates.spend(f"guess {address}", GUESSES):
                return refusal(429, "Too many wrong tokens: wait a minute.", {"Retry-After": "60"})
            why = "That token is unknown" if token else "A token is needed"
            said = f"{why}: send `Authorization: Bearer TOKEN`, from `clew token create`."
            return refusal(401, said, {"WWW-Authenticate": "Bearer"})
        if grant.name and self.rates.spend(grant.sha256, service.settings.serve_rate / service.settings.serve_workers):
            return refusal(429, "This token has sent too many requests: try again soon.", {"Retry-After": "1"})
        size = headers.get("content-length", "0")
        if not size.isdecimal() or int(size) > most:
            return refusal(413, _too_large(most))
        scope.setdefault("state", {})["grant"] = grant
        return None

    def _note(self, scope: Scope, request: str, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "") or ("/mcp" if scope["path"].startswith("/mcp") else "none")
        metrics.REQUESTS.labels(route, scope["method"], status).inc()
        metrics.LATENCY.labels(route).observe(seconds)
        grant: Grant | None = scope.get("state", {}).get("grant")
        _log.info(
            "request",
            extra={
                "request": request,
                "method": scope["method"],
                "route": route,
                "kb": scope.get("path_params", {}).get("kb", ""),
                "status": status,
                "seconds": round(seconds, 4),
                "client": (scope.get("client") or ("unknown",))[0],
                "token": grant.name if grant else "",
            },
        )


class Rates:
    """Buckets that fill with a number of tokens a minute, and hold as many; a bounded number of them."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def spend(self, key: str, per_minute: float) -> bool:
        """Take one, and say whether there was none; 0 a minute means no limit."""
        if not per_minute:
            return False
        most, now = max(1.0, per_minute), time.monotonic()
        left, at = self._buckets.get(key, (most, now))
        left = min(most, left + (now - at) * per_minute / 60)
        self._buckets[key] = (max(0.0, left - 1), now)
        self._buckets.move_to_end(key)
        while len(self._buckets) > _KEPT:
            self._buckets.popitem(last=False)
        return left < 1


class JsonLines(logging.Formatter):
    """A log of one JSON object a line; of a request it has everything but what was asked."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        own = {k: v for k, v in vars(record).items() if k not in _PLAIN}
        line: dict[str, Any] = {"at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"), "level": record.levelname}
        line |= {"logger": record.name, "message": record.getMessage()} | own
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


_PLAIN = vars(logging.makeLogRecord({})).keys() | {"message", "asctime", "color_message", "taskName"}


def log_to_stderr() -> None:
    """Let every logger of this process write such lines to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    for name in ("clew", "uvicorn", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.INFO)


def _limited(receive: Receive, most: int) -> Receive:
    """A body that does not say how long it is, cut off where it is too long."""
    read = 0

    async def limited() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > most:
            raise HTTPException(413, _too_large(most))
        return message

    return limited


def _too_large(most: int) -> str:
    return f"The body is larger than {most >> 20} MiB: send less at once."


def _token(authorization: str) -> str:
    """The token of a header; a client that only knows ``http://user:TOKEN@host`` sends it as a password."""
    scheme, _, value = authorization.strip().partition(" ")
    if scheme.lower() == "basic":
        try:
            return base64.b64decode(value, validate=True).decode().partition(":")[2]
        except ValueError:
            return value
    return value.strip() if scheme.lower() == "bearer" else ""
