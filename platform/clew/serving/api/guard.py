"""What stands before every route: request ids, who asks, limits, the log and the metrics; and nothing is a bare 500.

Beyond loopback, no route but ``/health`` and ``/ready`` is reached without a token. On loopback, where none is asked
for, a web page of a stranger might still send requests from the reader's browser: so the host must be this machine by
name, and a page of another origin is refused. No answer ever has a CORS header.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import re
import secrets
import sys
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clew.errors import ClewError
from clew.serving.api import metrics
from clew.serving.api.bodies import Bodies, has_body, limit, taken_in
from clew.serving.api.errors import refusal, status_of
from clew.serving.api.service import Service
from clew.serving.hosts import foreign
from clew.serving.tokens import OWNER_GRANT, Grant
from clew.settings import Settings

OPEN = ("/health", "/ready")
"""What is answered to everybody: whether the server is up, and can serve."""
HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
GUESSES = 30
"""Wrong tokens a minute from one address; more are not looked at."""
AT_ALL_TIMES = ("/openapi.json", "/metrics")
"""What is answered while Neo4j is gone, too."""
GONE = 499
"""What the log has of a request whose client did not wait for the answer."""
RETRY = {"Retry-After": "2"}
LOOKS = 0.5
"""Seconds between two looks whether Neo4j has gone while a request is worked on."""
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_KEPT = 10_000
_log = logging.getLogger("clew.serve")


class Guard:
    """ASGI middleware around the whole app."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.under_way = 0
        self.bodies = Bodies()
        self.rates = Rates()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what may not pass, and pass on the rest."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        request = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        began, status = time.perf_counter(), 0

        async def with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = request
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        metrics.UNDER_WAY.inc()
        refused: Response | None = None
        try:
            await self._answer(scope, receive, with_headers, lambda: status > 0)
        except HTTPException as error:
            refused = refusal(error.status_code, str(error.detail), dict(error.headers or {}))
        except ClewError as error:  # such as a file of tokens that is damaged
            refused = refusal(status_of(error), str(error))
        except ClientDisconnect:
            status = status or GONE
        except Exception:
            _log.exception("A request failed", extra={"request": request})
            detail = f"Something unforeseen went wrong: the server's log says what, at request {request}."
            refused = refusal(500, detail)
        finally:
            if refused and not status:
                await refused(scope, receive, with_headers)
            metrics.UNDER_WAY.dec()
            self._note(scope, request, status, time.perf_counter() - began)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, begun: Callable[[], bool]) -> None:
        """Let the app answer what may pass. Raises HTTPException for what may not; ``begun`` tells of an answer."""
        service: Service = scope["app"].state.service
        headers = Headers(scope=scope)
        if scope["path"] in OPEN:
            await self.app(scope, receive, send)
            return
        if answer := self._refused(service, scope, headers):
            await answer(scope, receive, send)
            return
        most, too_large = limit(scope, service.settings)
        place = _Place(self, service.settings, scope["state"]["grant"].name or str(scope.get("client")))
        try:
            place.begin(has_body(headers))
            length = int(headers.get("content-length", "0"))
            if length > most and "expect" in headers:  # it is not sent before it is asked for
                raise HTTPException(413, too_large)
            receive = taken_in(receive, most, too_large, place.work, length)
            await _while_neo4j_is_there(service, self.app(scope, receive, send), begun)
        finally:
            place.end()

    def _refused(self, service: Service, scope: Scope, headers: Headers) -> Response | None:
        """Why a request may not pass, as an answer; else who asks is noted in its scope."""
        address = (scope.get("client") or ("unknown",))[0]
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
            detail = f"{why}: send `Authorization: Bearer TOKEN`, from `clew token create`."
            return refusal(401, detail, {"WWW-Authenticate": "Bearer"})
        if grant.name and self.rates.spend(grant.sha256, service.settings.serve_rate / service.settings.serve_workers):
            return refusal(429, "This token has sent too many requests: try again soon.", {"Retry-After": "1"})
        if not headers.get("content-length", "0").isdecimal():
            return refusal(400, "The header Content-Length is no number.")
        if service.pulse.gone and scope["path"] not in AT_ALL_TIMES:
            return refusal(503, service.pulse.gone, RETRY)
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


@dataclass(slots=True)
class _Place:
    """Where a request is: its body on the way, or worked on; each within its limit."""

    guard: Guard
    settings: Settings
    caller: str
    coming: bool = False
    working: bool = False

    def begin(self, has_body: bool) -> None:
        """Wait for its body where it has one. Answers 503 where too many are on their way, or under way."""
        if not has_body:
            self.work()
            return
        self.guard.bodies.begin(self.caller, self.settings)
        self.coming = True

    def work(self) -> None:
        """Its body is here."""
        if self.working:
            return
        if self.guard.under_way >= self.settings.serve_concurrency:
            raise HTTPException(503, "Too many requests are under way: try again soon.", {"Retry-After": "1"})
        self.guard.under_way += 1
        self.working = True
        self._arrived()

    def end(self) -> None:
        """It is answered."""
        self._arrived()
        self.guard.under_way -= self.working

    def _arrived(self) -> None:
        if self.coming:
            self.guard.bodies.end(self.caller)
            self.coming = False


async def _while_neo4j_is_there(service: Service, work: Awaitable[None], begun: Callable[[], bool]) -> None:
    """Let the app work. Answers 503 where Neo4j goes before the answer has begun, which would take a quarter minute."""
    task = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait({task}, timeout=LOOKS))[0]:
            if service.pulse.gone and not begun():
                raise HTTPException(503, service.pulse.gone, RETRY)
        task.result()
    finally:
        task.cancel()


def _token(authorization: str) -> str:
    """The token of a header; a client that only knows ``http://user:TOKEN@host`` sends it as a password."""
    scheme, _, value = authorization.strip().partition(" ")
    if scheme.lower() == "basic":
        try:
            return base64.b64decode(value, validate=True).decode().partition(":")[2]
        except ValueError:
            return value
    return value.strip() if scheme.lower() == "bearer" else ""
