"""Addresses of servers."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


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
