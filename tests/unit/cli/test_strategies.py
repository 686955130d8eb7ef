"""``clew strategies``: the recipes as a table and as JSON, with their settings."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from clew.cli.strategies import strategies
from clew.retrieval.registry import RECIPES, settings_of


def test_json_has_every_recipe_with_its_settings() -> None:
    run = CliRunner().invoke(strategies, ["--json"], env={"CLEW_STRATEGY": "graph-r1"})
    assert run.exit_code == 0
    listed = json.loads(run.stdout)["strategies"]
    assert list(listed) == list(RECIPES)
    assert [name for name, one in listed.items() if one["default"]] == ["graph-r1"]
    assert listed["graph-r1"]["settings"]["k_entities"] == 5
    assert listed["hypergraphrag"]["settings"]["k_entities"] == 60
    assert listed["clew-one-pass"]["settings"]["passes"] == 1
    assert listed["hybrid-text3-graph10"]["settings"] == {"over": "hipporag2", "texts": 3, "facts": 10}
    assert listed["none"]["settings"] == {}


def test_the_table_tells_paper_and_settings() -> None:
    run = CliRunner().invoke(strategies, [], env={"COLUMNS": "400"})
    assert run.exit_code == 0
    (line,) = (line for line in run.stdout.splitlines() if line.startswith("linearrag "))
    assert "arXiv 2510.10114" in line
    assert "damping=0.5" in run.stdout


@pytest.mark.parametrize("name", [name for name, recipe in RECIPES.items() if recipe.settings is not None])
def test_settings_are_plain_data(name: str) -> None:
    settings = settings_of(name)
    assert settings
    assert json.loads(json.dumps(settings)) == {
        option: list(value) if isinstance(value, tuple) else value for option, value in settings.items()
    }
