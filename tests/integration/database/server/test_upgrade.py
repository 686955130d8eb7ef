"""A newer Neo4j over data of an older one: a copy is kept, and comes back where the newer one does not start.

What wrote the data is what the file ``version`` says; here it is made to say an older one.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from clew.cli import main
from clew.database.connection import Database
from clew.database.server.home import Home
from clew.database.server.jars import neo4j_version
from clew.database.server.managed import down, ensure_server
from clew.database.server.upgrade import wrote
from clew.errors import ServerError
from clew.operations.upgrade import upgrade
from clew.settings import Settings, load_settings

OLD = "2026.01.4"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A server of its own, stopped, that remembers a knowledge base."""
    home = tmp_path_factory.mktemp("upgraded")
    settings = load_settings(_env_file=None, neo4j_uri=None, home=home, bolt_port=0, http_port=0)
    assert upgrade(settings).before == ""
    with Database.open(settings) as database:
        database.write("kb/create", kb="kept", embedder="none", dimensions=3, precision="f32")
    down(settings)
    yield settings
    down(settings)


@pytest.fixture
def home(own: Settings) -> Home:
    """The folder, whose data are of an older Neo4j."""
    down(own)
    home = Home.of(own)
    shutil.rmtree(home.root / f"data-{OLD}", ignore_errors=True)
    home.version_file.write_text(f"{OLD}\n")
    return home


def remembers(settings: Settings) -> bool:
    with Database.open(settings) as database:
        return bool(database.read("kb/get", kb="kept"))


def test_data_are_taken_over_and_those_of_before_kept(own: Settings, home: Home) -> None:
    environment = {"CLEW_HOME": str(own.home), "CLEW_BOLT_PORT": "0", "CLEW_HTTP_PORT": "0", "NEO4J_URI": ""}
    ran = CliRunner(env=environment).invoke(main, ["upgrade", "--json"])
    assert ran.exit_code == 0, ran.output
    told = json.loads(ran.stdout)
    assert (told["before"], told["after"], told["migrations"], told["clean"]) == (OLD, neo4j_version(), 0, True)
    assert told["copies"] == [str(home.root / f"data-{OLD}")]
    assert remembers(own)
    assert (home.root / f"data-{OLD}" / "databases" / "neo4j").is_dir()
    assert upgrade(own).before == neo4j_version()
    assert "MB are free again" in CliRunner(env=environment).invoke(main, ["upgrade", "--drop"]).stderr
    assert "No copy was kept" in CliRunner(env=environment).invoke(main, ["upgrade", "--drop"]).stderr


def test_where_the_newer_one_does_not_start_the_data_are_as_they_were(own: Settings, home: Home) -> None:
    broken = own.model_copy(update={"java_options": "-XX:NoSuchOptionAtAll"})
    with pytest.raises(ServerError, match=f"could not take over the data of {OLD}, which are as they were"):
        ensure_server(broken)
    assert wrote(home) == OLD
    assert home.has_data()
    assert not list(home.root.glob("data-*"))


def test_a_return_that_was_cut_off_is_finished(own: Settings, home: Home) -> None:
    shutil.copytree(home.root / "data", home.root / f"data-{OLD}")
    (home.root / "data").rename(home.root / "data-failed")
    ensure_server(own)
    assert remembers(own)
    assert [path.name for path in home.root.glob("data-*")] == [f"data-{OLD}"]


def test_newer_data_are_refused_and_left_alone(own: Settings, home: Home) -> None:
    home.version_file.write_text("2099.01.0\n")
    with pytest.raises(ServerError, match=r"written by Neo4j 2099\.01\.0"):
        upgrade(own)
    assert not list(home.root.glob("data-*"))
