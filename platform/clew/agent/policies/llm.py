"""The policy ``llm``: a chat model at any OpenAI-compatible address (OpenAI, vLLM, Ollama, llama.cpp).

The model's text ends at the closing tag of a query or answer; every failure becomes one line that says what to do; and
a question spends no more than its budget of tokens and money, however many turns it takes.
"""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from clew.agent.conversation import with_history
from clew.agent.episode import messages
from clew.agent.policy import Turn
from clew.agent.protocol import Dialect
from clew.errors import BudgetExceededError, ModelError, SettingsError
from clew.llm.chat import (
    BROKE_OFF,
    broke_off,
    chat_model,
    explained,
    reply_limit,
    slow,
    where,
)
from clew.settings import Settings
from clew.types import Step, Usage

if TYPE_CHECKING:
    from langchain_core.messages import AIMessageChunk
    from langchain_core.messages.ai import UsageMetadata
    from langchain_openai import ChatOpenAI

MIN_REPLY_TOKENS = 16
"""A turn in fewer tokens than these cannot be written, so a budget that leaves less is spent."""

_LONGEST_WAIT = 8.0


class LlmPolicy:
    """Lets a chat model write the turns, in ``dialect``.

    Before each request the budget of ``settings`` (``max_tokens``, ``max_cost``, for one question) is looked at: the
    reply is limited to what is left, the model is told to answer where it will not last for another turn, and
    BudgetExceededError names the limit where not even a short reply can be paid for. What a failed request has spent
    counts too, as the server reports it or as an estimate of what was sent and received. A question starts with a call
    without steps; threads may share a policy as long as each works on one question at a time.

    Raises SettingsError where no model, or neither key nor address, is set.
    """

    name = "llm"
    model = True
    restate = staticmethod(with_history)

    def __init__(self, settings: Settings, dialect: Dialect) -> None:
        if not settings.llm_model:
            raise SettingsError("The policy llm needs a model: set CLEW_LLM_MODEL, or use the policy reader.")
        if not settings.llm_base_url and not settings.llm_api_key:
            raise SettingsError(
                "The policy llm needs OPENAI_API_KEY, or CLEW_LLM_BASE_URL for a server of yours (vLLM, Ollama …)."
            )
        if settings.max_cost and not settings.llm_input_price and not settings.llm_output_price:
            raise SettingsError("CLEW_MAX_COST needs prices: set CLEW_LLM_INPUT_PRICE and CLEW_LLM_OUTPUT_PRICE.")
        self._settings = settings
        self._dialect = dialect
        self._local = threading.local()
        self._lock = threading.Lock()
        self._model: ChatOpenAI | None = None
        self._refused: set[str] = set()

    def act(
        self,
        question: str,
        steps: Sequence[Step],
        *,
        final: bool = False,
        correction: str = "",
        emit: Callable[[str], None] | None = None,
    ) -> Turn:
        """Write the next turn.

        Raises ModelError where the model cannot be reached, refuses, or writes nothing, after the retries of the
        settings; BudgetExceededError where the question may spend no more.
        """
        if not steps and not correction:
            self._local.spent = Usage()
        spent: Usage = getattr(self._local, "spent", Usage())
        told = messages(self._dialect, question, steps, final=final, correction=correction)
        prompt_tokens = _count(told)
        shown = _OnlyNew(emit or _ignore)
        usage = Usage()
        for attempt in itertools.count(1):
            limit, last = self._room(prompt_tokens, spent, usage)
            if last and not final:
                told = messages(self._dialect, question, steps, final=True, correction=correction)
            reply = self._request(told, limit, shown)
            usage += self._usage(prompt_tokens, reply)
            if not reply.fault:
                break
            if attempt > self._settings.llm_retries:
                raise reply.fault
            shown.restart()
            time.sleep(min(0.25 * 2**attempt, _LONGEST_WAIT) * random.uniform(0.75, 1))
        self._local.spent = spent + usage
        text = self._dialect.drop_prefix(reply.text)
        return Turn(self._dialect.cut(text) if reply.whole else text, usage)

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
        turn = prompt_tokens + s.llm_reply_tokens
        last = tokens < 2 * turn
        if s.max_cost:
            money = s.max_cost - spent.cost - self._cost(prompt_tokens, 0)
            affordable = money / self._cost(0, 1) if s.llm_output_price else float(s.max_tokens if money >= 0 else 0)
            if affordable < MIN_REPLY_TOKENS:
                raise BudgetExceededError(
                    f"The question has cost {spent.cost:.4g} of at most {s.max_cost:.4g}; raise CLEW_MAX_COST.",
                    "cost",
                    lost,
                )
            last = last or money < 2 * self._cost(prompt_tokens, s.llm_reply_tokens)
            tokens = min(tokens, int(affordable))
        return min(tokens, s.llm_reply_tokens), last

    def _cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        s = self._settings
        return (prompt_tokens * s.llm_input_price + completion_tokens * s.llm_output_price) / 1e6

    def _usage(self, prompt_tokens: int, reply: _Reply) -> Usage:
        read, wrote = prompt_tokens, _count([{"role": "assistant", "content": reply.text}])
        if reply.reported:
            read, wrote = reply.reported["input_tokens"], reply.reported["output_tokens"]
        return Usage(1, read, wrote, self._cost(read, wrote))

    def _request(self, messages: list[dict[str, str]], limit: int, emit: Callable[[str], None]) -> _Reply:
        """Request one reply. The client retries what fails before the first byte; what breaks off later is a fault."""
        import openai

        while True:
            reply = _Reply()
            try:
                self._read(messages, limit, reply, emit)
            except openai.BadRequestError as error:
                if self._is_refused_option(error):
                    continue
                raise explained(error, self._settings) from error
            except openai.APIStatusError as error:
                raise explained(error, self._settings) from error
            except openai.APIConnectionError as error:
                reply.fault = explained(error, self._settings)
                if not broke_off(error):
                    raise reply.fault from error
            except ModelError as error:
                reply.fault = error
            except Exception as error:  # whatever comes of a server that breaks off, or speaks no chat protocol
                reply.fault = explained(error, self._settings)
            return reply

    def _read(self, messages: list[dict[str, str]], limit: int, reply: _Reply, emit: Callable[[str], None]) -> None:
        """Read the stream of one request into ``reply``, so that what came before a fault is known."""
        s, stops = self._settings, self._dialect.stop
        options: dict[str, Any] = {"stop": list(stops), "temperature": s.llm_temperature}
        options = {name: value for name, value in options.items() if name not in self._refused}
        options |= reply_limit(s, limit)
        deadline = time.monotonic() + s.llm_timeout
        reason = ""
        stream = cast("Generator[AIMessageChunk, None, None]", self._client().stream(messages, **options))
        with closing(stream):
            for chunk in stream:
                piece = str(chunk.text)
                reply.text += piece
                reason = str(chunk.response_metadata.get("finish_reason") or reason)
                reply.reported = chunk.usage_metadata or reply.reported
                emit(piece)  # of a model that reasons out of sight nothing, but a run that was stopped ends here
                if any(stop in reply.text for stop in stops):  # a server that knows no stop strings would go on
                    break
                if time.monotonic() > deadline:
                    raise ModelError(f"{where(s)} {slow(s)}")
        if not reply.text.strip():
            raise ModelError(f"{where(s)} sent an empty reply; try another model, or raise CLEW_LLM_REPLY_TOKENS.")
        closed = any(stop in reply.text for stop in stops)
        if not reason and not closed:
            raise ModelError(f"{where(s)} {BROKE_OFF}")
        reply.whole = closed or reason != "length"

    def _client(self) -> ChatOpenAI:
        with self._lock:
            if self._model is None:
                self._model = chat_model(self._settings)
            return self._model

    def _is_refused_option(self, error: Exception) -> bool:
        """Reasoning models take no stop strings or no temperature; then the request goes again without."""
        text = str(error).lower()
        for name in ("stop", "temperature"):
            if name not in self._refused and f"'{name}'" in text and "support" in text:
                self._refused.add(name)
                return True
        return False


@dataclass(slots=True)
class _Reply:
    """What came of one request, paid for even where a fault ended it.

    ``whole`` is false for what the token limit cut off, which must not be made to look so.
    """

    text: str = ""
    whole: bool = False
    reported: UsageMetadata | None = None
    fault: ModelError | None = None


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


def _count(messages: list[dict[str, str]]) -> int:
    """Tokens of ``messages``, near enough for a budget and for servers that report none."""
    from langchain_core.messages.utils import count_tokens_approximately

    return count_tokens_approximately(messages)


def _ignore(text: str) -> None:
    pass
