"""What a model meant by a reply that is not in the protocol's form, as far as that is clear.

``Dialect.parse_turn`` is strict, and is what rewards measure. This is the step before it for models that nobody has
trained on the protocol: calls of tools, JSON and labels become turns, thoughts come off. What cannot be read in one
way is left as it is, so that the loop asks for it again.
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

_JSON_CHARS = 8_000
_MOST_OBJECTS = 50
_KINDS = ("query", "answer")
_WORDS = {"query": {"query", "search", "lookup"}, "answer": {"answer", "final", "finish"}}
_ARGUED = ("reason", "reasoning", "thought", "explanation")
_GIVEN = ("arguments", "parameters", "args", "input")
_THOUGHT_MARK = re.compile(r"<(/?)(?:think|thinking|thoughts?|reasoning)>|\[(/?)THINK\]", re.IGNORECASE)
"""Thoughts as other models mark them: <thinking>, [THINK] of Magistral."""
_TURN_ENDS = re.compile(r"<[|｜](?:im_end|eot_id|end|endoftext|return|end▁of▁sentence)[|｜]>|</s>|<end_of_turn>")
"""The tokens of chat templates that a server has left in a text."""
_LABEL = re.compile(
    r"^[*#_ \t]*+(?:(?P<query>(?:search )?query|search)|(?:final )?answer)[*_]*:[*_]*[ \t]*\n{0,2}(?P<said>[^\n]+)",
    re.IGNORECASE | re.MULTILINE,
)
_BOXED = re.compile(r"\\boxed\{(?:\\text\{)?([^{}]+)\}{1,2}")
_BRACKETS = re.compile(r"\\?\[[#^]?(\d{1,4}(?:, ?\d{1,4})*)\\?\]|【(\d{1,4})[^】\n]{0,60}】")
"""Citations in the protocol's style and in those of other tools: [^1], 【1†source】."""
_MARKER_LAST = re.compile(r"\s*\[[\d, ]{1,60}\]\Z")
_LEAD_IN = re.compile(r"\A(?:the |my )?(?:final )?answer(?: is:?|:) +", re.IGNORECASE)
_WRAPPING = re.compile(r"\A(?:```\w*\s*|[*_`]{1,3})(.*?)(?:```|[*_`]{1,3})\Z", re.DOTALL)
_DUNDER = re.compile(r"_+\w+_+")


@dataclass(frozen=True, slots=True)
class Reading:
    """A reply as it was read: ``turn`` in the protocol's form, unless ``form`` is unusable.

    ``speech`` is what the model said outside of thoughts.
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
    """The first block outside of thoughts: its kind and text, what stands before it, and whether a thought is open."""

    thoughts: tuple[str, ...]
    speech: str
    kind: str = ""
    text: str = ""
    open: bool = False


def read(
    dialect: Dialect,
    text: str,
    *,
    thought: str = "",
    calls: Sequence[ToolCall] = (),
    whole: bool = True,
    final: bool = False,
) -> Reading:
    """Read a reply: its ``text``, the ``thought`` that came apart from it, and its ``calls`` of tools.

    ``whole`` is false for a reply that the token limit cut off: a block that lacks its end is then no block.
    ``final``: no lookup is left, so that an answer counts even after a query.
    """
    if not calls and (strict := _in_form(dialect, text, whole, final)):
        return strict
    plain = _plain(dialect, text)
    scan = _scan(dialect, plain, whole)
    if final and scan.kind == "query":
        answering = _scan(dialect, plain, whole, ("answer",))
        scan = answering if answering.kind else scan
    kind, content, argued = _block_or_form(scan, calls, whole, final)
    content = _undressed(content, kind)
    if not kind or (kind == "query" and not content):
        return Reading(dialect.cut(plain) if whole and not scan.open else plain, "unusable", _unwrapped(scan.speech))
    thinking = _first_thought(argued, *scan.thoughts[::-1], thought, scan.speech if scan.kind else "")
    turn = (
        dialect.render_turn(thinking, query=content)
        if kind == "query"
        else dialect.render_turn(thinking, answer=content)
    )
    called = not scan.kind and any(isinstance(_strict_json(call.arguments), dict) for call in calls[:1])
    return Reading(turn, "strict" if called else "mended", scan.speech)


def _block_or_form(scan: _Scan, calls: Sequence[ToolCall], whole: bool, final: bool) -> tuple[str, str, str]:
    """Kind, text and reason of a reply's block, else of its clearest other form; of the ``final`` reply an answer."""
    if scan.kind:
        return scan.kind, scan.text, ""
    forms = list(_other_forms(scan.speech, calls, whole))
    answers = [form for form in forms if final and form[0] == "answer"]
    return (*answers, *forms, ("", "", ""))[0]


