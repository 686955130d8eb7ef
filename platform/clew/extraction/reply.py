"""What the model is asked to reply: its JSON schema, and how a reply is read where a server cannot enforce one."""

from __future__ import annotations

import re
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from clew.extraction.ontology import Ontology
from clew.text.normalise import normalise
from clew.types import Json

T = TypeVar("T", bound=BaseModel)

VERSION = "1"
"""Grows whenever prompt, schema or checks change: then documents are extracted anew."""

LONGEST_REPLY = 200_000
"""Characters of a reply that are read, at most."""
MOST_FACTS = 60
MOST_ENTITIES = 120
"""Facts and entities of one reply that are looked at, at most."""


Text = Annotated[str, AfterValidator(normalise)]
"""A string of a reply in the normal form of documents: JSON's escapes can spell what no database takes."""


class Strict(BaseModel):
    """No other fields than those named: what strict structured output asks for."""

    model_config = ConfigDict(extra="forbid")


class RepliedEntity(Strict):
    """An entity under the number by which facts refer to it."""

    number: int
    name: Text
    type: Text = ""


class RepliedParticipant(Strict):
    """The number of an entity, and its role in the fact."""

    entity: int
    role: Text


class RepliedFact(Strict):
    """A fact as the model states it; nothing of it is believed before it is checked."""

    statement: Text
    participants: list[RepliedParticipant]
    time: Text
    negated: bool
    evidence: Text
    relation: Text = ""


class Reply(Strict):
    """All that a reply may hold."""

    entities: list[RepliedEntity]
    facts: list[RepliedFact]


def response_format(*, single: bool = False, ontology: Ontology | None = None) -> Json:
    """The schema, as OpenAI's strict structured output and grammar-constrained servers take it.

    ``single`` limits a reply to one fact, for servers that constrain what a small model may write. Types and relations
    are asked for where there is an ontology of them; one that is strict lets no others be written.
    """
    schema = _without_titles(Reply.model_json_schema())
    typed = {
        "RepliedEntity": ("type", ontology.entities if ontology else ()),
        "RepliedFact": ("relation", ontology.relations if ontology else ()),
    }
    for name, (field, types) in typed.items():
        table = schema["$defs"][name]
        if not types:
            del table["properties"][field]
        else:
            allowed = {"enum": [type for type, _ in types]} if ontology and ontology.strict else {}
            table["properties"][field] = {"type": "string", **allowed}
            table["required"].append(field)
    if single:
        schema["properties"]["facts"]["maxItems"] = 1
    return {"type": "json_schema", "json_schema": {"name": "facts", "strict": True, "schema": schema}}


def read_reply(text: str) -> Reply | None:
    """The reply, mended where its JSON is broken; None where no facts can be made out.

    Facts and entities that do not fit the schema are left out one by one, so that one of them does not cost the rest.
    """
    import json_repair

    text = re.sub(r"\A.*</think>", "", text[:LONGEST_REPLY], flags=re.DOTALL)
    try:
        return Reply.model_validate_json(text)
    except ValidationError:
        pass
    start = text.find("{")
    if start < 0:
        return None
    try:
        value = json_repair.loads(text[start:], skip_json_loads=True)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list):
        value = next((item for item in value if isinstance(item, dict) and "facts" in item), None)
    if not isinstance(value, dict) or not isinstance(value.get("facts"), list):
        return None
    named = value.get("entities")
    entities = [_fit(RepliedEntity, item) for item in (named if isinstance(named, list) else [])[:MOST_ENTITIES]]
    facts = [_fit(RepliedFact, _completed(item)) for item in value["facts"][:MOST_FACTS]]
    return Reply(entities=[e for e in entities if e], facts=[f for f in facts if f])


def _fit(model: type[T], value: Any) -> T | None:
    if not isinstance(value, dict):
        return None
    try:
        return model.model_validate({name: value[name] for name in model.model_fields if name in value})
    except ValidationError:
        return None


def _completed(value: Any) -> Any:
    """A fact with what small models leave out: no time, and not negated."""
    if not isinstance(value, dict):
        return value
    value = {"time": "", "negated": False, **value}
    value["time"] = "" if value["time"] is None else str(value["time"])
    participants = value.get("participants")
    if isinstance(participants, list):
        value["participants"] = [p for p in (_fit(RepliedParticipant, item) for item in participants) if p]
        value["participants"] = [p.model_dump() for p in value["participants"]]
    return value


def _without_titles(schema: Any) -> Any:
    """The schema without what pydantic adds for readers: some servers' grammars choke on it."""
    if isinstance(schema, dict):
        dropped = ("title", "description")
        return {k: _without_titles(v) for k, v in schema.items() if k not in dropped or isinstance(v, dict)}
    return [_without_titles(item) for item in schema] if isinstance(schema, list) else schema
