"""Opening the Neo4j driver, and turning what it raises into errors that say what to do next."""

from __future__ import annotations

import logging
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from clew.database.quick_import import import_neo4j
from clew.errors import DatabaseError, SettingsError, StoreFailedError

if TYPE_CHECKING:
    from pathlib import Path

    import neo4j

OLDEST = (2026, 1)
"""The first version with SEARCH, the filtered vector search that retrieval stands on."""

_AURA = re.compile(r"Neo4j/\d+\.\d+(\.\d+)?-aura")
"""What Aura calls itself: always the newest version, behind a number that does not change."""

LOGIN_SECONDS = 15.0
"""How long a connection may take, login included: some programs that are not Neo4j never answer."""

RETRY_SECONDS = 10.0
"""How long a transaction is tried again after a transient failure."""

_STORE_FAILED = ("TransactionLogError", "TransactionCommitFailed", "TransactionStartFailed")
"""What Neo4j answers once it could not write to its disk, until it is started again."""

_BROKEN = (
    (r"refused", "connection refused"),
    (r"cannot resolve|name or service|nodename|getaddrinfo|name resolution", "its host is unknown"),
    (r"SSLCertVerification", "its certificate is not trusted: name who signed it in CLEW_NEO4J_CA"),
    (r"routing information", "it gives no routing information: use bolt:// for a single server"),
    (r"\[SSL", "it does not use encryption: leave out +s or +ssc"),
    (r"defunct|closed|reset", "the connection broke"),
    (r"timed? ?out", "no answer in time"),
)
"""What the driver says, as a person would."""

_ADDRESS = re.compile(r"(bolt|neo4j)(\+s|\+ssc)?://[^/\s]+/?")


@dataclass(frozen=True, slots=True)
class Server:
    """A Neo4j server and who logs in to it.

    ``managed`` is true for one that Clew started; only then are ``pid``, ``started`` (seconds since the epoch),
    ``home`` and ``password_file`` known. ``version`` is empty until someone has asked the server. ``ca`` is a PEM file
    of the authority that must have signed the server's certificate, in place of those that the system trusts.
    """

    uri: str
    username: str
    password: str = field(repr=False)
    managed: bool = False
    browser_url: str | None = None
    version: str = ""
    pid: int | None = None
    started: float | None = None
    home: Path | None = None
    password_file: Path | None = None
    ca: Path | None = None

    def database(self, named: str | None) -> str | None:
        """The database that is meant where a person has ``named`` one or none; None for the server's own choice."""
        return named or ("neo4j" if self.managed else None)


def open_driver(server: Server, *, timeout: float = LOGIN_SECONDS) -> tuple[neo4j.Driver, str]:
    """Connect, log in and check the version; the driver, and the server's version such as ``2026.09.0``.

    ``timeout`` bounds the seconds that each new connection takes.
    Raises SettingsError for an address or a file of certificates that is none, and DatabaseError where the server
    cannot be reached, refuses the password, is too old, or is not Neo4j.
    """
    import_neo4j()
    from neo4j import GraphDatabase

    _silence()
    if not _ADDRESS.fullmatch(server.uri):
        raise _no_address(server.uri)
    uri, encryption = _encryption(server)
    with explained(server, also=(OSError, ValueError)):
        driver = GraphDatabase.driver(
            uri,
            **encryption,
            auth=(server.username, server.password),
            connection_timeout=min(timeout, LOGIN_SECONDS),
            connection_acquisition_timeout=min(timeout, LOGIN_SECONDS),
            max_transaction_retry_time=RETRY_SECONDS,
            notifications_min_severity="OFF",
            telemetry_disabled=True,
        )
        try:
            version = check_version(driver.get_server_info().agent, without_secrets(server.uri))
        except BaseException:
            driver.close()
            raise
    return driver, version