def _first_thought(*thoughts: str) -> str:
    """The first that says something; of a long one the end, which is what it came to."""
    thought = next((part.strip() for part in thoughts if part.strip()), "")
    return thought if len(thought) <= THOUGHT_CHARS else "…" + thought[1 - THOUGHT_CHARS :]


def _in_form(dialect: Dialect, text: str, whole: bool, final: bool) -> Reading | None:
    """A reply that is in the protocol's form, without what its answer is dressed in; None for any other."""
    stripped = dialect.cut(text.strip()) if whole else text.strip()
    strict = dialect.parse_turn(stripped)
    if strict.error or strict.query.startswith("{") or (final and strict.query):
        return None
    plain = _undressed(strict.answer or "", "answer")
    if plain == (strict.answer or ""):
        return Reading(stripped, "strict", stripped)
    return Reading(dialect.render_turn(strict.thought, answer=plain), "mended", stripped)


def ends(dialect: Dialect, text: str, *, reasons: bool = False, final: bool = False) -> bool:
    """Whether a reply that is being written has come to its end: to a whole query or answer outside of thoughts, or to
    knowledge that it forges.

    ``reasons``: the model is known to think on its own, so that a text without marks may be a thought that the chat
    template has opened. ``final``: only an answer ends it, because no lookup is left.
    """
    if not dialect.ends(text):
        return False
    if _forges(dialect).search(text):
        return True
    scan = _scan(dialect, _plain(dialect, text), False, ("answer",) if final else _KINDS)
    return bool(scan.kind) and not (reasons and is_bare(dialect, text))


def is_bare(dialect: Dialect, text: str) -> bool:
    """Whether words stand before the first query or answer, and no mark of a thought anywhere."""
    plain = _plain(dialect, text)
    starts = [plain.find(tags.open) for tags in (dialect.query, dialect.answer) if tags.open in plain]
    return bool(starts and plain[: min(starts)].strip()) and not any(tag in plain for tag in dialect.think)


def thinks(dialect: Dialect, text: str) -> bool:
    """Whether a reply has ended in the middle of a thought."""
    return _scan(dialect, _plain(dialect, text), whole=False).open


def concludes(dialect: Dialect, thought: str) -> bool:
    """Whether a thought without a reply after it closes with a query or answer, and so was meant to be the reply."""
    return bool(_scan(dialect, _plain(dialect, dialect.think.open + thought), whole=True).kind)


def _plain(dialect: Dialect, text: str) -> str:
    """The reply with the dialect's tags as they should be, without template tokens and what follows a forged block."""
    for pattern, tag in _spellings(dialect):
        text = pattern.sub(tag, text)
    text = _THOUGHT_MARK.sub(lambda m: dialect.think.close if m[1] or m[2] else dialect.think.open, text)
    if forged := _forges(dialect).search(text):
        text = text[: forged.start(1)]
    for end in _TURN_ENDS.finditer(text):
        if end[0] not in dialect.tags and text[: end.start()].strip():
            return text[: end.start()]
    return text


