"""The client of a chat server: its address and key, and what is never shown of them."""

from __future__ import annotations

from typing import Any

import pytest
from httpx2 import Request
from openai import APIConnectionError

from clew.errors import SettingsError
from clew.llm.chat import explained
from clew.llm.stream import ReplyError
from clew.llm.words import LONGEST, words_of
from clew.settings import load_settings

KEY = "sk-orchid-0123456789"
AT = "https://keeper:moss%20wall@models.example/v1"


def settings(**values: Any) -> Any:
    return load_settings(_env_file=None, **{"llm_model": "m", "llm_base_url": AT, "llm_api_key": KEY, **values})


@pytest.mark.parametrize(
    "address", ["localhost:11434/v1", "h/v1", "ftp://h/v1", "http:///v1", "http://h:99999/v1", "http://[::1/v1"]
)
def test_what_is_no_address_is_told_at_once(address: str) -> None:
    with pytest.raises(SettingsError, match="CLEW_LLM_BASE_URL"):
        settings(llm_base_url=address)


@pytest.mark.parametrize("key", [f"{KEY}\n", f" {KEY} ", f'"{KEY}"'])
def test_a_key_is_taken_as_it_was_copied(key: str) -> None:
    assert settings(llm_api_key=key).llm_api_key.get_secret_value() == KEY


@pytest.mark.parametrize("key", ["“sk-orchid”", "sk-orc\r\nhid", "sk orchid", "sk-…"])
def test_what_no_header_takes_is_no_key_and_is_not_shown(key: str) -> None:
    with pytest.raises(SettingsError, match="CLEW_LLM_API_KEY") as caught:
        settings(llm_api_key=key)
    assert "orc" not in str(caught.value)


@pytest.mark.parametrize(
    "said",
    [
        f"Bad header: Bearer {KEY}",
        "Bad header: Basic a2VlcGVyOm1vc3Mgd2FsbA==",
        "Nobody is keeper:moss wall",
        "The password moss wall is wrong",
        "There is nothing at /v1/chat/completions?sig=moss-and-fern&api-version=2024-10-21",
        "a" * (LONGEST - 12) + KEY,
    ],
)
def test_what_a_server_repeats_of_a_key_or_login_is_not_shown(said: str) -> None:
    address = f"{AT}?sig=moss-and-fern&api-version=2024-10-21"
    shown = str(explained(ReplyError(words_of(said), is_explained=True), settings(llm_base_url=address)))
    assert "***" in shown
    assert ("2024" in shown) is ("2024" in said)
    assert not any(part in shown for part in ("sk-o", "moss", "a2Vl"))


def test_a_certificate_that_nobody_vouches_for_is_told_apart_from_a_server_that_is_not_there() -> None:
    error = APIConnectionError(request=Request("POST", AT))
    error.__cause__ = OSError("[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate")
    assert "SSL_CERT_FILE" in str(explained(error, settings()))
    error.__cause__ = OSError("connection refused")
    assert "cannot be reached; start that server" in str(explained(error, settings()))
