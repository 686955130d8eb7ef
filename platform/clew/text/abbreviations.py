"""What is written short in other languages than English, with a full stop that ends no sentence."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files


@lru_cache(1)
def before_name() -> re.Pattern[str]:
    """What stands short before the name that it belongs to, such as "Mme" and "ul", at the end of a text."""
    return _pattern(_words("title", "name"))


@lru_cache(1)
def before_number() -> re.Pattern[str]:
    """What stands short before a number or a name, such as "Abs" and "núm", at the end of a text."""
    return _pattern(_words("title", "name", "number") + r"|[^\W\d_]{3,}str")  # Goethestr. 5


@lru_cache(1)
def title() -> re.Pattern[str]:
    """What stands short before the name of somebody and is part of it, at the end of a text."""
    return _pattern(_words("title"))


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.-])(?:{words})\Z")


def _words(*kinds: str) -> str:
    tables = tomllib.loads((files("clew.text") / "abbreviations.toml").read_text("utf-8"))
    words = {word for kind in kinds for table in tables[kind].values() for word in table.split()}
    words |= {word[:1].upper() + word[1:] for word in words}
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
