"""Tokens: shown once, kept as hashes for the owner alone, and worthless once revoked."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.errors import ClewError, InputError, NotFoundError
from clew.serving.tokens import Tokens
from clew.settings import load_settings


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    return Tokens(load_settings(_env_file=None, home=tmp_path / "home"))


def test_a_token_is_known_by_its_hash_until_it_is_revoked(tokens: Tokens) -> None:
    made = tokens.create("chat", ["notes"], "write")
    assert made not in tokens.file.read_text()
    assert tokens.file.stat().st_mode & 0o777 == 0o600
    found = Tokens(load_settings(_env_file=None, home=tokens.file.parent)).find(made)
    assert found is not None
    assert [found.allows(kb, right) for kb in ("notes", "other", None) for right in ("read", "write", "admin")] == [
        *(True, True, False),
        *(False, False, False),
        *(True, True, False),
    ]
    assert tokens.find(made + "x") is None
    tokens.revoke("chat")
    assert tokens.find(made) is None


def test_what_makes_no_sense_is_refused(tokens: Tokens) -> None:
    tokens.create("one")
    for name, kbs, right, says in (
        ("one", ["*"], "read", "already"),
        ("a b", ["*"], "read", "no name"),
        ("two", ["a/b"], "read", "knowledge base"),
        ("two", ["*"], "raed", "read"),
    ):
        with pytest.raises(InputError, match=says):
            tokens.create(name, kbs, right)
    with pytest.raises(NotFoundError):
        tokens.revoke("two")
    assert [one.name for one in tokens.all()] == ["one"]
    tokens.file.write_text("{")
    with pytest.raises(ClewError, match="delete it"):
        Tokens(load_settings(_env_file=None, home=tokens.file.parent)).all()
