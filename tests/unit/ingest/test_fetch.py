"""Addresses: what a real HTTP server can answer, and which addresses a server of ours may not be sent to."""

from __future__ import annotations

import gzip
import ipaddress
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from clew.ingest.fetch import without_secrets
from clew.ingest.load import load
from clew.ingest.special_addresses import SPECIAL, is_public
from clew.settings import Settings, load_settings
from clew.types import Document, Skipped

PAGE = b"<html><title>Alda</title><p>The light of Alda was built in 1871.</p></html>"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

PAGES: dict[str, tuple[str, bytes]] = {
    "/": ("text/html; charset=utf-8", PAGE),
    "/latin": ("text/plain; charset=iso-8859-1", "Zoë.".encode("latin-1")),
    "/notes.md": ("text/plain", b"# Notes\n\nText."),
    "/corpus.jsonl": ("application/octet-stream", b'{"text": "One."}\n{"text": "Two."}\n'),
    "/untold": ("", b"Only text."),
    "/photo": ("image/gif", b"GIF89a"),
    "/photo.txt": ("text/plain", b"GIF89a\r\n\x1a\n\x00\x00"),
    "/not.docx": (DOCX, b"<html>Please log in</html>"),
    "/empty": ("text/plain", b""),
    "/large": ("text/plain", b"x" * 200_000),
}


class Handler(BaseHTTPRequestHandler):
    """Answers by path."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path in PAGES:
            media_type, body = PAGES[path]
            self.answer(200, body, {"Content-Type": media_type} if media_type else {})
        elif path.startswith("/redirect/"):
            left = int(path.removeprefix("/redirect/"))
            self.answer(302, b"", {"Location": f"/redirect/{left - 1}" if left else "/"})
        elif path == "/to-file":
            self.answer(302, b"", {"Location": "file:///etc/passwd"})
        elif path == "/bomb":
            self.answer(
                200, gzip.compress(bytes(20_000_000)), {"Content-Encoding": "gzip", "Content-Type": "text/plain"}
            )
        elif path == "/brotli":
            self.answer(200, b"x", {"Content-Encoding": "br", "Content-Type": "text/plain"})
        elif path == "/endless":
            self.send_response(200)
            self.send_header("Content-Type", "text/plain")
            self.end_headers()
            with suppress(OSError):
                while True:
                    self.wfile.write(b"x" * 10_000)
        elif path == "/slow":
            time.sleep(1.5)
        elif path == "/drip":
            self.send_response(200)
            self.send_header("Content-Type", "text/plain")
            self.end_headers()
            with suppress(OSError):
                while True:
                    self.wfile.write(b"x")
                    time.sleep(0.1)
        else:
            self.answer(404, b"", {})

    def answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test's output clean."""


class Server(ThreadingHTTPServer):
    """A server that does not mind when a client has read enough."""

    def handle_error(self, request: object, client_address: object) -> None:
        error = sys.exception()
        assert isinstance(error, OSError), error


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    httpd = Server(("127.0.0.1", 0), Handler)
    Thread(target=httpd.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{httpd.server_port}"
    httpd.shutdown()
    httpd.server_close()


@pytest.fixture
def settings() -> Settings:
    return load_settings(max_file_mb=0.1)


@pytest.mark.parametrize(
    ("path", "title", "text", "media_type"),
    [
        ("/", "Alda", "The light of Alda was built in 1871.", "text/html"),
        ("/redirect/4", "Alda", "The light of Alda was built in 1871.", "text/html"),
        ("/latin", "latin", "Zoë.", "text/plain"),
        ("/notes.md?x=1", "Notes", "Notes\n\nText.", "text/markdown"),
        ("/untold", "untold", "Only text.", "text/plain"),
    ],
)
def test_pages(server: str, settings: Settings, path: str, title: str, text: str, media_type: str) -> None:
    (document,) = load([f"http://{server}{path}"], kb="k", settings=settings)
    assert isinstance(document, Document), document
    assert (document.title, document.text, document.media_type) == (title, text, media_type)
    assert document.source == f"http://{server}{path}"


def test_corpus(server: str, settings: Settings) -> None:
    found = list(load([f"http://{server}/corpus.jsonl"], kb="k", settings=settings))
    assert [getattr(d, "text", "") for d in found] == ["One.", "Two."]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/missing", "The server answered 404 Not Found; there is no such page."),
        ("/redirect/5", "It redirects more than 5 times."),
        ("/to-file", "It redirects to an address that is not http(s) but file."),
        ("/large", "It is larger than 0.1 MB (CLEW_MAX_FILE_MB)."),
        ("/bomb", "It is larger than 0.1 MB (CLEW_MAX_FILE_MB)."),
        ("/endless", "It is larger than 0.1 MB (CLEW_MAX_FILE_MB)."),
        ("/brotli", "The server packed it in a way that was not asked for (br)."),
        ("/slow", "No answer within 0.4 seconds (CLEW_FETCH_TIMEOUT)."),
        ("/drip", "The server sends it too slowly (CLEW_FETCH_TIMEOUT)."),
        ("/photo.txt", "It is a binary file (an image or recording), not text."),
        ("/not.docx", "It is not a Word document, whatever its name says."),
        ("/empty", "It is empty."),
    ],
)
def test_what_cannot_be_read(server: str, settings: Settings, path: str, reason: str) -> None:
    if "CLEW_FETCH_TIMEOUT" in reason:
        settings = settings.model_copy(update={"fetch_timeout": 0.4})
    (skipped,) = load([f"http://{server}{path}"], kb="k", settings=settings)
    assert isinstance(skipped, Skipped)
    assert skipped.reason == reason


