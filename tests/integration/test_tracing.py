"""Spans, with OpenTelemetry's own SDK and its exporter in memory; and what there is without it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from clew import tracing
from clew.errors import InputError, SettingsError
from clew.knowledge_base import KnowledgeBase
from clew.testing import ModelServer


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    provider = TracerProvider()
    exporter = InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    yield exporter
    provider.shutdown()


def test_a_question_is_one_trace(encyclopaedia: KnowledgeBase, exporter: InMemorySpanExporter) -> None:
    with ModelServer() as model:
        settings = encyclopaedia.settings.model_copy(
            update={"llm_base_url": model.base_url, "llm_model": model.model, "llm_retries": 0}
        )
        base = KnowledgeBase(encyclopaedia.name, encyclopaedia.database, settings)
        list(base.stream("Who designed the Elleray Observatory?", policy="llm"))
    spans: dict[str, Any] = {span.name: span for span in exporter.get_finished_spans()}
    run = spans["invoke_agent clew"]
    inside = [
        "execute_tool search",
        "walk",
        "retrieve/seeds",
        f"embeddings {base.embedder.name}",
        f"chat {model.model}",
    ]
    assert {spans[name].context.trace_id for name in inside} == {run.context.trace_id}
    assert spans["walk"].parent.span_id == spans["execute_tool search"].context.span_id
    assert run.attributes["gen_ai.data_source.id"] == base.name
    assert spans[f"chat {model.model}"].attributes["gen_ai.usage.output_tokens"] > 0
    told = str([dict(span.attributes or {}) for span in exporter.get_finished_spans()])
    assert "Elleray" not in told, "nothing that was asked"


def test_what_failed_says_why(exporter: InMemorySpanExporter) -> None:
    with pytest.raises(InputError), tracing.span("trial"):
        raise InputError("a secret")
    span: Any
    [span] = exporter.get_finished_spans()
    assert span.attributes["error.type"] == "InputError"
    assert "secret" not in span.to_json()


def test_nothing_is_imported_that_nobody_asked_for() -> None:
    code = "import sys; from clew.tracing import span, export; export()\nwith span('x') as s: assert s is None\n"
    code += "assert not [name for name in sys.modules if name.startswith('opentelemetry')]"
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(SettingsError, match=r"which need opentelemetry\S*: run `pip install opentelemetry-sdk "):
        tracing.export()
