"""What a model meant by a reply that is not in the protocol's form, as far as that is clear.

``Dialect.parse_turn`` is strict, and is what rewards measure. This is the step before it for models that nobody has
trained on the protocol: what they wrote is put into its form where it can be read in one way, and left as it is where
it cannot, so that the loop asks for it again. Thoughts of a model's own may mention the tags; those count for nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from clew.agent.protocol import Dialect

THOUGHT_CHARS = 4_000
"""Characters of a thought that are kept, from its end: what it came to."""

Form = Literal["strict", "mended", "unusable"]

_JSON_CHARS = 20_000
_MOST_OBJECTS = 50
_LT, _GT = r"(?:<|＜|&lt;)", r"(?:>|＞|&gt;)"
_THINK_NAMES = "think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad"
# Thoughts as other models mark them: <thinking>, <seed:think>, ◁think▷, [THINK].
_FOREIGN_THOUGHT = re.compile(
    rf"(?:{_LT}|◁|\[)\s*(/?)\s*(?:[a-z]+:)?(?:{_THINK_NAMES})\s*(?:{_GT}|▷|\])", re.IGNORECASE
)
_SYNONYMS = {"query": "search|search_query|look_?up", "answer": "final_answer|final"}
# Harmony, the format of gpt-oss: <|channel|>analysis<|message|>…<|end|>, and what is said on the other channels.
_HARMONY_THOUGHT = re.compile(
    r"<\|channel\|>\s*analysis\b[^<]*<\|message\|>(.*?)(<\|end\|>|(?=<\|start\|>)|(?=<\|channel\|>)|\Z)", re.DOTALL
)
_HARMONY_HEAD = re.compile(r"(?:<\|start\|>[^<]*)?(?:<\|channel\|>[^<]*)?(?:<\|constrain\|>[^<]*)?<\|message\|>")
_TURN_ENDS = re.compile(
    r"<[|｜](?:im_end|eot_id|eom_id|end|endoftext|return|call|user|end_of_turn|end▁of▁sentence)[|｜]>|</s>|<end_of_turn>|"
    r"<eos>|<\|im_start\|>\s*user"
)
_TEMPLATE_TOKEN = re.compile(
    r"<[|｜][^<>|｜\n]{1,40}[|｜]>(?:assistant\b)?|</?s>|<(?:start|end)_of_turn>(?:model\b)?|<(?:bos|eos|pad)>|\[/?INST\]"
)
_LABEL = re.compile(
    r"^[\W_]*(?:(?P<query>(?:search )?query|search|look ?up|action input)"
    r"|(?:final |my |the )?(?P<answer>answer)(?: is)?)"
    r"[*_`\s]*[:：][*_`]*[ \t]*(?P<said>.*(?:\n\s*(?=\S).*)?)",
    re.IGNORECASE | re.MULTILINE,
)
_BOXED = re.compile(r"\\boxed\{(?:\\text\{)?([^{}]+)\}")
_ARGUED = ("reason", "reasoning", "thought", "thoughts", "think", "explanation")
_PARAMETER = re.compile(r"<parameter(?: name)?\s*=\s*[\"']?(\w+)[\"']?\s*>(.*?)</parameter>", re.DOTALL | re.IGNORECASE)
_WRAPPING = re.compile(r"\A(?:```\w*\s*|[*_`]{1,3})(.*?)(?:```|[*_`]{1,3})\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reading:
    """A reply as it was read: ``turn`` in the protocol's form, unless ``form`` is unusable.

    The turn's thought is the last one before its block. ``speech`` is what the model said outside of thoughts, without
    tokens of chat templates.
    """

    turn: str
    form: Form
    speech: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The call of a tool by a model, its arguments as JSON."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class _Scan:
    thoughts: tuple[str, ...]
    speech: str
    kind: str = ""
    said: str = ""
    open: bool = False


def read(
    dialect: Dialect, text: str, *, thought: str = "", calls: Sequence[ToolCall] = (), whole: bool = True
) -> Reading:
    """Read a reply: its ``text``, the ``thought`` that came apart from it, and its ``calls`` of tools.

    ``whole`` is false for a reply that the token limit cut off: a block that lacks its end is then no block.
    """
    stripped = dialect.cut(text.strip()) if whole else text.strip()
    if dialect.is_well_formed(stripped) and not calls:
        return Reading(stripped, "strict", stripped)
    plain = _plain(dialect, text)
    scan = _scan(dialect, plain, whole)
    kind, said, argued = scan.kind, scan.said, ""
    if not kind and (whole or calls):
        kind, said, argued = next(_other_forms(scan.speech, calls), ("", "", ""))
    said = _unwrapped(said)
    if not kind or (kind == "query" and not said):
        return Reading(dialect.cut(plain) if whole and not scan.open else plain, "unusable", _unwrapped(scan.speech))
    spoken = scan.speech if scan.kind else ""
    thinking = next((part.strip() for part in (argued, *scan.thoughts[::-1], thought, spoken) if part.strip()), "")
    if len(thinking) > THOUGHT_CHARS:
        thinking = "…" + thinking[1 - THOUGHT_CHARS :]
    turn = dialect.render_turn(thinking, query=said) if kind == "query" else dialect.render_turn(thinking, answer=said)
    return Reading(turn, "mended", scan.speech)


def ends(dialect: Dialect, text: str, *, reasons: bool = False) -> bool:
    """Whether a reply that is being written has come to its end: to the closing tag of a query or answer that does
    not stand in a thought, or to knowledge that it forges.

    ``reasons``: the model is known to think on its own, so that a text without marks may be a thought that the chat
    template has opened.
    """
    if not any(stop in text for stop in dialect.stop):
        return False
    plain = _plain(dialect, text)
    if _forges(dialect).search(plain):
        return True
    scan = _scan(dialect, plain, whole=False)
    return bool(scan.kind) and not (reasons and is_bare(dialect, text))


def is_bare(dialect: Dialect, text: str) -> bool:
    """Whether words stand before the first query or answer, and no mark of a thought anywhere."""
    plain = _plain(dialect, text)
    starts = [plain.find(tags.open) for tags in (dialect.query, dialect.answer) if tags.open in plain]
    return bool(starts and plain[: min(starts)].strip()) and not any(tag in plain for tag in dialect.think)


def thinks(dialect: Dialect, text: str) -> bool:
    """Whether a reply has ended in the middle of a thought."""
    return _scan(dialect, _plain(dialect, text), whole=False).open


def _plain(dialect: Dialect, text: str) -> str:
    """The reply with the dialect's tags as they should be, foreign marks of thoughts among them, and no others."""
    think = dialect.think
    text = _HARMONY_THOUGHT.sub(
        lambda m: f"{think.open}{m[1]}{think.close if m[2] or m.end() < len(m.string) else ''}", text
    )
    text = _HARMONY_HEAD.sub("", text)
    for pattern, tag in _spellings(dialect):
        text = pattern.sub(lambda _, tag=tag: tag, text)  # type: ignore[misc]
    text = _FOREIGN_THOUGHT.sub(lambda m: think.close if m[1] else think.open, text)
    for end in _TURN_ENDS.finditer(text):
        before = text[: end.start()].strip()
        if end[0] not in dialect.tags and before and not before.endswith(think.close):
            text = text[: end.start()]
            break
    return _TEMPLATE_TOKEN.sub(lambda m: m[0] if m[0] in dialect.tags else "", text)


