"""A chat model at any OpenAI-compatible address, and one line for a person for whatever goes wrong there."""

from __future__ import annotations

import re
import time
from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from clew.errors import ModelError, SettingsError
from clew.llm.address import is_proxied, with_query
from clew.llm.pace import LONGEST_PAUSE
from clew.llm.stream import ReplyError
from clew.llm.words import words_of
from clew.settings import Settings

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI
    from openai import APIStatusError, OpenAI

OPENAI = "https://api.openai.com/v1"
NO_PROTOCOL = "does not reply in the OpenAI chat protocol; check CLEW_LLM_BASE_URL, which usually ends in /v1"
HELD_BACK = "held its reply back, because of its filter; ask in other words."
_TELLING = 3
"""Letters that a key may begin with in public: its maker's mark, as in "sk-"."""
BROKE_OFF = "broke off in the middle of its reply; look at that server's log."
_VERSION = re.compile(r"v?\d[\d.-]*[a-z-]*")
# "context deadline exceeded" and "context canceled" are how programs in Go say that they ran out of time.
_TOO_LONG = re.compile(
    r"\bcontext\b(?! (?:deadline|cancel))|context_length|too long|too many tokens|too large for model|"
    r"\btokens?\b[^.]{0,60}(?:exceed|<=)",
    re.IGNORECASE,
)


def needs_model(settings: Settings, what: str, otherwise: str) -> str:
    """The model's name. Raises SettingsError, in the name of ``what``, where it or both key and address are missing."""
    if not settings.llm_model:
        raise SettingsError(f"{what} needs a model: set CLEW_LLM_MODEL, or {otherwise}.")
    if not settings.llm_base_url and not settings.llm_api_key:
        raise SettingsError(
            f"{what} needs OPENAI_API_KEY, or CLEW_LLM_BASE_URL for a server of yours (vLLM, Ollama …)."
        )
    return settings.llm_model


def chat_model(settings: Settings) -> ChatOpenAI:
    """The client of the settings' model, address, key, timeout and retries, for LangChain."""
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(
        model=settings.llm_model or "", max_retries=settings.llm_retries, stream_usage=True, use_responses_api=False,
        **_connection(settings),
    )  # fmt: skip


def chat_client(settings: Settings) -> OpenAI:
    """The same client without LangChain, which keeps no thoughts; who calls it tries again, and can stop that."""
    from openai import OpenAI

    return OpenAI(max_retries=0, **_connection(settings))


def _connection(settings: Settings) -> dict[str, Any]:
    from clew.llm.http import ChatHttpClient

    address = settings.llm_base_url or OPENAI
    plain, query = with_query(address)
    return {
        "base_url": plain,
        "default_query": query,
        "api_key": settings.llm_api_key.get_secret_value() if settings.llm_api_key else "none",
        "timeout": settings.llm_timeout,
        "http_client": ChatHttpClient(address, settings.llm_timeout),
    }


def may_pass(error: Exception) -> float | None:
    """Seconds after which a failed request may work, 0 where nobody says; None where it never will."""
    import openai

    if not isinstance(error, openai.APIStatusError):
        return 0.0
    if error.status_code not in (408, 409, 429) and error.status_code < 500:
        return None
    return min(asked_wait(error) or 0.0, LONGEST_PAUSE)


def asked_wait(error: APIStatusError) -> float | None:
    """Seconds that a server asks to wait, as a number or a date; None where it asks for none."""
    headers = error.response.headers
    header = headers.get("retry-after", "")
    with suppress(ValueError):
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        return max(0.0, float(header))
    with suppress(ValueError):
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    return None


def reply_limit(settings: Settings, tokens: int) -> dict[str, Any]:
    """The option of a request that limits its reply to ``tokens``.

    OpenAI takes this limit by its new name only, and other servers may know the old one only.
    """
    return {"extra_body": {"max_tokens": tokens}} if settings.llm_base_url else {"max_completion_tokens": tokens}


def where(settings: Settings) -> str:
    """The model and its address, to start a message with; without user, password or query."""
    address = urlsplit(settings.llm_base_url or OPENAI)
    host = address.netloc.rpartition("@")[2]
    return f"The model {settings.llm_model!r} at {urlunsplit(address._replace(netloc=host, query=''))}"


def slow(settings: Settings) -> str:
    """What to say of a model that takes too long."""
    return f"did not reply within {settings.llm_timeout:g} s; raise CLEW_LLM_TIMEOUT, or see if it is busy."


def count_tokens(messages: Sequence[Any]) -> int:
    """Tokens of messages, near enough for a budget and for servers that report none."""
    from langchain_core.messages.utils import count_tokens_approximately

    return count_tokens_approximately(messages)


