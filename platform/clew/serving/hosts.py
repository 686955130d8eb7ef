"""Under which names a server answers, and to the pages of whom: what keeps a stranger's web page out of a browser.

A page can let its own name lead to this machine once it is loaded (DNS rebinding), and then asks whatever listens here
as if it were the server's own page. It cannot change the names in ``Host`` and ``Origin``, nor rebind an IP address.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Collection
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.datastructures import Headers


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens on ``host``."""
    address = _address(host)
    return address.is_loopback if address else host == "localhost"


def is_any(host: str) -> bool:
    """Whether a server that listens on ``host`` listens on every address of this machine."""
    address = _address(host)
    return bool(address and address.is_unspecified)


def foreign(headers: Headers, listens: str, names: Collection[str] = ()) -> str:
    """Why a request is not for a server that ``listens`` on an address and has these names; empty where it is."""
    host, origin = headers.get("host", ""), headers.get("origin")
    try:
        asked, page = urlsplit(f"//{host}"), origin and urlsplit(origin).netloc
        name = asked.hostname or ""
    except ValueError:
        return "The headers Host and Origin cannot be read."
    if asked.netloc != host or "@" in host:  # with a path in it, the address that frameworks make of it is another
        return "The headers Host and Origin cannot be read."
    own = {listens.lower(), *(other.lower() for other in names)}
    if is_any(listens):
        machine = socket.gethostname().lower()
        own |= {machine, f"{machine}.local"}
    if not (is_loopback(name) or name in own or (is_any(listens) and _address(name))):
        return f"This server is not known as {name[:80]!r}."
    if origin is not None and page != host:
        return f"A page of {origin[:80]!r} may not use this server, which was asked as {host[:80]!r}."
    return ""


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
