"""The policies that need no language model: a plan of hops, and a learned reader."""

from __future__ import annotations

from functools import partial

from clew.agent.policy import Declared, Policy
from clew.agent.protocol import Dialect
from clew.settings import Settings


def _make(settings: Settings, dialect: Dialect, *, guess: bool) -> Policy:
    from clew.agent.policies.reader.policy import ReaderPolicy

    return ReaderPolicy(dialect, guess=guess)


POLICIES = {
    "reader": Declared("no model: a learned reader finds the answer, and how sure it is", partial(_make, guess=False)),
    "reader-guess": Declared(
        "as the reader, and where it has no value the likeliest one as a guess", partial(_make, guess=True)
    ),
}
