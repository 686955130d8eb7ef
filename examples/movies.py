"""A small graph of films, as other programs keep one in Neo4j; ``clew adopt`` makes a knowledge base of it.

``python examples/movies.py`` writes it into the Neo4j of your settings, beside Clew's own nodes (docs/adopt.md).
"""

from __future__ import annotations

from typing import Any

FILMS = """
The Matrix, 1999
  ACTED_IN Keanu Reeves, 1964: Neo
  ACTED_IN Carrie-Anne Moss, 1967: Trinity
  ACTED_IN Laurence Fishburne, 1961: Morpheus
  ACTED_IN Hugo Weaving, 1960: Agent Smith
  DIRECTED Lana Wachowski, 1965
  DIRECTED Lilly Wachowski, 1967
  PRODUCED Joel Silver, 1952
The Devil's Advocate, 1997
  ACTED_IN Keanu Reeves, 1964: Kevin Lomax
  ACTED_IN Charlize Theron, 1975: Mary Ann Lomax
  ACTED_IN Al Pacino, 1940: John Milton
  DIRECTED Taylor Hackford, 1944
Cloud Atlas, 2012
  ACTED_IN Tom Hanks, 1956: Zachry, Dr. Henry Goose
  ACTED_IN Halle Berry, 1966: Luisa Rey, Jocasta Ayrs
  ACTED_IN Hugo Weaving, 1960: Bill Smoke
  DIRECTED Tom Tykwer, 1965
  DIRECTED Lana Wachowski, 1965
  WROTE David Mitchell, 1969
V for Vendetta, 2006
  ACTED_IN Hugo Weaving, 1960: V
  ACTED_IN Natalie Portman, 1981: Evey Hammond
  DIRECTED James McTeigue, 1967
  PRODUCED Joel Silver, 1952
Apollo 13, 1995
  ACTED_IN Tom Hanks, 1956: Jim Lovell
  ACTED_IN Kevin Bacon, 1958: Jack Swigert
  ACTED_IN Ed Harris, 1950: Gene Kranz
  DIRECTED Ron Howard, 1954
Cast Away, 2000
  ACTED_IN Tom Hanks, 1956: Chuck Noland
  ACTED_IN Helen Hunt, 1963: Kelly Frears
  DIRECTED Robert Zemeckis, 1951
Sleepless in Seattle, 1993
  ACTED_IN Tom Hanks, 1956: Sam Baldwin
  ACTED_IN Meg Ryan, 1961: Annie Reed
  DIRECTED Nora Ephron, 1941
A Few Good Men, 1992
  ACTED_IN Tom Cruise, 1962: Daniel Kaffee
  ACTED_IN Kevin Bacon, 1958: Jack Ross
  ACTED_IN Cuba Gooding Jr., 1968: Carl Hammaker
  DIRECTED Rob Reiner, 1947
  WROTE Aaron Sorkin, 1961
Top Gun, 1986
  ACTED_IN Tom Cruise, 1962: Maverick
  ACTED_IN Val Kilmer, 1959: Iceman
  ACTED_IN Meg Ryan, 1961: Carole
  DIRECTED Tony Scott, 1944
"""


def rows() -> list[dict[str, Any]]:
    """The films, each with who did what; rows for ``cypher/examples/movies.cypher``."""
    films: list[dict[str, Any]] = []
    for line in FILMS.strip().splitlines():
        relation, _, roles = line.strip().partition(": ")
        name, year = relation.rsplit(", ", 1)
        if not line.startswith(" "):
            films.append({"title": name, "released": int(year), "people": []})
            continue
        did, name = name.split(" ", 1)
        properties = {"roles": roles.split(", ")} if roles else {}
        films[-1]["people"].append({"did": did, "name": name, "born": int(year), "properties": properties})
    return films


if __name__ == "__main__":
    from clew.knowledge_base import connect

    with connect() as database:
        database.write("examples/movies", rows=rows())
    print(f"{len(rows())} films are in Neo4j: clew adopt --draft movies.toml")
