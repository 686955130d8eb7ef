"""A knowledge base as a model, with the real openai client, and with what Open WebUI sends."""

from __future__ import annotations

import json
from typing import Any

import httpx
import openai
import pytest
from openai import OpenAI

from clew.knowledge_base import KnowledgeBase
from clew.serving.api.chat import Message, conversation

QUESTION = "Who designed the Elleray Observatory?"
FIRST: list[Any] = [{"role": "user", "content": QUESTION}]


@pytest.fixture
def client(served: str) -> OpenAI:
    return OpenAI(base_url=f"{served}/v1", api_key="none", max_retries=0, timeout=120)


def test_a_knowledge_base_is_a_model(client: OpenAI, encyclopaedia: KnowledgeBase) -> None:
    name = f"clew/{encyclopaedia.name}"
    assert name in [model.id for model in client.models.list()]
    assert client.models.retrieve(name).id == name
    with pytest.raises(openai.NotFoundError, match="/v1/models"):
        client.models.retrieve("clew/none-such")


def test_an_answer_with_its_sources_and_a_follow_up(client: OpenAI, encyclopaedia: KnowledgeBase) -> None:
    model = f"clew/{encyclopaedia.name}"
    told = client.chat.completions.create(model=model, messages=FIRST)
    message = told.choices[0].message
    assert message.content is not None
    assert message.content.startswith("Ruben Calloway [1]")
    assert "1. Elleray Observatory: “" in message.content
    cited = (message.annotations or [])[0].url_citation
    assert message.content[cited.start_index : cited.end_index] == "[1]"
    assert httpx.get(cited.url).json()["title"] == cited.title == "Elleray Observatory"
    extra = message.model_extra or {}
    assert QUESTION.split()[-1].strip("?") in extra["reasoning_content"]
    assert (told.model_extra or {})["clew"]["verdict"] == "sure"

    asked: list[Any] = [
        {"role": "system", "content": "Answer briefly."},
        *FIRST,
        {"role": "assistant", "content": message.content},
        {"role": "user", "content": [{"type": "text", "text": "When was it opened?"}]},
    ]
    told = client.chat.completions.create(model=model, messages=asked, temperature=0.2)
    assert "1842" in (told.choices[0].message.content or "")


def test_a_filter_keeps_an_answer_to_some_documents(client: OpenAI, encyclopaedia: KnowledgeBase) -> None:
    def told(*conditions: str) -> Any:
        given: Any = {"model": f"clew/{encyclopaedia.name}", "messages": FIRST, "extra_body": {"filter": conditions}}
        return client.chat.completions.create(**given)

    assert "Ruben Calloway" in told("title=Elleray Observatory").choices[0].message.content
    kept = told("title=No Such Page")
    assert "No document fulfils title=No Such Page." in kept.choices[0].message.content
    assert (kept.model_extra or {})["clew"]["verdict"] == "nothing"
    with pytest.raises(openai.NotFoundError, match="has a field 'shelf'"):
        told("shelf=3")
    with pytest.raises(openai.UnprocessableEntityError, match="'title' is no condition"):
        told("title")


def test_a_stream_thinks_first_and_cites_last(client: OpenAI, encyclopaedia: KnowledgeBase) -> None:
    thoughts, text, usage = "", "", None
    annotations: list[Any] = []
    ends: list[str] = []
    with client.chat.completions.create(
        model=f"clew/{encyclopaedia.name}", messages=FIRST, stream=True, stream_options={"include_usage": True}
    ) as stream:
        for chunk in stream:
            usage = chunk.usage or usage
            for choice in chunk.choices:
                extra = choice.delta.model_extra or {}
                assert not (extra.get("reasoning_content") and text), "it thinks after it has answered"
                thoughts += extra.get("reasoning_content") or ""
                text += choice.delta.content or ""
                annotations += extra.get("annotations") or []
                ends += [choice.finish_reason] if choice.finish_reason else []
    assert "→" in thoughts
    assert text.startswith("Ruben Calloway [1]")
    assert annotations[0]["url_citation"]["title"] == "Elleray Observatory"
    assert ends == ["stop"]
    assert usage is not None


def test_a_title_for_a_chat_client_asks_the_graph_nothing(client: OpenAI, encyclopaedia: KnowledgeBase) -> None:
    before = encyclopaedia.find_trajectories()[1]
    prompt = (
        "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Output:\n"
        'JSON format: { "title": "your concise title here" }\n### Chat History:\n<chat_history>\n'
        f"USER: {QUESTION}\nASSISTANT: Ruben Calloway\n</chat_history>"
    )
    told = client.chat.completions.create(
        model=f"clew/{encyclopaedia.name}", messages=[{"role": "user", "content": prompt}]
    )
    assert json.loads(told.choices[0].message.content or "")["title"] == QUESTION
    assert encyclopaedia.find_trajectories()[1] == before


def test_what_is_not_served_is_named(client: OpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match=r"POST /v1/embeddings; /openapi\.json lists"):
        client.embeddings.create(model="clew/any", input="lamp")


def test_what_cannot_be_answered_says_why(client: OpenAI, encyclopaedia: KnowledgeBase) -> None:
    model = f"clew/{encyclopaedia.name}"
    wrong: list[tuple[list[Any], str]] = [
        ([{"role": "assistant", "content": "hello"}], "last message"),
        ([{"role": "user", "content": "x" * 9_000}], "8,000"),
    ]
    for messages, says in wrong:
        with pytest.raises(openai.UnprocessableEntityError, match=says):
            client.chat.completions.create(model=model, messages=messages)


def test_a_chat_with_pictures_goes_on(client: OpenAI, encyclopaedia: KnowledgeBase) -> None:
    model = f"clew/{encyclopaedia.name}"
    picture: Any = {"type": "image_url", "image_url": {"url": "data:"}}
    shown: list[Any] = [{"role": "user", "content": [picture]}]
    told = client.chat.completions.create(model=model, messages=shown)
    assert told.choices[0].message.content == "Left out: 1 × picture; a knowledge base reads text. Ask in words."
    assert (told.model_extra or {})["clew"]["left_out"] == {"picture": 1}
    shown += [{"role": "assistant", "content": told.choices[0].message.content}]
    shown += [{"role": "user", "content": [{"type": "text", "text": QUESTION}, picture]}]
    told = client.chat.completions.create(model=model, messages=shown)
    text = told.choices[0].message.content or ""
    assert text.startswith("Ruben Calloway")
    assert text.endswith("Left out: 1 × picture; a knowledge base reads text.")
    shown += [{"role": "assistant", "content": text}, {"role": "user", "content": "When was it opened?"}]
    body = {"model": model, "messages": shown, "stream": None, "filter": None}
    reply = httpx.post(f"{client.base_url}chat/completions", json=body, timeout=120).json()
    assert "1842" in reply["choices"][0]["message"]["content"]
    assert "Left out" not in reply["choices"][0]["message"]["content"]
    assert reply["clew"]["left_out"] == {"picture": 2}


def test_a_conversation_leaves_its_sources_behind() -> None:
    said = "Ruben Calloway [1][2]\n\nSources:\n\n1. A: “b”\n2. C: “d”\n\nProbable: It is likely."
    messages = [("user", "Who?"), ("assistant", said), ("user", "When?")]
    question, history = conversation(
        [Message.model_validate({"role": role, "content": text}) for role, text in messages]
    )
    assert (question, history) == ("When?", [("Who?", "Ruben Calloway")])
