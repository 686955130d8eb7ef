"""Neo4j Browser with a query filled in."""

from __future__ import annotations

import json
from urllib.parse import urlencode, urlsplit

from clew.errors import InputError
from clew.types import Json
from cypher import statement


def browser_address(server: Json, query: str) -> str:
    """The address that opens Neo4j Browser on a server, as ``clew.database.server.status`` describes it.

    The query stands in the editor and is not run. Raises InputError where the server is not Clew's own.
    """
    if not server["browser_url"]:
        raise InputError(f"The server at {server['uri']} is not Clew's own: open its Neo4j Browser yourself.")
    bolt = urlsplit(server["uri"])
    login = f"{bolt.scheme}://{server['username']}@{bolt.netloc}"
    return f"{server['browser_url'].rstrip('/')}/?{urlencode({'dbms': login, 'cmd': 'edit', 'arg': query})}"


def favourite(name: str, kb: str) -> str:
    """The query ``cypher/browse/NAME.cypher`` with the knowledge base's name in place of its parameter.

    A person runs it in Neo4j Browser, which knows no parameters of ours; Clew itself never does.
    """
    return statement(f"browse/{name}").replace("$kb", json.dumps(kb))
