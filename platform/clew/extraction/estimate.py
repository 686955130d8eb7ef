"""What an extraction will take, before anything is paid for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clew.extraction.client import key_of
from clew.extraction.journal import Experience, Journal
from clew.extraction.ontology import load_ontology
from clew.extraction.prompt import messages, units
from clew.llm.chat import count_tokens
from clew.settings import Settings
from clew.types import Chunk, Document

REPAIRS = 0.15
"""Requests that have to be made once more, as a share of all."""
REPLY_PER_TEXT = 1.5
"""Tokens of a reply for each token of the text it is about, where nothing is known of the model yet."""
TOKENS_PER_SECOND = 60.0
"""Tokens that a model writes in a second, where nothing is known of it yet."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Chunks to extract, requests with those that repair, tokens, money at the prices of the settings, and seconds.

    ``journalled`` requests have been paid for before and cost nothing; the other figures are without them.
    """

    chunks: int
    requests: int
    journalled: int
    prompt_tokens: int
    completion_tokens: int
    cost: float
    seconds: float


def estimate(
    documents: Iterable[tuple[Document, Sequence[Chunk]]], settings: Settings, journal: Journal | None = None
) -> Estimate:
    """Count what the model would be asked, without asking.

    With a ``journal``, what is in it is left out, and its replies tell how long and how slow this model's are.
    """
    chunks = requests = journalled = prompt = text = 0
    small = settings.extract_prompt == "small"
    ontology = load_ontology(settings.extract_ontology)
    for document, pieces in documents:
        for chunk in pieces:
            chunks += 1
            for unit in units(document, chunk, short=small, ontology=ontology):
                asked = messages(unit)
                if journal and journal.find(key_of(asked, settings)):
                    journalled += 1
                    continue
                requests += 1
                prompt += count_tokens(asked)
                text += count_tokens([{"role": "assistant", "content": unit.text}])
    known = journal.experience(settings.llm_model or "") if journal else Experience(0, 0.0, 0.0)
    completion = prompt * known.completion_per_prompt if known.replies else text * REPLY_PER_TEXT
    repairs = 1 + REPAIRS
    seconds = known.seconds * requests if known.replies else completion / TOKENS_PER_SECOND
    prompt_tokens, completion_tokens = round(prompt * repairs), round(completion * repairs)
    return Estimate(
        chunks,
        round(requests * repairs),
        journalled,
        prompt_tokens,
        completion_tokens,
        settings.price(prompt_tokens, completion_tokens),
        seconds * repairs / settings.extract_concurrency,
    )
