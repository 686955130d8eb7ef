"""A chat model at any OpenAI-compatible address, and one line for a person for whatever goes wrong there."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from pydantic import SecretStr

from clew.errors import ModelError
from clew.settings import Settings

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

OPENAI = "https://api.openai.com/v1"
BROKE_OFF = "broke off in the middle of its reply; look at that server's log."


def chat_model(settings: Settings) -> ChatOpenAI:
    """The client of the settings' model, address, key, timeout and retries."""
    from langchain_openai import ChatOpenAI
    from openai import DefaultHttpxClient

    return ChatOpenAI(
        model=settings.llm_model or "",
        base_url=settings.llm_base_url or OPENAI,
        api_key=settings.llm_api_key or SecretStr("none"),
        timeout=settings.llm_timeout,
        max_retries=settings.llm_retries,
        stream_usage=True,
        use_responses_api=False,
        http_client=DefaultHttpxClient(event_hooks={"response": [partial(_in_time, settings.llm_timeout)]}),
    )


def _in_time(seconds: float, response: Any) -> None:
    """Give a stream so long from its head to its end; then reading it raises TimeoutError.

    The client's own timeout is from one piece to the next, and a server that sends comments to keep the line open while
    it says nothing (``: ping``) never meets it.
    """
    if not response.headers.get("content-type", "").startswith("text/event-stream"):
        return
    pieces, deadline = response.iter_raw, time.monotonic() + seconds

    def in_time(*args: Any) -> Iterator[bytes]:
        for piece in pieces(*args):
            yield piece
            if time.monotonic() > deadline:
                raise TimeoutError(f"no end of the reply after {seconds:g} s")

    response.iter_raw = in_time


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


def explained(error: Exception, settings: Settings) -> ModelError:
    """One line for a person, with what to do; never with the key."""
    import openai

    said = " ".join(str(getattr(error, "message", error)).split())
    if settings.llm_api_key:
        said = said.replace(settings.llm_api_key.get_secret_value(), "***")
    said = said[:200]
    match error:
        case openai.AuthenticationError() | openai.PermissionDeniedError():
            why = "refused the key; set CLEW_LLM_API_KEY (or OPENAI_API_KEY) to a valid one for this server."
        case openai.NotFoundError():
            why = f"was not found; check CLEW_LLM_MODEL and CLEW_LLM_BASE_URL (it usually ends in /v1): {said}"
        case openai.BadRequestError() if "context" in said.lower() or "too long" in said.lower():
            why = f"has too short a context for this; lower CLEW_TOP_K or CLEW_MAX_TURNS: {said}"
        case openai.RateLimitError():
            why = f"lets no more requests through; wait, or raise the limit or quota there: {said}"
        case openai.APIStatusError():
            why = f"failed with status {error.status_code}; look at that server's log: {said}"
        case openai.APITimeoutError() | TimeoutError():
            why = slow(settings)
        case openai.APIConnectionError() if broke_off(error):
            why = BROKE_OFF
        case openai.APIConnectionError():
            why = "cannot be reached; start that server, or correct CLEW_LLM_BASE_URL."
        case _ if "timeout" in type(error).__name__.lower():
            why = slow(settings)
        case _:
            why = "does not reply in the OpenAI chat protocol; check CLEW_LLM_BASE_URL"
            why += f", which usually ends in /v1 ({said})."
    return ModelError(f"{where(settings)} {why}")


def broke_off(error: BaseException) -> bool:
    """Whether a connection was lost once it stood; the client has not tried those again after the first byte."""
    cause: BaseException | None = error
    while cause is not None:
        if type(cause).__name__ in ("ReadError", "RemoteProtocolError"):
            return True
        cause = cause.__cause__
    return False
