"""Where the stages of an ingest run: here, or spread over the workers of a Ray cluster.

Extraction and encoding are functions of their items alone, and a ``Spread`` maps them. So there is one pipeline,
whatever does its work. Workers need neither Neo4j nor its password: everything is written by the one process that was
asked to ingest, and a worker that dies takes nothing along but its own task, which Ray runs again.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir, contextmanager
from functools import partial
from typing import Any, Protocol, TypeVar

from clew.errors import ClewError, ClusterError, InputError

A = TypeVar("A")
B = TypeVar("B")

LOCAL = "local"
"""The address that means: a Ray of its own on this machine, which ends with the ingest."""
AHEAD = 2
"""Items under way for each CPU of the cluster: one in work, one at hand."""
RETRIES = 10
"""How often an item is tried again whose worker died; one that kills every worker must end some time."""

_CONNECT_SECONDS = 5.0
_POLL = 0.2
_STARTS = 3  # Ray gives itself 30 seconds to start, which a busy machine does not always keep
_CLIENT = "ray://"
_CLIENT_PORT = 10001


class Spread(Protocol):
    """Maps a function over items, in order, and gives each result as soon as it and those before it are there.

    The function and the items may have to travel to other processes, and an item may be worked on more than once: the
    function must depend on nothing but its item. ``device`` is where it runs (cpu, cuda …).
    """

    def map(self, function: Callable[[A], B], items: Iterable[A], *, device: str = "cpu") -> Iterator[B]: ...

    def stop(self) -> None:
        """Let every ``map`` that waits end at once."""


class Here:
    """The spread of a single process: one item after another, in the thread that asks for it."""

    def map(self, function: Callable[[A], B], items: Iterable[A], *, device: str = "cpu") -> Iterator[B]:
        """``map``, and nothing else."""
        return map(function, items)

    def stop(self) -> None:
        """Nothing waits here."""


HERE = Here()


def timed(function: Callable[[A], B], item: A) -> tuple[B, float]:
    """``function(item)``, and the seconds it took where it ran."""
    started = time.perf_counter()
    result = function(item)
    return result, time.perf_counter() - started


class OnRay:
    """Spreads items over the tasks of a Ray cluster that is connected, ``AHEAD`` for each of its CPUs."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._stopped = threading.Event()

    def map(self, function: Callable[[A], B], items: Iterable[A], *, device: str = "cpu") -> Iterator[B]:
        """The results in the order of the items. What the function raises is raised here.

        Raises ClusterError where an item has killed its worker again and again, or the cluster is gone, and InputError
        where the function cannot travel.
        """
        import ray

        task = ray.remote(num_cpus=1, num_gpus=int(device.startswith("cuda")), max_retries=RETRIES)(_apply)
        stopped, sent = self._stopped, self._sent(function)
        under_way: deque[Any] = deque()
        incoming = iter(items)
        ended = False
        # What is under way when the caller stops is left to end by itself: ray.cancel of a task that is just completing
        # aborts the whole process (ray 2.60, "Tried to complete task that was not pending").
        while under_way or not ended:
            if ended or len(under_way) >= self._width() or (under_way and self._ready(under_way[0], 0)):
                yield self._result(under_way[0], stopped)
                under_way.popleft()
                continue
            try:
                under_way.append(task.remote(sent, next(incoming)))
            except StopIteration:
                ended = True

    def stop(self) -> None:
        """Let every ``map`` that waits end at once; those that begin later do not."""
        self._stopped.set()
        self._stopped = threading.Event()

    def _sent(self, function: Callable[[A], B]) -> Any:
        import ray

        try:
            return ray.put(function)
        except TypeError as error:
            inner = function.args[0] if isinstance(function, partial) and function.args else function
            raise InputError(
                f"{inner!r:.80} cannot travel to Ray's workers ({_line(error)}): ingest without --ray."
            ) from error

    def _width(self) -> int:
        import ray

        return AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))

    def _ready(self, reference: Any, seconds: float) -> bool:
        import ray

        return bool(ray.wait([reference], timeout=seconds)[0])

    def _result(self, reference: Any, stopped: threading.Event) -> Any:
        import ray
        from ray import exceptions

        while not self._ready(reference, _POLL):
            if stopped.is_set():
                raise ClusterError(f"The work on Ray at {self._address} was stopped: run the same command again.")
        try:
            return ray.get(reference)
        except exceptions.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, ClewError):
                raise cause from None
            reason = f"{type(cause).__name__}: {_line(cause)}"
            if isinstance(cause, ImportError):
                reason += "; install this version of Clew with its extra `ray` on every node"
            raise ClusterError(f"A worker of Ray at {self._address} failed ({reason}).") from error
        except (exceptions.RayError, ConnectionError) as error:
            raise ClusterError(
                f"Ray at {self._address} could not finish a task ({type(error).__name__}: {_line(error)}): "
                "see that its nodes are up and have memory, and run the same command again."
            ) from error


