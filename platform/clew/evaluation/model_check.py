"""Whether a language model can be Clew's agent: a handful of questions over a tiny graph, and how it went about them.

The graph is in memory, so that nothing but the model's server is needed, and what it does can be known from what any
retrieval does. It says nothing of how good a model is on documents: that is what ``clew evaluate`` measures.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from clew.agent.loop import run
from clew.agent.policies.llm.policy import LlmPolicy
from clew.agent.protocol import get_dialect
from clew.errors import ClewError
from clew.settings import Settings
from clew.text.normalise import fold
from clew.types import Fact, Passage, Retrieved, Source, Usage

DOCUMENTS = {
    "Halden Lighthouse": "The Halden Lighthouse stands on the island of Orsk. It was built in 1887 by Mira Tolven.",
    "Mira Tolven": "Mira Tolven was an engineer from Brask. She also built the Kesten Bridge, in 1902.",
    "Kesten Bridge": "The Kesten Bridge crosses the river Ulme. It is 212 metres long.",
    "Brask": "Brask is a town on the river Ulme. It has 4,300 inhabitants.",
}
QUESTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("In what year was the Halden Lighthouse built?", ("1887",)),
    ("How long is the Kesten Bridge?", ("212",)),
    ("Which town was the builder of the Halden Lighthouse from?", ("Brask",)),
    ("Did Mira Tolven build the Kesten Bridge? Answer yes or no.", ("yes",)),
    ("Who painted the Halden Lighthouse?", ()),
)
"""Questions, each with what a right answer contains; nothing where the graph does not tell."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question and what came of it. ``right`` is None where the run failed, with the ``error``."""

    question: str
    answer: str
    right: bool | None
    turns: int = 0
    cited: bool = False
    seconds: float = 0.0
    stopped: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class ModelReport:
    """How a model fares as the agent.

    ``forms`` counts its replies by how they could be read: strict (in the protocol's form), mended (clear all the
    same), unusable. ``refused`` are the options that its server does not take, by name, each with the name under which
    it takes it, or none. ``reasons``: it writes thoughts of its own. ``fault`` is what ended the check early.
    """

    model: str
    dialect: str
    asked: tuple[Asked, ...]
    forms: dict[str, int]
    refused: dict[str, str]
    reasons: bool
    usage: Usage
    seconds: float
    fault: str = ""

    @property
    def right(self) -> int:
        """Questions that were answered rightly."""
        return sum(one.right is True for one in self.asked)

    @property
    def keeps_to_protocol(self) -> bool:
        """Whether every reply could be used, and no question ended for want of one."""
        return (
            bool(self.forms)
            and not self.forms.get("unusable")
            and not any(a.stopped == "malformed" for a in self.asked)
        )

    @property
    def tokens_per_second(self) -> float:
        """Tokens that the model wrote, a second of waiting for it."""
        return self.usage.completion_tokens / self.seconds if self.seconds else 0.0


@dataclass(slots=True)
class _TinyGraph:
    """The sentences that share the most words with a query."""

    name: str = "tiny"
    facts: list[Fact] = field(default_factory=list)

    def __post_init__(self) -> None:
        for title, text in DOCUMENTS.items():
            start = 0
            for sentence in text.split(". "):
                source = Source(title, title, title, start, min(len(text), start + len(sentence) + 1))
                quoted = text[source.start : source.end]
                self.facts.append(Fact(f"{title}:{start}", f"{title}: {quoted}", (title,), 0.0, (source,)))
                start += len(sentence) + 2

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        found = []
        for query in queries:
            words = set(fold(query).split())
            ranked = sorted(self.facts, key=lambda fact: -len(words & set(fold(fact.text).split())))
            passages: tuple[Passage, ...] = ()
            found.append(Retrieved(query, tuple(f for f in ranked[:k] if words & set(fold(f.text).split())), passages))
        return found


def check_model(settings: Settings, *, on_asked: Callable[[Asked], None] | None = None) -> ModelReport:
    """Ask the model of the settings the questions, and tell how it fared; an error of its server ends the check.

    Raises SettingsError where no model is set up, KeyboardInterrupt on Ctrl-C.
    """
    policy = LlmPolicy(settings, get_dialect(settings.dialect))
    asked: list[Asked] = []
    usage, fault = Usage(), ""
    began = time.perf_counter()
    for question, wanted in QUESTIONS:
        one, spent = _ask(question, wanted, policy, settings)
        asked.append(one)
        usage += spent
        if on_asked:
            on_asked(one)
        if one.error:
            fault = one.error
            break
    return ModelReport(
        model=settings.llm_model or "",
        dialect=settings.dialect,
        asked=tuple(asked),
        forms=dict(policy.forms),
        refused=dict(policy.manners.refused),
        reasons=policy.manners.reasons,
        usage=usage,
        seconds=time.perf_counter() - began,
        fault=fault,
    )


def _ask(question: str, wanted: Sequence[str], policy: LlmPolicy, settings: Settings) -> tuple[Asked, Usage]:
    try:
        t = run(
            question,
            policy=policy,
            strategy=_TinyGraph(),
            kb="check",
            dialect=get_dialect(settings.dialect),
            k=4,
            max_turns=5,
            spans=lambda spans: [DOCUMENTS[title][start:end] for title, start, end in spans],
        )
    except ClewError as error:
        return Asked(question, "", None, error=str(error)), Usage()
    if t.stopped == "stopped":  # Ctrl-C ends a question with what it has, and is meant for all of them
        raise KeyboardInterrupt
    answer = f" {fold(t.answer).strip()} "
    right = t.answered and all(f" {fold(w).strip()} " in answer for w in wanted) if wanted else not t.answered
    return Asked(question, t.answer, right, len(t.steps), t.is_supported, t.seconds, t.stopped), t.usage
