"""What a run keeps of an answer, and of the facts and passages that were found: the beginnings of their texts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat

from clew.agent.episode import numbered
from clew.agent.protocol import Dialect
from clew.embedding import Embedder
from clew.evaluation.datasets import Question
from clew.evaluation.metric import METRICS, Measured
from clew.evaluation.metrics import answer_recall_at_k, recall_at_k
from clew.text.normalise import one_line
from clew.types import Fact, Json, Passage, Step, Trajectory

_KEPT_PASSAGES = 5
_KEPT_CHARS = 400


def answer_record(question: Question, trajectory: Trajectory, scorer: Embedder, dialect: Dialect) -> Json:
    """An answer with its metrics, its turns and what it cites."""
    one = Measured(question, trajectory, scorer)
    return {
        "answer": trajectory.answer,
        "answered": trajectory.answered,
        "stopped": trajectory.stopped,
        "verdict": trajectory.verdict.kind,
        "probability": trajectory.verdict.probability,
        "metrics": {metric.name: metric.of(one) for metric in METRICS if metric.of},
        "steps": _steps(trajectory, question, dialect),
        "gold": _gold(trajectory, question),
        "citations": [{"title": one.title, "quote": clipped(one.quote)} for one in trajectory.citations],
    }


def _gold(trajectory: Trajectory, question: Question) -> list[Json]:
    """Each supporting passage: the first turn (from 1) that found it, None for none, and whether it is cited."""
    rows = []
    for support in question.supporting:
        found = [
            number for number, step in enumerate(trajectory.steps, 1)
            if any(recall_at_k([one], [support], 1) for one in _found(step))
        ]  # fmt: skip
        cited = any(
            one.title == support.title and (not support.text or _squeezed(one.quote) in _squeezed(support.text))
            for one in trajectory.citations
        )
        row = {"title": support.title or clipped(support.text)[:80], "turn": found[0] if found else None}
        rows.append({**row, "used": cited})
    return rows


def _found(step: Step) -> list[tuple[str, str]]:
    """What a turn found, as title and text; a fact stands for the passage that states it."""
    passages = [(passage.title, passage.text) for passage in step.passages]
    facts = [(source.title, fact.text) for fact in step.facts for source in fact.sources]
    return passages + facts


def _squeezed(text: str) -> str:
    return " ".join(text.split()).casefold()


def passage_row(passage: Passage, question: Question) -> Json:
    """A passage as records keep it, with whether it is a supporting one, and whether it holds the answer."""
    own = (passage.title, passage.text)
    return {
        "title": passage.title,
        "text": clipped(passage.text),
        "score": passage.score,
        "supporting": bool(question.supporting) and recall_at_k([own], question.supporting, 1) > 0,
        "answer": _holds("\n".join(own), question),
    }


def fact_row(fact: Fact, passages: Sequence[Passage], question: Question) -> Json:
    """A fact as records keep it, marked as passages are.

    It is a supporting one if a passage that states it is; one whose passage is not among ``passages`` stands for the
    passage itself.
    """
    chunks = {source.chunk for source in fact.sources}
    stating = [(passage.title, passage.text) for passage in passages if passage.id in chunks]
    ranked = stating or [(source.title, fact.text) for source in fact.sources]
    supporting = bool(ranked and question.supporting) and recall_at_k(ranked, question.supporting, len(ranked)) > 0
    return {
        "text": clipped(fact.text),
        "score": fact.score,
        "ranks": fact.ranks,
        "supporting": supporting,
        "answer": _holds(fact.text, question),
    }


def clipped(text: str) -> str:
    """The beginning of a text, on one line."""
    return one_line(text, _KEPT_CHARS)


def _steps(trajectory: Trajectory, question: Question, dialect: Dialect) -> list[Json]:
    """The turns; each fact or passage with the ``number`` by which thoughts name it, None where none was shown.

    ``used`` says of a supporting one whether the answer cites it.
    """
    rows, steps = [], trajectory.steps
    for step, shown in zip(steps, numbered(steps, dialect), strict=True):
        found = [fact_row(fact, step.passages, question) for fact in step.facts]
        found = found or [passage_row(passage, question) for passage in step.passages[:_KEPT_PASSAGES]]
        items: Sequence[Fact | Passage] = step.facts or step.passages
        named = [
            row | {"number": n, "used": _cited(item, trajectory)}
            for row, n, item in zip(found, chain(shown, repeat(None)), items, strict=False)
        ]
        record = {"thought": step.thought, "query": step.query, "note": step.note}
        facts, passages = (named, []) if step.facts else ([], named)
        rows.append({**record, "facts": facts, "passages": passages})
    return rows


def _cited(item: Fact | Passage, trajectory: Trajectory) -> bool:
    """Whether the answer cites something of a fact or passage."""
    spans = item.sources if isinstance(item, Fact) else (item,)
    return any(
        one.document == span.document and one.start < span.end and span.start < one.end
        for one in trajectory.citations
        for span in spans
    )


def _holds(text: str, question: Question) -> bool:
    return answer_recall_at_k([text], question.answers, 1) == 1
