"""The child that parses documents: it knows no secret, writes no file, and has no network where that can be taken."""

from __future__ import annotations

import subprocess
import sys

import psutil
import pytest

from clew.documents.format import Input
from clew.documents.isolated import Reader
from clew.documents.parsed import Parsed
from clew.documents.sandbox import leave_network


def test_the_child_that_parses_inherits_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "NEO4J_PASSWORD", "AWS_SECRET_ACCESS_KEY", "CLEW_UI_PASSWORD"):
        monkeypatch.setenv(name, "open-sesame")
    others = set(psutil.Process().children())
    with Reader(60.0) as reader:
        [parsed] = reader.read(Input(b"# Ansby\n\nA town.", "ansby.md", 1000), "md")
        assert isinstance(parsed, Parsed)
        assert parsed.title == "Ansby"
        (child,) = set(psutil.Process().children()) - others
        needed = {"PYTHONPATH", "PYTHONUTF8", "PYTHONDONTWRITEBYTECODE", "TZ", "LC_CTYPE", "LD_LIBRARY_PATH"}
        assert set(child.environ()) <= needed
        assert child.rlimit(psutil.RLIMIT_FSIZE) == (0, 0)
        if reader.without_network:
            interfaces = open(f"/proc/{child.pid}/net/dev").read().split("\n")[2:]  # noqa: SIM115, PTH123
            assert [line.split(":")[0].strip() for line in interfaces if line] == ["lo"]


def test_without_network_not_even_this_machine_is_reached() -> None:
    code = """
import socket, sys
from clew.documents.sandbox import forbid_files, leave_network
listening = socket.create_server(("127.0.0.1", 0))
if not leave_network():
    sys.exit(77)
forbid_files()
try:
    socket.create_connection(listening.getsockname(), timeout=5)
except OSError:
    sys.exit(0)
sys.exit(1)
"""
    path = {"PYTHONPATH": ":".join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-P", "-c", code], env=path, check=False)
    if done.returncode == 77:
        pytest.skip("this system lets no process give up the network")
    assert done.returncode == 0


def test_a_system_without_namespaces_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    assert leave_network() is False
