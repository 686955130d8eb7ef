"""What pages keep of a knowledge base until it is written to."""

from __future__ import annotations

from typing import cast

import pytest

from clew import KnowledgeBase
from clew.explore import look
from clew.ui.session import until_written


class _Base:
    name = "one"


def test_what_is_read_is_kept_until_someone_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []

    def kinds(base: KnowledgeBase, names: list[str], *, like: str = "") -> int:
        read.append((*names, like))
        return len(read)

    version = "1"
    monkeypatch.setattr(look, "version", lambda base: version)
    base, asked = cast("KnowledgeBase", _Base()), until_written(kinds)
    assert [asked(base, ["a"]), asked(base, ["a"]), asked(base, ["b"]), asked(base, ["b"], like="c")] == [1, 1, 2, 3]
    version = "2"
    assert asked(base, ["a"]) == 4
