"""Two workers of ``clew serve``: what one does counts for the other, whoever takes a request."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import httpx
import pytest

from clew.database.connection import Database
from clew.knowledge_base import KnowledgeBase
from clew.serving.tokens import Tokens
from clew.settings import Settings

RATE = 120
PAGE = b"# Sorrel Mill\n\nSorrel Mill was built by Ada Finch in 1802.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="workers share a socket")
def test_two_workers_are_one_server(
    settings: Settings, database: Database, environment: dict[str, str], encyclopaedia: KnowledgeBase, tmp_path: Path
) -> None:
    server = database.server
    own = settings.model_copy(update={"home": tmp_path})
    token = Tokens(own).create("both", right="admin")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    variables = {"CLEW_HOME": str(tmp_path), "CLEW_SERVE_TOKENS": "always", "CLEW_SERVE_RATE": str(RATE)}
    variables |= {"NEO4J_URI": server.uri, "NEO4J_USERNAME": server.username, "NEO4J_PASSWORD": server.password}
    log = tmp_path / "log"
    command = [sys.executable, "-m", "clew.cli", "serve", "--workers", "2", "--port", str(port)]
    with log.open("wb") as lines:
        serving = subprocess.Popen(command, env=environment | variables, stderr=lines, start_new_session=True)
    address, bearer = f"http://127.0.0.1:{port}", {"Authorization": f"Bearer {token}"}
    name = "test-workers"
    try:
        while log.read_text().count("startup complete") < 2:
            assert serving.poll() is None, log.read_text()
            time.sleep(0.1)

        def get(path: str) -> httpx.Response:  # on a connection of its own, which either worker may take
            return httpx.get(f"{address}{path}", headers=bearer, timeout=60, trust_env=False, verify=False)

        sent = httpx.post(
            f"{address}/api/knowledge-bases/{name}/documents",
            files={"files": ("mill.md", PAGE)},
            headers=bearer,
            timeout=60,
            trust_env=False,
        )
        job = sent.raise_for_status().json()["id"]
        while (state := get(f"/api/jobs/{job}").json()["state"]) in ("waiting", "running"):
            time.sleep(0.5)
        assert state == "done"
        assert {get(f"/api/knowledge-bases/{name}").status_code for _ in range(6)} == {200}
        counted = re.search(r"^clew_requests_total\{.*/jobs/.*\} (\d+)", get("/metrics").text, re.MULTILINE)
        assert counted is not None
        answers = Counter(get("/api/strategies").status_code for _ in range(RATE + 20))
        assert set(answers) == {200, 429}
        assert answers[200] <= RATE
        Tokens(own).revoke("both")
        assert {get("/api/strategies").status_code for _ in range(6)} == {401}
    finally:
        os.killpg(serving.pid, signal.SIGINT)
        serving.wait(30)
        KnowledgeBase(name, database, settings).delete()
    text = log.read_text()
    assert text.count("shutdown complete") == 2, text[-2000:]
