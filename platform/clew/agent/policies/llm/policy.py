"""The policy ``llm``: a chat model at any address that speaks the OpenAI chat protocol.

It is asked for native calls of tools, and for tags where its server or it knows none. What servers differ in is met
below (``clew.llm``), what models differ in beside (``repair``). Every failure becomes one line that says what to do,
and a question spends no more than its budget of tokens and money, however many turns it takes.
"""

from __future__ import annotations

import random
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from clew.agent.conversation import asked_now, with_history
from clew.agent.episode import messages as laid_out
from clew.agent.policies.llm.repair import Reading, ToolCall, concludes, ends, is_bare, read, thinks
from clew.agent.policies.llm.tool_calls import tool_messages, tools
from clew.agent.policy import Turn
from clew.agent.protocol import Dialect
from clew.errors import BudgetExceededError, ModelError, SettingsError
from clew.llm.chat import (
    BROKE_OFF,
    HELD_BACK,
    OPENAI,
    chat_client,
    count_tokens,
    explained,
    is_too_long,
    may_pass,
    needs_model,
    reply_limit,
    slow,
    where,
)
from clew.llm.options import Manners, manners
from clew.llm.stream import Call, Piece, listened, pieces
from clew.questions.grammar import plan
from clew.questions.plan import Kind
from clew.settings import Settings
from clew.tracing import note, span
from clew.types import Json, Step, Usage

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI

MIN_REPLY_TOKENS = 16
"""A turn in fewer tokens than these cannot be written, so a budget that leaves less is spent."""
THINKING = 4
"""A model that reasons on its own may write so many times the tokens of a reply, where the budget allows it."""

HINTS: dict[Kind, str] = {
    "list": "Name every item that the facts state, with semicolons between them.",
    "count": "If no fact states the number, count what the facts name.",
    "yes/no": "Answer with yes or no.",
    "comparison": "Look up both before you answer.",
}
"""What a model is instructed beside a question of a kind."""
_LONGEST_WAIT = 8.0
_TICK = 0.2
"""Seconds after which a person may stop a model that says nothing."""
_FAILED = {"error": BROKE_OFF, "content_filter": HELD_BACK}
_REFUSES_TOOLS = re.compile(r"\btools?\b|\btool_|\bfunctions?\b", re.IGNORECASE)
_CHARS_PER_TOKEN = 8
"""More than a token has in any language: what a reply goes beyond by this, no server has limited."""


