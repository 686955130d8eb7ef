"""A language model decides each turn: by calls of tools, or in tags where it knows none."""

from __future__ import annotations

from clew.agent.policy import Declared, Policy
from clew.agent.protocol import Dialect
from clew.settings import Settings


def _make(settings: Settings, dialect: Dialect) -> Policy:
    from clew.agent.policies.llm.policy import LlmPolicy

    return LlmPolicy(settings, dialect)


POLICIES = {"llm": Declared("a language model reads and decides", _make, needs=("llm_model",))}
