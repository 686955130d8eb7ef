"""What a server says of an error, out of a body of whatever shape."""

from __future__ import annotations

import json
import re
from typing import Any

LONGEST = 300
"""Characters of a server's words that are shown."""

# The fields in which servers say what is wrong, the most telling first (OpenAI, Anthropic, FastAPI, RFC 9457).
_FIELDS = ("error", "message", "detail", "details", "msg", "errors", "error_description", "reason", "title", "code")
_DEEPEST = 6
_MARKUP = re.compile(r"<(?:script|style)\b.*?</(?:script|style)\s*>|<[^>]*>", re.DOTALL | re.IGNORECASE)


def words_of(body: object) -> str:
    """The words of an error's body in one line: of JSON its message, of a web page its text; empty where it has none.

    ``body`` is JSON as read, or text that may hold JSON.
    """
    if isinstance(body, bytes):
        body = body.decode("utf-8", "replace")
    if isinstance(body, str):
        text = body
        try:
            body = json.loads(text)
        except (ValueError, RecursionError):
            body = _MARKUP.sub(" ", text[: 40 * LONGEST])
    said = " ".join(_said(body, _DEEPEST).split())
    return said if len(said) <= LONGEST else said[: LONGEST - 1] + "…"


def _said(body: Any, depth: int) -> str:
    if isinstance(body, str):
        return body
    if isinstance(body, bool | None) or depth == 0:
        return ""
    if isinstance(body, list):
        return "; ".join(filter(None, (_said(one, depth - 1) for one in body[:3])))
    if not isinstance(body, dict):
        return str(body)
    for field in _FIELDS:
        if said := _said(body.get(field), depth - 1):
            place = body.get("loc")  # FastAPI tells apart from its words which field it means
            return f"{'.'.join(map(str, place))}: {said}" if isinstance(place, list) else said
    return ""
