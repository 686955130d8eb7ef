"""What two servers of one user share, and what they do not."""

from __future__ import annotations

from pathlib import Path

from clew.serving.server import metrics_folder
from clew.settings import load_settings


def test_servers_of_one_home_keep_their_metrics_apart(tmp_path: Path) -> None:
    """Each empties its folder when it starts, and its workers are counted together."""
    addresses = (("127.0.0.1", 8080), ("127.0.0.1", 8081), ("::1", 8080), ("0.0.0.0", 8080))
    folders = {
        metrics_folder(load_settings(_env_file=None, home=tmp_path, serve_host=host, serve_port=port))
        for host, port in addresses
    }
    assert len(folders) == len(addresses)
    assert {folder.parent for folder in folders} == {tmp_path / "serve-metrics"}
