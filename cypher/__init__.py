"""Every Cypher statement of Clew, one file each; ``statement("folder/name")`` reads ``folder/name.cypher``."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from clew.errors import DatabaseError

_NAME = re.compile(r"[a-z0-9_]+(/[a-z0-9_]+)*")


@cache
def statement(name: str) -> str:
    """The text of ``cypher/NAME.cypher`` without its comment lines.

    Raises DatabaseError where there is no such file.
    """
    path = files("cypher").joinpath(f"{name}.cypher")
    if not _NAME.fullmatch(name) or not path.is_file():
        raise DatabaseError(f"There is no Cypher statement {name!r}: name a file under cypher/, without .cypher.")
    lines = path.read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith("//")).strip()
