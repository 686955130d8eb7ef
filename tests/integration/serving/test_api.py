"""REST, as a program uses it: documents in, jobs watched, questions answered, feedback kept, everything deleted."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from itertools import count
from typing import Any

import httpx
import pytest

from clew.knowledge_base import KnowledgeBase
from clew.settings import Settings
from tests.integration.serving.conftest import running

PAGE = "# Ada Lovelace\n\nAda Lovelace was born in London. She wrote the first program in 1843.\n"


def ended(http: httpx.Client, job: dict[str, Any]) -> dict[str, Any]:
    """The job once it has ended."""
    while job["state"] in ("waiting", "running"):
        time.sleep(0.2)
        job = http.get(f"/api/jobs/{job['id']}").raise_for_status().json()
    return job


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_curl_reads_the_turns_as_they_happen(served: str, encyclopaedia: KnowledgeBase) -> None:
    address = f"{served}/api/knowledge-bases/{encyclopaedia.name}/ask/stream"
    told = subprocess.run(
        ["curl", "-sN", "--json", '{"question": "Who designed the Elleray Observatory?"}', address],
        capture_output=True,
        text=True,
        timeout=120,
    ).stdout
    events = [dict(line.split(": ", 1) for line in block.splitlines()) for block in told.strip().split("\n\n")]
    kinds = [event["event"] for event in events if "event" in event]
    assert {"query", "step"} <= set(kinds)
    assert kinds[-1] == "answer"
    answer = json.loads(events[-1]["data"])
    assert answer["answer"] == "Ruben Calloway"
    assert answer["verdict"]["kind"] == "sure"
    assert answer["citations"][0]["title"] == "Elleray Observatory"


def test_a_knowledge_base_from_the_first_upload_to_its_end(http: httpx.Client, kb_name: str) -> None:
    root = f"/api/knowledge-bases/{kb_name}"
    files: list[Any] = [
        ("files", ("ada.md", PAGE)),
        ("files", ("ada.md", PAGE)),
        ("files", ("broken.pdf", b"%PDF-1.7 nothing")),
    ]
    started = http.post(f"{root}/documents", files=files)
    assert started.status_code == 202
    job = ended(http, started.json())
    assert job["state"] == "done"
    states = {item["name"]: item["state"] for item in job["progress"]["items"]}
    assert states["broken.pdf"] == "failed"
    assert job["id"] in [one["id"] for one in http.get("/api/jobs").json()]

    [row] = http.get(f"{root}/documents").json()
    assert (row["title"], row["source"]) == ("Ada Lovelace", "upload:ada.md")
    text = http.get(f"{root}/documents/{row['id']}").json()["text"]
    asked = http.post(f"{root}/ask", json={"question": "Where was Ada Lovelace born?"}).json()
    assert asked["answer"] == "London"
    cited = asked["citations"][0]
    assert text[cited["start"] : cited["end"]] == cited["quote"]

    rated = http.put(f"{root}/trajectories/{asked['id']}/feedback", json={"rating": 1, "comment": "right"})
    assert rated.status_code == 204
    [kept] = http.get(f"{root}/trajectories", params={"rating": 1}).json()["trajectories"]
    assert (kept["id"], kept["comment"]) == (asked["id"], "right")
    stored = http.get(f"{root}/trajectories/{asked['id']}").json()
    assert stored["trajectory"]["steps"][0]["facts"]
    [stands] = http.get(f"{root}/trajectories/{asked['id']}/standing").json()
    assert (stands["state"], stands["citation"]["quote"]) == ("same", cited["quote"])

    entity = http.get(f"{root}/entities", params={"text": "Ada Lovelace"}).json()[0]
    assert http.get(f"{root}/entities/{entity['id']}").json()["name"] == "Ada Lovelace"
    facts = http.get(f"{root}/entities/{entity['id']}/facts").json()
    assert any("London" in fact["text"] for fact in facts)
    assert http.get(f"{root}/facts/{facts[0]['id']}").json()["text"] == facts[0]["text"]
    assert http.get(f"{root}/facts", params={"document": row["id"]}).json()

    new = {"file": ("other.md", PAGE.replace("London", "Paris"))}
    assert ended(http, http.put(f"{root}/documents/{row['id']}", files=new).json())["state"] == "done"
    [stands] = http.get(f"{root}/trajectories/{asked['id']}/standing").json()
    assert stands["state"] == "changed"
    assert "Paris" in stands["now"]
    assert "Paris" in http.get(f"{root}/documents/{row['id']}").json()["text"]
    assert http.delete(f"{root}/documents/{row['id']}").json() == {"documents": 1}
    assert http.get(f"{root}/documents").json() == []
    assert http.delete(root).status_code == 204
    assert http.get(root).status_code == 404


def test_files_of_one_name_are_replaced_kept_or_refused_as_asked(http: httpx.Client, kb_name: str) -> None:
    root = f"/api/knowledge-bases/{kb_name}/documents"

    def send(query: str, *names: str) -> list[str]:
        sent = [("files", (name, f"# {name}\n\nNumber {next(number)} was made by Ada Lovelace.")) for name in names]
        items = ended(http, http.post(f"{root}?on_same_name={query}", files=sent).json())["progress"]["items"]
        return [f"{item['name']} {'replaces' * bool(item['warnings'])}".strip() for item in items]

    number = count(1)
    assert send("replace", "a/readme.md", "b/readme.md") == ["a/readme.md", "b/readme.md"]
    assert send("replace", "a/readme.md") == ["a/readme.md replaces"]
    for kept in ("a/readme (2).md", "a/readme (3).md"):
        assert send("keep", "a/readme.md") == [kept]
    assert send("keep", "a/readme.md", "a/readme.md", "new.md") == ["a/readme (4).md", "a/readme (5).md", "new.md"]
    large = http.post(root, files=[("files", ("large.md", b"x" * 65_000_000))])
    assert (large.status_code, "'large.md': It is larger than 64 MB" in large.text) == (413, True)
    refused = http.post(f"{root}?on_same_name=refuse", files=[("files", ("new.md", "x"))])
    assert (refused.status_code, "'new.md'" in refused.json()["error"]["message"]) == (409, True)
    texts = [http.get(f"{root}/{row['id']}").json()["text"] for row in http.get(root).json()]
    assert {number for text in texts for number in range(1, 9) if f"Number {number} was" in text} == {
        2,
        3,
        4,
        5,
        6,
        7,
        8,
    }


def test_a_batch_brings_what_each_query_brings_alone(http: httpx.Client, encyclopaedia: KnowledgeBase) -> None:
    queries = ["Who designed the Elleray Observatory?", "the first director"] * 30
    body = {"queries": queries, "k": 3, "strategy": "graph-r1"}
    found = http.post(f"/api/knowledge-bases/{encyclopaedia.name}/retrieve", json=body).json()["results"]
    assert [one["query"] for one in found] == queries
    alone = encyclopaedia.retrieve(queries[:1], 3, "graph-r1")[0]
    assert [fact["id"] for fact in found[0]["facts"]] == [fact.id for fact in alone.facts]
    assert all(len(one["facts"]) == 3 for one in found)


def test_an_evaluation_is_a_job_with_figures(http: httpx.Client, encyclopaedia: KnowledgeBase) -> None:
    question = {"id": "1", "question": "Who designed the Elleray Observatory?", "answers": ["Ruben Calloway"]}
    started = http.post(
        f"/api/knowledge-bases/{encyclopaedia.name}/evaluations",
        files={"questions": ("few.jsonl", json.dumps(question) + "\n")},
        data={"policy": "reader"},
    )
    job = ended(http, started.json())
    assert job["state"] == "done", job["error"]
    assert http.get(f"/api/jobs/{job['id']}/result").json()
    assert http.delete(f"/api/jobs/{job['id']}").status_code == 204
    assert http.get(f"/api/jobs/{job['id']}").status_code == 404


def test_jobs_are_there_after_a_restart(http: httpx.Client, settings: Settings, kb_name: str) -> None:
    job = http.post(f"/api/knowledge-bases/{kb_name}/documents", files=[("files", ("ada.md", PAGE))]).json()
    with running(settings) as other, httpx.Client(base_url=other, timeout=60) as again:
        assert ended(again, job)["state"] == "done"


def test_every_error_has_one_shape_and_says_what_to_do(http: httpx.Client, encyclopaedia: KnowledgeBase) -> None:
    root = f"/api/knowledge-bases/{encyclopaedia.name}"
    for answer, status, says in (
        (http.get("/api/knowledge-bases/none-such"), 404, "clew ingest"),
        (http.get("/nowhere"), 404, ""),
        (http.post(f"{root}/retrieve", json={"queries": ["x"], "topk": 3}), 422, "topk"),
        (http.post(f"{root}/retrieve", json={"queries": ["x"], "strategy": "clue"}), 422, "clew"),
        (http.post(f"{root}/retrieve", json={"queries": ["x"], "k": 10_000}), 422, "k"),
        (http.post(f"{root}/retrieve", json={"queries": ["x"] * 4096, "k": 200}), 422, "fewer"),
        (http.post(f"{root}/retrieve", json={"queries": ["x" * 5000]}), 422, "2000"),
        (http.post(f"{root}/retrieve", content=b"[" + b" " * (9 << 20)), 413, ""),
        (http.post(f"{root}/addresses", json={"addresses": ["/etc/passwd"]}), 422, ""),
        (http.get(f"{root}/facts?role=mention&role=builder"), 422, "'role' is given 2 times"),
    ):
        assert answer.status_code == status, answer.text
        assert says in answer.json()["error"]["message"]
        assert answer.headers["X-Request-ID"]


def test_addresses_within_the_network_are_not_fetched(http: httpx.Client, served: str, kb_name: str) -> None:
    body = {"addresses": [f"{served}/health"]}
    job = ended(http, http.post(f"/api/knowledge-bases/{kb_name}/addresses", json=body).json())
    [item] = job["progress"]["items"]
    assert item["state"] == "failed"
    assert "source" not in item


def test_the_request_id_is_the_callers_where_it_is_one(http: httpx.Client) -> None:
    assert http.get("/health", headers={"X-Request-ID": "abc-1"}).headers["X-Request-ID"] == "abc-1"
    assert http.get("/health", headers={"X-Request-ID": 'a"b'}).headers["X-Request-ID"] != 'a"b'


def test_prometheus_reads_what_was_asked(http: httpx.Client, encyclopaedia: KnowledgeBase) -> None:
    http.post(f"/api/knowledge-bases/{encyclopaedia.name}/retrieve", json={"queries": ["x"]}).raise_for_status()
    text = http.get("/metrics").text
    route = 'route="/api/knowledge-bases/{kb}/retrieve"'
    assert any(line.startswith("clew_requests_total") and route in line for line in text.splitlines())
    assert encyclopaedia.name not in text


def test_the_description_names_every_route(http: httpx.Client) -> None:
    told = http.get("/openapi.json").json()
    assert "/api/knowledge-bases/{kb}/ask/stream" in told["paths"]
    assert http.get("/docs").status_code == 404


def test_a_filter_keeps_a_search_and_an_answer_to_some_documents(
    http: httpx.Client, encyclopaedia: KnowledgeBase
) -> None:
    base = f"/api/knowledge-bases/{encyclopaedia.name}"
    only = {"filter": ["title=Elleray Observatory"]}
    found = http.post(f"{base}/retrieve", json={"queries": ["lighthouse"], "k": 3} | only).raise_for_status().json()
    assert {one["title"] for one in found["results"][0]["passages"]} == {"Elleray Observatory"}
    asked = {"question": "Who designed the Old Maren Light?"}
    assert "Calloway" in http.post(f"{base}/ask", json=asked).json()["answer"]
    elsewhere = http.post(f"{base}/ask", json=asked | {"filter": ["title=Elleray Observatory"]}).json()
    assert {cited["title"] for cited in elsewhere["citations"]} <= {"Elleray Observatory"}
    for condition, status in (("nobody=1", 404), ("no condition", 422), ("year>=soon", 422)):
        answer = http.post(f"{base}/retrieve", json={"queries": ["x"], "filter": [condition]})
        said = answer.json()["error"]["message"]
        assert (answer.status_code, said != "") == (status, True)
        assert "pattern" not in said
    exact = http.post(f"{base}/retrieve", json={"queries": ["x"], "filter": ["locator>=2021-05-03T10:20"]})
    assert exact.status_code in (200, 404)