def _scan(dialect: Dialect, text: str, whole: bool, kinds: Sequence[str] = _KINDS) -> _Scan:
    """The first query or answer that stands outside of thoughts; of a reply that is one thought, that at its end."""
    thoughts, speech, is_open = _without_thoughts(dialect, text)
    if whole and thoughts and not speech.strip():
        block = next((m for m in _blocks(dialect).finditer(thoughts[-1]) if not thoughts[-1][m.end() :].strip()), None)
        if block and (block["close"] or not is_open):
            before = thoughts[-1][: block.start()]
            return _Scan((*thoughts[:-1], before), "", _kind_of(dialect, block), block["said"], is_open)
    for block in _blocks(dialect).finditer(speech):
        kind = _kind_of(dialect, block)
        if kind in kinds and (whole or block["close"]) and block[0] not in dialect.instructions:
            return _Scan(tuple(thoughts), speech[: block.start()], kind, block["said"], is_open)
    return _Scan(tuple(thoughts), speech, open=is_open)


def _without_thoughts(dialect: Dialect, text: str) -> tuple[list[str], str, bool]:
    """The thoughts of a text, what it says beside them, and whether the last thought has no end.

    A text whose first mark of a thought is a closing one began inside it: the chat template had opened it.
    """
    opening, closing = dialect.think
    parts = re.split(f"({re.escape(opening)}|{re.escape(closing)})", text)
    inside = next((part == closing for part in parts if part in dialect.think), False)
    thoughts, speech, held = [], [], ""
    for part in parts:
        if part == closing and inside:
            thoughts.append(held)
            inside, held = False, ""
        elif part == opening:
            inside = True
        elif inside:
            held += part
        elif part != closing:
            speech.append(part)
    return [*thoughts, held] if inside else thoughts, "".join(speech), inside


def _kind_of(dialect: Dialect, block: re.Match[str]) -> str:
    return "query" if block["open"] == dialect.query.open else "answer"


def _other_forms(speech: str, calls: Sequence[ToolCall], whole: bool) -> Iterator[tuple[str, str, str]]:
    """Queries and answers in forms other than blocks, the clearest first: which it is, what it says, and why."""
    for call in calls:
        if whole or isinstance(_strict_json(call.arguments), dict):
            yield from _of_call(call.name, call.arguments)
    if not whole:
        return
    found = _json(speech[speech.find("{") :]) if "{" in speech else None
    for one in found if isinstance(found, list) else [found]:
        if isinstance(one, dict):
            one = one["function"] if isinstance(one.get("function"), dict) else one
            name = next((str(one[key]) for key in ("name", "tool", "action", "type") if key in one), "")
            yield from _of_call(name, next((one[key] for key in _GIVEN if key in one), one))
    if boxed := _BOXED.search(speech):
        yield "answer", boxed[1], ""
    if label := _LABEL.search(speech):
        yield ("query" if label["query"] else "answer"), label["said"].strip(' *_`"“”'), ""


def _of_call(name: str, given: Any) -> Iterator[tuple[str, str, str]]:
    """What the call of a tool says: its kind by the tool's name or its arguments', its text by that of the kind."""
    given = _json(given) if isinstance(given, str) and given.lstrip()[:1] in ("{", '"') else given
    given = given if isinstance(given, dict) else {name: given}
    given = next((given[key] for key in _GIVEN if isinstance(given.get(key), dict)), given)
    kind = _kind(name) or next(
        (kind for key, value in given.items() if (kind := _kind(key)) and _text(value, kind)), ""
    )
    named = [value for key, value in given.items() if _kind(key) == kind]
    others = [value for key, value in given.items() if key not in _ARGUED and value != name]
    argued = next((_text(given[key], "") for key in _ARGUED if key in given), "")
    if kind and (text := next(filter(None, (_text(value, kind) for value in [*named, *others])), "")):
        yield kind, text, argued