def _encryption(server: Server) -> tuple[str, dict[str, Any]]:
    """The address and the options with which the driver trusts ``server.ca`` alone; +s would mean the system's."""
    from neo4j import TrustCustomCAs

    if server.ca is None:
        return server.uri, {}
    try:
        ssl.create_default_context(cafile=str(server.ca))
    except OSError as error:  # ssl.SSLError is one
        raise SettingsError(
            f"CLEW_NEO4J_CA={server.ca} holds no certificates ({error.strerror or _line(error)}): name a PEM file."
        ) from error
    uri = re.sub(r"\A(bolt|neo4j)\+s(sc)?://", r"\1://", server.uri)
    return uri, {"encrypted": True, "trusted_certificates": TrustCustomCAs(str(server.ca))}


def _silence() -> None:
    """Keep the driver's log off standard error: what went wrong is raised. Handlers of an application still get it."""
    logger = logging.getLogger("neo4j")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())


def check_version(agent: str, uri: str) -> str:
    """The version in a server's ``agent`` (``Neo4j/2026.09.0``).

    Raises DatabaseError where the agent is not Neo4j, or is older than 2026.01; Aura never is.
    """
    match = re.match(r"Neo4j/(\d+)\.(\d+)", agent)
    if match is None:
        raise DatabaseError(f"The server at {uri} is not Neo4j (it calls itself {agent[:60]!r}): change NEO4J_URI.")
    if (int(match[1]), int(match[2])) < OLDEST and not _AURA.fullmatch(agent):
        raise _too_old(uri, agent[:60])
    return agent.removeprefix("Neo4j/")


@contextmanager
def explained(
    server: Server, *, doing: str = "", timeout: float = 0.0, also: tuple[type[Exception], ...] = ()
) -> Iterator[None]:
    """Let the driver's exceptions, and those of ``also``, leave as Clew's; ``doing`` names the statement that ran."""
    from neo4j.exceptions import DriverError, Neo4jError

    expected: tuple[type[Exception], ...] = (DriverError, Neo4jError, *also)
    try:
        yield
    except expected as error:
        raise _explain(error, server, doing, timeout) from error


def _explain(error: Exception, server: Server, doing: str, timeout: float) -> DatabaseError | SettingsError:
    from neo4j import exceptions

    uri = without_secrets(server.uri)
    what = f" in {doing}" if doing else ""
    match error:
        case exceptions.Neo4jError() if any(name in (error.code or "") for name in _STORE_FAILED):
            return StoreFailedError(
                f"Neo4j cannot write its files{what}, likely on a full disk: free some space, "
                f"{'run `clew up`' if server.password_file else 'restart it'}, run it again."
            )
        case exceptions.Neo4jError():
            return DatabaseError(_server_says(error, server, uri, what, timeout))
        case exceptions.UnsupportedServerProduct():
            return DatabaseError(f"The server at {uri} is not a Neo4j that Clew can talk to: change NEO4J_URI.")
        case exceptions.ConfigurationError() if "Bolt Protocol" in str(error):
            return _too_old(uri, "a Neo4j of before 5.7")
        case exceptions.ConfigurationError() | ValueError() if not doing:
            return _no_address(server.uri)
        case exceptions.DriverError() if "Driver closed" in str(error):
            return DatabaseError(f"The connection to Neo4j at {uri} was closed by this program{what}: open it again.")
        case exceptions.ServiceUnavailable() | exceptions.SessionExpired() | exceptions.DriverError() | OSError():
            return DatabaseError(_unreachable(error, server, uri, what))
    return DatabaseError(f"A value cannot be sent to Neo4j{what}: {_line(error)}.")


def _too_old(uri: str, found: str) -> DatabaseError:
    return DatabaseError(
        f"The server at {uri} runs {found}, and Clew needs Neo4j 2026.01 or newer (for vector SEARCH): "
        f"upgrade it, or leave NEO4J_URI empty to use a server of Clew's own."
    )


