"""Forms of English verbs; those that no rule of spelling undoes are in verbs.toml."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

PAST: dict[str, str] = tomllib.loads((files("clew.text") / "verbs.toml").read_text("utf-8"))["past"]
"""The verb of a form that no rule of spelling undoes."""

_STEM = 5
"""Letters by which two words count as forms of one."""


@lru_cache(maxsize=20_000)
def base(verb: str) -> str:
    """A verb as it stands after *did*: *die* of *died*, *carry* of *carried*, *lie* of *lies*."""
    if verb in PAST or verb.endswith(("ied", "ies")):
        return PAST.get(verb) or (verb[:-1] if len(verb) == 4 else verb[:-3] + "y")
    if verb.endswith("ed") and len(verb) > 3:
        stem = verb[:-2]
        if stem[-1] == stem[-2] and stem[-1] not in "sl":
            return stem[:-1]
        short = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", stem)
        return stem + "e" if short or re.search(r"(?:at|[vczu]|[^s]s|dg|[aeiou]r)\Z", stem) else stem
    if verb.endswith(("sses", "shes", "ches", "xes")):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def stem(word: str) -> str:
    """The beginning of a word, of a verb that of its first form, by which two count as one: "sell" of "sold"."""
    return base(word)[:_STEM]
