"""What a server says of an error, out of its body."""

from __future__ import annotations

import json
import re
from typing import Any

LONGEST = 300
"""Characters of a server's words that are shown."""

_FIELDS = ("error", "message", "detail", "msg", "errors")
"""Where servers say what is wrong, the most telling first (OpenAI, vLLM, FastAPI)."""
_DEEPEST = 8
_MARKUP = re.compile(r"<(?:script|style)\b.*?</(?:script|style)\s*>|<[^>]*>", re.DOTALL | re.IGNORECASE)


def words_of(body: object) -> str:
    """The words of an error's body in one line: of JSON its message, of a web page its text; empty where it has none.

    ``body`` is JSON as read, or text that may hold JSON.
    """
    if isinstance(body, bytes):
        body = body.decode("utf-8", "replace")
    if isinstance(body, str):
        try:
            body = json.loads(body)
        except (ValueError, RecursionError):
            body = _MARKUP.sub(" ", str(body)[: 40 * LONGEST])
    text = " ".join(_message_in(body, _DEEPEST).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _message_in(body: Any, depth: int) -> str:
    if isinstance(body, list) and depth:
        return "; ".join(filter(None, (_message_in(one, depth - 1) for one in body[:3])))
    if not isinstance(body, dict) or not depth:
        return "" if body is None or isinstance(body, bool | dict | list) else str(body)
    text = next(filter(None, (_message_in(body.get(field), depth - 1) for field in _FIELDS)), "")
    if isinstance(body.get("loc"), list):  # FastAPI tells apart from its words which field it means
        text = f"{'.'.join(map(str, body['loc']))}: {text}"
    behind = body.get("metadata")  # of OpenRouter, whose own words say only that there was an error
    raw = _message_in(behind.get("raw"), depth - 1) if isinstance(behind, dict) else ""
    return f"{text}: {raw}" if raw else text
