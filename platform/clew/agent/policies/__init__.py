"""The policies by name."""

from __future__ import annotations

from clew.agent.policy import Policy
from clew.agent.protocol import get_dialect
from clew.errors import check_choice
from clew.settings import Settings

POLICIES = ("auto", "reader", "reader-guess", "llm")


def create_policy(name: str, settings: Settings) -> Policy:
    """Make the policy ``name``; ``auto`` is ``llm`` where a model is set, else ``reader``, which gives no value
    where none is probable; ``reader-guess`` names its likeliest value even then.

    Raises InputError for a name that is not in ``POLICIES``, SettingsError where ``llm`` lacks a setting.
    """
    check_choice(name, POLICIES, "policy")
    dialect = get_dialect(settings.dialect)
    if name == "llm" or (name == "auto" and settings.llm_model):
        from clew.agent.policies.llm.policy import LlmPolicy

        return LlmPolicy(settings, dialect)
    from clew.agent.policies.reader.policy import ReaderPolicy

    return ReaderPolicy(dialect, guess=name == "reader-guess")