def _no_address(uri: str) -> SettingsError:
    return SettingsError(
        f"NEO4J_URI={without_secrets(uri)} is not an address of Neo4j: use bolt://HOST:7687, neo4j://HOST:7687 for a "
        "cluster, or neo4j+s://HOST for Aura."
    )


def _unreachable(error: Exception, server: Server, uri: str, what: str) -> str:
    reason = _line(error)
    if _took_too_long(error):
        reason = "timed out"
    elif re.search(r"handshake|not speak|HTTP|unexpected|incomplete|protocol", reason, re.IGNORECASE):
        return f"What answers at {uri} does not speak Neo4j's Bolt protocol: check the port in NEO4J_URI."
    reason = next((plain for pattern, plain in _BROKEN if re.search(pattern, reason, re.IGNORECASE)), reason)
    if server.password_file is not None:
        return f"Clew's own Neo4j at {uri} does not answer{what} ({reason}): run `clew down`, then `clew up`."
    return f"Neo4j at {uri} cannot be reached{what} ({reason}): start it, or correct NEO4J_URI."


def _took_too_long(error: BaseException | None) -> bool:
    """Whether nothing was heard in time, whatever was being waited for."""
    while error is not None:
        if isinstance(error, TimeoutError) or re.search(r"timed? ?out", str(error), re.IGNORECASE):
            return True
        error = error.__cause__ or error.__context__
    return False


_FAULTS = (
    ("DatabaseNotFound", "Neo4j at {uri} has no such database ({message}): correct NEO4J_DATABASE."),
    (
        "TransactionTimedOut|LockClientStopped",  # the latter where it waited for another's lock
        "Neo4j took longer than {timeout:g} s{what}: ask for less, or raise CLEW_NEO4J_TIMEOUT.",
    ),
    (
        "OutOfMemory|MemoryLimit",
        "Neo4j ran out of memory{what} ({message}): ask for less at once, or give the server more memory.",
    ),
    (
        "ReadOnly|NotALeader",
        "Neo4j at {uri} is read-only{what} ({message}): connect to a server that accepts writes, a cluster by neo4j://.",
    ),
    (
        "Statement.SyntaxError",
        "Neo4j at {uri} does not understand the statement{what} ({message}): this version is not supported.",
    ),
    (
        "ConstraintValidationFailed",
        "A constraint refused what was written{what} ({message}): run it again; Clew leaves off a label on which "
        "another tool has made a constraint meanwhile.",
    ),
    (
        "DatabaseUnavailable",
        "The database at {uri} is not available{what} ({message}): wait until it has started, or see its log.",
    ),
)
"""What is said of the codes of Neo4j's errors, and what helps."""


def _server_says(error: neo4j.exceptions.Neo4jError, server: Server, uri: str, what: str, timeout: float) -> str:
    code = error.code or ""
    message = _line(error.message or error)
    if "Security.AuthenticationRateLimit" in code:
        return f"Neo4j at {uri} had too many wrong passwords and wants a pause: wait 5 seconds, then try again."
    if ".Security." in code:
        if server.password_file is not None:
            return f"Clew's own Neo4j at {uri} refuses the password in {server.password_file}: put the right one there."
        return f"Neo4j at {uri} refuses user {server.username!r} ({message}): set NEO4J_USERNAME and NEO4J_PASSWORD."
    for pattern, says in _FAULTS:
        if re.search(pattern, code) or (pattern == "DatabaseNotFound" and pattern in message):
            return says.format(uri=uri, message=message, what=what, timeout=timeout)
    if error.is_retryable():
        return f"Neo4j at {uri} stayed busy{what} ({message}): try again."
    return f"Neo4j at {uri} failed{what} ({code}: {message}): see the server's log."


def without_secrets(uri: str) -> str:
    """The address without user and password: what is shown and logged."""
    return re.sub(r"//.*@", "//", uri)


def _line(error: object) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text[:200].rstrip(".")
