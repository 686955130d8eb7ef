"""Addresses of servers."""

from __future__ import annotations

import ipaddress
from urllib.parse import parse_qsl, urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass


def is_loopback(address: str) -> bool:
    """Whether an address is this machine's own, which no proxy can reach."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return False
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_proxied(address: str) -> bool:
    """Whether a proxy of the environment stands between here and an address."""
    if is_loopback(address):
        return False
    parts, proxies = urlsplit(address), getproxies()
    return bool(proxies.get(parts.scheme) or proxies.get("all")) and not proxy_bypass(parts.hostname or "")


def with_query(address: str) -> tuple[str, dict[str, str]]:
    """An address without its query, and that query, which goes behind the path of a request (Azure's api-version)."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(query="")), dict(parse_qsl(parts.query))