class LlmPolicy:
    """Lets a chat model write the turns, in ``dialect``.

    Before each request the budget of ``settings`` (``max_tokens``, ``max_cost``, for one question) is looked at: the
    reply is limited to what is left, the model is instructed to answer where it will not last for another turn, and
    BudgetExceededError names the limit where not even a short reply can be paid for. What a failed request has spent
    counts too, as the server reports it or as an estimate of what was sent and received. A question starts with a call
    without steps; threads may share a policy as long as each works on one question at a time. ``manners`` is what is
    known of the server, ``forms`` counts how its replies could be read: strict, mended, or unusable.

    Raises SettingsError where no model, or neither key nor address, is set.
    """

    name = "llm"
    model = True
    restate = staticmethod(with_history)

    def __init__(self, settings: Settings, dialect: Dialect) -> None:
        model = needs_model(settings, "The policy llm", "use the policy reader")
        if settings.max_cost and not settings.llm_input_price and not settings.llm_output_price:
            raise SettingsError("CLEW_MAX_COST needs prices: set CLEW_LLM_INPUT_PRICE and CLEW_LLM_OUTPUT_PRICE.")
        self._settings = settings
        self._dialect = dialect
        self._local = threading.local()
        self._lock = threading.Lock()
        self._openai: OpenAI | None = None
        self._called = False
        self.manners: Manners = manners(settings.llm_base_url or OPENAI, model)
        self.forms: Counter[str] = Counter()

    def act(
        self,
        question: str,
        steps: Sequence[Step],
        *,
        final: bool = False,
        correction: str = "",
        emit: Callable[[str], None] | None = None,
    ) -> Turn:
        """Write the next turn, in the protocol's form where the reply can be read in one way.

        A reply that cannot be read is returned as it is, and corrected once. Should that not help, the question itself
        is looked up where nothing has been yet; after that, what the model says is its answer, in a turn that counts
        as malformed, so that nobody takes it for one that keeps to the protocol.

        Raises ModelError where the model cannot be reached, refuses, or writes nothing, after the retries of the
        settings; BudgetExceededError where the question may spend no more.
        """
        if not steps and not correction:
            self._local.spent = Usage()
        spent: Usage = getattr(self._local, "spent", Usage())
        shown = _OnlyNew(emit or _ignore)
        usage = Usage()
        failures = 0
        while True:
            messages = self._messages(question, steps, final, correction)
            prompt_tokens = count_tokens(messages)
            limit, last = self._room(prompt_tokens, spent, usage)
            if last and not final:
                messages = self._messages(question, steps, True, correction)
            reply = self._request(messages, limit, final or last, shown)
            usage += self._usage(prompt_tokens, reply)
            if not (reply.again or reply.fault):
                reading = read(
                    self._dialect,
                    reply.text,
                    thought=reply.thought,
                    calls=reply.calls(),
                    whole=reply.whole,
                    final=final,
                )
                self._called |= bool(reply.parts)
                if self._called or not self._calls_tools() or reading.form != "unusable" or not reply.whole:
                    break
                self.manners.refused["tools"] = ""  # it was offered tools, and called none
                reply.again = True
            shown.restart()
            if reply.again:
                continue
            failures += 1
            if failures > self._settings.llm_retries and reply.fault:
                raise reply.fault
            _wait(max(reply.wait, min(0.5 * 2**failures, _LONGEST_WAIT) * random.uniform(0.75, 1)), shown)
        self._local.spent = spent + usage
        self.forms[reading.form] += 1
        if reading.form == "unusable" and correction:
            return Turn(self._made_of(reading, question, steps, final), usage)
        return Turn(reading.turn, usage)

    def _made_of(self, reading: Reading, question: str, steps: Sequence[Step], final: bool) -> str:
        """The turn of a model that does not keep to the protocol, even when it is shown how."""
        tags = self._dialect.answer
        if not (steps or final):
            return self._dialect.render_turn("", query=asked_now(question))
        if reading.speech and not any(tag in reading.speech for tag in self._dialect.tags):
            return f"{tags.open}{reading.speech}{tags.close}"
        return reading.turn

    def _messages(self, question: str, steps: Sequence[Step], final: bool, correction: str) -> list[Json]:
        if hint := HINTS.get(plan(asked_now(question)).kind):
            question = f"{question}\n{hint}"
        if self._calls_tools():
            return tool_messages(self._dialect, question, steps, final=final, correction=correction)
        return [dict(m) for m in laid_out(self._dialect, question, steps, final=final, correction=correction)]

    def _calls_tools(self) -> bool:
        return self._dialect.tools and "tools" not in self.manners.refused

    def _room(self, prompt_tokens: int, spent: Usage, lost: Usage) -> tuple[int, bool]:
        """Tokens that the reply may have, and whether the budget will not last for one more turn after it.

        ``spent`` is what the turns before have cost, ``lost`` what failed requests for this one have.
        """
        s = self._settings
        spent += lost
        tokens = s.max_tokens - spent.prompt_tokens - spent.completion_tokens - prompt_tokens
        if tokens < MIN_REPLY_TOKENS:
            raise BudgetExceededError(
                f"The question has used {s.max_tokens - tokens - prompt_tokens:,} of its {s.max_tokens:,} tokens; "
                "raise CLEW_MAX_TOKENS, or lower CLEW_TOP_K.",
                "tokens",
                lost,
            )
        longest = s.llm_reply_tokens * (THINKING if self.manners.reasons else 1)
        turn = prompt_tokens + s.llm_reply_tokens
        last = tokens < 2 * turn
        if s.max_cost:
            money = s.max_cost - spent.cost - self._settings.price(prompt_tokens, 0)
            affordable = (
                money / self._settings.price(0, 1) if s.llm_output_price else float(s.max_tokens if money >= 0 else 0)
            )
            if affordable < MIN_REPLY_TOKENS:
                raise BudgetExceededError(
                    f"The question has cost {spent.cost:.4g} of at most {s.max_cost:.4g}; raise CLEW_MAX_COST.",
                    "cost",
                    lost,
                )
            last = last or money < 2 * self._settings.price(prompt_tokens, s.llm_reply_tokens)
            tokens = min(tokens, int(affordable))
        return min(tokens, longest), last

    def _usage(self, prompt_tokens: int, reply: _Reply) -> Usage:
        read, wrote = prompt_tokens, count_tokens([{"role": "assistant", "content": reply.thought + reply.text}])
        if reply.reported:
            read, wrote = reply.reported
        return Usage(1, read, wrote, self._settings.price(read, wrote))

    def _request(self, messages: list[Json], limit: int, final: bool, emit: Callable[[str], None]) -> _Reply:
        """Request one reply. What may pass is a fault of the reply, and the caller's to try again."""
        import openai

        reply = _Reply()
        try:
            self._read(messages, limit, final, reply, emit)
        except ModelError as error:
            reply.fault = error
        except Exception as error:  # whatever comes of a server that breaks off, or speaks no chat protocol
            if isinstance(error, openai.APIStatusError) and self._refuses_tools(error, messages):
                self.manners.refused["tools"] = ""
                reply.again = True
                return reply
            reply.fault = explained(error, self._settings)
            if (wait := may_pass(error)) is None:
                raise reply.fault from error
            reply.wait = wait
        return reply

    def _refuses_tools(self, error: APIStatusError, messages: list[Json]) -> bool:
        """Whether an error is one of tools: in its words, or of a chat template that fails at what they returned."""
        if not self._calls_tools():
            return False
        if _REFUSES_TOOLS.search(f"{error} {error.body}"):
            return True
        returned = any(message["role"] == "tool" for message in messages)
        return returned and error.status_code in (400, 422, 500) and not is_too_long(error)

    def _read(self, messages: list[Json], limit: int, final: bool, reply: _Reply, emit: Callable[[str], None]) -> None:
        """Read the stream of one request into ``reply``, so that what came before a fault is known."""
        s = self._settings
        most, client = reply_limit(s, limit), self._client()
        options: Json = {"temperature": s.llm_temperature, **most.get("extra_body", most)}
        if self._calls_tools():
            options |= {"tools": tools(final=final), "tool_choice": "required"}
        elif not self.manners.reasons:
            options["stop"] = [self._dialect.answer.close] if final else list(self._dialect.stop)
        may_think = self.manners.reasons or "tools" in options  # no stop string has marked where a thought ends
        deadline, model = time.monotonic() + s.llm_timeout, s.llm_model or ""
        request = {"model": model, "messages": messages, "stream": True, "stream_options": {"include_usage": True}}
        request |= options
        traced_as = {"gen_ai__operation__name": "chat", "gen_ai__request__model": model}
        with span(f"chat {model}", client=True, **traced_as) as traced:
            for piece in listened(lambda: pieces(client, request), _TICK):
                emit(piece.text if piece else "")  # whoever listens may end it here, while it says nothing, too
                if time.monotonic() > deadline:
                    raise ModelError(f"{where(s)} {slow(s)}")
                if piece is None:
                    continue
                reply.add(piece)
                if piece.text and ends(
                    self._dialect, reply.text, reasons=may_think and not reply.thought, final=final
                ):  # a server that knows no stop strings would go on
                    reply.closed = True
                    break
                if len(reply.text) + len(reply.thought) > limit * _CHARS_PER_TOKEN:  # nor any limit
                    reply.reason = "length"
                    break
            if reply.reported:
                note(traced, gen_ai__usage__input_tokens=reply.reported[0])
                note(traced, gen_ai__usage__output_tokens=reply.reported[1])
        self._judge(reply, stopped="stop" in request)

    def _judge(self, reply: _Reply, *, stopped: bool) -> None:
        """Say of a reply whether it is whole, or has to be asked for again; ``stopped``: stop strings were sent.

        A thought that was ended by a stop string or by the limit is asked for once more, without stop strings and with
        room for it; from then on this model is known to reason. Raises ModelError for a reply that says nothing.
        """
        s = self._settings
        if not reply.closed and reply.reason in _FAILED:
            raise ModelError(f"{where(s)} {_FAILED[reply.reason]}")
        speaks = bool(reply.text.strip() or reply.parts)
        if self._was_cut_in_thought(reply, speaks, stopped):
            reply.again = True
            return
        if not speaks:
            self._take_thought(reply)
        if not reply.reason and not reply.closed:
            raise ModelError(f"{where(s)} {BROKE_OFF}")
        reply.whole = reply.closed or reply.reason != "length"

    def _was_cut_in_thought(self, reply: _Reply, speaks: bool, stopped: bool) -> bool:
        """Whether a stop string or the limit has ended a thought of a model that was not known to reason."""
        thinking = not reply.closed and not reply.parts
        thinking = thinking and (self._may_think(reply, stopped) if speaks else bool(reply.thought))
        begun = any(tags.open in reply.text for tags in (self._dialect.query, self._dialect.answer))
        cut = reply.reason == "length" or (stopped and reply.reason == "stop" and (begun or not speaks))
        known = self.manners.reasons
        self.manners.reasons = known or bool(reply.thought) or (thinking and cut)
        return thinking and cut and not known

    def _take_thought(self, reply: _Reply) -> None:
        """Of a reply that only thinks, take the thought for the reply where it closes with one."""
        s = self._settings
        if reply.thought and reply.reason != "length" and concludes(self._dialect, reply.thought):
            reply.text, reply.thought = self._dialect.think.open + reply.thought, ""
        elif reply.thought:
            todo = "raise CLEW_LLM_REPLY_TOKENS, or let it reason less"
            if reply.reason != "length":
                todo = "its server may take the reply for a thought (see its reasoning parser), or try another model"
            raise ModelError(f"{where(s)} wrote thoughts and no reply; {todo}.")
        elif reply.reason:
            raise ModelError(f"{where(s)} sent an empty reply; try another model, or raise CLEW_LLM_REPLY_TOKENS.")

    def _may_think(self, reply: _Reply, stopped: bool) -> bool:
        """Whether the text of a reply may have ended in a thought, be it one that the chat template has opened."""
        bare = stopped and not reply.thought and is_bare(self._dialect, reply.text)
        return bare or thinks(self._dialect, reply.text)

    def _client(self) -> OpenAI:
        with self._lock:
            if self._openai is None:
                self._openai = chat_client(self._settings)
            return self._openai