def _kind(name: str) -> str:
    """Whether a name is of a query or of an answer; empty for neither."""
    words = set(re.findall(r"[a-z]+", name.lower()))
    return next((kind for kind, known in _WORDS.items() if words & known), "")


def _text(value: object, kind: str) -> str:
    """A value as text; of a list all items of an answer, and the first query. Empty where it is something else."""
    if isinstance(value, list):
        texts = [_text(one, "") for one in value]
        return "; ".join(filter(None, texts if kind == "answer" else texts[:1])) if all(texts) else ""
    if isinstance(value, dict):
        return next((_text(value[key], kind) for key in (kind, "text", "value") if key in value), "")
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _strict_json(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _json(text: str) -> Any:
    """JSON as it was meant, whatever quotes, commas or ends are amiss, or a string of JSON; None for what is none."""
    from json_repair import loads

    found = _strict_json(text)
    if found is None and len(text) <= _JSON_CHARS and text.count("{") <= _MOST_OBJECTS:
        try:
            found = loads(text[: text.rfind("}") + 1] or text, skip_json_loads=True)
        except (ValueError, RecursionError):
            return None
    return _strict_json(found) if isinstance(found, str) else found


def _undressed(text: str, kind: str) -> str:
    """What a query or answer says, without the fence, Markdown, JSON or label that it is dressed in.

    Citations in the styles of other tools become those of the protocol, ``[n]``, which tell what the answer rests on.
    """
    text = _unwrapped(text)
    if text.startswith("{"):
        text = next((inner for is_, inner, _ in _other_forms(text, (), True) if is_ == kind), text)
    if kind != "answer" or len(text) > THOUGHT_CHARS:
        return text
    plain = _BRACKETS.sub(lambda m: f"[{m[1] or m[2]}]", text)
    if "\n" not in plain:
        plain = _LEAD_IN.sub("", plain)
        plain = _BOXED.sub(r"\1", plain.strip("$")) if plain.strip("$").startswith("\\boxed") else plain
    words = plain.rstrip()
    while marker := _MARKER_LAST.search(words):
        words = words[: marker.start()]
    return _unwrapped(words) + plain[len(words) :] if words.strip() else text


def _unwrapped(text: str) -> str:
    """A text without the code fence or Markdown around all of it. Two words in bold are not one, __init__ is a name."""
    text = text.strip()
    wrapped = _WRAPPING.match(text)
    if wrapped and (text.startswith("```") or text[0] not in wrapped[1]) and not _DUNDER.fullmatch(text):
        return wrapped[1].strip()
    return text


@lru_cache(maxsize=8)
def _blocks(dialect: Dialect) -> re.Pattern[str]:
    """A query or answer from its opening tag to its end, to the next tag, or to the end of the text."""
    query, answer = ([re.escape(tag) for tag in tags] for tags in (dialect.query, dialect.answer))
    tag = "|".join(re.escape(tag) for tag in (*dialect.query, *dialect.answer))
    return re.compile(
        rf"(?P<open>{query[0]}|{answer[0]})(?P<said>(?:(?!{tag}).)*+)(?P<close>{query[1]}|{answer[1]})?", re.DOTALL
    )


@lru_cache(maxsize=8)
def _forges(dialect: Dialect) -> re.Pattern[str]:
    closing = "|".join(map(re.escape, dialect.stop))
    return re.compile(rf"(?:{closing})\s*({re.escape(dialect.knowledge.open)})")


@lru_cache(maxsize=8)
def _spellings(dialect: Dialect) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Each tag with the pattern of its other spellings: in capitals, or spaced."""
    found = []
    for tag in dialect.tags:
        name = tag.strip("</>|")
        left, right = (r"\s*".join(map(re.escape, part)) for part in tag.split(name))
        found.append((re.compile(rf"{left}\s*{re.escape(name)}\s*{right}", re.IGNORECASE), tag))
    return tuple(found)
