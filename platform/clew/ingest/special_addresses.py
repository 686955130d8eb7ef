"""Ranges of IP addresses that are no place on the public internet.

From IANA's registries: IPv4 Special-Purpose Address Space (RFC 6890), IPv4 Multicast and the reserved class E, IPv6
Special-Purpose Address Space, and the IPv6 Address Space, of which only 2000::/3 is given out. Ranges that IANA calls
globally reachable (AS112, AMT) are here too, since no document lies there. A last one is a cloud's: Azure answers every
virtual machine at 168.63.129.16.

https://www.iana.org/assignments/iana-ipv4-special-registry
https://www.iana.org/assignments/iana-ipv6-special-registry
https://www.iana.org/assignments/ipv6-address-space
"""

from __future__ import annotations

import ipaddress

SPECIAL = {
    "0.0.0.0/8": "this network (RFC 791)",
    "10.0.0.0/8": "private use (RFC 1918)",
    "100.64.0.0/10": "shared address space (RFC 6598)",
    "127.0.0.0/8": "loopback (RFC 1122)",
    "168.63.129.16/32": "Azure's host",
    "169.254.0.0/16": "link local (RFC 3927)",
    "172.16.0.0/12": "private use (RFC 1918)",
    "192.0.0.0/24": "IETF protocol assignments (RFC 6890)",
    "192.0.2.0/24": "documentation (RFC 5737)",
    "192.31.196.0/24": "AS112 (RFC 7535)",
    "192.52.193.0/24": "AMT (RFC 7450)",
    "192.88.99.0/24": "6to4 relay anycast, deprecated (RFC 7526)",
    "192.168.0.0/16": "private use (RFC 1918)",
    "192.175.48.0/24": "AS112 (RFC 7534)",
    "198.18.0.0/15": "benchmarking (RFC 2544)",
    "198.51.100.0/24": "documentation (RFC 5737)",
    "203.0.113.0/24": "documentation (RFC 5737)",
    "224.0.0.0/4": "multicast (RFC 5771)",
    "240.0.0.0/4": "reserved, and limited broadcast (RFC 1112, RFC 8190)",
    "::/128": "unspecified (RFC 4291)",
    "::1/128": "loopback (RFC 4291)",
    "64:ff9b:1::/48": "translation for local use (RFC 8215)",
    "100::/64": "discard only (RFC 6666)",
    "100:0:0:1::/64": "dummy prefix (RFC 9780)",
    "2001::/23": "IETF protocol assignments, Teredo among them (RFC 2928)",
    "2001:db8::/32": "documentation (RFC 3849)",
    "2002::/16": "6to4 (RFC 3056)",
    "2620:4f:8000::/48": "AS112 (RFC 7534)",
    "3fff::/20": "documentation (RFC 9637)",
    "5f00::/16": "segment routing (RFC 9602)",
    "fc00::/7": "unique local (RFC 4193)",
    "fe80::/10": "link local (RFC 4291)",
    "fec0::/10": "site local, deprecated (RFC 3879)",
    "ff00::/8": "multicast (RFC 4291)",
}
"""Each range, and what it is for."""

_RANGES = tuple(ipaddress.ip_network(text) for text in SPECIAL)
_GIVEN_OUT = ipaddress.IPv6Network("2000::/3")
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Whether an IP address lies on the public internet.

    One that stands for an IPv4 address (``::ffff:0:0/96``, and 64:ff9b::/96 of NAT64) counts as that one. Raises
    ValueError for what is no address.
    """
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped
        if inner is None and ip in _TRANSLATED:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if ip not in _GIVEN_OUT:
            return False
    return not any(ip in special for special in _RANGES)
