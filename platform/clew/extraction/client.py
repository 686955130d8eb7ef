"""Asking the model: from the journal where it was asked before, else over HTTP, at the pace and within the budget.

Rate limits, server errors, timeouts and lost connections are tried again; an output format that the server does not
know gives way to the next simpler one, down to plain text that is mended on this side.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from clew.errors import ModelError
from clew.extraction.journal import Journal, JournalledReply, request_key
from clew.extraction.ontology import load_ontology
from clew.extraction.reply import response_format
from clew.llm import chat
from clew.llm.chat import asked_wait, broke_off, chat_model, count_tokens, explained, reply_limit
from clew.llm.pace import LONGEST_PAUSE, Pace, Purse
from clew.text.normalise import normalise
from clew.types import Usage

if TYPE_CHECKING:
    import openai
    from langchain_core.messages import AIMessage
    from langchain_openai import ChatOpenAI

    from clew.extraction.prompt import Messages
    from clew.settings import Settings

RETRIES = 8
"""How often a request that failed is sent again: an ingest of hours needs more patience than a chat."""
PATIENCE = 900.0
"""Seconds without any reply after which a rate limit is no longer waited for."""
FOREIGN = 2
"""How often a request is sent again where no reply has ever been in the protocol: the server may be no model's."""
LONG_WAIT = 5.0
"""Seconds of waiting from which somebody who watches is shown why."""
TELL_EVERY = 30.0
"""Seconds between two such messages, at least."""
_FORMATS = ("schema", "json", "text")
_LONGEST_WAIT = 30.0


class RefusedError(Exception):
    """The server takes this request in no form, such as a text that its filter or its context does not let through."""


