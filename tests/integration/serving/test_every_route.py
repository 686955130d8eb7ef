"""Whatever is sent to any route, by the rules of its description or against them: no 500, and nothing undescribed."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, assume, given, seed
from hypothesis import settings as hypothesis
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import positive_data_acceptance

from clew.knowledge_base import KnowledgeBase
from clew.serving.api import guard
from clew.serving.api.access import KB_NAME
from clew.serving.tokens import Tokens
from clew.settings import Settings

EXAMPLES = 4
"""Requests to each route by its rules, and as many against them."""
MEANT = ("/documents", "/evaluations", "/chat/completions", "/retrieve", "/retrieve/{kb}")
"""Routes whose bodies must make sense beyond their form: a budget, a file of questions, a message that asks, and no
more results than queries times facts may be."""
HEADER_NAME = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)
"""A token of RFC 9110: a made-up name may be any text, and no server reads a request with another."""
NO_HTTP = "Invalid HTTP request received."
"""What the server says of an address that cannot be one, before any route is asked."""
OUTSIDE = "/addresses"
"""A route that would fetch whatever address is made up."""


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_every_route_keeps_its_description(
    guarded: str,
    settings: Settings,
    encyclopaedia: KnowledgeBase,
    mode: GenerationMode,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guard, "GUESSES", 0)
    tokens = Tokens(settings)
    bearer = {"Authorization": f"Bearer {tokens.create(f'any-{mode.value}', right='admin')}"}
    schema = schemathesis.openapi.from_dict(httpx.get(f"{guarded}/openapi.json", timeout=60, headers=bearer).json())
    # No text may hold a NUL; a parameter of an address that a route does not know is passed over, as the web does.
    schema.config.generation.update(allow_x00=mode is GenerationMode.NEGATIVE, allow_extra_parameters=False)
    # A text that is too long may make the body too large.
    refused = schema.config.checks.negative_data_rejection
    refused.expected_statuses = [*refused.expected_statuses, "413"]
    failures = []
    for result in list[Any](schema.get_all_operations()):
        operation = result.ok()
        if operation.path.endswith(OUTSIDE):
            continue

        @seed(0)
        @hypothesis(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def check(case: Any) -> None:
            assume(all(map(HEADER_NAME.fullmatch, case.headers or {})))  # what is no HTTP reaches no route
            if re.fullmatch(KB_NAME, str(case.path_parameters.get("kb"))):  # else that is the fault
                writes = case.method in ("DELETE", "PUT") or case.path.endswith("/documents")
                case.path_parameters["kb"] = "made-up" if writes else encyclopaedia.name
            but = [positive_data_acceptance] if case.path.endswith(MEANT) else []
            sent = {"base_url": guarded, "timeout": 240, "headers": bearer}
            response = case.call(**sent)
            assume(response.text != NO_HTTP)  # an address that the server itself refuses reaches no route either
            case.validate_response(response, headers=bearer, excluded_checks=but, transport_kwargs=sent)

        try:
            check()
        except Unsatisfiable:  # a route without input can only be asked by its rules
            continue
        except (Exception, BaseExceptionGroup) as error:
            failures.append(f"{operation.label}: {_told(error)}")
    tokens.revoke(f"any-{mode.value}")
    assert not failures, "\n\n".join(failures)


def _told(error: BaseException) -> str:
    return "\n".join(map(_told, error.exceptions)) if isinstance(error, BaseExceptionGroup) else str(error)
