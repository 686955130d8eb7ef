"""Scripts for the model server: what it says to a list of messages. All are deterministic."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence

from clew.agent.protocol import DIALECTS, Dialect
from clew.text.normalise import fold
from clew.types import Json

Script = Callable[[list[Json], Json], str]
"""The reply to (messages, request); ``messages`` are the request's, with text alone as content."""

_NAME = r"[A-ZÀ-ÖØ-Þ][\w'’-]*"
_NAMES = re.compile(rf"{_NAME}(?:(?: (?:of|the|de|van|von|la))* {_NAME})*")
_DATES = re.compile(r"(?:\d{1,2} [A-Z][a-z]+ |[A-Z][a-z]+ \d{1,2}, )?\b\d{4}\b|\b\d[\d.,]*\d\b|\b\d\b")
_NUMBERED = re.compile(r"^\[(\d+)\] (.+)$", re.MULTILINE)


class ScriptEndError(Exception):
    """The script has no reply left; the server answers with status 400."""


def scripted(replies: Sequence[str]) -> Script:
    """Give these replies, one a request, in order. A request after the last one gets an error (status 400)."""
    remaining = iter(list(replies))
    lock = threading.Lock()

    def reply(messages: list[Json], request: Json) -> str:
        with lock:
            for text in remaining:
                return text
        raise ScriptEndError(f"The script has only {len(replies)} replies.")

    return reply


def echo(messages: list[Json], request: Json) -> str:
    """Repeat the last message."""
    return str(messages[-1]["content"])


def agent() -> Script:
    """A simple agent in whichever dialect the first message explains: it queries with the question, then answers.

    The answer is a name or number of the fact that shares the most words with the question. To messages in no
    dialect it says what it is.
    """

    def reply(messages: list[Json], request: Json) -> str:
        prompt = str(messages[0]["content"])
        dialect = next((d for d in DIALECTS.values() if d.query.open in prompt), None)
        if request.get("tools"):
            dialect = DIALECTS["tools"]
        if dialect is None:
            return "This is Clew's test model: it follows a script and knows nothing."
        question = re.split(r"Question: |The question to answer now: ", prompt)[-1].strip()
        return _answer(dialect, question, [str(m["content"]) for m in messages[1:] if m["role"] != "assistant"])

    return reply


def _answer(dialect: Dialect, question: str, replies: Sequence[str]) -> str:
    if not any(dialect.knowledge.open in reply for reply in replies):
        return dialect.render_turn("I have to look this up first.", query=question)
    asked = set(fold(question).split())
    facts = [(number, text) for reply in replies for number, text in _NUMBERED.findall(reply)]
    ranked = sorted(facts, key=lambda fact: -len(asked & set(fold(fact[1]).split())))
    for number, text in ranked:
        title, _, statement = text.rpartition(": ")
        names, numbers = _NAMES.findall(statement), _DATES.findall(statement)
        wants_number = re.match(r"(when|in (what|which) year|what year|how (many|much|old|long))\b", question, re.I)
        for candidate in [*numbers, *names] if wants_number else [*names, title, *numbers]:
            if candidate and not set(fold(candidate).split()) <= asked | {"he", "she", "it", "the", "they"}:
                return dialect.render_turn(f"Fact [{number}] tells.", answer=candidate)
    return dialect.render_turn("Nothing I found tells.", answer="I don't know")
