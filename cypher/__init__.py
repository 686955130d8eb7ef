"""Every Cypher statement of Clew, one file each; ``statement("folder/name")`` reads ``folder/name.cypher``."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from clew.errors import DatabaseError

SLOTS = ("", "_2")
"""Where vectors may lie: one is searched, and another encoder may fill the other (``clew.operations.reindex``)."""

_NAME = re.compile(r"[a-z0-9_]+(/[a-z0-9_]+)*")
_VECTORS = re.compile(r"(?<=[a-z]_)embedding\b|(?<!row\.)(?<=\.)embedding\b")
"""The names of indexes of vectors, and the property of nodes that they index."""


@cache
def statement(name: str, slot: str = "", left: frozenset[str] = frozenset()) -> str:
    """The text of ``cypher/NAME.cypher`` without its comment lines, about the vectors in one of ``SLOTS``.

    The name of an index can be no parameter. ``left`` are plain labels that Clew leaves to other tools: nodes are
    written without them. Raises DatabaseError where there is no such file or slot.
    """
    path = files("clew.cypher").joinpath(f"{name}.cypher")
    if not _NAME.fullmatch(name) or not path.is_file():
        raise DatabaseError(f"There is no Cypher statement {name!r}: name a file under cypher/, without .cypher.")
    if slot not in SLOTS:
        raise DatabaseError(f"There is no slot {slot[:20]!r} for vectors: this Clew is older than the knowledge base.")
    lines = path.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.lstrip().startswith("//")).strip()
    for label in left:
        text = re.sub(rf"(?<=:Clew{label}):{label}\b|\b[a-z]:{label}, ", "", text)
    return _VECTORS.sub(lambda match: match[0] + slot, text)
