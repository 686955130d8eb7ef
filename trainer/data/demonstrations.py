"""Cold-start demonstrations (GraphRAG-R1 §3.3): trajectories in the right form, validated, corrected, filtered.

A scripted oracle knows the gold path of a synthetic question and walks it over the real retrieval; a language model
walks by itself, with the agent's loop correcting its form. Either way only trajectories are kept in which every turn is
well formed, something was looked up, the answer stands in what came back, and it is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

from clew.agent.episode import Episode, blocks
from clew.agent.loop import run
from clew.agent.protocol import Dialect, normalise_query
from clew.errors import InputError, ModelError
from clew.evaluation.metrics import f1, normalize_answer
from clew.knowledge_base import KnowledgeBase
from clew.retrieval.strategy import Strategy
from clew.runs.folder import append_lines, read_lines
from clew.types import Json, Retrieved

RIGHT = 0.99
"""Token F1 from which an answer counts as right."""
FAILURES = 5
"""Failures of the model one after another, after which something is wrong with it and not with the question."""


@dataclass(slots=True)
class Kept:
    """What came of a number of questions: demonstrations, and why others were left out."""

    rows: list[Json] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)

    def take(self, row: Json | None, fault: str) -> None:
        """Keep a demonstration, or count its fault."""
        if row is None or fault:
            self.dropped[fault or "the walk does not find its way"] += 1
        else:
            self.rows.append(row)


def by_oracle(
    questions: Sequence[Json],
    strategy: Strategy,
    dialect: Dialect,
    k: int,
    on_done: Callable[[int], None] = lambda _: None,
) -> Kept:
    """Demonstrations of questions that carry their ``path`` (see ``trainer.data.questions``), without a model.

    The first queries of all questions are one retrieval, then all second ones, and so on.
    """
    kept = Kept()
    walks = [(row, _path(row)) for row in questions]
    found: list[list[Retrieved]] = [[] for _ in walks]
    for depth in range(max((len(path) for _, path in walks), default=0)):
        asking = [i for i, (_, path) in enumerate(walks) if depth < len(path)]
        results = strategy.retrieve([str(walks[i][1][depth]["query"]) for i in asking], k)
        for i, result in zip(asking, results, strict=True):
            found[i].append(result)
    for done, ((row, path), results) in enumerate(zip(walks, found, strict=True), 1):
        if not path:
            kept.take(None, "it has no path, which `questions` writes down")
        else:
            demonstration = _walk(row, path, results, dialect)
            kept.take(demonstration, fault(demonstration, dialect) if demonstration else "")
        on_done(done)
    return kept


def by_model(
    questions: Sequence[Json],
    base: KnowledgeBase,
    strategy: Strategy,
    dialect: Dialect,
    k: int,
    max_turns: int,
    journal: Path,
    *,
    parallel: int = 8,
    on_done: Callable[[int], None] = lambda _: None,
) -> Kept:
    """Demonstrations written by the language model of the settings, through the agent's own loop.

    What each question brought is a line of ``journal`` at once: another call with the same file asks for what is
    missing, and nothing is paid for twice. Questions that the model failed at are asked again. ``parallel`` questions
    are asked at a time; ``on_done`` receives how many more are done, first of all how many were before.

    Raises InputError where no model is set or the journal is another run's, ModelError where the model fails several
    times in a row.
    """
    from clew.agent.policies import create_policy

    settings = base.settings.model_copy(update={"dialect": dialect.name})
    create_policy("llm", settings)  # what is not set up fails here, before anything begins
    known = _journalled(journal, questions, dialect)
    kept = Kept()
    for line in known.values():
        kept.take(line["row"], line["fault"])
    on_done(len(known))

    def walk(row: Json) -> Json:
        trajectory = run(
            str(row["question"]),
            policy=create_policy("llm", settings),
            strategy=strategy,
            kb=base.name,
            dialect=dialect,
            k=k,
            max_turns=max_turns,
        )
        texts = [step.raw for step in trajectory.steps]
        return _row(row, texts, blocks(trajectory.steps, dialect), dialect)

    pool = ThreadPoolExecutor(parallel, "clew-demonstrations")
    failed = 0
    try:
        asked = {pool.submit(walk, row): row for row in questions if str(row["id"]) not in known}
        for future in as_completed(asked):
            try:
                demonstration = future.result()
            except ModelError:
                failed += 1
                if failed == FAILURES:
                    raise
                kept.dropped["the model failed"] += 1
                on_done(1)
                continue
            failed = 0
            wrong = fault(demonstration, dialect)
            append_lines(journal, [{"id": asked[future]["id"], "row": demonstration, "fault": wrong}])
            kept.take(demonstration, wrong)
            on_done(1)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return kept


def _journalled(journal: Path, questions: Sequence[Json], dialect: Dialect) -> dict[str, Json]:
    """The journal's lines by the question's id."""
    if not journal.exists():
        return {}
    asked = {str(row["id"]): (row["question"], dialect.name) for row in questions}
    known = {str(line["id"]): line for line in read_lines(journal)}
    if any(asked.get(id) != (line["row"]["question"], line["row"]["dialect"]) for id, line in known.items()):
        raise InputError(f"{journal} is of other questions or another dialect: finish with those, or delete it.")
    return known


def fault(row: Json, dialect: Dialect) -> str:
    """Why a demonstration must not be learnt from; empty where it may be."""
    turns = row["turns"]
    parsed = [dialect.parse_turn(turn["text"]) for turn in turns]
    if not parsed or any(one.error for one in parsed):
        return "a turn is malformed"
    queries = [one.query for one in parsed if one.query]
    if not queries:
        return "nothing was looked up"
    if len(set(map(normalise_query, queries))) < len(queries):
        return "a query comes twice"
    answer = parsed[-1].answer
    if not answer or f1(answer, row["answers"]) < RIGHT:
        return "the answer is wrong"
    seen = f" {normalize_answer(' '.join(turn['knowledge'] for turn in turns))} "
    is_shown = any(f" {normalize_answer(gold)} " in seen for gold in row["answers"])
    closed = normalize_answer(answer) in ("yes", "no")
    return "" if is_shown or closed else "the answer does not stand in what came back"


def _path(row: Json) -> list[Json]:
    """The gold path of a question; empty where it has none."""
    path = row.get("path")
    steps = path if isinstance(path, list) else []
    whole = all(isinstance(step, dict) and {"query", "text", "answer"} <= step.keys() for step in steps)
    return steps if whole else []


def _walk(row: Json, path: Sequence[Json], results: Sequence[Retrieved], dialect: Dialect) -> Json | None:
    """The turns of the gold path; None where a hop's fact is not among what its query brought."""
    episode = Episode(dialect, max_turns=len(path) + 2)
    thought = "I have to look this up step by step." if len(path) > 1 else "I have to look this up."
    for i, (step, result) in enumerate(zip(path, results, strict=True)):
        about = str(step["query"])
        episode = episode.with_turn(dialect.render_turn(f"{thought} I need: {about}", query=about)).found(result)
        number = next((n for n, item in episode.shown.items() if _tells(item.text, step)), None)
        if number is None:
            return None
        thought = f"[{number}] tells that it is {step['answer']}."
        if i + 1 < len(path):
            thought += f" {len(path) - i - 1} more to find."
        elif step["answer"] not in row["answers"]:  # a comparison is answered by what was compared
            thought += f" So it is {row['answers'][0]}."
    episode = episode.with_turn(dialect.render_turn(thought, answer=str(row["answers"][0])))
    return _row(row, [turn.raw for turn in episode.turns], blocks(episode.turns, dialect), dialect)


def _tells(text: str, step: Json) -> bool:
    return " ".join(str(step["text"]).split()) in " ".join(text.split()) or (
        str(step["answer"]) in text and str(step["text"]).partition(":")[0] in text
    )


def _row(row: Json, texts: Sequence[str], knowledge: Sequence[str], dialect: Dialect) -> Json:
    return {
        "id": row["id"],
        "question": row["question"],
        "answers": list(row["answers"]),
        "dialect": dialect.name,
        "turns": [{"text": text, "knowledge": block} for text, block in zip(texts, knowledge, strict=True)],
    }