def explained(error: Exception, settings: Settings) -> ModelError:
    """One line for a person, with the server's own words and what to do; never with the key."""
    import openai

    words = _without_secrets(_words(error), settings)
    match error:
        case openai.APIStatusError():
            why = _refused(error.status_code, words)
        case openai.APITimeoutError() | TimeoutError():
            why = slow(settings)
        case openai.APIConnectionError() if "CERTIFICATE_VERIFY_FAILED" in str(error.__cause__):
            why = (
                "has a certificate that nobody here vouches for; set SSL_CERT_FILE to its authority's, or correct "
                "CLEW_LLM_BASE_URL."
            )
        case openai.APIConnectionError() if broke_off(error):
            why = BROKE_OFF
        case openai.APIConnectionError() if is_proxied(settings.llm_base_url or OPENAI):
            why = (
                "cannot be reached through the proxy of HTTPS_PROXY, HTTP_PROXY or ALL_PROXY; correct it, or NO_PROXY."
            )
        case openai.APIConnectionError():
            why = "cannot be reached; start that server, or correct CLEW_LLM_BASE_URL."
        case _ if "timeout" in type(error).__name__.lower():
            why = slow(settings)
        case _ if broke_off(error):
            why = BROKE_OFF
        case ImportError() | ValueError() if "proxy" in words.lower():
            why = f"cannot be reached through the proxy of HTTPS_PROXY, HTTP_PROXY or ALL_PROXY: {words}"
        case openai.APIError():
            why = f"sent an error in place of a reply: {words}"
        case ReplyError():
            why = f"sent an error in place of a reply: {words}" if error.is_explained else NO_PROTOCOL + f" ({words})."
        case _:
            why = NO_PROTOCOL + f" ({words})."
    return ModelError(f"{where(settings)} {why}")


def _refused(status: int, words: str) -> str:
    """What to say of an error status, and what to do."""
    if status == 401:
        return "refused the key; set CLEW_LLM_API_KEY (or OPENAI_API_KEY) to a valid one for this server."
    if status == 403:
        return f"refused the key or what was asked; see whether CLEW_LLM_API_KEY may use this model there: {words}"
    if status in (404, 405):
        return f"was not found; check CLEW_LLM_MODEL and CLEW_LLM_BASE_URL (it usually ends in /v1): {words}"
    if status in (400, 413, 422, 500) and _TOO_LONG.search(words):
        return (
            "has too short a context for this; lower CLEW_TOP_K or CLEW_MAX_TURNS, or CLEW_LLM_REPLY_TOKENS, for "
            f"which it keeps room: {words}"
        )
    if status == 400 and ("max_tokens" in words or "max_completion_tokens" in words):
        return f"lets no reply be so long; lower CLEW_LLM_REPLY_TOKENS: {words}"
    if status == 429:
        return f"lets no more requests through; wait, or raise the limit or quota there: {words}"
    return f"failed with status {status}; look at that server's log: {words}"


def is_too_long(error: Exception) -> bool:
    """Whether a server says that a request is longer than its context."""
    return _TOO_LONG.search(_words(error)) is not None


def _words(error: Exception) -> str:
    """What the server said of an error, else what the client says."""
    response = getattr(error, "response", None)
    found = words_of(getattr(error, "body", None) or "")
    if response is not None and not found:
        found = words_of(response.text)
    return found or words_of(str(getattr(error, "message", error)))


def _without_secrets(text: str, settings: Settings) -> str:
    """A server's words without the key, or the user and password of its address, that it may have repeated in them."""
    address = urlsplit(settings.llm_base_url or OPENAI)
    login, at, _ = address.netloc.rpartition("@")
    secrets = [settings.llm_api_key.get_secret_value() if settings.llm_api_key else ""]
    if at:
        secrets += [unquote(login), unquote(login.partition(":")[2]), b64encode(unquote(login).encode()).decode()]
    secrets += [value for _, value in parse_qsl(address.query) if not _VERSION.fullmatch(value)]
    for secret in filter(None, secrets):
        text = text.replace(secret, "***")
        if text.endswith("…"):  # cut off in the middle of it, maybe
            whole = text[:-1]
            begun = next((n for n in range(len(secret), _TELLING, -1) if whole.endswith(secret[:n])), 0)
            text = f"{whole[: len(whole) - begun]}***…" if begun else text
    return text


def broke_off(error: BaseException) -> bool:
    """Whether a connection was lost once it stood; the client has not tried those again after the first byte."""
    cause: BaseException | None = error
    while cause is not None and type(cause).__name__ not in ("ReadError", "RemoteProtocolError"):
        cause = cause.__cause__
    return cause is not None
