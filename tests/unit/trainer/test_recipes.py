from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from clew.errors import InputError
from clew.trainer.algorithm.advantages import Estimator
from clew.trainer.algorithm.rewards import REWARDS
from clew.trainer.config import Recipe, dump_toml, load_recipe, parse, recipe_names
from clew.trainer.runs.plan import GIB, GPU_GIB, RESERVE, memory, peak, schedules, while_sampling, while_updating

ROOT = Path(__file__).resolve().parents[3]
LAUNCH = ROOT / "trainer" / "accelerate"
TRAINING = ROOT / "docs" / "training.md"

NAMES = recipe_names()


def test_every_paper_has_its_recipe() -> None:
    papers = {"graph-r1", "graphrag-r1", "prograph-r1", "sft", "r1", "search-r1", "r1-searcher"}
    assert papers <= set(NAMES)
    estimators = {load_recipe(name).advantage.estimator for name in NAMES if name.startswith("graph-r1")}
    assert estimators == {"grpo", "reinforce++", "rloo", "gae"}


@pytest.mark.parametrize("name", NAMES)
def test_a_resolved_recipe_is_read_back_the_same(name: str) -> None:
    recipe = load_recipe(name)
    assert parse(tomllib.loads(dump_toml(recipe)), "copy") == recipe
    assert all(phase.reward in REWARDS for phase in recipe.phases)


def test_recipes_have_the_papers_settings() -> None:
    graph, graphrag, prograph = (load_recipe(name) for name in ("graph-r1", "graphrag-r1", "prograph-r1"))
    assert (graph.training.questions, graph.training.group, graph.training.mini_batch) == (128, 5, 64)
    assert (graph.training.learning_rate, graph.training.beta, graph.rollout.k) == (5e-7, 1e-3, 5)
    assert [phase.name for phase in graphrag.phases] == ["cold-start", "pra", "caf"]
    assert (graphrag.model.lora_rank, graphrag.model.lora_alpha) == (16, 32)
    assert graphrag.phase(0).training.learning_rate == 5e-6
    assert graphrag.phase(1).training.learning_rate == graphrag.training.learning_rate
    assert prograph.advantage.estimator == "step-wise"
    assert load_recipe("sft").training.mini_batch == 16
    assert load_recipe("r1").rollout.max_turns == 1


def test_a_recipe_with_a_base_differs_in_what_it_names() -> None:
    base, rloo = load_recipe("graph-r1"), load_recipe("graph-r1-rloo")
    same = {"name": base.name, "paper": base.paper, "description": base.description, "advantage": base.advantage}
    assert rloo != base
    assert rloo.model_copy(update=same) == base


@pytest.mark.parametrize("estimator", get_args(Estimator))
def test_whatever_the_estimator_a_question_has_several_completions(estimator: str) -> None:
    with pytest.raises(InputError, match=r"training\.group must be at least 2"):
        load_recipe("graph-r1", ["training.group=1", f"advantage.estimator={estimator}"])


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("training.learnig_rate=1", "did you mean 'training.learning_rate'?"),
        ("rewrd.format_cap=1", "did you mean 'reward'?"),
        ("reward.pra=1", "did you mean 'reward.pra_decay'?"),
        ("training.group=x", "training.group: Input should be a valid integer"),
        ("rollout.dialect=foo", "There is no dialect 'foo'"),
        ("phases.0.reward=graph-r2", "There is no reward 'graph-r2' (did you mean 'graph-r1'?)"),
        ("rollout.max_turns=0", "rollout.max_turns is too small"),
        ('phases.0.set={"training.stps"=3}', "did you mean 'training.steps'?"),
        ("training.mini_batch=7", "no multiple of mini_batch"),
        ("training.group=1", "at least 2"),
        ("rollout.temperature=0", "must be above 0"),
        ("advantage.epsilon=0", "advantage.epsilon must be above 0"),
        ("advantage.continuations=0", "advantage.continuations must be above 0"),
        ("seed=5000000000", "seed: Input should be less than or equal to"),
        ("phases.0.name=../elsewhere", "phases.0.name: String should match"),
        ("phases.0.name=test", "choose another name"),
        ('phases=[{name="a"}, {name="a"}]', "two are called 'a'"),
        ("phases.9.name=x", "no number from 0 to 0"),
        ("training.steps", "sets nothing"),
        ("name.x=1", "no fields of its own"),
        ("training.learning_rate=nan", "finite number"),
    ],
)
def test_a_wrong_field_is_told_in_one_line(override: str, told: str) -> None:
    with pytest.raises(InputError, match=r"^[^\n]*$") as caught:
        load_recipe("graph-r1", [override])
    assert told in str(caught.value)


