"""The contract of a policy: who decides the agent's next turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from clew.agent.protocol import Dialect
from clew.settings import Settings
from clew.types import Step, Support, Usage, Verdict


@dataclass(frozen=True, slots=True)
class Turn:
    """A policy's next turn as text in the protocol's dialect, what it cost, and whether its answer is but a guess.

    A policy that knows how sure its answer is gives a ``verdict``, and the spans it rests on in ``support``.
    """

    text: str
    usage: Usage = Usage()
    unsure: bool = False
    verdict: Verdict | None = None
    support: tuple[Support, ...] = ()


class Policy(Protocol):
    """Writes the agent's next turn (π_θ of Graph-R1 §4.2): a think block, then exactly one query or answer block.

    ``act`` sees the question and the steps so far. ``final`` says that this turn must answer. ``correction`` is the one
    message that a malformed turn gets, empty otherwise. ``emit`` receives the text as it is written, where the policy
    can stream. Raises ModelError where the model fails, BudgetExceededError where it may spend no more.
    """

    name: str
    model: bool
    """Whether it asks a language model."""

    def act(
        self,
        question: str,
        steps: Sequence[Step],
        *,
        final: bool = False,
        correction: str = "",
        emit: Callable[[str], None] | None = None,
    ) -> Turn: ...


@dataclass(frozen=True, slots=True)
class Declared:
    """What a policy declares of itself, in its package: ``help`` for a person, and how to make it.

    ``needs`` are the settings without which it cannot be made; a policy that needs a model names it there.
    """

    help: str
    make: Callable[[Settings, Dialect], Policy]
    needs: tuple[str, ...] = ()
