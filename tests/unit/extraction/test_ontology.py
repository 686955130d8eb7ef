"""An ontology: how it is read, what a model is told of it, and what of a reply it lets through."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.errors import SettingsError
from clew.extraction.check import check
from clew.extraction.ontology import Ontology, load_ontology
from clew.extraction.prompt import messages, units
from clew.extraction.reply import read_reply, response_format
from clew.ingest.split import chunks
from clew.types import Document

TEXT = "Isla Marr commanded the Heron in 1893. The Heron sank."
SHIPS = Ontology((("Person", "someone who lived"), ("Ship", "")), (("commanded", ""),))
STRICT = Ontology(SHIPS.entities, SHIPS.relations, strict=True)
DOCUMENT = Document("d", "k", "Heron", "s", TEXT, "0")


def written(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def test_json_and_toml_say_the_same(tmp_path: Path) -> None:
    toml = 'strict = true\nrelations = ["commanded"]\n[entities]\nPerson = "someone who lived"\nShip = ""\n'
    told = {"strict": True, "relations": {"commanded": ""}, "entities": dict(STRICT.entities)}
    found = load_ontology(written(tmp_path, "a.toml", toml))
    assert found == load_ontology(written(tmp_path, "a.json", json.dumps(told))) == STRICT
    assert (load_ontology(None), load_ontology("")) == (None, None)
    assert STRICT.version != SHIPS.version


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("a.toml", "x", "neither JSON"),
        ("a.json", "[1]", "must hold `entities`"),
        ("a.toml", "entities = []", "names no type"),
        ("a.toml", "entities = [1]", "list of names"),
        ("a.toml", "entities = 'x'", "list of names"),
        ("a.toml", "entities = ['x']\nkinds = []", "has no 'kinds'"),
        ("a.toml", "entities = ['x']\nstrict = 1", "may hold"),
        ("a.json", json.dumps({"entities": [f"t{n}" for n in range(201)]}), "more than 200"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, name: str, text: str, fault: str) -> None:
    with pytest.raises(SettingsError, match=fault):
        load_ontology(written(tmp_path, name, text))
    with pytest.raises(SettingsError, match="no ontology to read"):
        load_ontology(str(tmp_path / "none.toml"))


def test_a_model_is_told_and_its_reply_is_bound() -> None:
    (chunk,) = chunks(DOCUMENT, 1600)
    plain, told = (messages(units(DOCUMENT, chunk, ontology=one)[0])[0]["content"] for one in (None, STRICT))
    assert "Person: someone who lived" in told
    assert told.startswith(plain)
    free, hinted, bound = (
        response_format(ontology=one)["json_schema"]["schema"]["$defs"] for one in (None, SHIPS, STRICT)
    )
    assert "type" not in free["RepliedEntity"]["properties"]
    assert "relation" not in free["RepliedFact"]["properties"]
    assert hinted["RepliedEntity"]["properties"]["type"] == {"type": "string"}
    assert bound["RepliedEntity"]["properties"]["type"] == {"type": "string", "enum": ["Person", "Ship"]}
    assert bound["RepliedFact"]["properties"]["relation"]["enum"] == ["commanded"]
    assert {"type", "name", "number"} == set(bound["RepliedEntity"]["required"])


def reply(ship: str = "SHIP", relation: str = "Commanded") -> str:
    entities = [{"number": 1, "name": "Isla Marr", "type": "person"}, {"number": 2, "name": "Heron", "type": ship}]
    fact = {
        "statement": "Isla Marr commanded the Heron in 1893.",
        "participants": [{"entity": 1, "role": "captain"}, {"entity": 2, "role": "ship"}],
        "time": "1893",
        "negated": False,
        "evidence": "Isla Marr commanded the Heron in 1893",
        "relation": relation,
    }
    return json.dumps({"entities": entities, "facts": [fact]})


@pytest.mark.parametrize(
    ("changes", "ontology", "kept"),
    [
        ({}, STRICT, [("Person", "Ship", "commanded")]),
        ({"ship": "boat"}, STRICT, "type"),
        ({"ship": ""}, STRICT, "type"),
        ({"relation": "sailed"}, STRICT, "relation"),
        ({"relation": "sailed", "ship": "boat"}, SHIPS, [("Person", "boat", "sailed")]),
        ({"relation": "sailed"}, Ontology(SHIPS.entities, (), strict=True), [("Person", "Ship", "sailed")]),
        ({}, None, [("", "", "")]),
    ],
)
def test_strictly_or_as_a_hint(changes: dict[str, str], ontology: Ontology | None, kept: object) -> None:
    read = read_reply(reply(**changes))
    assert read
    checked = check(read, DOCUMENT, 0, len(TEXT), {}, ontology)
    if isinstance(kept, str):
        assert [fault.kind for fault in checked.faults] == [kept]
    else:
        assert [(*(one.type for one in fact.participants), fact.relation) for fact in checked.facts] == kept