def test_an_unknown_recipe_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did you mean 'graph-r1'"):
        load_recipe("grph-r1")
    with pytest.raises(InputError, match="no recipe file"):
        load_recipe(str(tmp_path / "mine.toml"))
    (tmp_path / "broken.toml").write_text("a = [")
    with pytest.raises(InputError, match="not valid TOML"):
        load_recipe(str(tmp_path / "broken.toml"))
    (tmp_path / "round.toml").write_text(f'base = "{tmp_path}/round.toml"')
    with pytest.raises(InputError, match="a base of itself"):
        load_recipe(str(tmp_path / "round.toml"))


def test_a_recipe_of_ones_own_may_build_on_another(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('base = "graph-r1"\ndescription = "Mine."\n[training]\ngroup = 10\n')
    recipe = load_recipe(str(own), ["training.steps=3", "retrieval.strategy=clew"])
    assert (recipe.name, recipe.training.group, recipe.training.steps) == ("mine", 10, 3)
    assert recipe.retrieval.strategy == "clew"
    assert recipe.training.beta == load_recipe("graph-r1").training.beta


def _qwen_3b() -> tuple[object, int]:
    import torch
    from transformers import AutoModelForCausalLM, Qwen2Config

    config = Qwen2Config(
        hidden_size=2048,
        num_hidden_layers=36,
        num_attention_heads=16,
        num_key_value_heads=2,
        intermediate_size=11008,
        vocab_size=151936,
        tie_word_embeddings=True,
    )
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config)
    return config, sum(weight.numel() for weight in model.parameters())


def test_three_billion_weights_fit_one_gpu_of_80_gib_by_default() -> None:
    config, weights = _qwen_3b()
    assert 3.0e9 < weights < 3.2e9

    def gib(recipe: Recipe) -> float:
        return peak(memory(recipe, config, weights, 0)) * (1 + RESERVE) / GIB

    for engine in ("transformers", "vllm-colocate"):
        recipe = load_recipe("graph-r1", [f"generation.engine={engine}"])
        assert gib(recipe) < GPU_GIB
    awake = load_recipe("graph-r1", ["generation.engine=vllm-colocate", "generation.sleep=false"])
    assert gib(awake) > GPU_GIB, "the plan says why vLLM has to sleep"
    adapter = memory(load_recipe("graphrag-r1"), config, weights, 30_000_000)
    assert peak(adapter) < peak(memory(load_recipe("graph-r1"), config, weights, 0)) / 2


def test_the_plan_says_what_a_gpu_was_seen_to_hold() -> None:
    """Against docs/benchmarks.md, "How much memory and time does a step of training take on a GPU?"."""
    config, weights = _qwen_3b()
    for fields, adapter, sampling, updating in (([], 0, 62.2, 69.1), (["model.lora_rank=16"], 29_933_568, 18.2, 9.3)):
        parts = memory(load_recipe("graph-r1", fields), config, weights, adapter)
        assert while_sampling(parts) / GIB == pytest.approx(sampling, rel=0.15)
        assert while_updating(parts) / GIB == pytest.approx(updating, rel=0.15)


def test_schedules_count_steps_from_questions_and_epochs() -> None:
    [phase] = schedules(load_recipe("graph-r1"), 5120, 0)
    assert (phase.batches, phase.steps, phase.trajectories) == (120, 1200, 76_800)
    [sft] = schedules(load_recipe("sft"), 0, 160)
    assert (sft.steps, sft.trajectories) == (30, 480)


def test_a_policy_is_served_with_the_retrieval_and_limits_it_was_trained_with() -> None:
    told = dict(re.findall(r"CLEW_(DIALECT|STRATEGY|TOP_K|MAX_TURNS)=(\S+)", TRAINING.read_text()))
    recipe = load_recipe("graph-r1")
    assert told == {
        "DIALECT": recipe.rollout.dialect.name,
        "STRATEGY": recipe.retrieval.strategy,
        "TOP_K": str(recipe.rollout.k),
        "MAX_TURNS": str(recipe.rollout.max_turns),
    }


@pytest.mark.parametrize("file", sorted(LAUNCH.glob("*.yaml")), ids=lambda file: file.stem)
def test_accelerate_knows_every_field_of_its_configurations(file: Path) -> None:
    from accelerate.commands.config.config_args import load_config_from_file  # type: ignore[import-untyped]
    from accelerate.commands.launch import launch_command_parser  # type: ignore[import-untyped]

    config = load_config_from_file(str(file))
    known = {action.dest for action in launch_command_parser()._actions}
    assert {*config.fsdp_config, *config.deepspeed_config} <= known
    assert config.num_processes == (1 if file.stem == "one_gpu" else 8 * config.num_machines)
