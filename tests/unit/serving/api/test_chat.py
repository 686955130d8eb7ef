"""What is read of a conversation as chat clients keep it: with pictures, files, refusals and nulls in it."""

from __future__ import annotations

import time
from typing import Any

import pytest

from clew.errors import InputError
from clew.reporting.verdict import STATED
from clew.serving.api.chat import Completion, conversation, rendered
from clew.serving.api.questions import Asked
from clew.serving.api.rollouts import Wanted
from clew.serving.api.trajectories import Feedback
from clew.types import Trajectory, Verdict

PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def completion(*messages: dict[str, Any], **more: Any) -> Completion:
    return Completion.model_validate({"model": "clew/any", "messages": list(messages), **more})


def test_what_is_no_text_is_left_out_anywhere() -> None:
    body = completion(
        {"role": "system", "content": [PICTURE]},
        {"role": "user", "content": [PICTURE, {"type": "text", "text": "Who?"}]},
        {"role": "assistant", "content": None, "refusal": "No.", "audio": {"id": "1"}, "tool_calls": [{"id": "2"}]},
        {"role": "tool", "content": "x", "tool_call_id": "2"},
        {"role": "user", "content": [{"type": "file", "file": {}}, {"type": "input_audio"}, {"type": "text"}, None]},
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "I cannot."}]},
        {
            "role": "user",
            "content": [{"type": "text", "text": "When\0 was \ud800it?"}, {"type": "new", "x": 1}, 7, None],
        },
    )
    assert conversation(body.messages) == ("When  was ?it?", [("Who?", "")])
    assert [kind for one in body.messages for kind in one.left_out] == [
        *("picture", "picture", "sound", "file", "sound", "new", "part")
    ]


def test_a_message_of_a_picture_alone_asks_nothing_and_is_no_error() -> None:
    assert conversation(completion({"role": "user", "content": [PICTURE]}).messages) == ("", [])
    for messages in ([{"role": "user", "content": " "}], [{"role": "assistant", "content": [PICTURE]}]):
        with pytest.raises(InputError, match="last message"):
            conversation(completion(*messages).messages)


def test_what_stands_behind_the_question_does_not_end_the_chat() -> None:
    said = [{"role": "user", "content": "Who?"}, {"role": "assistant", "content": "Ann"}]
    asked = {"role": "user", "content": "When?"}
    calls = [{"role": "assistant", "content": None, "tool_calls": [{"id": "2"}]}, {"role": "tool", "content": "x"}]
    for behind in (calls, [{"role": "assistant", "content": "In 18"}]):
        assert conversation(completion(*said, asked, *behind).messages) == ("When?", [("Who?", "Ann")])


def answered(reason: str) -> Trajectory:
    verdict = Verdict("sure", reason)
    return Trajectory("1", "kb", "Who?", "Ann", True, (), (), "reader", "clew", 0.1, verdict=verdict)


def test_a_sure_answer_says_no_more_than_that_documents_are_still_coming() -> None:
    for said, shown in ((STATED, "Ann"), (f"{STATED} 2 are coming.", f"Ann\n\nSure: {STATED} 2 are coming.")):
        assert rendered(answered(said), {})[0] == shown


def test_a_long_conversation_goes_on_and_costs_nothing() -> None:
    said = [{"role": role, "content": " " * 200_000} for _ in range(700) for role in ("user", "assistant")]
    began = time.process_time()
    question, history = conversation(completion(*said, {"role": "user", "content": "Who?"}).messages)
    assert (question, history) == ("Who?", [])
    assert time.process_time() - began < 5


def test_null_is_as_if_it_were_left_out() -> None:
    body = completion(
        {"role": "user", "content": "x", "name": None}, stream=None, stream_options={"include_usage": None}, filter=None
    )
    assert body == completion({"role": "user", "content": "x"}, stream_options={})
    nothing = dict.fromkeys(("history", "policy", "strategy", "k", "filter"))
    assert Asked.model_validate({"question": "Who?", **nothing}) == Asked.model_validate({"question": "Who?"})
    nothing = dict.fromkeys(("topk", "return_scores"))
    assert Wanted.model_validate({"queries": [None], **nothing}) == Wanted(queries=[None])
    assert Feedback.model_validate({"rating": 1, "comment": None}) == Feedback(rating=1)
    for model in (Completion, Asked, Wanted):
        told = model.model_json_schema()
        for name in told["properties"].keys() - set(told["required"]):
            assert {"type": "null"} in told["properties"][name]["anyOf"], name
