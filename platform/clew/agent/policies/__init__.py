"""The policies by name, as their packages declare them.

A policy is a package in this folder whose ``__init__`` ends with ``POLICIES``, what it declares by name; that it lies
there is all that is needed.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from clew.agent.policy import Declared, Policy
from clew.agent.protocol import Dialect, get_dialect
from clew.errors import check_choice
from clew.settings import Settings


def _declared() -> dict[str, Declared]:
    """What every package declares, those that need nothing first; ``auto`` goes before them."""
    modules = [import_module(f"{__name__}.{one.name}") for one in pkgutil.iter_modules(__path__)]
    found = {name: declared for module in modules for name, declared in getattr(module, "POLICIES", {}).items()}
    return {"auto": Declared("a language model where one is connected, else the reader", _auto)} | dict(
        sorted(found.items(), key=lambda one: len(one[1].needs))
    )


def _auto(settings: Settings, dialect: Dialect) -> Policy:
    return POLICIES["llm" if settings.llm_model else "reader"].make(settings, dialect)


POLICIES = _declared()


def create_policy(name: str, settings: Settings) -> Policy:
    """Make the policy ``name``.

    Raises InputError for a name that is not in ``POLICIES``, SettingsError where it lacks a setting.
    """
    return POLICIES[check_policy(name)].make(settings, get_dialect(settings.dialect))


def check_policy(name: str) -> str:
    """The name, if it is one of ``POLICIES``. Raises InputError for any other."""
    return check_choice(name, POLICIES, "policy")
