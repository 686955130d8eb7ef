"""No regular expression of Clew takes exponential time: documents and answers of models are hostile."""

from __future__ import annotations

import importlib
import pkgutil
import re
import signal
from collections.abc import Iterator
from types import FrameType

import clew

_SECONDS = 5.0
_LENGTH = 400
"""Enough for what doubles with a character never to end, and for what grows with the cube to take a moment."""
_UNITS = (
    *"aA0 \n\t-._=([<|'\"#*`&:/+é的",
    "Zyx", "A.", "Ab ", "a, ", "1,", "x-", "a\n", "A's ", "a.b@", "http://", "[a](", "| a ", "- a\n", "<p ", "1.2 ",
)  # fmt: skip


def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    found: dict[tuple[str, int], tuple[str, re.Pattern[str]]] = {}
    for module in pkgutil.walk_packages(clew.__path__, "clew."):
        if module.name.endswith("__main__"):
            continue
        try:
            names = vars(importlib.import_module(module.name))
        except ImportError:  # An extra that is not installed.
            continue
        for name, value in names.items():
            for pattern in _inside(value):
                if isinstance(pattern.pattern, str):
                    found.setdefault((pattern.pattern, pattern.flags), (f"{module.name}.{name}", pattern))
    return list(found.values())


def _inside(value: object) -> Iterator[re.Pattern[str]]:
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else (value,)
    yield from (member for member in members if isinstance(member, re.Pattern))


def _alarm(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError


def test_no_pattern_takes_exponential_time() -> None:
    before = signal.signal(signal.SIGALRM, _alarm)
    slow = []
    try:
        for name, pattern in _patterns():
            for unit in _UNITS:
                text = f"Q{unit * (_LENGTH // len(unit))}!"
                signal.setitimer(signal.ITIMER_REAL, _SECONDS)
                try:
                    for _ in pattern.finditer(text):
                        pass
                except TimeoutError:
                    slow.append((name, unit))
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert slow == []