def test_other_failures(server: str, settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    expected = {
        f"http://{server}/photo": "type image/gif",
        f"http://127.0.0.1:{port}/": "refuses the connection",
        "http://no-such-host.invalid/": "no host of that name",
        "http://[::1/": "not valid",
        "http://": "not valid",
        "https://" + server: "cannot be fetched",
    }
    for item, reason in zip(load(list(expected), kb="k", settings=settings), expected.values(), strict=True):
        assert isinstance(item, Skipped)
        assert reason in item.reason
        assert "\n" not in item.reason


def test_passwords_are_not_kept(server: str, settings: Settings) -> None:
    (document,) = load([f"http://eve:sesame@{server}/#part"], kb="k", settings=settings)
    assert isinstance(document, Document)
    assert document.source == f"http://{server}/"
    assert without_secrets("https://a:b@[::1]:8/x?y=1#z") == "https://[::1]:8/x?y=1"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433"])
def test_a_server_does_not_fetch_from_its_own_network(server: str, settings: Settings, host: str) -> None:
    address = f"http://{host}:{server.rpartition(':')[2]}/"
    (skipped,) = load([address], kb="k", settings=settings, allow_private=False)
    assert isinstance(skipped, Skipped)
    assert "private network" in skipped.reason


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("168.63.129.15", True),
        ("192.0.1.0", True),
        ("64:ff9b::5db8:d822", True),
        ("168.63.129.16", False),
        ("192.0.0.1", False),
        ("192.0.0.192", False),
        ("192.88.99.1", False),
        ("fec0::1", False),
        ("64:ff9b::c000:1", False),
        ("::7f00:1", False),
        ("4000::1", False),
        ("2001:0:c000:1::1", False),
        ("2002:5db8:d822::1", False),
        ("10.1.2.3", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("224.0.0.1", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("64:ff9b::a9fe:a9fe", False),
        ("2002:7f00:1::", False),
        ("::ffff:93.184.216.34", True),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert is_public(address) is public


@pytest.mark.parametrize("network", SPECIAL)
def test_both_ends_of_every_special_range_are_refused_and_so_is_a_name_that_means_one(
    network: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = [str(ipaddress.ip_network(network)[0]), str(ipaddress.ip_network(network)[-1])]
    assert not any(map(is_public, ends))

    def resolve(host: str, port: int | None, **_: object) -> list[tuple[object, ...]]:
        return [(None, None, 0, "", (end, port)) for end in ["93.184.216.34", *ends]]

    def connect(*_: object, **__: object) -> None:
        raise AssertionError("It was about to be sent.")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "create_connection", connect)
    (skipped,) = load(["http://documents.example/"], kb="k", settings=settings, allow_private=False)
    assert isinstance(skipped, Skipped)
    assert "private network" in skipped.reason


def test_what_was_checked_is_what_is_asked_whatever_the_name_means_by_then(
    server: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    port = int(server.rpartition(":")[2])

    def resolve(host: str, *_: object, **__: object) -> list[tuple[object, ...]]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    # Loopback stands for the public address, so that nothing leaves this machine.
    monkeypatch.setattr("clew.ingest.fetch.is_public", lambda address: address == "127.0.0.1")
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    (document,) = load([f"http://documents.example:{port}/"], kb="k", settings=settings, allow_private=False)
    assert isinstance(document, Document)
    assert asked[0] == "documents.example"
    assert set(asked[1:]) <= {"127.0.0.1"}
