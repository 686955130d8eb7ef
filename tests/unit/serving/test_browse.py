"""What `clew browse` fills in: favourites with their names, the style sheet, or a query as it is."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from clew.errors import InputError
from clew.serving.browse import Favourite, browser_address, favourite, favourites, query_for, style
from clew.ui.components.counts import bucketed
from clew.ui.components.facttext import fact_runs

SERVER = {"uri": "bolt://127.0.0.1:7687", "username": "neo4j", "browser_url": "http://127.0.0.1:7474/browser/"}


@pytest.mark.parametrize("item", favourites(), ids=lambda item: item.name)
def test_every_favourite_is_described_and_filled_in_without_gaps(item: Favourite) -> None:
    name, description = item.name, item.description
    query = favourite(name, "notes")
    assert query.startswith(f"// {description}")
    assert '"notes" AS kb' in query
    assert "$" not in query


def test_names_are_literals_that_nothing_gets_out_of() -> None:
    query = favourite("document", "notes", ['A" OR 1=1 //\\ R&B #1'])
    assert '"A\\" OR 1=1 //\\\\ R\\u0026B \\u00231" AS document' in query
    assert '"lodz" AS entity' in favourite("entity", "notes", ["Łódź"])


def test_a_wrong_name_lists_the_favourites() -> None:
    with pytest.raises(InputError, match=r"'overvew'.*connected, document.*thread"):
        query_for("overvew", "notes")
    with pytest.raises(InputError, match="takes first and second, not 3 names"):
        query_for("thread", "notes", ("a", "b", "c"))
    with pytest.raises(InputError, match="quote the whole query"):
        query_for("RETURN 1", "notes", ("x",))


def test_the_address_holds_the_query_and_refuses_what_would_be_cut() -> None:
    for query in (favourite("shared", "notes", ["R&B", "#1"]), style(), "RETURN 1 + 1"):
        address = browser_address(SERVER, query)
        assert parse_qs(urlsplit(address).query)["arg"] == [query]
    with pytest.raises(InputError, match=r"write \\u0023"):
        browser_address(SERVER, "RETURN '#'")
    with pytest.raises(InputError, match="not Clew's own"):
        browser_address({**SERVER, "browser_url": None}, "RETURN 1")


def test_runs_put_together_are_the_text_and_the_shortest_fact_wins() -> None:
    text = "One two three. Four five."
    spans = [{"id": "a", "start": 0, "end": 14}, {"id": "b", "start": 4, "end": 7}, {"id": "c", "start": 15, "end": 25}]
    runs = fact_runs("notes", text, (0, 15), spans, 0, len(text), 4, [(0, 7)])
    assert "".join(run.get("text", "") for run in runs) == text
    assert [run["go"] for run in runs if "go" in run] == ["fact.a", "fact.b", "fact.a", "fact.c"]
    assert [run["text"] for run in runs if run.get("here")] == ["two"]
    assert "".join(run["text"] for run in runs if run.get("heading")) == "One two"
    assert [run["page"] for run in runs if "page" in run] == [1, 2]


def test_sizes_are_put_together_into_growing_ranges() -> None:
    assert bucketed([(0, 2), (1, 7), (3, 1), (4, 2), (7, 3), (5_000, 1)]) == [
        ("0", 2),
        ("1", 7),
        ("3–4", 3),
        ("5–9", 3),
        ("1,000+", 1),
    ]
