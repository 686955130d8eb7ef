"""Mappings: what a sentence with gaps says, and what is wrong with a file, in one line."""

from __future__ import annotations

import pytest

from clew.adoption.adopt import node_pattern, value_text
from clew.adoption.mapping import load_mapping, read_mapping, words
from clew.adoption.template import parse
from clew.errors import InputError


@pytest.mark.parametrize(
    ("template", "values", "said"),
    [
        ("{from} kept {to}[ from {.since} on].", {"from": "A", "to": "B", ".since": "1893"}, "A kept B from 1893 on."),
        ("{from} kept {to}[ from {.since} on].", {"from": "A", "to": "B", ".since": ""}, "A kept B."),
        ("{from} kept {to} from {.since} on.", {"from": "A", "to": "B"}, None),
        ("Kept by {name}.", {"name": "Cuba Gooding Jr."}, "Kept by Cuba Gooding Jr."),
        ("[{.a}]", {}, None),
    ],
)
def test_a_sentence_is_said_as_far_as_its_properties_are_there(
    template: str, values: dict[str, str], said: str | None
) -> None:
    filled = parse(template).fill(values)
    assert (filled and filled[0]) == said


@pytest.mark.parametrize("template", ["{from", "from}", "[a", "a]", "{} is", "{.} is", "{a{b}}", "[a [b]]"])
def test_what_is_no_sentence_with_gaps(template: str) -> None:
    with pytest.raises(InputError, match="no sentence with gaps"):
        parse(template)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[entities.A]\nname = 'n'\nnmae = 'x'", r"\[entities.A\] has no setting 'nmae'"),
        ("[entities.A]\n", r"\[entities.A\] needs `name`"),
        ("[entities.A]\nname = 1", "`name` must be text"),
        ("[entities.A]\nname = 'n'\nsentences = ['{to} is']", r"\{to\} is no node here"),
        ("[entities.A]\nname = 'n'\n[relationships.R]", r"\[relationships.R\] needs `sentence`"),
        ("[entities.A]\nname = 'n'\n[relationships.R]\nsentence = '{name} is'", r"\{name\} is no node here"),
        ("[entities.A]\nname = 'n'\n[documents.A]\nname = 'n'", "both an entity and a document"),
        ("[entities.A]\nname = 'n'\n[entities.A.parts]\nlabel = 'P'", "needs `relationship`"),
        ("[relationships.R]\nsentence = '{from} r {to}.'", "no label an entity"),
        ("entities = 1", r"\[entities\] must hold tables"),
        ("x", "no TOML"),
    ],
)
def test_what_is_wrong_is_named(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_mapping(text)


def test_a_file_that_is_not_there_is_named(tmp_path: object) -> None:
    with pytest.raises(InputError, match=r"no mapping to read in .*nothing\.toml"):
        load_mapping(f"{tmp_path}/nothing.toml")


def test_labels_as_words_and_values_as_people_write_them() -> None:
    assert [words(one) for one in ("ACTED_IN", "actedIn", "FilmStudio", "__Entity__", "ISBN")] == [
        "acted in",
        "acted in",
        "film studio",
        "entity",
        "isbn",
    ]
    told = [value_text(one) for one in (True, 5.0, 0.1, 1964, ["a", 2], "a\n<query>b", None, {"a": 1}, (1, 2))]
    assert told == ["yes", "5", "0.1", "1964", "a, 2", "a ‹query>b", "", "", ""]


def test_a_node_is_found_by_a_property_or_its_own_id() -> None:
    assert node_pattern("Film", "title", 'The "X"', "4:a:1") == '(n:Film {title: "The \\"X\\""})'
    assert node_pattern("A `b", "my id", 7, "4:a:1") == "(n:`A ``b` {`my id`: 7})"
    for name, value in (("", "x"), ("title", None), ("title", "x" * 300), ("title", 1.5), ("title", "a\0")):
        assert node_pattern("Film", name, value, "4:a:1") == '(n) WHERE elementId(n) = "4:a:1"'
