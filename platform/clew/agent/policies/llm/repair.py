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
from itertools import islice
from typing import Any, Literal

from clew.agent.protocol import Dialect

THOUGHT_CHARS = 4_000
"""Characters of a thought that are kept, from its end: what it came to."""

Form = Literal["strict", "mended", "unusable"]

_KINDS = ("query", "answer")
_JSON_CHARS = 20_000
_MOST_OBJECTS = 50
_MENDED_CHARS = 8_000
_DRESSED_CHARS = 4_000
_NESTED = 3
"""How often JSON may be a string of JSON."""
_LT, _GT = r"(?:<|＜|&lt;)", r"(?:>|＞|&gt;)"
_THINK_NAMES = "think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad"
# Thoughts as other models mark them: <thinking>, <seed:think>, <inner_thoughts>, ◁think▷, [THINK].
_FOREIGN_THOUGHT = re.compile(
    rf"(?:{_LT}\s*(?P<end>/?)\s*[a-z:_-]{{0,20}}?(?:{_THINK_NAMES}|monologue)\s*{_GT}"
    rf"|[◁\[]\s*(?P<end2>/?)\s*(?:{_THINK_NAMES})\s*[▷\]])",
    re.IGNORECASE,
)
# The same as special tokens: <|START_THINKING|>, <|begin_of_thought|>, and their ends.
_TOKEN_THOUGHT = re.compile(
    rf"<[|｜]\s*(?:(?P<open>start|begin)|end)_?(?:of_?)?(?:{_THINK_NAMES})\s*[|｜]>", re.IGNORECASE
)
# The thoughts of Gemma 4, and of MedGemma: <|channel>thought … <channel|>, <unused94>thought … <unused95>.
_GEMMA_THOUGHT = re.compile(r"(?P<open>(?:<\|channel>|<unused94>)\s*thought\b)|<channel\|>|<unused95>")
_SYNONYMS = {"query": "search|search_query|look_?up", "answer": "final_answer|final"}
# Harmony, the format of gpt-oss: <|channel|>analysis<|message|>…<|end|>, and what is said on the other channels.
_HARMONY_THOUGHT = re.compile(
    r"<\|channel\|>\s*analysis\b[^<]*<\|message\|>(.*?)(<\|end\|>|(?=<\|start\|>)|(?=<\|channel\|>)|\Z)", re.DOTALL
)
# What is left of it where a server takes the special tokens away.
_HARMONY_BARE = re.compile(r"\A\s*analysis(?=[A-Z\"'])(.*?)(assistantfinal|\Z)", re.DOTALL)
_HARMONY_HEAD = re.compile(r"(?:<\|start\|>[^<]*)?(?:<\|channel\|>[^<]*)?(?:<\|constrain\|>[^<]*)?<\|message\|>")
_TURN_ENDS = re.compile(
    r"<[|｜](?:im_end|eot_id|eom_id|end|endoftext|return|call|user|end_of_turn|end▁of▁sentence)[|｜]>|</s>|<end_of_turn>|"
    r"<eos>|<\|im_start\|>\s*user"
)
_TEMPLATE_TOKEN = re.compile(
    r"<[|｜][^<>|｜\n]{1,40}[|｜]>(?:assistant\b)?|<\|\w{1,20}>|<\w{1,20}\|>|</?s>|<(?:start|end)_of_turn>(?:model\b)?|<(?:bos|eos|pad)>|\[/?INST\]"
)
_LABEL = re.compile(
    r"^(?:\d{1,2}[.)] )?(?:[^\w\n]|_)*+(?:(?P<query>(?:search )?query|search|look ?up|action input|"
    r"(?:such)?anfrage|suche|requête|recherche|consulta|búsqueda|pesquisa|ricerca|запрос|поиск|查询|搜索|検索)"
    r"|(?:final |my |the |endgültige )?(?P<answer>answer|antwort|réponse|respuesta|resposta|risposta|antwoord|"
    r"odpowiedź|ответ|答案|回答|答え|답변?)(?: finale?)?(?: is)?)"
    r"[*_`\s]*[:：][*_`]*[ \t]*(?P<said>.*(?:\n\s*(?=\S).*)?)",
    re.IGNORECASE | re.MULTILINE,
)
# The label as a heading, or in a sentence of its own at the end.
_HEADED = re.compile(
    r"^(?:#{1,6} |\*\*|__)(?:[^\w\n]|_)*+(?:(?P<query>(?:search )?query|search)|(?:final |the )?answer)"
    r"(?:[^\w\n]|_)*\n\s*(?P<said>\S.*)",
    re.IGNORECASE | re.MULTILINE,
)
_ANSWER_IS = re.compile(
    r"(?:^|[.!?:]\s|\b(?:so|thus|therefore|hence),?\s)\s*(?:the|my) (?:final |correct )?answer is:?\s+"
    r"(?P<said>\S[^\n]{0,200})\Z",
    re.IGNORECASE | re.MULTILINE,
)
_BOXED = re.compile(r"\\boxed\{(?:\\text\{)?([^{}]+)\}")
_ARGUED = ("reason", "reasoning", "thought", "thoughts", "think", "explanation")
_NAMES = ("name", "tool", "tool_name", "action", "function", "type", "step", "kind")
_VALUES = ("value", "text", "content")
_REPLIES = ("response", "reply", "result", "output", "conclusion")
"""The fields of an object that name what it is, what it says, and what it says in reply."""
_GIVEN = ("arguments", "parameters", "args", "action_input", "input")
_PARAMETER = re.compile(
    r"<parameter(?: name)?\s*=\s*[\"']?(\w+)[\"']?\s*>(.*?)</parameter>|"
    r"<arg_key>\s*(\w+)\s*</arg_key>\s*<arg_value>(.*?)</arg_value>",
    re.DOTALL | re.IGNORECASE,
)
# A call as a line of a program: search(query="…"), tools.answer.call(answer='…').
_CALLED = re.compile(
    r"(?<![\w.])(?:\w+\.)?(?P<name>(?!call\b)\w+)(?:\.call)?\((?=[^()\n]*[\"'])(?P<given>[^\n]*)\)\W*$", re.MULTILINE
)
_KEYWORD = re.compile(r"(?:(\w+)\s*=\s*)?(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')\s*(?:,|$)")
_DUNDER = re.compile(r"_+\w+_+")
_TAGGED = re.compile(r"<([^\W\d_][\w-]{0,30})(?: [^<>\n]{0,80})?>([^<>]*)</\1>")
# Citations of other tools: 【1†source】, [Fact 1], [^1], [[1]], \[1\], (fact 1 and 2), (see [1]).
_NUMBERS = r"[#^]?\d{1,4}(?:(?:,|;| and| &) ?\d{1,4})*"
_CITED = r"(?:(?:see|cf|sources?|facts?|docs?|documents?|passages?|refs?)[ :.]{1,2})"
_PARENTHESIS = re.compile(rf"\({_CITED}{{1,2}}\[?({_NUMBERS})\]?\)", re.IGNORECASE)
_BRACKETS = re.compile(
    rf"\\?\[{_CITED}?\[?({_NUMBERS})\]?\\?\]|【{_CITED}?({_NUMBERS})(?:†[^】\n]{{0,60}})?】", re.IGNORECASE
)
_MARKER_LAST = re.compile(r"\[[\d, ]{1,60}\]\Z")
_LEAD_IN = re.compile(
    r"\A(?:#{1,6} +|[-*•] +)?(?:(?:final |my |the )?answer: +|(?:the|my) (?:final |correct )?answer is:? +)?",
    re.IGNORECASE,
)
_ALL_BOXED = re.compile(r"\$*\\boxed\{(?:\\text\{)?([^{}]+)\}{1,2}\$*\.?")
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
    stripped = dialect.cut(text.strip()) if whole else text.strip()
    answers_too = final and dialect.query.close in stripped and dialect.answer.open in text
    if not calls and not answers_too and _is_strict(dialect, stripped):
        strict = dialect.parse_turn(stripped)
        plain = _undressed(strict.answer or "", "answer")
        if plain == (strict.answer or ""):
            return Reading(stripped, "strict", stripped)
        return Reading(dialect.render_turn(strict.thought, answer=plain), "mended", stripped)
    plain = _plain(dialect, text)
    scan = _scan(dialect, plain, whole)
    if final and scan.kind == "query" and not _forges(dialect).search(plain):
        answering = _scan(dialect, plain, whole, ("answer",))
        scan = answering if answering.kind else scan
    kind, said, argued = scan.kind, scan.said, ""
    calls = calls if whole else [call for call in calls if isinstance(_json(call.arguments), dict)]
    if not kind and (whole or calls):
        forms = list(islice(_other_forms(scan.speech, calls), _MOST_OBJECTS if final else 1))
        kind, said, argued = next((form for form in forms if form[0] == "answer"), next(iter(forms), ("", "", "")))
    said = _undressed(said, kind)
    if not kind or (kind == "query" and not said):
        return Reading(dialect.cut(plain) if whole and not scan.open else plain, "unusable", _unwrapped(scan.speech))
    spoken = scan.speech if scan.kind else ""
    thinking = next((part.strip() for part in (argued, *scan.thoughts[::-1], thought, spoken) if part.strip()), "")
    if len(thinking) > THOUGHT_CHARS:
        thinking = "…" + thinking[1 - THOUGHT_CHARS :]
    turn = dialect.render_turn(thinking, query=said) if kind == "query" else dialect.render_turn(thinking, answer=said)
    return Reading(turn, "mended", scan.speech)


