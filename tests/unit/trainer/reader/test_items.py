"""Examples are read from both shapes, and what cannot be read is named."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from clew.errors import InputError
from clew.trainer.reader.items import held_out, read_items

ROW = {
    "id": "a", "question": "Who built the Nova?", "title": "Nova", "context": "Ida Falk built the Nova in 1911.",
    "answers": [{"text": "Ida Falk", "start": 0}], "type": "span", "domain": "lamps",
}  # fmt: skip


def test_lines_of_json(tmp_path: Path) -> None:
    rows = [
        ROW,
        ROW | {"id": "b", "answers": []},
        ROW | {"id": "c", "question": "Is it old?", "answers": [{"text": "yes", "start": -1}]},
        ROW | {"id": "d", "type": "list", "answers": [{"text": "Ida", "start": 0}, {"text": "1911", "start": 27}]},
    ]
    file = tmp_path / "rows.jsonl.gz"
    file.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    span, none, verdict, several = read_items([file])
    assert span.answers == ("Ida Falk",)
    assert span.domain == "lamps"
    assert (none.spans, none.verdict) == ((), 0)
    assert (verdict.spans, verdict.verdict) == ((), 1)
    assert several.answers == ("Ida", "1911")
    assert several.complete
    assert [item.id for item in read_items([file], frozenset("b"))] == ["a", "c", "d"]


def test_the_shape_of_squad(tmp_path: Path) -> None:
    qas = [
        {"id": "1", "question": "Who?", "answers": [{"text": "Ida Falk", "answer_start": 0}], "is_impossible": False},
        {"id": "2", "question": "Why?", "answers": [], "is_impossible": True},
    ]
    file = tmp_path / "squad.json"
    article = {"title": "Nova", "paragraphs": [{"context": ROW["context"], "qas": qas}]}
    file.write_text(json.dumps({"version": "v2.0", "data": [article]}))
    answered, impossible = read_items([file])
    assert answered.answers == ("Ida Falk",)
    assert answered.title == "Nova"
    assert impossible.spans == ()


@pytest.mark.parametrize("text", ["[]", '{"question": "x"}', "nonsense", '{"data": [{"title": "x"}]}'])
def test_other_files_are_refused_by_name(tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(text)
    with pytest.raises(InputError, match=r"other\.json"):
        read_items([file])


def test_a_passage_is_held_out_with_all_its_questions(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    rows = [ROW | {"id": f"{n}-{q}", "context": f"Passage {n}."} for n in range(300) for q in (1, 2)]
    file.write_text("\n".join(json.dumps(row | {"answers": []}) for row in rows))
    items = read_items([file])
    aside = {item.context for item in items if held_out(item, 0.1)}
    kept = {item.context for item in items if not held_out(item, 0.1)}
    assert not aside & kept
    assert 10 < len(aside) < 60
