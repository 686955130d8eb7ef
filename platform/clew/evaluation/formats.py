"""How each published question set writes a question, its answers and its passages: one entry of ``FORMATS`` each."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

from clew.types import Json


@dataclass(frozen=True, slots=True)
class Support:
    """A passage that the answer rests on; ``text`` is empty where only its title is known."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its gold answers, any of which is right, and what else is known of it.

    ``hops`` counts the facts that have to be combined; ``kind`` is the data set's own name for the sort of question.
    Without answers it is right to give none. With ``every`` the answers are the items of a list, all of them wanted.
    """

    id: str
    question: str
    answers: tuple[str, ...]
    supporting: tuple[Support, ...] = ()
    hops: int | None = None
    kind: str = ""
    every: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write questions: whether a row is in it, the row's question, and the passages that the row carries.

    ``question`` gets the id of a row that has none of its own, and returns None for a row that is left out. It raises
    FaultyRow where something is missing.
    """

    name: str
    matches: Callable[[Json], bool]
    question: Callable[[Json, str], Question | None]
    passages: Callable[[Json], Iterable[Support]]


class FaultyRow(Exception):
    """A row that is no question; the message says what is wrong with it."""


_HOPS = re.compile(r"(\d)hop")


def _text(row: Json, field: str) -> str:
    value = row.get(field)
    if not isinstance(value, str) or not value.strip():
        raise FaultyRow(f"no {field!r} (a text that is not empty)")
    return value.strip()


def _list(row: Json, field: str) -> list[Any]:
    value = row.get(field)
    if not isinstance(value, list):
        raise FaultyRow(f"no {field!r} (a list)")
    return value


def _answers(values: Any, field: str) -> tuple[str, ...]:
    """The texts of a list, or the only one, each once; at least one. Numbers are taken as they are written."""
    if values is None:
        raise FaultyRow(f"no {field!r} (a list of texts)")
    values = values if isinstance(values, list) else [values]
    for value in values:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise FaultyRow(f"{field!r} holds {repr(value)[:40]}, but takes texts (and numbers)")
    answers = tuple(dict.fromkeys(text for value in values if (text := str(value).strip())))
    if not answers:
        raise FaultyRow(f"{field!r} holds no answer (the test sets of some benchmarks are published without)")
    return answers


def _id(row: Json, default: str, *fields: str) -> str:
    for field in fields:
        value = row.get(field)
        if isinstance(value, bool) or not isinstance(value, str | int | None):
            raise FaultyRow(f"{field!r} is neither a text nor a whole number")
        if value is not None and str(value).strip():
            return str(value).strip()
    return default


def _passages(row: Json, field: str, text_field: str) -> Iterator[tuple[Support, Json]]:
    for passage in _list(row, field):
        if not isinstance(passage, dict) or not isinstance(passage.get(text_field), str):
            raise FaultyRow(f"{field!r} holds something that has no {text_field!r}")
        title = passage.get("title")
        if isinstance(title, bool) or not isinstance(title, str | int | float | None):
            raise FaultyRow(f"{field!r} holds a 'title' that is neither a text nor a number")
        yield Support("" if title is None else str(title).strip(), passage[text_field].strip()), passage


# Clew's own: {id, question, answers, every?, supporting?, hops?, kind?}; answers may be [] where there is none to find.
# A single one may be called answer, as in NQ-open (arXiv 1906.00300): {question, answer: [text]}.


def _own_answers(row: Json) -> tuple[str, ...]:
    field = "answer" if "answer" in row and "answers" not in row else "answers"
    return () if field in row and row[field] in ([], "", None) else _answers(row.get(field), field)


def _clew(row: Json, default: str) -> Question:
    passages = _passages(row, "supporting", "text") if row.get("supporting") else ()
    supporting = tuple(dict.fromkeys(passage for passage, _ in passages))
    if not all(passage.title or passage.text for passage in supporting):
        raise FaultyRow("'supporting' holds a passage without title and text, which nothing can find")
    ident = _id(row, default, "id")
    hops, steps = row.get("hops"), row.get("decomposition")
    if hops is None:
        hops = len(steps) if isinstance(steps, list) and steps else None
    elif isinstance(hops, bool) or not isinstance(hops, int) or hops < 1:
        raise FaultyRow("'hops' is no whole number from 1")
    kind = str(row.get("kind") or row.get("type") or "")
    every = row.get("every", False)
    if not isinstance(every, bool):
        raise FaultyRow("'every' is neither true nor false")
    return Question(ident, _text(row, "question"), _own_answers(row), supporting, hops, kind, every)


# SQuAD 1.1 and 2.0 (arXiv 1606.05250, 1806.03822) and what is written like it: {question, context, answers: [{text}]},
# or answers: {text: [text]}; without answers where the context has none


