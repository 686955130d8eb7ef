"""``clew mcp`` answers at once, whatever Neo4j does, and waits for it only where it is needed."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters

HEAVY = {"clew.knowledge_base", "clew.agent", "clew.documents", "clew.retrieval", "neo4j", "numpy", "openvino"}


def test_its_module_imports_nothing_that_the_first_answer_does_not_need() -> None:
    shows = "import sys, clew.cli, clew.settings, clew.serving.mcp; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", shows], capture_output=True, text=True, check=True).stdout.split()
    assert not HEAVY & set(loaded)


def test_it_lists_its_tools_while_neo4j_says_nothing_and_waits_with_progress(tmp_path: Path) -> None:
    told: list[str | None] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async def run() -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"bolt://127.0.0.1:{silent.getsockname()[1]}"
            own = {"NEO4J_URI": address, "NEO4J_PASSWORD": "x", "CLEW_HOME": str(tmp_path), "CLEW_NEO4J_TIMEOUT": "3"}
            environment = {**os.environ, **own, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
            program = StdioServerParameters(command=sys.executable, args=["-m", "clew.cli", "mcp"], env=environment)
            async with Client(program, read_timeout_seconds=300) as client:
                assert "search" in [tool.name for tool in (await client.list_tools()).tools]
                asked = asyncio.create_task(client.call_tool("search", {"query": "x"}, progress_callback=heard))
                while not told:
                    await asyncio.sleep(0.1)
                    assert not asked.done()
                silent.close()
                answer = await asked
                assert answer.is_error

    asyncio.run(run())
    assert "start of Neo4j" in (told[0] or "")
