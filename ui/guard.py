"""What stands before the app: whom it answers, the login, what is logged of it, and the headers of every answer.

A request under a name that is not the app's, or from a page of another origin, is refused before anything else, also
where no password is asked for (``clew.serving.hosts``). Streamlit opens a session, and takes uploads for it, before a
page has drawn anything. So the password is asked for in front of it: without the cookie of a login, no page, no
WebSocket and no upload reaches Streamlit.
"""

from __future__ import annotations

import hmac
import html
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import parse_qs

from pydantic import SecretStr
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

V = TypeVar("V")

COOKIE = "clew_session"
LOGIN = "/login"
OPEN = ("/_stcore/health",)
"""What is answered without a login: whether the app is up."""

SESSION_SECONDS = 12 * 3600.0
"""A login ends when it has not been used for so long."""
FREE_TRIES = 5
"""Wrong passwords from one address before it has to wait."""
LONGEST_WAIT = 300.0

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    # Streamlit's own pages need inline styles and scripts, and Vega compiles its charts.
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' data: blob:; worker-src 'self' blob:; frame-src 'self' blob:; object-src 'none'; "
    "base-uri 'self'; form-action 'self'; frame-ancestors 'self'",
}

_MOST_KEPT = 1000
_MOST_BYTES = 4096
_log = logging.getLogger("clew.ui")

_NAMES = "Where a proxy leads here, name its hosts in CLEW_UI_HOSTS, and let it pass the header Host on."
_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Clew</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
:root {{ color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }}
body {{ max-width: 22rem; margin: 12vh auto; padding: 0 1rem; }}
input, button {{ font: inherit; width: 100%; box-sizing: border-box; padding: .5rem; margin: .25rem 0 .75rem; }}
</style></head><body><h1>Clew</h1>{body}</body></html>"""

_FORM = """<form method="post" action="/login"><label>Password
<input type="password" name="password" autocomplete="current-password" autofocus required></label>
<input type="hidden" name="to" value="{to}"><button>Open</button>{message}</form>"""


@dataclass(slots=True)
class _Failures:
    count: int = 0
    until: float = 0.0


@dataclass(slots=True)
class Logins:
    """Who is inside, and who has guessed wrong; both bounded. ``clock`` gives seconds that only go forward."""

    password: str
    clock: Callable[[], float] = time.monotonic
    sessions: OrderedDict[str, float] = field(default_factory=OrderedDict)
    failures: OrderedDict[str, _Failures] = field(default_factory=OrderedDict)

    def inside(self, token: str | None) -> bool:
        """Whether the token is that of a login which has been used of late."""
        used = self.sessions.get(token) if token else None
        if token is None or used is None:
            return False
        if self.clock() - used > SESSION_SECONDS:
            del self.sessions[token]
            return False
        self.sessions[token] = self.clock()
        self.sessions.move_to_end(token)
        return True

    def wait(self, address: str) -> float:
        """Seconds until a guess from this address is looked at."""
        known = self.failures.get(address)
        return max(0.0, known.until - self.clock()) if known else 0.0

    def enter(self, given: str, address: str) -> str | None:
        """The token of a new login, or None for a wrong password, which is counted."""
        if hmac.compare_digest(given.encode("utf-8", "replace"), self.password.encode()):
            self.failures.pop(address, None)
            token = secrets.token_urlsafe(32)
            _keep(self.sessions, token, self.clock())
            _log.info("login from %s", address)
            return token
        known = self.failures.get(address) or _Failures()
        known.count += 1
        if known.count >= FREE_TRIES:
            known.until = self.clock() + min(LONGEST_WAIT, 2.0 ** min(known.count - FREE_TRIES, 30))
        _keep(self.failures, address, known)
        _log.warning("wrong password from %s, %d in a row", address, known.count)
        return None


class Guard:
    """ASGI middleware in front of Streamlit. Without a password everyone who reaches the app is inside.

    ``stranger`` says in one line why a request with these headers is not for this app; ``refusal`` why nobody may come
    in at all, such as for settings that cannot be read.
    """

    active = False

    def __init__(
        self,
        app: ASGIApp,
        password: SecretStr | None,
        stranger: Callable[[Headers], str],
        refusal: Callable[[], str] = lambda: "",
    ) -> None:
        self.app = app
        self.stranger = stranger
        self.refusal = refusal
        self.logins = Logins(password.get_secret_value()) if password else None
        Guard.active = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on what may pass."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        answer = await self._answer(scope, receive)
        if answer is None:
            await self.app(scope, receive, with_headers)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await answer(scope, receive, with_headers)

    async def _answer(self, scope: Scope, receive: Receive) -> Response | None:
        """What is said instead of the app's own answer; None where the app may speak."""
        connection = HTTPConnection(scope)
        if why := self.stranger(connection.headers):
            _log.warning("refused: %s", why)
            return PlainTextResponse(f"{why} {_NAMES}", 403)
        path = scope["path"]
        if scope["type"] == "http" and path in OPEN:
            return None
        if why := self.refusal():
            return _page(f'<p role="alert">{html.escape(why)}</p>', 503)
        if self.logins is None or self.logins.inside(connection.cookies.get(COOKIE)):
            return None
        if scope["type"] == "websocket":
            return PlainTextResponse("", 403)
        request = Request(scope, receive)
        if request.method == "POST" and path == LOGIN:
            return await self._login(request, self.logins)
        if request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", ""):
            where = path + (f"?{request.url.query}" if request.url.query else "")
            return _form(where, "", 401)
        return PlainTextResponse("Log in first.", 401)

    async def _login(self, request: Request, logins: Logins) -> Response:
        address = request.client.host if request.client else "unknown"
        body = b""
        async for piece in request.stream():
            body += piece
            if len(body) > _MOST_BYTES:
                return PlainTextResponse("That is too long.", 413)
        fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True)
        to = fields.get("to", ["/"])[0]
        to = to if to.startswith("/") and not to.startswith(("//", "/\\")) else "/"
        if wait := logins.wait(address):
            _log.warning("login from %s refused for %.0f s", address, wait)
            answer = _form(to, f"Too many wrong passwords: wait {wait:.0f} seconds.", 429)
            answer.headers["Retry-After"] = str(int(wait) + 1)
            return answer
        token = logins.enter(fields.get("password", [""])[0], address)
        if token is None:
            return _form(to, "That is not the password.", 401)
        entered = RedirectResponse(to, 303)
        secure = request.url.scheme == "https"
        entered.set_cookie(COOKIE, token, httponly=True, samesite="strict", secure=secure)
        return entered


def _keep(table: OrderedDict[str, V], key: str, value: V) -> None:
    table[key] = value
    table.move_to_end(key)
    while len(table) > _MOST_KEPT:
        table.popitem(last=False)


def _form(to: str, message: str, status: int) -> Response:
    message = f'<p role="alert">{html.escape(message)}</p>' if message else ""
    return _page(_FORM.format(to=html.escape(to), message=message), status)


def _page(body: str, status: int) -> Response:
    return HTMLResponse(_PAGE.format(body=body), status, headers={"Cache-Control": "no-store"})
