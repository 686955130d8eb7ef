"""What servers refuse, in the words of several; and what they say of an error."""

from __future__ import annotations

import json

import pytest

from clew.llm.options import Manners
from clew.llm.words import words_of

REQUEST = {"model": "m", "messages": [], "max_tokens": 9, "temperature": 0.0, "stop": ["x"], "stream_options": {}}


@pytest.mark.parametrize(
    ("body", "refused"),
    [
        (
            {"error": {"message": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}},
            {"max_tokens": "max_completion_tokens"},
        ),
        ({"error": {"message": "'temperature' does not support 0.0 with this model."}}, {"temperature": ""}),
        ({"error": {"message": "`temperature` is deprecated for this model."}}, {"temperature": ""}),
        (
            {"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]},
            {"stream_options": ""},
        ),
        ({"error": "unknown field `stop`, unknown field `temperature`"}, {"stop": "", "temperature": ""}),
        ({"error": "generate() got an unexpected keyword argument 'stream_options'"}, {"stream_options": ""}),
        ({"error": "The path 'stop.words' is not valid"}, {}),
        ({"error": {"message": "Invalid max_tokens, the valid range is [1, 4]"}}, {}),
        ({"error": "It takes these options: stop it."}, {}),
        ({"error": {"message": "max_tokens is too large: 9. This model supports at most 4."}}, {}),
        ({"error": {"message": "The context of 10 tokens is exceeded; reduce max_tokens."}}, {}),
        ({"error": {"message": "Please stop. It is not supported."}}, {}),
        ({"error": {"message": "bad thing"}}, {}),
    ],
)
def test_a_refused_option_is_known_by_the_servers_words(body: object, refused: dict[str, str]) -> None:
    manners = Manners()
    assert manners.learn(REQUEST, json.dumps(body).encode()) is bool(refused)
    assert manners.refused == refused
    assert not set(refused) & set(manners.apply(REQUEST))


def test_a_limit_that_is_refused_under_both_names_is_left_out() -> None:
    manners = Manners()
    refusal = b"{'error': 'unknown field max_tokens, unknown field max_completion_tokens'}"
    assert manners.learn(REQUEST, refusal)
    assert manners.apply(REQUEST)["max_completion_tokens"] == 9
    assert manners.learn(manners.apply(REQUEST), refusal)
    assert not {"max_tokens", "max_completion_tokens"} & set(manners.apply(REQUEST))
    assert not manners.learn(manners.apply(REQUEST), refusal), "nothing is tried without end"


def test_a_format_that_is_refused_goes_by_its_schema_and_then_as_a_whole() -> None:
    manners, asked = Manners(), REQUEST | {"response_format": {"type": "json_schema", "json_schema": {}}}
    refusal = b'{"error": {"message": "This response_format type is unavailable now"}}'
    assert manners.learn(asked, refusal)
    assert manners.apply(asked)["response_format"] == {"type": "json_object"}
    assert manners.learn(asked, refusal), "whoever had asked meanwhile is asked again"
    assert manners.learn(manners.apply(asked), refusal)
    assert "response_format" not in manners.apply(asked)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('{"error": {"message": "No.", "code": 1}}', "No."),
        ('{"error": "No."}', "No."),
        ('{"object": "error", "message": "No.\\nNo."}', "No. No."),
        ('{"detail": [{"loc": ["body", "x"], "msg": "No."}, {"msg": "Nor this."}]}', "body.x: No.; Nor this."),
        ("<html><style>b {}</style><h1>502</h1> Bad <b>gateway</b></html>", "502 Bad gateway"),
        ('{"error": {"message": "Failed upstream", "metadata": {"raw": "The pool is full."}}}', "*: The pool is full."),
        ('{"error": "Write {name} or {\\"a\\": 1}"}', 'Write {name} or {"a": 1}'),
        ("plain", "plain"),
        ("{}", ""),
        ("", ""),
    ],
)
def test_the_words_of_an_error_are_found_in_any_shape(body: str, words: str) -> None:
    said = words_of(body)
    assert said == words_of(body.encode())
    assert said.endswith(words.lstrip("*")) if words.startswith("*") else said == words
