"""An evaluation as a job: ``clew evaluate`` in a process of its own, over questions that lie in a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from clew.child import python_module
from clew.errors import InputError
from clew.evaluation.datasets import keep_upload, load_questions
from clew.runs.ingest import Upload
from clew.runs.job import Job, forget_old, new_folder, start

if TYPE_CHECKING:
    from clew.settings import Settings

KIND = "evaluate"
RUNS = "evaluations"
"""Where under Clew's home runs are kept."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to measure, in the words of ``clew evaluate``.

    ``ks``, the passages to look at, is for retrieval; ``policies`` and all that follows is for answers. ``limit`` 0
    takes every question, ``new`` measures again what is kept already.
    """

    measure: Literal["answers", "retrieval"]
    strategies: Sequence[str]
    ks: Sequence[int] = (2, 5, 10)
    limit: int = 0
    new: bool = False
    policies: Sequence[str] = ("auto",)
    top_k: int | None = None
    store: bool = True
    judge: bool = False

    def options(self) -> list[str]:
        """The options of the command line."""
        words = [self.measure, "--strategy", ",".join(self.strategies)]
        words += ["--limit", str(self.limit)] if self.limit else []
        words += ["--new"] if self.new else []
        if self.measure == "retrieval":
            return [*words, "--k", ",".join(map(str, self.ks))]
        words += ["--policy", ",".join(self.policies)]
        words += ["--top-k", str(self.top_k)] if self.top_k else []
        return words + ["--store"] * self.store + ["--judge"] * self.judge


def start_evaluation(settings: Settings, kb: str, questions: Path | Upload, wanted: Wanted) -> Job:
    """Measure on a file or folder of questions, or on an upload; returns at once.

    Evaluations run one after the other, so that none slows the other down. What is done is kept question by question,
    and a resumed job goes on there; one that has begun no run yet still begins a ``new`` one. Raises InputError where
    the questions cannot be read, or nothing is to be measured.
    """
    forget_old(settings, KIND)
    if not wanted.strategies or (wanted.measure == "answers" and not wanted.policies):
        raise InputError("There is nothing to measure: choose at least one retrieval strategy, and who answers.")
    if wanted.measure == "retrieval" and not wanted.ks:
        raise InputError("There is nothing to measure: choose how many passages to look at.")
    if isinstance(questions, Path):
        load_questions(questions)
        folder = new_folder(settings, KIND)
    else:
        folder = new_folder(settings, KIND)
        try:
            questions = keep_upload(folder, questions.name, questions.data)
        except InputError:
            Job(folder).delete()
            raise
    command = python_module("clew.cli", "evaluate", *wanted.options())
    command += [str(questions), "--kb", kb, "--runs", str(settings.home / RUNS)]
    again = [word for word in command if word != "--new"]
    about = {
        "kb": kb,
        "measure": wanted.measure,
        "dataset": questions.name if questions.is_dir() else questions.stem,
        "parts": len(wanted.strategies) * (len(wanted.policies) if wanted.measure == "answers" else 1),
    }
    return start(KIND, command, folder, resume=again, once="run", about=about, queue=KIND)