def _squad(row: Json, default: str) -> Question:
    answers = row["answers"]
    if isinstance(answers, dict) and isinstance(answers.get("text"), list):
        answers = answers["text"]
    elif isinstance(answers, list):
        answers = [one.get("text") if isinstance(one, dict) else one for one in answers]
    question = _clew({**row, "answers": answers}, default)
    return replace(question, supporting=question.supporting or tuple(_squad_passages(row)))


def _squad_passages(row: Json) -> Iterator[Support]:
    title = row.get("title")
    yield Support(title.strip() if isinstance(title, str) else "", row["context"].strip())


def questions_in(row: Json) -> Iterator[Json]:
    """The questions of a row: of an article of SQuAD those of all its paragraphs, of any other row itself."""
    paragraphs = row["paragraphs"] if isinstance(row.get("paragraphs"), list) else []
    asked = [one for one in paragraphs if isinstance(one, dict) and "qas" in one]
    if not asked:
        yield row
    for paragraph in asked:
        for one in _list(paragraph, "qas"):
            if not isinstance(one, dict):
                raise FaultyRow("'qas' holds something that is no object")
            yield {"title": row.get("title"), "context": paragraph.get("context")} | one


# HotpotQA (arXiv 1809.09600) and 2WikiMultiHopQA (arXiv 2011.01060): context [[title, [sentence]]], supporting_facts
# [[title, sentence number]]


def _context(row: Json) -> Iterator[Support]:
    for entry in _list(row, "context"):
        match entry:
            case [str(title), list(sentences)] if all(isinstance(s, str) for s in sentences):
                yield Support(title.strip(), " ".join(filter(None, (s.strip() for s in sentences))))
            case _:
                raise FaultyRow("'context' holds something other than [title, [sentence, …]]")


def _hotpot(row: Json, default: str) -> Question:
    titles: dict[str, str] = {}
    for entry in _list(row, "supporting_facts"):
        match entry:
            case [str(title), *_]:
                titles[title.strip()] = ""
            case _:
                raise FaultyRow("'supporting_facts' holds something other than [title, sentence number]")
    for passage in _context(row):
        if passage.title in titles:
            titles[passage.title] = titles[passage.title] or passage.text
    return Question(
        _id(row, default, "_id", "id"),
        _text(row, "question"),
        _answers([_text(row, "answer")], "answer"),
        tuple(Support(title, text) for title, text in titles.items()),
        len(titles) or None,
        str(row.get("type") or ""),
    )


# MuSiQue (arXiv 2108.00573): paragraphs [{title, paragraph_text, is_supporting}]


def _paragraphs(row: Json) -> Iterator[Support]:
    return (passage for passage, _ in _passages(row, "paragraphs", "paragraph_text"))


def _musique(row: Json, default: str) -> Question | None:
    """Without the questions that MuSiQue-Full made unanswerable: they share their ids with those they are made from."""
    if row.get("answerable") is False:
        return None
    passages = _passages(row, "paragraphs", "paragraph_text")
    supporting = tuple(dict.fromkeys(passage for passage, entry in passages if entry.get("is_supporting")))
    ident = _id(row, default, "id")
    aliases = row.get("answer_aliases") or []
    if not isinstance(aliases, list):
        raise FaultyRow("'answer_aliases' is no list")
    answers = _answers([_text(row, "answer"), *aliases], "answer_aliases")
    prefix = _HOPS.match(ident)
    steps = row.get("question_decomposition")
    hops = len(steps) if isinstance(steps, list) and steps else int(prefix[1]) if prefix else None
    kind = ident.partition("__")[0] if prefix else ""
    return Question(ident, _text(row, "question"), answers, supporting, hops, kind)


# PopQA (arXiv 2212.10511): a table with possible_answers as JSON


def _popqa(row: Json, default: str) -> Question:
    try:
        answers = json.loads(_text(row, "possible_answers"))
    except (ValueError, RecursionError) as error:
        raise FaultyRow("'possible_answers' is no JSON list") from error
    answers = _answers(answers, "possible_answers")
    return Question(_id(row, default, "id"), _text(row, "question"), answers, (), 1, str(row.get("prop") or ""))


# Natural Questions as published (TACL 2019), whole or simplified: question_text, a page as tokens, and annotations
# whose spans count those


def _nq_span(tokens: list[str], span: Any) -> str:
    match span:
        case {"start_token": int(start), "end_token": int(end)} if 0 <= start < end <= len(tokens):
            return " ".join(token for token in tokens[start:end] if not token.startswith("<"))
        case _:
            return ""


