"""Addresses of Neo4j: routed or direct, encrypted or not, on a real server behind a real certificate."""

from __future__ import annotations

import datetime
import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from clew.database.connection import Database, Tx
from clew.database.driver import Server, check_version, open_driver
from clew.errors import DatabaseError, SettingsError
from clew.knowledge_base import KnowledgeBase
from clew.settings import Settings, load_settings
from tests.integration.graphs import add, cities, graph, same


@dataclass(frozen=True)
class Encrypted:
    """Where the tests' Neo4j is to be had by TLS, and the certificate of who signed for it."""

    port: int
    ca: Path


def _certificate(folder: Path) -> Path:
    """A self-signed certificate for 127.0.0.1 with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Clew's tests")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=5))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "ca.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return folder / "ca.pem"


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@pytest.fixture(scope="module")
def encrypted(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Encrypted]:
    """TLS in front of the tests' Neo4j, with a certificate that no authority has signed."""
    folder = tmp_path_factory.mktemp("tls")
    ca = _certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(ca, folder / "key.pem")
    there = urlsplit(database.server.uri)

    def serve(listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                threading.Thread(target=connect, args=(client,), daemon=True).start()

    def connect(client: socket.socket) -> None:
        with suppress(OSError):
            inside = socket.create_connection((there.hostname or "127.0.0.1", there.port or 7687))
            outside = context.wrap_socket(client, server_side=True)
            threading.Thread(target=_pump, args=(inside, outside), daemon=True).start()
            _pump(outside, inside)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=serve, args=(listening,), daemon=True).start()
        yield Encrypted(listening.getsockname()[1], ca)


def _at(uri: str, database: Database, **more: object) -> Settings:
    server = database.server
    return load_settings(
        _env_file=None, neo4j_uri=uri, neo4j_username=server.username, neo4j_password=server.password, **more
    )


def _routed(database: Database) -> str:
    return database.server.uri.replace("bolt://", "neo4j://")


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_reads_are_sent_as_reads(scheme: str, database: Database, kb_name: str) -> None:
    """A server refuses to write in what was sent as a read, so a cluster may send it to a replica."""
    row: dict[str, object] = {"kb": kb_name, "embedder": "none", "dimensions": 3, "precision": "f32"}
    with Database.open(_at(_routed(database).replace("neo4j://", f"{scheme}://"), database)) as opened:
        with pytest.raises(DatabaseError, match=r"kb/create .*AccessMode.*read access mode"):
            opened.read("kb/create", **row)
        opened.write("kb/create", **row)
        assert opened.read("kb/get", kb=kb_name) == [{"embedder": "none", "dimensions": 3, "version": None}]


def test_a_routed_address_gives_the_same_graph_and_answers(kb: KnowledgeBase, database: Database) -> None:
    add(kb, *cities(kb))
    expected = graph(kb)
    found = kb.retrieve(["Which city is larger than Albany?"], strategy="chunks")
    kb.delete_documents(*(one.id for one in cities(kb)))
    with KnowledgeBase.open(kb.name, settings=_at(_routed(database), database)) as routed:
        routed.__dict__["embedder"] = kb.embedder
        add(routed, *cities(kb))
        same(expected, graph(routed))
        again = routed.retrieve(["Which city is larger than Albany?"], strategy="chunks")
    assert [p.id for p in again[0].passages] == [p.id for p in found[0].passages] != []


def test_a_reader_waits_for_what_it_has_written(database: Database, kb_name: str) -> None:
    """Every write gives a bookmark, which the next read carries to whichever server it comes to."""
    with Database.open(_at(_routed(database), database)) as opened:

        def bookmarks() -> frozenset[str]:
            return frozenset(opened._driver.execute_query_bookmark_manager.get_bookmarks())

        def create(tx: Tx) -> None:
            tx.run("kb/create", kb=kb_name, embedder="none", dimensions=3, precision="f32")

        before = bookmarks()
        opened.transaction(create)
        written = bookmarks()
        assert written != before
        assert opened.read("kb/get", kb=kb_name)
        opened.write("kb/delete", kb=kb_name)
        assert bookmarks() != written


@pytest.mark.parametrize(
    ("scheme", "trusts"),
    [("bolt+ssc", False), ("bolt", True), ("bolt+s", True), ("bolt+ssc", True)],
    ids=["any certificate", "the CA", "the CA instead of the system's", "the CA instead of any"],
)
def test_a_certificate_of_ones_own(scheme: str, trusts: bool, encrypted: Encrypted, database: Database) -> None:
    settings = _at(f"{scheme}://127.0.0.1:{encrypted.port}", database, neo4j_ca=encrypted.ca if trusts else None)
    with Database.open(settings) as opened:
        assert opened.read("schema/ping")
        assert opened.server.version == database.server.version


def test_a_certificate_that_nobody_vouches_for(encrypted: Encrypted, database: Database, tmp_path: Path) -> None:
    for more in ({}, {"neo4j_ca": _certificate(tmp_path)}):
        settings = _at(f"bolt+s://127.0.0.1:{encrypted.port}", database, **more)
        with pytest.raises(DatabaseError, match="certificate is not trusted: name who signed it in CLEW_NEO4J_CA"):
            Database.open(settings)


def test_a_file_without_certificates(database: Database, tmp_path: Path) -> None:
    (tmp_path / "empty.pem").write_text("nothing")
    for name in ("empty.pem", "nowhere.pem"):
        with pytest.raises(SettingsError, match=rf"CLEW_NEO4J_CA=.*{name} holds no certificates .*name a PEM file"):
            Database.open(_at("bolt+s://127.0.0.1:1", database, neo4j_ca=tmp_path / name))


@pytest.mark.parametrize("scheme", ["bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc"])
def test_every_scheme_is_an_address(scheme: str) -> None:
    """Each gets as far as finding nobody there."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        uri = f"{scheme}://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(DatabaseError, match=r"cannot be reached \(.*correct NEO4J_URI"):
            open_driver(Server(uri, "neo4j", "secret"), timeout=5)


def test_aura_is_never_too_old() -> None:
    assert check_version("Neo4j/5.27-aura", "neo4j+s://x") == "5.27-aura"
    with pytest.raises(DatabaseError, match="needs Neo4j 2026"):
        check_version("Neo4j/5.27.0", "neo4j+s://x")
