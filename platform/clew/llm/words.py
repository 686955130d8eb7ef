"""What a server says of an error, out of a body of whatever shape."""

from __future__ import annotations

import json
import re
from typing import Any

LONGEST = 300
"""Characters of a server's words that are shown."""

# The fields in which servers say what is wrong, the most telling first (OpenAI, Anthropic, FastAPI, RFC 9457, MiniMax).
_FIELDS = (
    "error", "message", "detail", "details", "msg", "errors", "error_description", "status_msg", "base_resp", "reason",
    "title", "code",
)  # fmt: skip
_DEEPEST = 8
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
        return _unpacked(body, depth)
    if isinstance(body, bool | None) or depth == 0:
        return ""
    if isinstance(body, list):
        return "; ".join(filter(None, (_said(one, depth - 1) for one in body[:3])))
    if not isinstance(body, dict):
        return str(body)
    body = {str(name).lower(): value for name, value in body.items()}
    if body.get("status_code") == 0:  # what MiniMax says of a reply that is as it should be
        return ""
    for field in _FIELDS:
        if said := _said(body.get(field), depth - 1):
            place = body.get("loc")  # FastAPI tells apart from its words which field it means
            told = f"{'.'.join(map(str, place))}: {said}" if isinstance(place, list) else said
            return told + _behind(body.get("metadata"), depth - 1)
    return ""


def _unpacked(text: str, depth: int) -> str:
    """A text, with what is said in the JSON that it ends with: gateways wrap up the error of the server behind them."""
    head, brace, rest = text.partition("{")
    if not brace or depth == 0 or not rest.rstrip().endswith("}"):
        return text
    try:
        said = _said(json.loads(brace + rest, strict=False), depth - 1)
    except (ValueError, RecursionError):
        return text
    return f"{head}{said}" if said else text


def _behind(metadata: Any, depth: int) -> str:
    """What OpenRouter passes on of the server behind it, of which its own words say only that there was an error."""
    said = _said(metadata.get("raw"), depth) if isinstance(metadata, dict) else ""
    return f": {said}" if said else ""
