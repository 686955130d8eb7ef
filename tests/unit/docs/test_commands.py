"""Every command that a page of the docs shows is one of Clew's, with options that it has."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from clew.cli import main

ROOT = Path(__file__).parents[3]
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"^(?:[A-Z][A-Z0-9_]*=\S+ )*(clew .*)")
_PARTS = re.compile(r"\s{3,}| / (?=clew )|\s\|\s| && ")
"""What parts a command from what it does, or from another one."""


def commands() -> list[str]:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    blocks = [found for page in pages for found in _FENCE.findall(page.read_text("utf-8"))]
    lines = [line for kind, block in blocks if kind in ("", "sh", "bash") for line in block.splitlines()]
    shown = [found[1] for line in lines if (found := _COMMAND.match(line))]
    return sorted({part.strip() for line in shown for part in _PARTS.split(line) if part.startswith("clew ")})


@pytest.mark.parametrize("line", commands())
def test_a_command_that_is_shown_is_there(line: str) -> None:
    words = [word for word in shlex.split(line, comments=True)[1:] if word not in ("…", "...")]
    command: click.Command = main
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name = words.pop(0)
        assert name in command.commands, f"{line}: there is no {name}"
        command = command.commands[name]
    known = {name for one in command.params for name in one.opts} | {"--help", "-h"}
    assert not [word for word in words if word.startswith("-") and word != "-" and word.split("=")[0] not in known]


def test_the_readme_names_the_commands_that_people_begin_with() -> None:
    shown = {line.split()[1] for line in commands()}
    assert {"ingest", "sync", "ask", "retrieve", "evaluate", "export", "import", "trajectory", "serve"} <= shown