def _apply(function: Callable[[A], B], item: A) -> B:
    return function(item)


@contextmanager
def connected(address: str | None) -> Iterator[Spread]:
    """The spread that an address names: None for this process, ``local`` for a Ray on this machine, else a cluster's.

    A cluster is HOST:PORT or ``auto`` on one of its own machines, ``ray://HOST:10001`` from elsewhere. A Ray that the
    process is connected to already is used as it is. Raises ClusterError where it cannot be reached, InputError where
    Ray is not installed.
    """
    if not address:
        yield HERE
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError as error:
        raise InputError(
            "Ray is not installed: `pip install 'ray[data]'` (`make install-ray` in a checkout), or leave out --ray."
        ) from error
    if ray.is_initialized():
        yield OnRay(address)
        return
    _reach(address)
    _connect(address, _STARTS if address == LOCAL else 1)
    spread = OnRay(address)
    try:
        yield spread
    finally:
        spread.stop()
        ray.shutdown()


def _connect(address: str, attempts: int = 1) -> None:
    import logging
    import warnings

    import ray

    options: dict[str, Any] = {"include_dashboard": False} if address == LOCAL else {}
    if not address.startswith(_CLIENT):
        options |= {"log_to_driver": False, "logging_level": logging.ERROR}
    for name in ("ray", "ray.util.client_builder"):
        logging.getLogger(name).setLevel(logging.ERROR)
    ray._private.worker._worker_logs_enabled = False  # a worker's death would be reported on standard output
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Ray puts the current directory on the path of its workers.
            with chdir(os.path.abspath(os.sep)):  # noqa: PTH100
                ray.init(address, **options)
    except Exception as error:  # Ray raises all kinds, down to bare Exceptions
        ray.shutdown()
        if attempts > 1:
            return _connect(address, attempts - 1)
        why = f"{type(error).__name__}: {_line(error)}"
        if address != LOCAL and "RAY_AUTH_MODE" not in os.environ:
            why += "; one that wants tokens needs RAY_AUTH_MODE=token"
        raise _unreachable(address, why) from error


def _reach(address: str) -> None:
    """See that someone listens, because Ray itself waits for minutes where nobody does."""
    if address in {LOCAL, "auto"}:
        return
    host, _, port = address.removeprefix(_CLIENT).rpartition(":")
    if address.startswith(_CLIENT) and not host:
        host, port = port, str(_CLIENT_PORT)
    if not host or not port.isascii() or not port.isdigit():
        raise InputError(f"{address!r:.80} is no address of Ray: use local, auto, HOST:PORT or ray://HOST:10001.")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise _unreachable(address, getattr(error, "strerror", None) or _line(error)) from error


def _unreachable(address: str, why: str) -> ClusterError:
    return ClusterError(f"Ray at {address} cannot be reached ({why}): start it, correct --ray, or use --ray local.")


def _line(error: object) -> str:
    return " ".join(str(error).split())[:200].rstrip(".") or type(error).__name__
