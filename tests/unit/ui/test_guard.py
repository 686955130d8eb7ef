"""The login that stands before the app, on the app itself over HTTP, and its rules on a clock of the test's own."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from clew.errors import SettingsError
from clew.serving.app import run_app
from clew.settings import load_settings
from clew.ui.guard import COOKIE, FREE_TRIES, LONGEST_WAIT, SESSION_SECONDS, Logins
from tests.browser.running import running_app

PASSWORD = "open sésame"
PAGE = {"Accept": "text/html"}
UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the app runs and writes its log."""
    return tmp_path_factory.mktemp("guarded")


@pytest.fixture(scope="module")
def app(folder: Path) -> Iterator[str]:
    """The address of an app with a password; it has no database, which no test here needs."""
    variables = {"NEO4J_URI": "bolt://127.0.0.1:1", "NEO4J_PASSWORD": "unused", "CLEW_UI_PASSWORD": PASSWORD}
    own = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with running_app(own, folder, **variables) as address:
        yield address


@pytest.fixture(scope="module")
def personal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an app that asks for no password, and is also known as ``clew.example.org``."""
    variables = {"NEO4J_URI": "bolt://127.0.0.1:1", "NEO4J_PASSWORD": "unused", "CLEW_UI_HOSTS": "clew.example.org"}
    own = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with running_app(own, tmp_path_factory.mktemp("personal"), **variables) as address:
        yield address


@pytest.fixture
def browser(app: str) -> Iterator[httpx.Client]:
    """A client that keeps cookies, as a browser does."""
    with httpx.Client(base_url=app, trust_env=False, timeout=60) as client:
        yield client


def test_nothing_reaches_the_app_before_the_login(browser: httpx.Client) -> None:
    page = browser.get("/documents?kb=notes", headers=PAGE)
    assert page.status_code == 401
    assert "Password" in page.text
    assert "/documents?kb=notes" in page.text
    assert "streamlit" not in page.text.lower()
    assert browser.get("/_stcore/stream", headers=UPGRADE).status_code == 403
    assert browser.put("/_stcore/upload_file/session/file", content=b"x" * 100_000).status_code == 401
    for path in ("/_stcore/host-config", "/static/index.html", "/media/x", "/_stcore/metrics", "/login/../media/x"):
        assert browser.get(path).status_code == 401, path
    assert browser.get("/_stcore/health").status_code == 200


REBOUND = [
    {"Host": "evil.example"},
    {"Host": "evil.example", "Origin": "http://evil.example"},
    {"Host": "127.0.0.1/_stcore/health?x="},
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
]


@pytest.mark.parametrize("headers", REBOUND, ids=str)
def test_a_page_of_a_stranger_reaches_nothing(personal: str, app: str, headers: dict[str, str]) -> None:
    for address in (personal, app):
        with httpx.Client(base_url=address, trust_env=False, timeout=60) as http:
            for path in ("/", "/_stcore/health", "/static/index.html", "/_stcore/host-config"):
                assert http.get(path, headers=PAGE | headers).status_code == 403, path
            assert http.get("/_stcore/stream", headers=UPGRADE | headers).status_code == 403
            assert http.put("/_stcore/upload_file/s/f", content=b"x", headers=headers).status_code == 403


def test_its_own_page_and_that_behind_the_proxy_reach_it(personal: str) -> None:
    own = {"Origin": personal}
    proxied = {"Host": "clew.example.org", "Origin": "https://clew.example.org"}
    for headers in ({}, own, proxied):
        with httpx.Client(base_url=personal, trust_env=False, timeout=60) as http:
            assert "<title>Streamlit" in http.get("/", headers=PAGE | headers).text
            with http.stream("GET", "/_stcore/stream", headers=UPGRADE | headers) as answer:
                assert answer.status_code == 101


def test_every_answer_forbids_framing_sniffing_and_what_is_foreign(browser: httpx.Client) -> None:
    for path in ("/", "/_stcore/health", "/nothing/here"):
        headers = browser.get(path, headers=PAGE).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "SAMEORIGIN"
        policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
        assert policy["frame-ancestors"] == policy["base-uri"] == policy["default-src"] == "'self'"
        assert "http" not in headers["Content-Security-Policy"]


def test_guesses_are_counted_slowed_and_logged(browser: httpx.Client, folder: Path) -> None:
    for _ in range(FREE_TRIES):
        assert "not the password" in browser.post("/login", data={"password": "guess"}).text
    refused = browser.post("/login", data={"password": PASSWORD})
    assert (refused.status_code, COOKIE in browser.cookies) == (429, False)
    assert int(refused.headers["Retry-After"]) >= 1
    (log,) = folder.glob("*.log")
    assert f"wrong password from 127.0.0.1, {FREE_TRIES} in a row" in log.read_text()
    assert "guess" not in log.read_text().replace("guessed", "")
    time.sleep(1.5)
    assert browser.post("/login", content=b"password=" + b"x" * 10_000).status_code == 413
    entered = browser.post("/login", data={"password": PASSWORD, "to": "//evil.invalid/"})
    assert (entered.status_code, entered.headers["Location"]) == (303, "/")
    assert "HttpOnly" in entered.headers["Set-Cookie"]
    assert "SameSite=strict" in entered.headers["Set-Cookie"]
    page = browser.get("/", headers=PAGE)
    assert (page.status_code, "<title>Streamlit" in page.text) == (200, True)
    assert "frame-ancestors 'self'" in page.headers["Content-Security-Policy"]
    assert browser.put("/_stcore/upload_file/session/file", content=b"x").status_code != 401


class Clock:
    """A clock that goes when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_login_ends_when_it_is_not_used() -> None:
    clock = Clock()
    logins = Logins("word", clock)
    token = logins.enter("word", "1.2.3.4")
    clock.now = SESSION_SECONDS - 1
    assert logins.inside(token)
    clock.now = 2 * SESSION_SECONDS - 2
    assert logins.inside(token)
    clock.now += SESSION_SECONDS + 1
    assert not logins.inside(token)
    assert not any(map(logins.inside, (token, None, "", "made-up")))


def test_each_further_guess_waits_longer_and_other_addresses_do_not() -> None:
    clock = Clock()
    logins = Logins("word", clock)
    waits = []
    for _ in range(FREE_TRIES + 12):
        assert logins.enter("wrong", "1.2.3.4") is None
        waits.append(logins.wait("1.2.3.4"))
        clock.now += waits[-1]
    assert waits[: FREE_TRIES - 1] == [0.0] * (FREE_TRIES - 1)
    assert waits[FREE_TRIES - 1 :][:4] == [1.0, 2.0, 4.0, 8.0]
    assert waits[-1] == LONGEST_WAIT
    assert logins.wait("5.6.7.8") == 0
    assert logins.enter("word", "1.2.3.4")
    assert logins.wait("1.2.3.4") == 0


def test_what_is_kept_of_strangers_is_bounded() -> None:
    logins = Logins("word", Clock())
    for number in range(3000):
        logins.enter("wrong", f"10.0.{number // 250}.{number % 250}")
        logins.enter("word", "127.0.0.1")
    assert len(logins.failures) == len(logins.sessions) == 1000


def test_options_of_streamlit_that_lie_in_the_folder_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "config.toml").write_text("[server]\nenableXsrfProtection = false\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SettingsError, match="start the app from another folder"):
        run_app(load_settings(_env_file=None), "127.0.0.1", 0)