def ends(dialect: Dialect, text: str, *, reasons: bool = False, final: bool = False) -> bool:
    """Whether a reply that is being written has come to its end: to the closing tag of a query or answer that does
    not stand in a thought, or to knowledge that it forges.

    ``reasons``: the model is known to think on its own, so that a text without marks may be a thought that the chat
    template has opened. ``final``: only an answer ends it, because no lookup is left.
    """
    if not any(stop in text for stop in dialect.stop):
        return False
    plain = _plain(dialect, text)
    if _forges(dialect).search(plain):
        return True
    scan = _scan(dialect, plain, False, ("answer",) if final else _KINDS)
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
    scan = _scan(dialect, _plain(dialect, dialect.think.open + thought), whole=True)
    return bool(scan.kind)


def _is_strict(dialect: Dialect, text: str) -> bool:
    """Whether a reply is in the protocol's form, and says what it says as itself and not as JSON."""
    turn = dialect.parse_turn(text)
    return not turn.error and not turn.query.startswith("{")


def _plain(dialect: Dialect, text: str) -> str:
    """The reply with the dialect's tags as they should be, foreign marks of thoughts among them, and no others."""
    think = dialect.think
    text = _HARMONY_THOUGHT.sub(
        lambda m: f"{think.open}{m[1]}{think.close if m[2] or m.end() < len(m.string) else ''}", text
    )
    text = _HARMONY_HEAD.sub("", text)
    text = _HARMONY_BARE.sub(lambda m: f"{think.open}{m[1]}{think.close if m[2] else ''}", text)
    for pattern, tag in _spellings(dialect):
        text = pattern.sub(lambda _, tag=tag: tag, text)  # type: ignore[misc]
    text = _FOREIGN_THOUGHT.sub(lambda m: think.close if m["end"] or m["end2"] else think.open, text)
    text = _GEMMA_THOUGHT.sub(lambda m: think.open if m["open"] else think.close, text)
    text = _TOKEN_THOUGHT.sub(lambda m: think.open if m["open"] else think.close, text)
    for end in _TURN_ENDS.finditer(text):
        before = text[: end.start()].strip()
        if end[0] not in dialect.tags and before and not before.endswith(think.close):
            text = text[: end.start()]
            break
    return _TEMPLATE_TOKEN.sub(lambda m: m[0] if m[0] in dialect.tags else "", text)


