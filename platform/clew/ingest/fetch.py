"""Addresses: fetch what lies at one, within limits of size, time and redirects."""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit, urlunsplit

from clew.documents.parsed import Unreadable
from clew.ingest.special_addresses import is_public
from clew.text.normalise import one_line

if TYPE_CHECKING:
    import httpx

    from clew.settings import Settings

MOST_REDIRECTS = 5
"""Redirects that are followed, at most."""

_MOST_TIMEOUTS = 10


@dataclass(frozen=True, slots=True)
class Fetched:
    """What an address gave: the bytes, a name for them, and the media type and encoding that the server gave."""

    data: bytes
    name: str
    content_type: str
    charset: str | None


def is_address(source: str) -> bool:
    """Whether a source is an http(s) address."""
    return source.lower().startswith(("http://", "https://"))


def without_secrets(address: str) -> str:
    """The address without user, password and fragment: what is stored, shown and logged."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return address.partition("#")[0]
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, parts.query, ""))


def fetch(address: str, settings: Settings, *, allow_private: bool = True) -> Fetched:
    """Fetch an address: at most ``settings.max_file_mb`` (unpacked) and five redirects.

    ``settings.fetch_timeout`` bounds every wait, and ten times that the whole. ``allow_private=False`` refuses
    addresses that are not on the public internet, at every redirect; the connection then goes to the very address that
    was checked, and no proxy is asked. Raises Unreadable, with the reason in one line.
    """
    import httpx

    timeout = settings.fetch_timeout
    end = time.monotonic() + _MOST_TIMEOUTS * timeout
    headers = {"Accept-Encoding": "gzip, deflate", "User-Agent": "clew"}
    try:
        with httpx.Client(timeout=timeout, headers=headers, trust_env=allow_private) as client:
            request = client.build_request("GET", address)
            for _ in range(MOST_REDIRECTS + 1):
                sent = request if allow_private else _pinned(client, request)
                response = client.send(sent, stream=True, follow_redirects=False)
                try:
                    if not response.has_redirect_location:
                        return _read(response, request.url, settings.max_file_mb, end)
                    target = request.url.join(response.headers["location"])
                finally:
                    response.close()
                if target.scheme not in {"http", "https"}:
                    raise Unreadable(
                        f"It redirects to an address that is not http(s) but {one_line(target.scheme, 40)}."
                    )
                request = client.build_request("GET", target)
    except httpx.TimeoutException as error:
        raise Unreadable(f"No answer within {timeout:g} seconds (CLEW_FETCH_TIMEOUT).") from error
    except (httpx.InvalidURL, httpx.UnsupportedProtocol, UnicodeError, ValueError) as error:
        raise Unreadable(f"The address is not valid ({one_line(str(error), 100)}).") from error
    except httpx.HTTPError as error:
        raise Unreadable(_failure(error)) from error
    raise Unreadable(f"It redirects more than {MOST_REDIRECTS} times.")


def _read(response: httpx.Response, url: httpx.URL, max_mb: float, end: float) -> Fetched:
    if response.status_code != 200:
        hint = {401: "; it wants a login", 403: "; access is refused", 404: "; there is no such page"}
        phrase = f"{response.status_code} {one_line(response.reason_phrase, 40)}".strip()
        raise Unreadable(f"The server answered {phrase}{hint.get(response.status_code, '')}.")
    too_large = Unreadable(f"It is larger than {max_mb:g} MB (CLEW_MAX_FILE_MB).")
    limit = int(max_mb * 1e6)
    length = response.headers.get("content-length", "")
    if length.isdecimal() and int(length) > limit:
        raise too_large
    packed = response.headers.get("content-encoding", "").lower()
    if packed not in {"", "identity", "gzip", "deflate"}:
        raise Unreadable(f"The server packed it in a way that was not asked for ({one_line(packed, 40)}).")
    data = bytearray()
    for piece in response.iter_bytes():
        data += piece
        if len(data) > limit:
            raise too_large
        if time.monotonic() > end:
            raise Unreadable("The server sends it too slowly (CLEW_FETCH_TIMEOUT).")
    name = PurePosixPath(unquote(url.path)).name or url.host
    return Fetched(bytes(data), name, response.headers.get("content-type", ""), response.charset_encoding)


def _pinned(client: httpx.Client, request: httpx.Request) -> httpx.Request:
    """The same request, sent to an address that was checked to be public (a name may mean another one by then)."""
    host = request.url.host
    try:
        found = socket.getaddrinfo(host, request.url.port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise Unreadable(f"There is no host called {host}.") from error
    addresses = [str(entry[4][0]).partition("%")[0] for entry in found]
    if not addresses or not all(map(is_public, addresses)):
        raise Unreadable(f"{host} is on a private network, which this server does not fetch from.")
    return client.build_request(
        "GET",
        request.url.copy_with(host=addresses[0]),
        headers={"Host": request.headers["host"]},
        extensions={"sni_hostname": host},
    )


def _failure(error: Exception) -> str:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, socket.gaierror):
            return "There is no host of that name (or no network)."
        cause = cause.__cause__ or cause.__context__
    text = str(error)
    if "Name or service not known" in text or "name resolution" in text or "nodename nor servname" in text:
        return "There is no host of that name (or no network)."
    if "refused" in text:
        return "The server refuses the connection; does it run?"
    return f"It cannot be fetched ({one_line(text, 100) or type(error).__name__})."