class Client:
    """Safe to share between threads. ``paid``, ``reused``, ``lost`` and ``retries`` count as ExtractionReport says.

    ``on_wait`` receives why nothing goes on for a while; it may be called in any thread.
    """

    def __init__(
        self, settings: Settings, journal: Journal, purse: Purse, pace: Pace, on_wait: Callable[[str], None]
    ) -> None:
        self.paid = self.reused = Usage()
        self.lost = 0
        self.retries: dict[str, int] = {}
        self._settings = settings.model_copy(update={"llm_retries": 0})
        self._journal, self._purse, self._pace = journal, purse, pace
        self._lock = threading.Lock()
        self._ontology = load_ontology(settings.extract_ontology)
        self._model: ChatOpenAI | None = None
        self._formats = list(_FORMATS) if settings.extract_output == "auto" else [settings.extract_output]
        self._proven = False
        self._per_estimate = 1.0
        self._per_reply = settings.extract_reply_tokens / 4
        self._answered = time.monotonic()
        self._limited = 0
        self._on_wait = on_wait
        self._last_notice = -TELL_EVERY

    def ask(self, messages: Messages, chars: int) -> JournalledReply:
        """The reply to ``messages``, which ask about so many characters of text.

        Raises BudgetExceededError, RefusedError, ModelError (where trying again is no use), and Cancelled.
        """
        s = self._settings
        key = key_of(messages, s)
        if found := self._journal.find(key):
            self._purse.spend(found.usage)
            self._count(reused=found.usage, lost=self._journal.lost(key))
            return found
        estimate = count_tokens(messages)
        attempt = 0
        while True:
            prompt = int(estimate * self._per_estimate)
            # Nearly the same for every request, so that a second run stops where the first one did.
            most = max(prompt, s.chunk_chars)
            cost = self._settings.price(most, s.extract_reply_tokens)
            with self._purse.reserve(most + s.extract_reply_tokens, cost), self._pace.turn():
                sent = time.monotonic()
                self._journal.sending(key)
                try:
                    reply = self._request(messages, estimate, sent)
                except Exception as error:
                    wait = self._failed(key, error, attempt, sent, prompt)
                    attempt += wait > 0
                else:
                    self._journal.store(key, s.llm_model or "", reply, chars)
                    self._purse.spend(reply.usage)
                    self._count(paid=reply.usage, lost=self._journal.lost(key))
                    self._pace.succeeded()
                    return reply
            self._pace.sleep(wait)

    def _request(self, messages: Messages, estimate: int, sent: float) -> JournalledReply:
        s = self._settings
        options: dict[str, Any] = reply_limit(s, s.extract_reply_tokens) | {"temperature": s.llm_temperature}
        wanted = {
            "schema": response_format(single=s.extract_prompt == "small", ontology=self._ontology),
            "json": {"type": "json_object"},
        }.get(self._formats[0])
        if wanted:  # not as an option of its own: the client would then refuse a reply that was cut off
            options["extra_body"] = options.get("extra_body", {}) | {"response_format": wanted}
        message: AIMessage = self._client().invoke(messages, **options)
        text = normalise(str(message.text))  # no disk and no database takes the half of a surrogate pair
        usage = message.usage_metadata
        if usage:
            read, wrote = usage["input_tokens"], usage["output_tokens"]
        else:
            read, wrote = estimate, count_tokens([{"role": "assistant", "content": text}])
        with self._lock:
            self._proven = True
            self._answered = time.monotonic()
            self._limited = 0
            # A budget must hold though tokens are only estimated beforehand: the worst ratio seen counts.
            self._per_estimate = max(self._per_estimate, read / max(estimate, 1))
            self._per_reply += (wrote - self._per_reply) / 20
        whole = message.response_metadata.get("finish_reason") != "length"
        return JournalledReply(
            text, whole, Usage(1, read, wrote, self._settings.price(read, wrote)), time.monotonic() - sent
        )

    def _failed(self, key: str, error: Exception, attempt: int, sent: float, prompt: int) -> float:
        """Seconds to wait before the request goes out again; 0 where that is no further try. Raises what is final."""
        import openai

        fault = explained(error, self._settings)
        if isinstance(error, openai.APIStatusError):
            self._journal.refused(key)
            status = error.status_code
            if status == 400 or status == 422:
                if self._simplified(error):
                    return 0.0
                raise RefusedError(str(fault)) from error
            if status == 429 and "insufficient_quota" not in f"{error} {error.code}":
                self._slow_down(error, fault, sent)
                return 0.0
            if status < 500 and status not in (408, 409, 413):
                raise fault from error
            self._count(retry=str(status))
        elif isinstance(error, openai.APIConnectionError) and not (broke_off(error) or _timed_out(error)):
            self._journal.refused(key)
            self._count(retry="unreachable")
        else:  # the request went out, so the server may have charged for a reply that did not come in
            self._purse.spend(
                Usage(0, prompt, int(self._per_reply), self._settings.price(prompt, int(self._per_reply)))
            )
            self._count(retry="timeout" if _timed_out(error) else "broken")
            if not (self._proven or broke_off(error) or _timed_out(error)) and attempt >= FOREIGN:
                raise fault from error
        if attempt >= RETRIES:
            raise fault from error
        wait = _backoff(attempt)
        self._tell(fault, wait)
        return wait

    def _slow_down(self, error: openai.APIStatusError, fault: ModelError, sent: float) -> None:
        """Wait as long as the server wants; raise where it has not answered for long."""
        self._count(retry="429")
        if time.monotonic() - self._answered > PATIENCE:
            raise fault from error
        self._limited += 1
        wait = asked_wait(error)
        wait = _backoff(min(self._limited, RETRIES)) if wait is None else wait
        self._pace.limited(sent, wait)
        self._tell(fault, wait)

    def _tell(self, fault: ModelError, wait: float) -> None:
        """Say why nothing goes on, where that takes a while and was not said just now."""
        now = time.monotonic()
        with self._lock:
            idle = max(wait, now - self._answered)
            if idle < LONG_WAIT or now - self._last_notice < TELL_EVERY:
                return
            self._last_notice = now
        self._on_wait(f"{str(fault).rstrip('.')}. Trying again in {min(wait, LONGEST_PAUSE):.0f} s.")

    def _simplified(self, error: Exception) -> bool:
        """Whether the request may go again in a simpler form, because the server may not know this one."""
        text = str(error).lower()
        with self._lock:
            too_long = "context" in text or "too long" in text
            if self._proven or too_long or len(self._formats) == 1:
                return False
            del self._formats[0]
            return True

    def _count(self, *, paid: Usage = Usage(), reused: Usage = Usage(), lost: int = 0, retry: str = "") -> None:
        with self._lock:
            self.paid += paid
            self.reused += reused
            self.lost += lost
            if retry:
                self.retries[retry] = self.retries.get(retry, 0) + 1

    def _client(self) -> ChatOpenAI:
        with self._lock:
            if self._model is None:
                self._model = chat_model(self._settings)
            return self._model


def key_of(messages: Messages, settings: Settings) -> str:
    """The journal's key of a request to the model of the settings."""
    options = {
        "tokens": settings.extract_reply_tokens,
        "temperature": settings.llm_temperature,
        "single": settings.extract_prompt == "small",
    }
    return request_key(settings.llm_model or "", messages, options)


def needs_model(settings: Settings) -> None:
    """Raises SettingsError where no model is set up."""
    chat.needs_model(settings, "Extraction by a language model", "use --extractor sentences")


def given_up(error: ModelError | RefusedError) -> ModelError:
    """The error that ends an ingest where nothing gets through any more."""
    return error if isinstance(error, ModelError) else ModelError(str(error))


def _timed_out(error: BaseException) -> bool:
    return "timeout" in type(error).__name__.lower()


def _backoff(attempt: int) -> float:
    return min(0.5 * 2.0**attempt, _LONGEST_WAIT) * random.uniform(0.5, 1)
