"""What an abbreviation stands for: names whose first letters spell it, and what stands beside it in a parenthesis."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.agent.extractive.candidates import Candidate
from clew.text.names import FUNCTION_WORDS

SPELT = 1.0
"""How far a name whose first letters make up the abbreviation is what that stands for."""
GLOSSED = 0.9
"""How far a name is that which an abbreviation in a parenthesis follows, or the other way round."""


@lru_cache(maxsize=8192)
def spelt_out(text: str, c: Candidate, short: str) -> float:
    """How far a candidate is the long form of an abbreviation: "Board of Northern Lights (BNL)"."""
    short = short.removeprefix("The ").removeprefix("the ")
    if " " in short or c.kind != "name" or " " not in c.text.removeprefix("The "):
        return 0.0
    words = [w for w in re.findall(r"[^\W_]+", c.text) if w not in ("The", "the")]
    letters = "".join(ch for ch in short if ch.isalnum()).lower()
    if letters in (_initials(words), _initials([w for w in words if w.lower() not in FUNCTION_WORDS])):
        return SPELT
    after = re.match(rf"[\"”]? \({re.escape(short)}\b", text[c.end :])
    before = re.search(rf"(?<!\w){re.escape(short)} \((?:[a-z ]+ )?[\"“]?$", text[: c.start])
    return GLOSSED if (after or before) and not c.inside else 0.0


def _initials(words: list[str]) -> str:
    return "".join(word[0] for word in words).lower()