def _scan(dialect: Dialect, text: str, whole: bool) -> _Scan:
    """The first query or answer that stands outside of thoughts, and the thoughts before it.

    A text whose first mark of a thought is a closing one began inside it: the chat template had opened it. ``open``:
    the thought that the text ends with has no end.
    """
    think, blocks = dialect.think, {"query": dialect.query, "answer": dialect.answer}
    marks = list(_tags(dialect).finditer(text))
    thinking = next((m[0] for m in marks if m[0] in think), "") == think.close
    thoughts: list[str] = []
    speech: list[str] = []
    start = 0
    for place, mark in enumerate(marks):
        if thinking or mark[0] == think.close:
            if mark[0] == think.close:
                thoughts.append(text[start : mark.start()])
                thinking, start = False, mark.end()
            continue
        if mark[0] == think.open:
            speech.append(text[start : mark.start()])
            thinking, start = True, mark.end()
            continue
        kind = next((name for name, tags in blocks.items() if mark[0] == tags.open), "")
        close = next((m for m in marks[place + 1 :] if kind and m[0] == blocks[kind].close), None)
        if not kind or (close and text[mark.start() : close.end()] in dialect.instructions):  # an echo of the prompt
            continue
        speech.append(text[start : mark.start()])
        if close is None and not whole:
            return _Scan(tuple(thoughts), "".join(speech))
        following = marks[place + 1].start() if place + 1 < len(marks) else len(text)
        said = text[mark.end() : close.start() if close else following]
        return _Scan(tuple(thoughts), "".join(speech), kind, said)
    if not thinking:
        return _Scan(tuple(thoughts), "".join([*speech, text[start:]]))
    return _unclosed(dialect, text[start:], thoughts, speech, whole)


