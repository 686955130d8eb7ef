"""What docs/serve.md tells to type is typed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from clew.knowledge_base import KnowledgeBase

PAGE = Path(__file__).parents[3] / "docs" / "serve.md"


def test_the_commands_of_the_page_run(served: str, encyclopaedia: KnowledgeBase) -> None:
    text = PAGE.read_text(encoding="utf-8").replace("http://127.0.0.1:8300", served)
    text = text.replace("/encyclopaedia", f"/{encyclopaedia.name}")
    blocks = {
        language: re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        for language in ("sh", "python")
    }
    commands = [line for block in blocks["sh"] for line in block.splitlines()]
    assert len(commands) == 5
    for command in commands:
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0
        assert '"error"' not in done.stdout
    [program] = blocks["python"]
    exec(compile(program, str(PAGE), "exec"), {})
