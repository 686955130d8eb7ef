"""What people found wrong, with the right answer and the sentence that states it: a knowledge base's own questions.

They are a file of questions under Clew's home, as ``clew evaluate`` and ``python -m trainer`` take them.
"""

from __future__ import annotations

import json
from pathlib import Path

from clew.agent.conversation import with_history
from clew.files import json_lines, private_folder, write_whole
from clew.settings import Settings
from clew.text.neutralise import neutralise
from clew.trajectories.export import FOLDER
from clew.trajectories.read import Base, open_trajectory
from clew.types import Citation, Json, Trajectory


def corrections_file(settings: Settings, kb: str) -> Path:
    """Where the corrected questions of a knowledge base are kept."""
    return settings.home / FOLDER / f"{kb}-corrections.jsonl"


def corrections(settings: Settings, kb: str) -> list[Json]:
    """The corrected questions, the first one first."""
    file = corrections_file(settings, kb)
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.is_file() else []


def correct(base: Base, id: str, answer: str, sentence: Citation | None = None) -> None:
    """Keep the right answer to the question of a trajectory, in place of an earlier one; empty: there is none to find.

    ``sentence`` is the one that states it. Raises NotFoundError where there is no such trajectory.
    """
    stored = open_trajectory(base, id)
    question = stored.trajectory.question
    if stored.history:
        question = with_history(neutralise(question), stored.history)
    row: Json = {"id": id, "question": question, "answers": [answer.strip()] if answer.strip() else []}
    if sentence:
        row["supporting"] = [{"title": sentence.title, "text": sentence.quote}]
    others = [one for one in corrections(base.settings, base.name) if one["id"] != id]
    file = corrections_file(base.settings, base.name)
    private_folder(file.parent)
    write_whole(file, json_lines([*others, row]))


def sentences_seen(trajectory: Trajectory) -> list[Citation]:
    """What may have answered: the cited sentences, then those of facts whose passage was found, too; each once."""
    passages = [passage for step in trajectory.steps for passage in step.passages]
    sources = [source for step in trajectory.steps for fact in step.facts for source in fact.sources]
    found = [
        Citation(p.document, p.title, one.start, one.end, p.text[one.start - p.start : one.end - p.start])
        for one in sources
        for p in passages
        if p.document == one.document and p.start <= one.start and one.end <= p.end
    ]
    places: dict[tuple[str, int], Citation] = {}
    for one in (*trajectory.citations, *found):
        places.setdefault((one.document, one.start), one)
    return list(places.values())


def move_corrections(settings: Settings, kb: str, name: str) -> None:
    """Keep the corrected questions of a knowledge base under its new name."""
    file = corrections_file(settings, kb)
    if file.is_file():
        file.replace(corrections_file(settings, name))
