"""Where an ingest runs: addresses of Ray that are none, that nobody listens at, and a Ray that is not there."""

from __future__ import annotations

import pickle
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from clew.embedding import load_embedder
from clew.errors import ClusterError, InputError
from clew.ingest.spread import HERE, connected
from clew.settings import load_settings


def test_without_an_address_the_work_stays_here() -> None:
    with connected(None) as spread:
        assert spread is HERE
        assert list(spread.map(str, [1, 2])) == ["1", "2"]


@pytest.mark.parametrize("address", ["nowhere", "127.0.0.1", "127.0.0.1:port", "ray://host:x", ":6379", "a:٣"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(InputError, match="is no address of Ray: use local, auto, HOST:PORT"), connected(address):
        pass


def test_an_address_where_nobody_listens() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        for address in (f"127.0.0.1:{port}", f"ray://127.0.0.1:{port}", "127.0.0.1:99999"):
            began = time.monotonic()
            with pytest.raises(ClusterError, match=rf"Ray at {address} cannot be reached .*--ray local"):
                connected(address).__enter__()
            assert time.monotonic() - began < 5


def test_ray_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match="Ray is not installed: `pip install"), connected("local"):
        pass


def test_the_command_ends_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Ada wrote it.")
    command = [sys.executable, "-m", "clew.cli", "ingest", str(tmp_path), "--ray", "127.0.0.1:1"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[3], timeout=60)
    assert done.returncode == ClusterError.exit_code
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("clew: Ray at 127.0.0.1:1 cannot be reached")


def test_an_encoder_that_travels_encodes_the_same() -> None:
    texts = [f"The lamp of tower {number} was lit in {1800 + number}." * (1 + number % 5) for number in range(120)]
    embedder = load_embedder(load_settings(_env_file=None, embed_tokens=512))
    arrived = pickle.loads(pickle.dumps(embedder))
    assert arrived is not embedder
    assert arrived is pickle.loads(pickle.dumps(embedder))
    assert (arrived.name, arrived.precision) == (embedder.name, embedder.precision)
    for some in (texts, texts[:3]):
        np.testing.assert_array_equal(arrived.embed(some), embedder.embed(some))
