"""Which options of a request a server takes: what one refuses is left out or renamed, and remembered for it.

Servers that speak the chat protocol differ in its options: models that reason take no ``temperature`` and want
``max_completion_tokens``, older servers know no ``stream_options``, some no ``stop``. None of these is worth a failure.
"""

from __future__ import annotations

import json
import re
import threading
from dataclasses import dataclass, field
from typing import Any

from clew.llm.words import words_of
from clew.types import Json

FORMAT = "response_format"
LEFT_OUT = ("stream_options", "temperature", "stop", "stream", "tool_choice", "parallel_tool_calls", FORMAT)
"""Options without which a request means the same, or nearly; of a format first the schema goes, and then the JSON."""
LIMITS = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
"""The two names of the limit of a reply."""
REFUSALS = (400, 404, 415, 422, 500, 501)
"""The statuses with which servers refuse an option; 500 where it is one more argument to a function of theirs."""

_REFUSES = re.compile(
    r"support|unknown|unrecogni|unexpected|permitted|allow|extra|invalid|deprecat|unavailable|instead|only|not valid",
    re.IGNORECASE,
)
_TOO_MUCH = re.compile(r"context|too (?:large|long|many|high)|exceed|at (?:most|least)|less than|maximum|range|[<>]=")


@dataclass(slots=True)
class Manners:
    """What is known of one model of one server.

    ``refused`` maps an option to the name under which it goes now, empty where it is left out. ``reasons``: it writes
    thoughts of its own, which a stop string would end in the middle.
    """

    refused: dict[str, str] = field(default_factory=dict)
    reasons: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def apply(self, request: Json) -> Json:
        """The request as this server takes it."""
        taken = dict(request)
        for option, name in list(self.refused.items()):
            if option in taken:
                value = taken.pop(option)
                if name:
                    taken |= {option: {"type": name}} if option == FORMAT else {name: value}
        if "stream" not in taken:
            taken.pop("stream_options", None)
        return taken

    def learn(self, request: Json, body: bytes) -> bool:
        """Whether a refusal with this body names options of ``request`` that can be left out or renamed from now on."""
        text = body.decode("utf-8", "replace")
        named = [option for option in (*LEFT_OUT, *LIMITS) if option in request and _names(text, option)]
        with self._lock:
            for option in named:
                other = LIMITS.get(option, "")
                if other in self.refused:  # then the limit is left out for good
                    self.refused[other] = other = ""
                if option == FORMAT and request[option].get("type") == "json_schema":
                    other = "json_object"
                self.refused[option] = other
        return bool(named) and self.apply(request) != request


def _names(text: str, option: str) -> bool:
    """Whether an error's text is about this option, and not about a value that is too large."""
    quoted = rf"[\"'`]{option}[\"'`]"
    alone = rf"|(?<![\w.-]){option}(?![\w-])" if "_" in option or option == "temperature" else ""
    if not re.search(quoted + alone, text) or (option in LIMITS and _TOO_MUCH.search(words_of(text).lower())):
        return False
    return _REFUSES.search(text) is not None or re.search(rf'"param": ?"{option}"', text) is not None


_KNOWN: dict[tuple[str, str], Manners] = {}
_KNOWING = threading.Lock()


def manners(base_url: str, model: str) -> Manners:
    """What this process knows of a model at an address."""
    with _KNOWING:
        return _KNOWN.setdefault((base_url.rstrip("/"), model), Manners())


def request_of(content: bytes) -> dict[str, Any]:
    """The body of a request; empty where it is no JSON object."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}