def _nq_tokens(row: Json) -> list[str]:
    """The page's tokens, tags of HTML among them."""
    if isinstance(row.get("document_text"), str):
        return str(row["document_text"]).split(" ")
    tokens = _list(row, "document_tokens")
    if not all(isinstance(token, dict) and isinstance(token.get("token"), str) for token in tokens):
        raise FaultyRow("'document_tokens' holds something that has no 'token'")
    return [f"<{t['token']}" if t.get("html_token") else t["token"] for t in tokens]


def _nq_title(row: Json) -> str:
    titles = parse_qs(urlsplit(str(row.get("document_url") or "")).query).get("title", [""])
    return str(row.get("document_title") or titles[0].replace("_", " "))


def _nq(row: Json, default: str) -> Question | None:
    """Without the questions that no annotator found a short answer for; the long answers are the supporting passage."""
    tokens = _nq_tokens(row)
    answers: list[str] = []
    long = ""
    for annotation in _list(row, "annotations"):
        if not isinstance(annotation, dict):
            raise FaultyRow("'annotations' holds something that is no object")
        spans = annotation.get("short_answers")
        found = [_nq_span(tokens, span) for span in spans] if isinstance(spans, list) else []
        if annotation.get("yes_no_answer") in ("YES", "NO"):
            found.append(annotation["yes_no_answer"].lower())
        if any(found):
            answers += found
            long = long or _nq_span(tokens, annotation.get("long_answer"))
    if not any(answers):
        return None
    supporting = (Support(_nq_title(row), long),) if long else ()
    ident = _id(row, default, "example_id")
    return Question(ident, _text(row, "question_text"), _answers(answers, "annotations"), supporting)


def _nq_passages(row: Json) -> Iterator[Support]:
    tokens, title = _nq_tokens(row), _nq_title(row)
    for candidate in _list(row, "long_answer_candidates"):
        if isinstance(candidate, dict) and candidate.get("top_level") is not False:
            yield Support(title, _nq_span(tokens, candidate))


# TriviaQA (arXiv 1705.03551): {Data: [{Question, QuestionId, Answer: {Value, Aliases, NormalizedAliases}}]}; its
# evidence lies in files of its own


def _triviaqa(row: Json, default: str) -> Question:
    answer = row.get("Answer")
    if not isinstance(answer, dict):
        raise FaultyRow("no 'Answer' (the test sets are published without)")
    lists = [answer.get(field) or [] for field in ("Aliases", "HumanAnswers", "NormalizedAliases")]
    if not all(isinstance(names, list) for names in lists):
        raise FaultyRow("'Answer' holds aliases that are no lists")
    answers = _answers([_text(answer, "Value"), *(name for names in lists for name in names)], "Answer")
    return Question(_id(row, default, "QuestionId"), _text(row, "Question"), answers)


# DPR's form of NQ and TriviaQA (arXiv 2004.04906): {question, answers, positive_ctxs, negative_ctxs,
# hard_negative_ctxs}, and tables of question and answers as a Python list. Any one positive passage is enough, so none
# is a supporting one, which all have to be found.

_DPR = ("positive_ctxs", "negative_ctxs", "hard_negative_ctxs")


def _dpr(row: Json, default: str) -> Question:
    return Question(_id(row, default, "id"), _text(row, "question"), _answers(row.get("answers"), "answers"))


def _dpr_passages(row: Json) -> Iterator[Support]:
    return (passage for field in _DPR if row.get(field) for passage, _ in _passages(row, field, "text"))


def _dpr_table(row: Json, default: str) -> Question:
    try:
        answers = ast.literal_eval(_text(row, "answer_list"))
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise FaultyRow("its second column is no list of answers") from error
    return Question(default, _text(row, "question"), _answers(answers, "answer_list"))


def _none(row: Json) -> tuple[Support, ...]:
    return ()


FORMATS = (
    Format("2WikiMultiHopQA", lambda row: {"context", "supporting_facts", "evidences"} <= set(row), _hotpot, _context),
    Format("HotpotQA", lambda row: {"context", "supporting_facts"} <= set(row), _hotpot, _context),
    Format("MuSiQue", lambda row: "paragraphs" in row and "question" in row, _musique, _paragraphs),
    Format("PopQA", lambda row: "possible_answers" in row, _popqa, _none),
    Format("TriviaQA", lambda row: "Question" in row and "QuestionId" in row, _triviaqa, _none),
    Format("DPR", lambda row: "positive_ctxs" in row, _dpr, _dpr_passages),
    Format("DPR table", lambda row: "answer_list" in row, _dpr_table, _none),
    Format("NQ", lambda row: "question_text" in row and "annotations" in row, _nq, _nq_passages),
    Format(
        "SQuAD",
        lambda row: {"question", "answers"} <= set(row) and bool(str(row.get("context") or "").strip()),
        _squad,
        _squad_passages,
    ),
    Format("Clew", lambda row: "question" in row, _clew, _none),
)
"""The formats, the more particular ones first; the first that a file's first row matches is the file's."""
