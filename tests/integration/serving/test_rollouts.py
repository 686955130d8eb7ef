"""Search for the agents of Search-R1 and verl: what they send, and how they take the answer apart."""

from __future__ import annotations

import httpx

from clew.knowledge_base import KnowledgeBase


def test_a_batch_of_a_rollout(http: httpx.Client, encyclopaedia: KnowledgeBase) -> None:
    queries = ["Who designed the Elleray Observatory?", "", "\ud800 observatory", "x " * 5_000]
    body = b'{"queries": ["%s", "", "\\ud800 observatory", "%s", null], "topk": 3, "return_scores": true}'
    sent = body % (queries[0].encode(), queries[3].encode())
    answer = http.post("/retrieve", content=sent, headers={"Content-Type": "application/json"})
    found = answer.raise_for_status().json()["result"]
    assert [len(some) for some in found] == [3, 0, 3, 3, 0]
    assert all(one["score"] >= other["score"] for one, other in zip(found[0], found[0][1:], strict=False))
    title, text = found[0][0]["document"]["contents"].split("\n", 1)
    assert title == '"Elleray Observatory"'
    assert "Ruben Calloway" in text


def test_without_scores_the_documents_come_alone(http: httpx.Client, encyclopaedia: KnowledgeBase) -> None:
    body = {"queries": ["observatory"], "topk": 2, "return_scores": False}
    for path in ("/retrieve", f"/retrieve/{encyclopaedia.name}", f"/retrieve/{encyclopaedia.name}?strategy=chunks"):
        [documents] = http.post(path, json=body).raise_for_status().json()["result"]
        assert len(documents) == 2
        assert documents[0]["contents"].startswith('"')


def test_the_address_may_keep_to_some_documents(http: httpx.Client, encyclopaedia: KnowledgeBase) -> None:
    body = {"queries": ["observatory", "lighthouse"], "topk": 3}
    path = f"/retrieve/{encyclopaedia.name}?filter=title%3DElleray+Observatory"
    found = http.post(path, json=body).raise_for_status().json()["result"]
    assert {one["title"] for some in found for one in some} == {"Elleray Observatory"}
