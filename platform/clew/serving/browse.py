"""Neo4j Browser with a query filled in: the favourites of ``cypher/browse``, and the style sheet."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from urllib.parse import urlencode, urlsplit

from clew.cypher import statement
from clew.errors import InputError
from clew.text.names import key
from clew.types import Json

_PARAMETER = re.compile(r"\$(\w+)")
_FOLDER = "browse"
_UNFIT = re.compile(r"[#&%+]")
_CUTS = re.compile(r"[#&]")
_ENTITIES = {"entity", "first", "second"}
"""Parameters that name an entity, which is found by its key."""
STYLE = "style"


@dataclass(frozen=True, slots=True)
class Favourite:
    """A query worth keeping: ``description`` is its first comment, ``parameters`` what it takes besides ``kb``."""

    name: str
    description: str
    parameters: tuple[str, ...]


@cache
def favourites() -> tuple[Favourite, ...]:
    """Every favourite, by name."""
    found = []
    for file in files("clew.cypher").joinpath(_FOLDER).iterdir():
        name, dot, kind = file.name.rpartition(".")
        if dot and kind == "cypher":
            text = file.read_text(encoding="utf-8")
            description = text.splitlines()[0].removeprefix("//").strip()
            names = dict.fromkeys(_PARAMETER.findall(statement(f"{_FOLDER}/{name}")))
            found.append(Favourite(name, description, tuple(n for n in names if n != "kb")))
    return tuple(sorted(found, key=lambda favourite: favourite.name))


def favourite(name: str, kb: str, values: Sequence[str] = ()) -> str:
    """The query ``cypher/browse/NAME.cypher`` with ``values`` in place of its parameters, and null for those not given.

    A person runs it in Neo4j Browser, which knows no parameters of ours; Clew itself never does. Raises InputError,
    which lists the favourites, for an unknown name, and where there are more values than parameters.
    """
    found = next((item for item in favourites() if item.name == name), None)
    if found is None:
        names = ", ".join([*(item.name for item in favourites()), STYLE])
        raise InputError(f"There is no favourite {name[:80]!r}: choose one of {names}, or give a Cypher query.")
    if len(values) > len(found.parameters):
        takes = f"takes {' and '.join(found.parameters)}" if found.parameters else "takes no names"
        raise InputError(f"The favourite {name!r} {takes}, not {len(values)} names: quote a name that has spaces.")
    given = dict(zip(found.parameters, values, strict=False))
    given |= {n: key(given[n]) or given[n] for n in given.keys() & _ENTITIES}
    filled = {n: literal(text) for n, text in {**given, "kb": kb}.items()}
    query = _PARAMETER.sub(lambda match: filled.get(match[1], "null"), statement(f"{_FOLDER}/{name}"))
    return f"// {found.description}\n{query}"


def literal(text: str) -> str:
    """A text as a Cypher literal that it cannot get out of, without the signs that an address cannot carry."""
    return _UNFIT.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(text))


def style() -> str:
    """The command that gives Neo4j Browser the captions and colours of ``cypher/browse/style.grass``."""
    text = files("clew.cypher").joinpath(_FOLDER, "style.grass").read_text(encoding="utf-8")
    return f":style {' '.join(text.split())}"


def query_for(text: str | None, kb: str, values: Sequence[str] = ()) -> str:
    """What ``clew browse TEXT VALUES`` fills in: the overview, a favourite, the style sheet, or the query itself.

    A query has at least two words, or begins with a colon. Raises InputError for a wrong name.
    """
    if text is None:
        return favourite("overview", kb)
    if text == STYLE:
        return style()
    if len(text.split()) > 1 or text.startswith(":"):
        if values:
            raise InputError("Names go with a favourite, not with a query: quote the whole query.")
        return text
    return favourite(text, kb, values)


def browser_address(server: Json, query: str) -> str:
    """The address that opens Neo4j Browser on a server, as ``clew.database.server.managed.status`` describes it.

    The query stands in the editor and is not run. Raises InputError where the server is not Clew's own, and for a query
    that an address cannot carry: Neo4j Browser decodes the whole address before it takes it apart.
    """
    if found := _CUTS.search(query):
        raise InputError(
            f"Neo4j Browser would cut the query at {found[0]!r}: write \\u{ord(found[0]):04x} in a string."
        )
    if not server["browser_url"]:
        raise InputError(f"The server at {server['uri']} is not Clew's own: open its Neo4j Browser yourself.")
    bolt = urlsplit(server["uri"])
    login = f"{bolt.scheme}://{server['username']}@{bolt.netloc}"
    return f"{server['browser_url'].rstrip('/')}/?{urlencode({'dbms': login, 'cmd': 'edit', 'arg': query})}"
