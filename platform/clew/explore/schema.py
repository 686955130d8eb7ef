"""The schema of a knowledge base as tools that write Cypher take it: labels, relationships and their properties.

It needs no APOC, and tells of one knowledge base, whatever else the database holds.
"""

from __future__ import annotations

import re

from clew.explore.base import Base
from clew.types import Json

RELATIONSHIPS = {
    "HAS_CHUNK": "Document",
    "STATES": "Chunk",
    "CONNECTS": "Hyperedge",
    "SAME_AS": "Entity",
    "STEP": "Trajectory",
    "RETRIEVED": "Step",
    "CITES": "Trajectory",
}
"""Relationship types, with the label of the nodes they start from."""
NODES = ("Document", "Chunk", "Hyperedge", "Entity", "Trajectory", "Step")
SAMPLE = 200
"""Nodes of a label, and relationships of a type, whose properties are looked at."""
_NOT_NULL = re.compile(" NOT NULL|<.*")
_NAMES = {"ZONED DATETIME": "DATE_TIME", "LOCAL DATETIME": "LOCAL_DATE_TIME"}


def graph_schema(base: Base) -> Json:
    """``node_props`` and ``rel_props`` (name and type of each), and ``relationships`` (start, type and end).

    It is what LangChain's ``Neo4jGraph.get_structured_schema`` returns. Vectors, which no query names, are left out.
    """
    ends = [{"type": type_, "label": label} for type_, label in RELATIONSHIPS.items()]
    nodes = base.database.read("explore/schema_nodes", kb=base.name, labels=list(NODES), sample=SAMPLE)
    found = base.database.read("explore/schema_relationships", kb=base.name, ends=ends, sample=SAMPLE)
    return {
        "node_props": {row["label"]: _properties(row["properties"]) for row in nodes if row["properties"]},
        "rel_props": {row["type"]: _properties(row["properties"]) for row in found if row["properties"]},
        "relationships": [
            {"start": row["start"], "type": row["type"], "end": end} for row in found for end in sorted(row["ends"])
        ],
        "metadata": {"constraint": [], "index": []},
    }


def schema_text(schema: Json) -> str:
    """The schema as a prompt holds it: what ``Text2CypherRetriever(neo4j_schema=…)`` takes."""
    lines = ["Node properties:", *_listed(schema["node_props"])]
    lines += ["Relationship properties:", *_listed(schema["rel_props"]), "The relationships:"]
    lines += [f"(:{one['start']})-[:{one['type']}]->(:{one['end']})" for one in schema["relationships"]]
    return "\n".join(lines)


def _listed(properties: Json) -> list[str]:
    lists = {name: ", ".join(f"{one['property']}: {one['type']}" for one in own) for name, own in properties.items()}
    return [f"{name} {{{lists[name]}}}" for name in sorted(lists)]


def _properties(found: list[Json]) -> list[Json]:
    kinds = {one["property"]: _NOT_NULL.sub("", one["type"]) for one in found}
    return [{"property": name, "type": _NAMES.get(kind, kind)} for name, kind in sorted(kinds.items())]
