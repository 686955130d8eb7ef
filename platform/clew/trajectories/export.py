"""Trajectories outside of the graph: as JSON, as Markdown to read, and as examples that the trainer learns from."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from clew.agent.conversation import with_history
from clew.agent.episode import messages
from clew.agent.numbers import Numbers
from clew.agent.protocol import Dialect, get_dialect
from clew.errors import InputError
from clew.files import json_lines, write_whole
from clew.reporting.verdict import WORDS
from clew.text.neutralise import neutralise
from clew.trajectories.read import Base, StoredTrajectory, open_trajectory
from clew.types import Fact, Json, Passage, Source

FOLDER = "training-data"
"""Where under Clew's home the files for the trainer are."""
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters and marks of direction: a terminal obeys the former, and both change what a reader sees."""
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~$&@:-])")


@dataclass(frozen=True, slots=True)
class TrainingFile:
    """A file for the trainer: how many trajectories are in it, and how many are not, by the reason."""

    path: Path
    written: int
    left_out: dict[str, int]


def as_json(stored: StoredTrajectory) -> str:
    """Everything that is known of a trajectory, as one JSON object."""
    return json.dumps(asdict(stored), ensure_ascii=False, indent=2)


def as_markdown(stored: StoredTrajectory, dialect: Dialect) -> str:
    """A trajectory to read: question, answer with its sources, then every turn. Nothing in it acts as Markdown."""
    trajectory = stored.trajectory
    lines = [f"# {_plain(trajectory.question)}", ""]
    for asked, answer in stored.history:
        lines += [f"Earlier: {_plain(asked)} {_plain(answer)}", ""]
    lines += [f"**{_plain(trajectory.answer)}**", ""]
    if trajectory.verdict.reason:
        lines += [f"{WORDS[trajectory.verdict.kind]}: {_plain(trajectory.verdict.reason)}", ""]
    numbers = Numbers(trajectory.steps, dialect)
    for number, citation in zip(numbers.of(trajectory.citations), trajectory.citations, strict=True):
        page = f", p. {citation.page}" if citation.page else ""
        page += f", {_plain(citation.section)}" if citation.section else ""
        quote = "".join(f"**{_plain(piece)}**" if bold else _plain(piece) for piece, bold in citation.pieces())
        lines.append(f"- \\[{number}\\] {_plain(citation.title)}{page}: “{quote}”")
    for index, (step, evidence) in enumerate(zip(trajectory.steps, numbers.turns, strict=True), 1):
        lines += ["", f"## Turn {index}", "", _plain(numbers.named(step.thought)), ""]
        if not step.query:
            continue
        lines += [f"Query: {_plain(step.query)}", ""]
        for number, item in evidence.items():
            lines.append(f"- \\[{number}\\] {_plain(item.text)} ({_plain(_where(item))})")
    meta = f"{trajectory.policy}, {trajectory.strategy}, {trajectory.kb}, {stored.created}, {trajectory.id}"
    return "\n".join([*lines, "", "---", "", _plain(meta), ""])


def training_example(stored: StoredTrajectory, dialect: Dialect) -> Json:
    """A trajectory as a line for the trainer: a question with its answers and turns, which is a demonstration too.

    ``messages`` is the same for other trainers: the roles user and assistant in turn, with the dialect's tags. Without
    known answers, an answer that was given and not marked as bad counts as right, unless it was a guess.
    """
    trajectory = stored.trajectory
    question = trajectory.question
    if stored.history:
        question = with_history(neutralise(question), stored.history)
    chat = messages(dialect, question, trajectory.steps)
    last = trajectory.steps[-1] if trajectory.steps else None
    if last and not last.query:
        turn = last.raw
        if dialect.parse_turn(turn).error or dialect.parse_turn(turn).answer is None:
            turn = dialect.render_turn(last.thought, answer=trajectory.answer)
        chat.append({"role": "assistant", "content": turn})
    replies = [m["content"] for m in chat if m["role"] == "assistant"]
    blocks = [m["content"] for m in chat[1:] if m["role"] == "user"]
    right = stored.rating > 0 or (stored.rating == 0 and trajectory.stopped != "guess")
    given = [trajectory.answer] if trajectory.answered and right else []
    return {
        "id": trajectory.id,
        "question": question,
        "answers": list(stored.answers) or given,
        "dialect": dialect.name,
        "turns": [
            {"text": text, "knowledge": block}
            for text, block in zip(replies, [*blocks, *[""] * (len(replies) - len(blocks))], strict=True)
        ],
        "messages": chat,
    }


def write_training_file(base: Base, ids: Sequence[str], folder: Path | None = None) -> TrainingFile:
    """Write trajectories as lines that ``python -m trainer`` takes, for ``--train`` as for ``--demonstrations``.

    Left out is what would teach nothing right: what is marked as bad, or has no answer that is known. ``folder`` is
    ``training-data`` in Clew's home where none is named. Raises NotFoundError for an unknown id; InputError where
    nothing is left to write, or the file cannot be written.
    """
    dialect = get_dialect(base.settings.dialect)
    left_out: Counter[str] = Counter()
    rows: list[Json] = []
    for id in dict.fromkeys(ids):
        stored = open_trajectory(base, id)
        row = training_example(stored, dialect)
        if fault := _fault(stored, row):
            left_out[fault] += 1
        else:
            rows.append(row)
    if not rows:
        reasons = ", ".join(f"{count} {reason}" for reason, count in left_out.items()) or "none is selected"
        raise InputError(f"There is nothing to train on ({reasons}): select answered trajectories, or mark some good.")
    folder = folder or base.settings.home / FOLDER
    file = folder / f"{base.name}-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.jsonl"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(file, json_lines(rows))
    except OSError as error:
        raise InputError(f"{file} cannot be written ({error.strerror}): see that CLEW_HOME can be.") from error
    return TrainingFile(file, len(rows), dict(left_out))


def _fault(stored: StoredTrajectory, row: Json) -> str:
    if stored.rating < 0:
        return "marked as bad"
    if not row["answers"]:
        return "without an answer"
    last = stored.trajectory.steps[-1] if stored.trajectory.steps else None
    if last is None or last.query:
        return "broken off"
    return "whose facts are deleted" if stored.lost else ""


def _where(item: Fact | Passage) -> str:
    source: Source | Passage | None = item if isinstance(item, Passage) else next(iter(item.sources), None)
    if source is None:
        return "the source is gone"
    return f"{source.title}, p. {source.page}" if source.page else source.title


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", _UNSEEN.sub("\ufffd", re.sub(r"\s+", " ", text)))