def _scan(dialect: Dialect, text: str, whole: bool, kinds: Sequence[str] = _KINDS) -> _Scan:
    """The first query or answer that stands outside of thoughts, and the thoughts before it.

    A text whose first mark of a thought is a closing one began inside it: the chat template had opened it. ``open``:
    the thought that the text ends with has no end.
    """
    think = dialect.think
    blocks = {kind: tags for kind, tags in (("query", dialect.query), ("answer", dialect.answer)) if kind in kinds}
    opening = (think.open, dialect.query.open, dialect.answer.open)
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
        inner = marks[place + 1] if place + 1 < len(marks) else None
        if (
            inner and inner[0] in opening and not text[mark.end() : inner.start()].strip()
        ):  # all it says is in an answer
            speech.append(text[start : mark.start()])
            start = mark.end()
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
        said = "".join([*speech, text[start:]])
        if thoughts and not said.strip():  # all of it stands in a thought, and may close with what it wants
            within = _unclosed(dialect, thoughts[-1], thoughts[:-1], speech, whole)
            if within.kind:
                return within
        return _Scan(tuple(thoughts), said)
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
    for name, value, key, other in _PARAMETER.findall(speech):
        yield from _of_call(name or key, {name or key: (value or other).strip()})
    for found in _objects(speech[:_JSON_CHARS]):
        yield from _of_object(found)
    for called in _CALLED.finditer(speech[:_JSON_CHARS]):
        given = {key or called["name"]: value[1:-1] for key, value in _KEYWORD.findall(called["given"])}
        if _kind(called["name"]):
            yield from _of_call(called["name"], given)
    if boxed := _BOXED.search(speech):
        yield "answer", boxed[1], ""
    for pattern in (_LABEL, _HEADED, _ANSWER_IS):
        if label := pattern.search(speech):
            line = label["said"].strip().split("\n")[0]
            said = (line.removesuffix(".") if pattern is _ANSWER_IS else line).strip(' *_`"“”')
            if said:
                yield ("query" if label.groupdict().get("query") else "answer"), said, ""


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects that stand in a text; where none does, what was meant to be one."""
    decoder, start, some = json.JSONDecoder(strict=False), text.find("{"), False
    for _ in range(_MOST_OBJECTS):
        if start < 0:
            break
        try:
            found, end = decoder.raw_decode(text, start)
            some = True
            yield found
        except (ValueError, RecursionError):
            end = start + 1
        start = text.find("{", end)
    if not some and isinstance(found := _mended(text[max(0, text.find("{")) :]), dict):
        yield found


def _json(text: str) -> Any:
    """JSON as it was read, also where it holds JSON in a string once more; None for what is none."""
    found: Any = text
    for _ in range(_NESTED):
        try:
            found = json.loads(found, strict=False)
        except (ValueError, RecursionError):
            return None
        if not isinstance(found, str):
            break
    return found


def _mended(text: str) -> Any:
    """JSON in which quotes, commas or the end are not as they should be; None for what was never meant to be any."""
    from json_repair import loads

    if not text.startswith("{") or len(text) > _MENDED_CHARS:
        return None
    try:
        return loads(text, skip_json_loads=True)
    except (ValueError, RecursionError):
        return None


def _undressed(said: str, kind: str) -> str:
    """What a query or answer says, without the fence, Markdown, tags, JSON, LaTeX or label that it is dressed in.

    Citations in the styles of other tools become those of the protocol, ``[n]``, which tell what the answer rests on.
    """
    said = _unwrapped(said)
    if said.startswith(("{", "[")):
        inner = (inner for found in _objects(said) for is_, inner, _ in _of_object(found) if is_ == kind)
        whole = _json(said)
        listed = isinstance(whole, list) and all(isinstance(one, str) for one in whole)
        texts = (_text(whole, kind),) if isinstance(whole, dict) or listed else ()
        said = next(filter(None, (*inner, *texts)), said)
    if kind != "answer" or len(said) > _DRESSED_CHARS:
        return said
    plain = _PARENTHESIS.sub(lambda m: _marker(m[1]), said)
    plain = _BRACKETS.sub(lambda m: _marker(m[1] or m[2]), plain)
    if "\n" not in plain:
        plain = _LEAD_IN.sub("", plain)
        boxed = _ALL_BOXED.fullmatch(plain)
        plain = boxed[1] if boxed else plain
    words = plain.rstrip()
    while marker := _MARKER_LAST.search(words):
        words = words[: marker.start()].rstrip()
    return _unwrapped(words) + plain[len(words) :] if words.strip() else said


def _marker(numbers: str) -> str:
    return f"[{', '.join(re.findall(r'[0-9]+', numbers))}]"


def _of_object(found: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    function = found.get("function")
    if isinstance(function, dict):
        yield from _of_object(function)
        return
    name = next((found[key] for key in _NAMES if isinstance(found.get(key), str)), "")
    arguments = next((found[key] for key in _GIVEN if key in found), None)
    if name and arguments is not None:
        yield from _of_call(name, arguments)
        return
    for key, value in found.items():
        if (kind := _kind(key)) and (said := _text(value, kind)):
            yield kind, said, _argued(found)
    kind = next((kind for key in _NAMES if isinstance(found.get(key), str) and (kind := _kind(found[key]))), "")
    reply = next((key for key in _REPLIES if key in found), "")
    for key in (*(_VALUES if kind else ()), reply):
        if said := _text(found.get(key), kind or "answer"):
            yield kind or "answer", said, _argued(found)


def _of_call(name: str, arguments: Any) -> Iterator[tuple[str, str, str]]:
    """What the call of a tool says: its kind by the tool's name, its text by the argument of that kind, else the first
    argument that is text. Of a tool under another name the arguments tell both."""
    if isinstance(arguments, str):
        found = _json(arguments)
        arguments = found if isinstance(found, dict) else (_mended(arguments.strip()) or arguments)
    if not isinstance(arguments, dict):
        arguments = {name: arguments}
    inner = next((arguments[key] for key in _GIVEN if isinstance(arguments.get(key), dict)), arguments)
    kind = _kind(name) or next((kind for key in inner if (kind := _kind(key))), "")
    own = [value for key, value in inner.items() if _kind(key) == kind]
    others = [value for key, value in inner.items() if key.lower() not in _ARGUED]
    if kind and (said := next(filter(None, (_text(value, kind) for value in [*own, *others])), "")):
        yield kind, said, _argued(inner)


def _argued(found: dict[str, Any]) -> str:
    """The reasoning that comes with a call or object as a field of it."""
    return next((str(value) for key, value in found.items() if key.lower() in _ARGUED and _text(value, "")), "")


def _text(value: object, kind: str) -> str:
    """A value as text; of a list all items of an answer, and the first query. Empty where it is something else."""
    if isinstance(value, dict):
        return next(filter(None, (_text(value.get(key), "") for key in (kind, *_VALUES, "name"))), "")
    if isinstance(value, list):
        said = [_text(one, "") for one in value]
        return "; ".join(filter(None, said if kind == "answer" else said[:1])) if all(said) else ""
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _kind(name: str) -> str:
    """Whether a name is of a query or of an answer; empty for neither."""
    words = set(re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()))
    if words & {"query", "search", "lookup", "look", "retrieve"}:
        return "query"
    return "answer" if words & {"answer", "final", "finish", "submit"} else ""


def _unwrapped(text: str) -> str:
    """A text without the code fence, Markdown or pair of tags around all of it."""
    text = text.strip()
    wrapped = _WRAPPING.match(text)
    # Two words in bold are not one, and __init__ is a name.
    if wrapped and (text.startswith("```") or text[0] not in wrapped[1]) and not _DUNDER.fullmatch(text):
        text = wrapped[1].strip()
    tagged = _TAGGED.fullmatch(text)
    return tagged[2].strip() if tagged else text


@lru_cache(maxsize=8)
def _tags(dialect: Dialect) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, (*dialect.think, *dialect.query, *dialect.answer))))


@lru_cache(maxsize=8)
def _forges(dialect: Dialect) -> re.Pattern[str]:
    closing = "|".join(map(re.escape, dialect.stop))
    return re.compile(rf"(?:{closing})\s*({re.escape(dialect.knowledge.open)})")


@lru_cache(maxsize=8)
def _spellings(dialect: Dialect) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Each tag with the pattern of the ways to write it: in capitals, spaced, with escaped or wide brackets, with
    attributes, or under another name that says the same."""
    found = []
    for tag in dialect.tags:
        name = tag.strip("</>|")
        names = "|".join([re.escape(name), *filter(None, [_SYNONYMS.get(name)])])
        left, right = tag.split(name)
        slash = r"\s*/\s*" if "/" in left else r"\s*"
        bar = r"[|｜]\s*" if "|" in left else ""
        given = "" if bar or "/" in left else r"(?:\s+[\w-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'))*"
        pattern = rf"{_LT}{slash}{bar}(?:{names}){given}\s*{'[|｜]' if '|' in right else ''}\s*{_GT}"
        found.append((re.compile(pattern, re.IGNORECASE), tag))
    return tuple(found)