@dataclass(slots=True)
class _Reply:
    """What came of one request, paid for even where a fault ended it.

    ``whole`` is false for what the token limit cut off, which must not be made to look so; ``closed`` says that it came
    to its end by the protocol; ``again`` that the request is to be sent once more, as the server is known now.
    """

    text: str = ""
    thought: str = ""
    parts: list[Call] = field(default_factory=list)
    reason: str = ""
    whole: bool = False
    closed: bool = False
    again: bool = False
    reported: tuple[int, int] | None = None
    fault: ModelError | None = None
    wait: float = 0.0

    def add(self, piece: Piece) -> None:
        """Take up one more piece."""
        self.text += piece.text
        self.thought += piece.thought
        self.reason = piece.reason or self.reason
        self.reported = piece.usage or self.reported
        for call in piece.calls:
            place = next((i for i, part in reversed([*enumerate(self.parts)]) if part.index == call.index), None)
            if place is None or _begins(call, self.parts[place]):
                self.parts.append(call)
                continue
            part = self.parts[place]
            name = part.name if call.name == part.name else part.name + call.name  # some send it with every piece
            self.parts[place] = replace(part, name=name, arguments=part.arguments + call.arguments)

    def calls(self) -> list[ToolCall]:
        """The calls of tools, their pieces joined."""
        return [ToolCall(part.name, part.arguments) for part in sorted(self.parts, key=lambda part: part.index)]


def _begins(call: Call, last: Call) -> bool:
    """Whether a piece is of another call than the last one of its index, which some servers give to all calls."""
    return bool(call.name and call.id and last.id and call.id != last.id)


class _OnlyNew:
    """Passes on what is written; when a reply is requested again, only what goes beyond the text shown before."""

    def __init__(self, emit: Callable[[str], None]) -> None:
        self._emit = emit
        self._shown = ""
        self._text = ""

    def restart(self) -> None:
        self._text = ""

    def __call__(self, piece: str) -> None:
        self._text += piece
        new = ""
        if self._text.startswith(self._shown):
            new, self._shown = self._text[len(self._shown) :], self._text
        self._emit(new)


def _wait(seconds: float, emit: Callable[[str], None]) -> None:
    """Wait, unless whoever listens ends it."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        emit("")
        time.sleep(min(left, _TICK))


def _ignore(text: str) -> None:
    pass
