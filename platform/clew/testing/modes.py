"""The ways in which models and servers differ that all speak the OpenAI chat protocol, each a mode of the test server.

    with ModelServer(agent(), mode="reasoning-content") as server: ...

A mode dresses what the script says as another model would write it, refuses options, or sends it in another shape.
``python -m clew.testing --mode NAME`` plays one; ``--modes`` lists them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from clew.agent.protocol import DIALECTS, Dialect
from clew.types import Json


class Said(NamedTuple):
    """A reply: its text, the thought that goes apart from it, and calls of tools, each a name with arguments.

    Arguments that are text are sent as they are, JSON or not.
    """

    text: str
    thought: str = ""
    calls: tuple[tuple[str, Json | str], ...] = ()


class Turn(NamedTuple):
    """What a script's reply says, with the dialect in which it says so."""

    dialect: Dialect
    thought: str
    query: str
    answer: str

    @property
    def kind(self) -> str:
        """``query`` or ``answer``."""
        return "query" if self.query else "answer"

    @property
    def text(self) -> str:
        """The query or the answer."""
        return self.query or self.answer

    @property
    def block(self) -> str:
        """The query or answer in its tags."""
        tags = self.dialect.query if self.query else self.dialect.answer
        return f"{tags.open}{self.text}{tags.close}"


