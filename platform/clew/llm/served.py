"""Which models the server of the settings has."""

from __future__ import annotations

from clew.llm.address import is_loopback
from clew.settings import Settings

_PATIENCE = 0.8
"""Seconds to wait for the list: a page waits with it."""
_MOST = 200


def served_models(settings: Settings) -> list[str]:
    """The names of the models at the address of the settings, sorted; empty where it does not tell within a second.

    Without an address that would be a paid service's whole catalogue, so nothing is asked.
    """
    if not settings.llm_base_url:
        return []
    import httpx

    headers = {}
    if settings.llm_api_key:
        headers["Authorization"] = f"Bearer {settings.llm_api_key.get_secret_value()}"
    address = f"{settings.llm_base_url.rstrip('/')}/models"
    try:
        reply = httpx.get(address, headers=headers, timeout=_PATIENCE, trust_env=not is_loopback(address))
        rows = reply.raise_for_status().json()["data"]
        return sorted({str(row["id"]) for row in rows})[:_MOST]
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, LookupError, TypeError):
        return []