def _unclosed(dialect: Dialect, rest: str, thoughts: list[str], speech: list[str], whole: bool) -> _Scan:
    """A thought without an end. Where the reply closes with a query or answer, that is what it says."""
    forged = _forges(dialect).search(rest)
    said = (rest[: forged.start(1)] if forged else rest).rstrip()
    for kind, tags in (("query", dialect.query), ("answer", dialect.answer)):
        start = said.rfind(tags.open)
        if whole and start >= 0 and said.endswith(tags.close):
            inside = said[start + len(tags.open) : -len(tags.close)]
            return _Scan((*thoughts, rest[:start]), "".join(speech), kind, inside, open=True)
    return _Scan((*thoughts, rest), "".join(speech), open=True)


def _other_forms(speech: str, calls: Sequence[ToolCall]) -> Iterator[tuple[str, str, str]]:
    """Queries and answers in forms other than blocks, the clearest first: which it is, what it says, and why."""
    for call in calls:
        yield from _of_call(call.name, call.arguments)
    for name, value in _PARAMETER.findall(speech):
        yield from _of_call(name, {name: value.strip()})
    for found in _objects(speech[:_JSON_CHARS]):
        yield from _of_object(found)
    if boxed := _BOXED.search(speech):
        yield "answer", boxed[1], ""
    if label := _LABEL.search(speech):
        said = label["said"].strip().split("\n")[0].strip(' *_`"“”')
        if said:
            yield ("query" if label["query"] else "answer"), said, ""


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects that stand in a text."""
    decoder, start = json.JSONDecoder(), text.find("{")
    for _ in range(_MOST_OBJECTS):
        if start < 0:
            return
        try:
            found, end = decoder.raw_decode(text, start)
            yield found
        except (ValueError, RecursionError):
            end = start + 1
        start = text.find("{", end)


def _of_object(found: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    function = found.get("function")
    if isinstance(function, dict):
        yield from _of_object(function)
        return
    name = next((found[key] for key in ("name", "tool", "action", "function") if isinstance(found.get(key), str)), "")
    arguments = next(
        (found[key] for key in ("arguments", "parameters", "args", "action_input", "input") if key in found), None
    )
    if name and arguments is not None:
        yield from _of_call(name, arguments)
        return
    for key, value in found.items():
        if (kind := _kind(key)) and _is_text(value):
            yield kind, str(value), _argued(found)


def _of_call(name: str, arguments: Any) -> Iterator[tuple[str, str, str]]:
    """What the call of a tool says: its kind by the tool's name, its text by the argument of that kind, else the first
    argument that is text."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            arguments = {name: arguments}
    if not isinstance(arguments, dict):
        arguments = {name: arguments}
    if kind := _kind(name):
        own = [value for key, value in arguments.items() if _kind(key) == kind]
        others = [value for key, value in arguments.items() if key.lower() not in _ARGUED]
        for value in filter(_is_text, [*own, *others]):
            yield kind, str(value), _argued(arguments)
            return


def _argued(found: dict[str, Any]) -> str:
    """The reasoning that comes with a call or object as a field of it."""
    return next((str(value) for key, value in found.items() if key.lower() in _ARGUED and _is_text(value)), "")


def _is_text(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _kind(name: str) -> str:
    """Whether a name is of a query or of an answer; empty for neither."""
    words = set(re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()))
    if words & {"query", "search", "lookup", "look", "retrieve"}:
        return "query"
    return "answer" if words & {"answer", "final", "finish", "submit"} else ""


def _unwrapped(text: str) -> str:
    """A text without the code fence or Markdown around all of it."""
    text = text.strip()
    wrapped = _WRAPPING.match(text)
    return wrapped[1].strip() if wrapped else text


@lru_cache(maxsize=8)
def _tags(dialect: Dialect) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, (*dialect.think, *dialect.query, *dialect.answer))))


@lru_cache(maxsize=8)
def _forges(dialect: Dialect) -> re.Pattern[str]:
    closing = "|".join(map(re.escape, dialect.stop))
    return re.compile(rf"(?:{closing})\s*({re.escape(dialect.knowledge.open)})")


@lru_cache(maxsize=8)
def _spellings(dialect: Dialect) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Each tag with the pattern of the ways to write it: in capitals, spaced, with escaped or wide brackets, or under
    another name that says the same."""
    found = []
    for tag in dialect.tags:
        name = tag.strip("</>|")
        names = "|".join([re.escape(name), *filter(None, [_SYNONYMS.get(name)])])
        left, right = tag.split(name)
        slash = r"\s*/\s*" if "/" in left else r"\s*"
        bar = r"[|｜]\s*" if "|" in left else ""
        pattern = rf"{_LT}{slash}{bar}(?:{names})\s*{'[|｜]' if '|' in right else ''}\s*{_GT}"
        found.append((re.compile(pattern, re.IGNORECASE), tag))
    return tuple(found)