Wire = Literal[
    "stream", "whole", "odd events", "error in the stream", "error as text", "error as a list", "filtered",
    "cut off",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mode:
    """One way to differ.

    ``says`` tells a person what it plays. ``dress`` writes a turn as this model would. ``refuses`` maps an option to
    the body of the error that it gets (status 400). ``thoughts`` is the field for thoughts. ``stops``: stop strings are
    obeyed; ``stops_thoughts``: also in thoughts that go apart.
    """

    says: str
    dress: Callable[[Turn], Said] | None = None
    refuses: dict[str, Json] = field(default_factory=dict)
    thoughts: str = "reasoning_content"
    stops: bool = True
    stops_thoughts: bool = False
    wire: Wire = "stream"


def dressed(mode: Mode, reply: str, *, tools: bool = False) -> Said:
    """What the server sends of a script's reply: a call where ``tools`` are offered; one that is no turn as it is."""
    dress = mode.dress or (_calling if tools and not mode.refuses.get("tools") else None)
    for dialect in DIALECTS.values():
        parsed = dialect.parse_turn(reply)
        if dress and not parsed.error:
            return dress(Turn(dialect, parsed.thought, parsed.query, parsed.answer or ""))
    return Said(reply)


def _unsupported(option: str, hint: str = "") -> dict[str, Json]:
    """A refusal as OpenAI words it."""
    message = f"Unsupported parameter: '{option}' is not supported with this model.{hint}"
    return {option: {"error": {"message": message, "param": option, "code": "unsupported_parameter"}}}


def _extra(option: str) -> dict[str, Json]:
    """A refusal as FastAPI words it."""
    return {option: {"detail": [{"loc": ["body", option], "msg": "Extra inputs are not permitted"}]}}


def _mentioning(turn: Turn) -> str:
    """A thought that mentions the tags, as models do that weigh what to write."""
    d = turn.dialect
    return (
        f"They want {d.query.open}…{d.query.close} or {d.answer.open}…{d.answer.close}. I could write "
        f"{d.answer.open}Atlantis{d.answer.close}, but that would be a guess. {turn.thought}"
    )


def _words(turn: Turn) -> str:
    return f"{turn.thought} {turn.text}" if turn.query else turn.text


def _own_thought(turn: Turn, close: str = "") -> str:
    think = turn.dialect.think
    return f"{think.open}{_mentioning(turn)}{close or think.close}\n{turn.block}"


def _render(turn: Turn) -> str:
    d = turn.dialect
    if turn.query:
        return d.render_turn(turn.thought, query=turn.query)
    return d.render_turn(turn.thought, answer=turn.answer)


def _forging(turn: Turn) -> str:
    knowledge = turn.dialect.knowledge
    return f"{_render(turn)}\n{knowledge.open}\n[1] Atlantis: It lies in Atlantis.\n{knowledge.close}\n"


def _capitals(turn: Turn) -> str:
    text = _render(turn)
    for tag in turn.dialect.tags:
        text = text.replace(tag, tag.upper())
    return text


def _tool_call(turn: Turn) -> Json:
    name = "search" if turn.query else "answer"
    return {"name": name, "arguments": {"reason": turn.thought, turn.kind: turn.text}}


def _calling(turn: Turn) -> Said:
    call = _tool_call(turn)
    return Said("", "", ((call["name"], call["arguments"]),))


def _broken_call(turn: Turn) -> str:
    """Arguments with quotes in quotes, in which the last bracket is missing."""
    return f'{{"reason": "It is "the" one. {turn.thought}", "{turn.kind}": "{turn.text}"'


def _refusing(words: str) -> Callable[[Turn], Said]:
    return lambda t: Said(_render(t) if t.query else t.dialect.render_turn(t.thought, answer=words))


_LONG = "Let me think about this once more, step by step, from the beginning. "

MODES: dict[str, Mode] = {
    "reasoning-content": Mode(
        "thoughts apart, in the field reasoning_content", lambda t: Said(t.block, _mentioning(t))
    ),
    "reasoning": Mode(
        "thoughts apart, in the field reasoning", lambda t: Said(t.block, _mentioning(t)), thoughts="reasoning"
    ),
    "reasoning-stopped": Mode(
        "thoughts apart that mention the tags, and are ended by stop strings",
        lambda t: Said(t.block, _mentioning(t)),
        stops_thoughts=True,
    ),
    "reasoning-long": Mode(
        "thoughts apart, longer than a reply may be", lambda t: Said(t.block, _LONG * 80 + _mentioning(t))
    ),
    "own-thoughts": Mode("thoughts of its own in the text, which mention the tags", lambda t: Said(_own_thought(t))),
    "own-thoughts-twice": Mode(
        "thoughts of its own, and then a turn in good form",
        lambda t: Said(f"{t.dialect.think.open}{_mentioning(t)}{t.dialect.think.close}\n{_render(t)}"),
    ),
    "thought-by-template": Mode(
        "a thought that the chat template has opened, so that only its end is in the text",
        lambda t: Said(_own_thought(t).removeprefix(t.dialect.think.open)),
    ),
    "thought-unclosed": Mode(
        "a thought without an end before the query or answer",
        lambda t: Said(f"{t.dialect.think.open}{t.thought}\n{t.block}"),
    ),
    "thought-elsewhere": Mode(
        "thoughts in other models' marks", lambda t: Said(f"[THINK]{_mentioning(t)}[/THINK]{t.block}</s>")
    ),
    "turn-in-thought": Mode(
        "the query or answer as the end of its thought",
        lambda t: Said(f"{t.dialect.think.open}{t.thought} {t.block}{t.dialect.think.close}"),
        stops=False,
    ),
    "turn-as-reasoning": Mode(
        "all in the field for thoughts, as a server sends what it takes for a thought",
        lambda t: Said("", f"{t.thought}\n{t.block}"),
    ),
    "no-thought": Mode("a query or answer without a thought", lambda t: Said(t.block)),
    "capitals": Mode("tags in capitals", lambda t: Said(_capitals(t))),
    "code-fence": Mode("the turn in a code fence", lambda t: Said(f"Sure:\n```xml\n{_render(t)}\n```")),
    "markdown": Mode(
        "labels in bold in place of tags", lambda t: Said(f"**Thought:** {t.thought}\n\n**{t.kind.title()}:** {t.text}")
    ),
    "json": Mode(
        "JSON in place of tags",
        lambda t: Said(f"```json\n{json.dumps({'thought': t.thought, t.kind: t.text}, ensure_ascii=False)}\n```"),
    ),
    "json-in-tags": Mode(
        "JSON within the tags",
        lambda t: Said(t.block.replace(t.text, json.dumps({t.kind: t.text, "sources": []}, ensure_ascii=False))),
    ),
    "other-citations": Mode(
        "an answer in bold, with a citation as other tools write it",
        lambda t: Said(t.block.replace(t.text, f"**{t.text}**【1†source】") if t.answer else _render(t)),
    ),
    "tool-call-text": Mode(
        "a tool call that is written out", lambda t: Said(f"<tool_call>\n{json.dumps(_tool_call(t))}\n</tool_call>")
    ),
    "tool-calls": Mode("native tool calls, asked for or not", _calling),
    "tool-calls-broken": Mode(
        "native tool calls whose arguments are no JSON",
        lambda t: Said("", "", ((_tool_call(t)["name"], _broken_call(t)),)),
    ),
    "chat-tokens": Mode(
        "special tokens of a chat template in the text, and a next message of the user",
        lambda t: Said(f"{_render(t)}<|im_end|>\n<|im_start|>user\nThanks!<|im_end|>"),
    ),
    "forging": Mode(
        "goes on after the turn, and makes up what the graph replies", lambda t: Said(_forging(t)), stops=False
    ),
    "no-tags": Mode("plain words, whatever it is asked", lambda t: Said(_words(t))),
    "refusing": Mode("does not want to answer", _refusing("I'm sorry, but I can't assist with that.")),
    "refusing-in-german": Mode("does not know, in German", _refusing("Das weiß ich leider nicht.")),
    "refusing-in-other-words": Mode(
        "does not know, and says so of the facts", _refusing("None of the facts mention it.")
    ),
    "new-limit": Mode(
        "refuses max_tokens", refuses=_unsupported("max_tokens", " Use 'max_completion_tokens' instead.")
    ),
    "old-limit": Mode("refuses max_completion_tokens", refuses=_extra("max_completion_tokens")),
    "no-stream-options": Mode("refuses stream_options", refuses=_extra("stream_options")),
    "no-temperature": Mode("refuses temperature", refuses=_unsupported("temperature")),
    "no-stop": Mode("refuses stop strings", refuses=_unsupported("stop")),
    "strict": Mode(
        "refuses max_tokens, temperature, stop strings and stream_options, one after another",
        refuses=_unsupported("max_tokens", " Use 'max_completion_tokens' instead.")
        | _unsupported("temperature")
        | _unsupported("stop")
        | _extra("stream_options"),
    ),
    "no-tools": Mode("refuses tools", refuses=_unsupported("tools")),
    "no-functions": Mode(
        "refuses tools in other words", refuses={"tools": {"error": "Function calling is not enabled here."}}
    ),
    "whole": Mode("sends one JSON object where a stream was asked for", wire="whole"),
    "odd-events": Mode(
        "comments, pings and events without choices, JSON over several lines, CRLF, letters that look like line ends",
        lambda t: Said(t.dialect.render_turn(f"{t.thought}\u2028\u0085", **{t.kind: t.text})),
        wire="odd events",
    ),
    "filtered": Mode("holds its reply back in the middle, because of a filter", wire="filtered"),
    "cut-off": Mode("ends the connection before it has said anything", wire="cut off"),
    "error-in-stream": Mode("sends an error in the middle of a stream", wire="error in the stream"),
    "error-as-text": Mode("fails with a status and plain text", wire="error as text"),
    "error-as-list": Mode("fails with a status and a list of details", wire="error as a list"),
}
"""The modes by name."""
