"""Names of people as programs write them: in the order of catalogues ("Berg, Anna"), and several in one text."""

from __future__ import annotations

import re

_TURNED = re.compile(r"([^\s,;][^,;]*?),\s*([^\s,;][^,;]*)")


def given_first(name: str) -> str:
    """A name that is written as "Berg, Anna" the other way round; "" of any other text."""
    match = _TURNED.fullmatch(name.strip())
    return f"{match[2].strip()} {match[1]}" if match else ""


def people(written: object) -> str:
    """The people of a field, given names first: "Anna Berg, Jon Ek" of a list, or of "Berg, Anna; Ek, Jon".

    One name with a comma stays: it may be two people.
    """
    if isinstance(written, list):
        return ", ".join(given_first(str(one)) or str(one) for one in written)
    several = [one.strip() for one in str(written).split(";") if one.strip()]
    return people(several) if len(several) > 1 else str(written)
