"""OpenTelemetry spans of what takes time: an agent's run, its searches, Neo4j's statements, encoder and model.

They cost nothing until something in the process has set up a tracer provider: a program of its own that uses Clew, or
``export`` for ``clew serve``. Names are those of OpenTelemetry's conventions for generative AI and databases. No text
of a question, answer or document is in them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from clew.errors import SettingsError

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_OFF: AbstractContextManager[Any] = nullcontext()


def span(name: str, *, client: bool = False, **attributes: str | int) -> AbstractContextManager[Any]:
    """A span around a ``with`` block, or nothing; the block is given the span, or None.

    ``client`` says that another program does the work. In names of attributes ``__`` stands for a dot.
    """
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None or type(trace.get_tracer_provider()).__name__ == "ProxyTracerProvider":
        return _OFF
    return _span(trace, name, client, attributes)


@contextmanager
def _span(trace: Any, name: str, client: bool, attributes: dict[str, str | int]) -> Iterator[Any]:
    kind = trace.SpanKind.CLIENT if client else trace.SpanKind.INTERNAL
    quiet = {"record_exception": False, "set_status_on_exception": False}  # a message may quote what was asked
    with trace.get_tracer("clew").start_as_current_span(name, kind=kind, **quiet) as made:
        note(made, **attributes)
        try:
            yield made
        except BaseException as error:
            made.set_status(trace.StatusCode.ERROR)
            made.set_attribute("error.type", type(error).__qualname__)
            raise


def note(span: Any, **attributes: str | int) -> None:
    """Add to a span what is known only at its end; of None, nothing."""
    if span is not None:
        for name, value in attributes.items():
            span.set_attribute(name.replace("__", "."), value)


def export() -> None:
    """Send spans by OTLP to where OTEL_EXPORTER_OTLP_ENDPOINT says; without it nothing is imported.

    Raises SettingsError where the packages are missing.
    """
    if not any(os.environ.get(name) for name in _ENDPOINTS):
        return
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise SettingsError(
            f"OTEL_EXPORTER_OTLP_ENDPOINT asks for traces, which need {error.name}: run "
            "`pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http`, or unset it."
        ) from error
    if isinstance(trace.get_tracer_provider(), TracerProvider):
        return  # of this process already
    resource = Resource.create({"service.name": os.environ.get("OTEL_SERVICE_NAME") or "clew"})
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
