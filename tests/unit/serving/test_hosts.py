"""Whom a server answers, by the headers Host and Origin alone."""

from __future__ import annotations

import socket

import pytest
from starlette.datastructures import Headers

from clew.serving.hosts import foreign

HERE = "127.0.0.1"
ANY = "0.0.0.0"


@pytest.mark.parametrize(
    ("host", "origin", "listens", "names"),
    [
        ("127.0.0.1:8501", None, HERE, ()),
        ("localhost:8501", "http://localhost:8501", HERE, ()),
        ("[::1]:8501", "http://[::1]:8501", HERE, ()),
        ("clew.example.org", "https://clew.example.org", HERE, ("Clew.Example.org",)),
        ("clew.internal:8501", None, "clew.internal", ()),
        ("192.168.1.7:8501", "http://192.168.1.7:8501", ANY, ()),
        (f"{socket.gethostname()}:8501", None, ANY, ()),
    ],
)
def test_its_own_names_are_answered(host: str, origin: str | None, listens: str, names: tuple[str, ...]) -> None:
    headers = {"host": host} | ({"origin": origin} if origin else {})
    assert foreign(Headers(headers), listens, names) == ""


@pytest.mark.parametrize(
    ("host", "origin", "listens", "names"),
    [
        ("evil.example:8501", "http://evil.example:8501", HERE, ()),
        ("evil.example:8501", None, ANY, ()),
        ("127.0.0.1.evil.example", None, HERE, ()),
        ("192.168.1.7:8501", None, HERE, ()),
        ("0.0.0.0:8501", None, HERE, ()),
        ("", None, HERE, ()),
        ("127.0.0.1/_stcore/health?x=", None, HERE, ()),
        ("evil@127.0.0.1", None, HERE, ()),
        ("[::1", None, HERE, ()),
        ("127.0.0.1:8501", "http://evil.example", HERE, ()),
        ("127.0.0.1:8501", "http://127.0.0.1:3000", HERE, ()),
        ("127.0.0.1:8501", "null", HERE, ()),
        ("127.0.0.1:8501", "", HERE, ()),
        ("clew.example.org", "https://evil.example", HERE, ("clew.example.org",)),
        ("www.clew.example.org", None, HERE, ("clew.example.org",)),
    ],
)
def test_no_other_name_and_no_other_page_is(
    host: str, origin: str | None, listens: str, names: tuple[str, ...]
) -> None:
    headers = {"host": host} | ({} if origin is None else {"origin": origin})
    assert foreign(Headers(headers), listens, names)
