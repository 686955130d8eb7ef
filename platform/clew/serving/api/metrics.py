"""What Prometheus reads at ``/metrics``. With several workers, each adds its part to files in a folder they share."""

from __future__ import annotations

import os

from prometheus_client import REGISTRY as OWN
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the folder, read by prometheus_client when it is imported."""
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)

REQUESTS = Counter("clew_requests", "Requests that were answered", ("route", "method", "status"))
LATENCY = Histogram("clew_request_seconds", "Seconds until a request was answered", ("route",), buckets=_SECONDS)
UNDER_WAY = Gauge("clew_requests_under_way", "Requests that are worked on", multiprocess_mode="livesum")
QUERIES = Counter("clew_queries", "Queries that were looked up", ("strategy",))
ANSWERS = Counter("clew_answers", "Questions that were answered", ("policy", "verdict"))
TOKENS = Counter("clew_model_tokens", "Tokens that a language model read and wrote", ("kind",))


def exposed() -> bytes:
    """All of them, in Prometheus's text format."""
    if not os.environ.get(FOLDER):
        return generate_latest(OWN)
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
