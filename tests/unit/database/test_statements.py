"""Statements about the vectors in one slot or the other: the same but for the names of indexes and properties."""

from __future__ import annotations

import pytest

from clew.cypher import SLOTS, statement
from clew.errors import DatabaseError


def test_a_slot_changes_indexes_and_properties_and_no_parameter() -> None:
    searched = statement("retrieve/seeds", SLOTS[1])
    assert "VECTOR INDEX clew_hyperedge_embedding_2 FOR" in searched
    assert searched.replace("embedding_2", "embedding") == statement("retrieve/seeds")
    written = statement("ingest/write_chunks", SLOTS[1])
    assert "c.embedding_2 = toFloatList(row.embedding)" in written
    assert statement("kb/lock", SLOTS[1]) == statement("kb/lock")


def test_the_second_index_is_like_the_first() -> None:
    for first, second in (
        ("0043_clew_chunk", "0052_clew_chunk"),
        ("0044_clew_hyperedge", "0053_clew_hyperedge"),
        ("0045_clew_entity", "0054_clew_entity"),
    ):
        assert statement(f"schema/{first}_embedding", SLOTS[1]) == statement(f"schema/{second}_embedding_2")


def test_a_slot_that_is_none() -> None:
    with pytest.raises(DatabaseError, match="no slot 'x'"):
        statement("retrieve/seeds", "x")
