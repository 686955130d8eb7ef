"""Which models the server of the settings has."""

from __future__ import annotations

import json
import time

from clew.llm.address import is_loopback, with_query
from clew.settings import Settings

_PATIENCE = 0.8
"""Seconds to wait for the list where a page waits with it."""
_MOST = 200
_LONGEST = 4_000_000


def served_models(settings: Settings, patience: float = _PATIENCE) -> list[str]:
    """The names of the models at the address of the settings, sorted; empty where it does not tell in so many seconds.

    Without an address that would be a paid service's whole catalogue, so nothing is asked.
    """
    if not settings.llm_base_url:
        return []
    import httpx

    headers = {}
    if settings.llm_api_key:
        headers["Authorization"] = f"Bearer {settings.llm_api_key.get_secret_value()}"
    address, query = with_query(settings.llm_base_url)
    deadline, body = time.monotonic() + patience, b""
    try:
        with httpx.stream(
            "GET",
            f"{address.rstrip('/')}/models",
            params=query,
            headers=headers,
            timeout=patience,
            trust_env=not is_loopback(address),
        ) as reply:
            for piece in reply.raise_for_status().iter_bytes():
                body += piece
                if time.monotonic() > deadline or len(body) > _LONGEST:
                    return []
        listing = json.loads(body)
        rows = listing if isinstance(listing, list) else listing["data"]
        return sorted({str(row["id"]) for row in rows})[:_MOST]
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, LookupError, TypeError):
        return []
