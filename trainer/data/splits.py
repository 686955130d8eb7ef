"""The questions and demonstrations of a run: read once, cut to what the recipe asks for, kept apart."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.errors import InputError
from clew.evaluation.datasets import Question, load_questions
from clew.evaluation.metrics import normalize_answer
from clew.trainer.config import Recipe
from clew.types import Json


@dataclass(frozen=True, slots=True)
class Splits:
    """Questions to learn from, to choose the checkpoint by, and to report on."""

    train: tuple[Question, ...]
    dev: tuple[Question, ...]
    test: tuple[Question, ...]


def load_splits(recipe: Recipe) -> Splits:
    """The questions of a recipe's files, without any training question that is asked in the others too.

    Without a dev file, questions of the training files are set apart, drawn by the recipe's seed. Raises InputError
    where a file cannot be read or nothing is left to learn from.
    """
    data = recipe.data
    if not data.train:
        raise InputError("No training questions are named: use --train FILE, or make some with `questions`.")
    train = _once([question for file in data.train for question in load_questions(Path(file))])
    random.Random(recipe.seed).shuffle(train)
    test = load_questions(Path(data.test))[: data.test_questions] if data.test else []
    if data.dev:
        dev = load_questions(Path(data.dev))[: data.dev_questions]
    else:
        train = _without(train, test)
        held_out = min(data.dev_questions, len(train) // 5)
        train, dev = train[held_out:], train[:held_out]
    train = _without(train, [*dev, *test])[: data.train_questions]
    dev = _without(dev, test)
    if not train:
        raise InputError("No training question is left that is not in the dev or test file too; name other files.")
    if not any(question.answers for question in train):
        raise InputError(
            f"None of the {len(train):,} training questions has an answer, so a policy would learn to say nothing: "
            "add some that have."
        )
    return Splits(tuple(train), tuple(dev), tuple(test))


def read_demonstrations(recipe: Recipe) -> list[Json]:
    """The lines of the recipe's demonstrations, an empty list where no phase is supervised.

    Raises InputError where a supervised phase has none, or a line is damaged.
    """
    if all(phase.method != "sft" for phase in recipe.phases):
        return []
    if not recipe.data.demonstrations:
        raise InputError(
            f"The recipe {recipe.name} has a supervised phase: use --demonstrations FILE, "
            "written by `python -m trainer demonstrations`."
        )
    return read_lines(Path(recipe.data.demonstrations))


def read_questions(file: Path) -> list[Json]:
    """The lines of a question file with all that they hold. Raises InputError with file and line where one is none."""
    rows = read_lines(file)
    for number, row in enumerate(rows, 1):
        answers = row.get("answers")
        if not (row.get("id") and isinstance(row.get("question"), str) and isinstance(answers, list) and answers):
            raise InputError(
                f"{file}, question {number}: no id, question or list of answers; name a file that `questions` wrote."
            )
    return rows


def read_lines(file: Path) -> list[Json]:
    """The objects of a file of JSON lines; at least one. Raises InputError with file and line."""
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read ({getattr(error, 'strerror', None) or 'no UTF-8'}).") from error
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{file}, line {number}: not valid JSON; mend it, or take it out.") from error
        if not isinstance(row, dict):
            raise InputError(f"{file}, line {number}: not a JSON object; mend it, or take it out.")
        rows.append(row)
    if not rows:
        raise InputError(f"{file} is empty.")
    return rows


def _once(questions: Sequence[Question]) -> list[Question]:
    """The first of those that ask the same, with an id that is its own in all files together."""
    found: dict[str, Question] = {}
    for question in questions:
        found.setdefault(normalize_answer(question.question), question)
    return list(found.values())


def _without(questions: Sequence[Question], others: Sequence[Question]) -> list[Question]:
    asked = {normalize_answer(question.question) for question in others}
    return [question for question in questions if normalize_answer(question.question) not in asked]
