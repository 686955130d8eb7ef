"""A knowledge base under another name: its ids are hashes of the name, so all of them are others.

Where an id is what the rules of ``clew.ids`` make of the old name, the new one is what they make of the new name, so
that a later ingest finds everything where it looks for it. Any other id (a trajectory's) becomes a hash of the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from clew.ids import chunk_id, digest, document_id, entity_id, hyperedge_id
from clew.text.names import key
from clew.types import Json

_HEX = re.compile(r"\b[0-9a-f]{20}\b")
_REFERENCES = ("retrieved", "passages", "citations", "ways")
"""Properties of trajectories and steps that hold ids, as lists or inside of JSON."""


class Renamed:
    """Rows of a backup as they are under the name ``new``; to be asked in the order in which they are restored."""

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new
        self._ids: dict[str, str] = {}

    def row(self, kind: str, row: Json) -> Json:
        """A row with the ids of the new name."""
        if self.old == self.new:
            return row
        found: Json = getattr(self, f"_{kind}")(row)
        return found

    def ids(self, ids: Sequence[str]) -> list[str]:
        """Ids under the new name; those of what is not there stay as they are, which is nobody's."""
        return [self._ids.get(id, id) for id in ids]

    def _id(self, old: str, rule: Callable[[str], str]) -> str:
        """The id that ``rule`` gives the new name, if it gives the old one to the old name."""
        self._ids[old] = rule(self.new) if rule(self.old) == old else digest(f"{self.new}:{old}")[: len(old)]
        return self._ids[old]

    def _moved(self, row: Json, rule: Callable[[str], str]) -> Json:
        id = self._id(row["properties"]["id"], rule)
        return {**row, "id": id, "properties": {**row["properties"], "id": id, "kb": self.new}}

    def _documents(self, row: Json) -> Json:
        properties = row["properties"]
        return self._moved(row, lambda kb: document_id(kb, properties["source"], properties.get("locator") or ""))

    def _entities(self, row: Json) -> Json:
        return self._moved(row, lambda kb: entity_id(kb, row["properties"]["key"]))

    def _hyperedges(self, row: Json) -> Json:
        properties = row["properties"]
        more: list[str] = []
        if properties.get("origin"):
            ends = sorted(f"{end['role']}:{key(end['surface'])}" for _, end in row["connects"] if end["role"] != "link")
            more = [properties["origin"], properties.get("time") or "", str(bool(properties.get("negated"))), *ends]
            more += filter(None, [properties.get("relation")])
        moved = self._moved(row, lambda kb: hyperedge_id(kb, properties["text"], properties.get("lead") or 0, *more))
        return {**moved, "connects": self._ends(row["connects"])}

    def _chunks(self, row: Json) -> Json:
        properties, documents = row["properties"], row["documents"]

        def rule(kb: str) -> str:
            of = (documents if kb == self.old else self.ids(documents))[:1] or [""]
            return chunk_id(kb, of[0], properties["index"], properties["text"])

        moved = self._moved(row, rule)
        return {**moved, "documents": self.ids(documents), "states": self._ends(row["states"])}

    def _pairs(self, row: Json) -> Json:
        pairs = [[type, *self.ids([other]), properties] for type, other, properties in row["pairs"]]
        return {**row, "id": self.ids([row["id"]])[0], "pairs": pairs}

    def _trajectories(self, row: Json) -> Json:
        old = row["properties"]["id"]
        moved = self._moved(self._referring(row), lambda kb: "" if kb == self.old else old)
        id = moved["id"]
        steps = [
            {
                **self._referring(step),
                "properties": {**self._referring(step)["properties"], "id": f"{id}-{step['index']}", "kb": self.new},
                "retrieved": self._ends(step["retrieved"]),
            }
            for step in row["steps"]
        ]
        return {**moved, "steps": steps, "cites": self._ends(row["cites"])}

    def _referring(self, row: Json) -> Json:
        replaced = {name: self._replaced(value) for name, value in row["properties"].items() if name in _REFERENCES}
        return {**row, "properties": {**row["properties"], **replaced}}

    def _replaced(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._replaced(one) for one in value]
        return _HEX.sub(lambda m: self._ids.get(m[0], m[0]), value) if isinstance(value, str) else value

    def _ends(self, ends: Sequence[Any]) -> list[Any]:
        return [[self._ids.get(id, id), properties] for id, properties in ends]
