"""Questions with gold answers, from Clew's own files or from the original files of the benchmarks.

Clew's own data set is a folder of ``corpus.jsonl``, lines of {title, text}, and ``questions.jsonl``, lines of
{id, question, answers} and where known {supporting: [{title, text}], hops, kind}. A table with these columns does, too.
``write_corpus`` makes a folder from the original file of a benchmark whose questions carry their passages.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any

from clew.agent.loop import MAX_QUESTION_CHARS
from clew.errors import InputError
from clew.evaluation.formats import FORMATS, FaultyRow, Format, Question, Support, questions_in
from clew.files import json_lines, write_whole
from clew.types import Json

__all__ = ["CORPUS", "QUESTIONS", "Question", "Support", "load_questions", "write_corpus"]

QUESTIONS = "questions.jsonl"
CORPUS = "corpus.jsonl"

_ANSWERS = ("answers", "answer")
_NO_TEXTS = ("every", "hops")
"""Fields of Clew's own form that are true or false, or a number."""

Row = tuple[str, Json]
"""A row with its place in the file: "line 3", "entry 3"."""


def load_questions(path: Path) -> list[Question]:
    """The questions of a folder's ``questions.jsonl``, or of a file in any of ``FORMATS``.

    Raises InputError, with file and line, where there is no such file, it is in none of the formats, a row lacks
    something, an id comes twice, or there is no question.
    """
    return _questions(_opened(_file(path)))


def write_corpus(questions_file: Path, folder: Path) -> tuple[int, int]:
    """Write ``corpus.jsonl`` and ``questions.jsonl`` into ``folder``; returns the numbers of passages and questions.

    Raises InputError as ``load_questions`` does, where the questions carry no passages, and where the folder has such
    files already or cannot be written.
    """
    file = _file(questions_file)
    questions = _questions(_opened(file))
    opened = _opened(file)
    corpus = _corpus(opened)
    if not corpus:
        raise InputError(
            f"{file} ({opened.form.name}) carries no passages: ingest the corpus that it is asked about, "
            "and give this file itself to clew evaluate."
        )
    try:
        for name in (CORPUS, QUESTIONS):
            if (folder / name).exists():
                raise InputError(f"{folder / name} exists already; name a folder without one.")
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / CORPUS, json_lines(corpus, ascii=False), private=False)
        rows = map(_row_of, questions)
        write_whole(folder / QUESTIONS, json_lines(rows, ascii=False), private=False)
    except OSError as error:
        raise InputError(f"{folder} cannot be written ({error.strerror}); name another folder.") from error
    return len(corpus), len(questions)


def _file(path: Path) -> Path:
    try:
        if path.is_dir():
            if not (path / QUESTIONS).is_file():
                raise InputError(f"The folder {path} holds no {QUESTIONS}; name a folder that does, or a file.")
            return path / QUESTIONS
        if path.is_file():
            return path
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); check the name.") from error
    raise InputError(f"There is no file or folder {path}; check the name.")


@dataclass(frozen=True, slots=True)
class _Opened:
    """A file of questions with its format and its rows, which are read as they are used: a page of NQ is large."""

    file: Path
    form: Format
    rows: Iterator[Row]


def _opened(file: Path) -> _Opened:
    first = next(rows := _rows(file))
    if not any(form.matches(first[1]) for form in FORMATS) and _asks(list(first[1])):
        # As the heads of a table may be, where a table was turned into JSON.
        first, rows = _plain_names(first), map(_plain_names, rows)
    return _Opened(file, _format(file, *first), chain([first], rows))


def _plain_names(row: Row) -> Row:
    place, fields = row
    return place, {name.strip().casefold(): value for name, value in fields.items()}


def _format(file: Path, place: str, row: Json) -> Format:
    for form in FORMATS:
        if form.matches(row):
            return form
    names = ", ".join(sorted(map(str, row))[:8])
    raise InputError(f"{file}, {place}: no question (its fields: {names}); write {{id, question, answers}} on a line.")


def _questions(opened: _Opened) -> list[Question]:
    file = opened.file
    questions: list[Question] = []
    places: dict[str, str] = {}
    for number, (place, row) in enumerate(opened.rows, 1):
        try:
            question = opened.form.question(row, f"{file.stem}-{number}")
        except FaultyRow as error:
            raise InputError(f"{file}, {place}: {error}; mend it, or take it out.") from error
        if question is None:
            continue
        if question.id in places:
            raise InputError(
                f"{file}, {place}: the id {question.id!r} is that of {places[question.id]} too; change one of the two."
            )
        if (length := len(question.question)) > MAX_QUESTION_CHARS:
            raise InputError(
                f"{file}, {place}: the question {question.id!r} has {length:,} characters, and a question at most "
                f"{MAX_QUESTION_CHARS:,}; shorten it, or take it out."
            )
        places[question.id] = place
        questions.append(question)
    if not questions:
        raise InputError(f"{file} holds no question that has an answer; name another file.")
    return questions


def _corpus(opened: _Opened) -> list[dict[str, str]]:
    def passages() -> Iterator[Support]:
        for place, row in opened.rows:
            try:
                yield from opened.form.passages(row)
            except FaultyRow as error:
                raise InputError(f"{opened.file}, {place}: {error}; mend it, or take it out.") from error

    return [{"title": p.title, "text": p.text} for p in dict.fromkeys(passages()) if p.text]


def keep_upload(folder: Path, name: str, data: bytes, suffix: str = "") -> Path:
    """Keep a file of questions that was uploaded. Raises InputError, with its own name, where it holds none."""
    stem = re.sub(r"[^\w.-]+", "-", Path(name).stem).strip(".-")[:60] or "questions"
    file = folder / f"{stem}{suffix}.jsonl"
    write_whole(file, data)
    try:
        load_questions(file)
    except InputError as error:
        file.unlink()
        raise InputError(str(error).replace(str(file), name)) from error
    return file


