"""Sentences with gaps: what a fact that has no text of its own says.

``{from}`` is a node by its name, ``{.born}`` a property. Square brackets hold what is left out where one of its
properties is missing: ``{from} acted in {to}[ as {.roles}].``
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from clew.errors import InputError

_GAP = re.compile(r"\{([^{}]*)\}")
_PARTS = re.compile(r"\[([^\[\]]*)\]|([^\[\]]+)")
_TWO_STOPS = re.compile(r"(?<!\.)\.\.\Z")


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence as parts, each with whether it may be left out; see ``parse``."""

    parts: tuple[tuple[str, bool], ...]

    @property
    def gaps(self) -> tuple[str, ...]:
        """The names of the gaps, in order; those of properties begin with a full stop."""
        return tuple(dict.fromkeys(name for part, _ in self.parts for name in _GAP.findall(part)))

    def fill(self, values: Mapping[str, str]) -> tuple[str, tuple[str, ...]] | None:
        """The sentence and the gaps that were filled; None where a gap outside of brackets has no value."""
        filled, used = [], []
        for part, optional in self.parts:
            names = _GAP.findall(part)
            if all(values.get(name) for name in names):
                filled.append(_GAP.sub(lambda gap: values[gap[1]], part))
                used += names
            elif not optional:
                return None
        # "Cuba Gooding Jr." ends a sentence with one full stop.
        sentence = _TWO_STOPS.sub(".", " ".join("".join(filled).split()))
        return (sentence, tuple(dict.fromkeys(used))) if sentence else None


@cache
def parse(text: str) -> Template:
    """The template that a text is. Raises InputError for brackets that do not close, and for an empty gap."""
    parts = tuple((part[1] or part[2] or "", part[1] is not None) for part in _PARTS.finditer(text))
    template = Template(parts)
    plain = "".join(_GAP.sub("", part) for part, _ in parts)
    whole = sum(len(part) + 2 * optional for part, optional in parts) == len(text)
    if not whole or "{" in plain or "}" in plain or not all(name.strip(".") for name in template.gaps):
        raise InputError(
            f"{text[:200]!r} is no sentence with gaps: write {{name}} for a node, {{.born}} for a property, and [ … ] "
            "around what may be left out."
        )
    return template