def _row_of(question: Question) -> Json:
    row: Json = {"id": question.id, "question": question.question, "answers": list(question.answers)}
    row |= {"every": True} if question.every else {}
    if question.supporting:
        row["supporting"] = [{"title": s.title, "text": s.text} for s in question.supporting]
    if question.hops is not None:
        row["hops"] = question.hops
    if question.kind:
        row["kind"] = question.kind
    return row


def _rows(file: Path) -> Iterator[Row]:
    """The rows of JSON lines, a JSON list, an object that holds one, or a table; at least one."""
    found = False
    try:
        with file.open(encoding="utf-8-sig", newline="\n") as stream:
            start = stream.read(1024).lstrip()[:1]
            stream.seek(0)
            read = {"{": _lines, "[": _list}.get(start, _table)
            for row in read(file, stream):
                found = True
                yield row
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is no text in UTF-8; if it is packed (gz, zip), unpack it.") from error
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error.strerror}); check its permissions.") from error
    if not found:
        raise InputError(f"{file} holds no questions; name a file that does.")


def _lines(file: Path, stream: IO[str]) -> Iterator[Row]:
    first = True
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            if not first or _is_row(next(filter(str.strip, stream), "{}")):
                raise InputError(f"{file}, line {number}: {_why(error)}; mend it, or take it out.") from error
            row = None
        # An object that begins on the first line and goes on, or that holds all rows.
        if first and (row is None or (isinstance(row, dict) and _held(row))):
            stream.seek(0)
            yield from _list(file, stream)
            return
        if not isinstance(row, dict):
            raise InputError(f"{file}, line {number}: not a JSON object; mend it, or take it out.")
        first = False
        yield f"line {number}", row


def _is_row(line: str) -> bool:
    """Whether a line is a row by itself; of an object that goes on over lines it is not."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _list(file: Path, stream: IO[str]) -> Iterator[Row]:
    try:
        value = json.load(stream)
    except (ValueError, RecursionError) as error:
        where = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(f"{file}{where}: {_why(error)}; fetch or write the file anew.") from error
    if isinstance(value, dict):
        value = _held(value) or [value]
    for number, row in enumerate(value, 1):
        if not isinstance(row, dict):
            raise InputError(f"{file}, entry {number}: not a JSON object; mend it, or take it out.")
        try:
            for one in questions_in(row):
                yield f"entry {number}", one
        except FaultyRow as error:
            raise InputError(f"{file}, entry {number}: {error}; mend it, or take it out.") from error


def _held(value: Json) -> list[Any]:
    """The rows of an object that holds all of them under one name, such as TriviaQA's Data; empty for another one."""
    lists = [some for some in value.values() if isinstance(some, list) and some and isinstance(some[0], dict)]
    if len(lists) != 1 or any(form.matches(value) for form in FORMATS):
        return []
    first = lists[0][0]
    return lists[0] if "paragraphs" in first or any(form.matches(first) for form in FORMATS) else []


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON ({error.msg}, column {error.colno})"
    return "JSON that is nested too deeply" if isinstance(error, RecursionError) else "not valid JSON"


def _table(file: Path, stream: IO[str]) -> Iterator[Row]:
    """A table has a header with the column question, as PopQA's; DPR's two columns have none."""
    head = stream.readline()
    stream.seek(0)
    by = next((sign for sign in ",;" if _asks(next(csv.reader(head.splitlines(), delimiter=sign), []))), "\t")
    reader = csv.reader(stream, delimiter=by)
    header: list[str] = []
    try:
        for cells in reader:
            place = f"line {reader.line_num}"
            if not any(map(str.strip, cells)):
                continue
            if not header and _asks(cells):
                header = [cell.strip().casefold() for cell in cells]
                continue
            if not header and (len(cells) != 2 or by != "\t"):
                raise InputError(f"{file}, {place}: neither JSON nor a table of questions; name a file of questions.")
            own = bool(header) and not {"possible_answers", "answer_list"} & set(header)
            header = header or ["question", "answer_list"]
            if len(cells) != len(header):
                parted = {"\t": "tabs", ",": "commas"}.get(by, "semicolons")
                raise InputError(f"{file}, {place}: {len(cells)} columns instead of {len(header)}, parted by {parted}.")
            row = dict(zip(header, cells, strict=True))
            yield place, _own_row(row) if own else row
    except csv.Error as error:
        raise InputError(f"{file}, line {reader.line_num}: not a readable row ({error}); mend it.") from error


def _asks(cells: list[str]) -> bool:
    """Whether a row is the head of a table of questions."""
    return "question" in [cell.strip().casefold() for cell in cells]


def _own_row(cells: dict[str, str]) -> Json:
    """A row of somebody's own table, whose cells are texts: JSON is read where a row has other things.

    The items of a list that are all wanted are parted by semicolons or lines, where they are no JSON list.
    """
    row: Json = {name: cell.strip() for name, cell in cells.items() if cell.strip() or name in _ANSWERS}
    for name in row.keys() - {"question", *_ANSWERS}:
        row[name] = _json_of(row[name].casefold(), (bool, int)) if name in _NO_TEXTS else row[name]
    for name in row.keys() & set(_ANSWERS):
        several = re.split(r"[;\n]", row[name]) if row.get("every") is True and row[name] else row[name]
        row[name] = _json_of(row[name], (list,)) if row[name].startswith("[") else several
    return row


def _json_of(text: str, kinds: tuple[type, ...]) -> Any:
    """What a text says in JSON, if that is one of these kinds, else the text itself."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, kinds) else text
