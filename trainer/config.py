"""Recipes: TOML files in which every field is checked, and any of them can be overridden by ``--set a.b=c``.

A recipe has sections (which model, what data, which rollouts …) and phases that run one after another, each with the
weights that the one before left. A phase may change any field for itself. A recipe with a ``base`` is that recipe with
changes.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    model_validator,
)

from clew.agent.protocol import Dialect, get_dialect
from clew.errors import InputError, check_choice, for_pydantic
from clew.trainer.algorithm.advantages import AdvantageSettings
from clew.trainer.algorithm.rewards import REWARDS, RewardSettings
from clew.trainer.algorithm.rollout import RolloutSettings
from clew.types import Json

MOST_SEED = 2**31 - 1
"""The largest seed: each phase adds its number, and libraries take 32 bits."""
TEST = "test"
"""The phase under which a run keeps the trajectories of its test set."""
_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
"""What pydantic calls a field that a section does not have."""

Method = Literal["rl", "sft"]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Model(_Section):
    """The policy. ``path`` is a folder or a name on a model hub; ``lora_rank`` 0 trains all weights.

    Weights are kept in ``dtype``, and ``auto`` is float32 for those that are trained and bfloat16 for those that are
    not: an update at these learning rates is less than the last digit of a bfloat16. Arithmetic is bfloat16 on a GPU.
    """

    path: str = ""
    dtype: Literal["auto", "bfloat16", "float32"] = "auto"
    attention: Literal["auto", "sdpa", "flash_attention_2", "eager"] = "auto"
    gradient_checkpointing: bool = True
    lora_rank: Annotated[int, Field(ge=0, le=1024)] = 0
    lora_alpha: Annotated[int, Field(ge=1)] = 32
    lora_dropout: Annotated[float, Field(ge=0, lt=1)] = 0.0


class Retrieval(_Section):
    """Which knowledge base rollouts ask, and by which strategy; ``kb`` empty: that of the settings."""

    kb: str = ""
    strategy: str = "graph-r1"


class Data(_Section):
    """Question files, and how many of each are used; demonstrations for a supervised phase.

    Where no ``dev`` file is named, the last ``dev_questions`` of the training questions are set apart; the test file is
    read once, at the end. ``seed`` orders the training questions.
    """

    train: tuple[str, ...] = ()
    dev: str = ""
    test: str = ""
    demonstrations: str = ""
    train_questions: Annotated[int, Field(ge=1)] = 5120
    dev_questions: Annotated[int, Field(ge=1)] = 128
    test_questions: Annotated[int, Field(ge=1)] = 128


class Training(_Section):
    """The optimisation. A step is one update of the weights by ``mini_batch`` completions.

    ``questions`` of ``group`` completions each are rolled out at a time, and then used in questions · group /
    mini_batch steps, ``updates`` times over; ``micro_batch`` completions are on a device at once. ``steps`` 0: as many
    as ``epochs`` take; a phase that has trained for ``minutes`` ends then (0: whenever). In a supervised phase a batch
    is ``mini_batch`` demonstrations. ``epsilon`` and ``beta`` are the clip and the weight of the KL term (Graph-R1 eq.
    11), ``mask_knowledge`` GraphRAG-R1's retrieval-masked loss. Every ``save_steps`` steps the development set is asked
    and a checkpoint written; the best one is always kept. Of each batch of trajectories ``stored`` go into the graph,
    too.
    """

    learning_rate: Annotated[float, Field(gt=0)] = 5e-7
    schedule: Literal["constant", "linear", "cosine", "constant_with_warmup"] = "constant"
    warmup_steps: Annotated[int, Field(ge=0)] = 0
    epochs: Annotated[float, Field(gt=0)] = 3.0
    steps: Annotated[int, Field(ge=0)] = 0
    minutes: Annotated[float, Field(ge=0)] = 0.0
    questions: Annotated[int, Field(ge=1)] = 128
    group: Annotated[int, Field(ge=1)] = 5
    mini_batch: Annotated[int, Field(ge=1)] = 64
    micro_batch: Annotated[int, Field(ge=1)] = 2
    updates: Annotated[int, Field(ge=1)] = 1
    loss: Literal["grpo", "dapo", "dr_grpo", "bnpo", "cispo"] = "grpo"
    epsilon: Annotated[float, Field(gt=0)] = 0.2
    beta: Annotated[float, Field(ge=0)] = 1e-3
    entropy: Annotated[float, Field(ge=0)] = 0.0
    mask_knowledge: bool = True
    optimizer: Literal["adamw_torch", "adamw_torch_fused", "adamw_8bit"] = "adamw_torch"
    adam_beta2: Annotated[float, Field(gt=0, lt=1)] = 0.999
    weight_decay: Annotated[float, Field(ge=0)] = 0.0
    max_grad_norm: Annotated[float, Field(gt=0)] = 1.0
    save_steps: Annotated[int, Field(ge=1)] = 20
    keep_checkpoints: Annotated[int, Field(ge=2)] = 3
    stored: Annotated[int, Field(ge=0)] = 2


class Generation(_Section):
    """What samples: transformers, or vLLM in the same process (colocate) or on a server of its own.

    ``vllm_memory`` is vLLM's share of a GPU in colocate mode, and with ``sleep`` it gives that back while weights are
    updated. ``batch`` contexts are sampled at a time by transformers.
    """

    engine: Literal["transformers", "vllm-colocate", "vllm-server"] = "transformers"
    batch: Annotated[int, Field(ge=1)] = 16
    vllm_memory: Annotated[float, Field(gt=0, lt=1)] = 0.2
    sleep: bool = True
    vllm_server: str = "http://localhost:8000"
    tensor_parallel: Annotated[int, Field(ge=1)] = 1


@for_pydantic
def _reward(name: str) -> str:
    return check_choice(name, REWARDS, "reward")


class Phase(_Section):
    """One stage of training: supervised or by reinforcement, its reward, and the fields it sets for itself.

    Its checkpoints are in a folder of its ``name``.
    """

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._+-]{0,60}$")]
    method: Method = "rl"
    reward: Annotated[str, AfterValidator(_reward)] = "graph-r1"
    set: dict[str, Any] = Field(default_factory=dict)


@for_pydantic
def _rollout(value: object) -> object:
    if isinstance(value, Mapping) and isinstance(named := value.get("dialect"), str):
        return {**value, "dialect": get_dialect(named)}
    return value


def _plain(settings: RolloutSettings) -> Json:
    values = {one.name: getattr(settings, one.name) for one in fields(settings)}
    return values | {"dialect": settings.dialect.name}


Rollouts = Annotated[RolloutSettings, BeforeValidator(_rollout), PlainSerializer(_plain)]


class Recipe(_Section):
    """Everything a run is determined by, besides the graph, the model and the question files themselves."""

    name: str
    paper: str
    description: str
    seed: Annotated[int, Field(ge=0, le=MOST_SEED)] = 0
    tensorboard: bool = False
    model: Model = Model()
    retrieval: Retrieval = Retrieval()
    data: Data = Data()
    rollout: Rollouts = RolloutSettings()
    reward: RewardSettings = RewardSettings()
    advantage: AdvantageSettings = AdvantageSettings()
    training: Training = Training()
    generation: Generation = Generation()
    phases: tuple[Phase, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _phases_are_told_apart(self) -> Recipe:
        names = [phase.name for phase in self.phases]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"phases: two are called {twice[0]!r}; give each a name of its own")
        if TEST in names:
            raise ValueError(f"phases: {TEST!r} is what the test set's trajectories are kept as; choose another name")
        return self

    @model_validator(mode="after")
    def _batches_fit(self) -> Recipe:
        training, rollout = self.training, self.rollout
        completions = training.questions * training.group
        if any(phase.method == "rl" for phase in self.phases):
            if completions % training.mini_batch:
                raise ValueError(
                    f"training: questions · group = {completions} completions are no multiple of mini_batch "
                    f"({training.mini_batch})"
                )
            if training.group < 2:
                raise ValueError("training.group must be at least 2: the completions of a question are compared")
            if rollout.temperature == 0:
                raise ValueError("rollout.temperature must be above 0: completions that are all alike teach nothing")
        if training.mini_batch % training.micro_batch:
            raise ValueError("training.mini_batch must be a multiple of micro_batch")
        bad = [n for n in ("max_turns", "max_turn_tokens", "max_tokens", "k") if getattr(rollout, n) < 1]
        if bad or rollout.temperature < 0:
            raise ValueError(f"rollout.{bad[0] if bad else 'temperature'} is too small")
        advantage = self.advantage
        bad = [n for n in ("epsilon", "step_epsilon", "continuations") if getattr(advantage, n) <= 0]
        if bad:
            raise ValueError(f"advantage.{bad[0]} must be above 0")
        return self

    def phase(self, index: int) -> Recipe:
        """The recipe as its phase ``index`` (from 0) runs it: with what that phase sets, and that phase alone."""
        raw = self.model_dump()
        phase = raw["phases"][index]
        changes, phase["set"] = phase["set"], {}
        raw["phases"] = [phase]
        for place, value in changes.items():
            put(raw, place, value)
        return parse(raw, f"phase {phase['name']!r} of the recipe {self.name}")


def recipe_names() -> list[str]:
    """The names of the recipes that come with Clew."""
    return sorted(
        f.name.removesuffix(".toml") for f in files("clew.trainer.recipes").iterdir() if f.name.endswith(".toml")
    )


def load_recipe(name: str, overrides: Sequence[str] = (), values: Mapping[str, Any] | None = None) -> Recipe:
    """A recipe by its name, or by the path of a TOML file, with overrides such as ``training.steps=10``.

    A value is read as TOML, and as a text where it is none; ``values`` are overrides that have been read already.
    Raises InputError, with the field's name and the nearest one where it is unknown.
    """
    raw, where = _read(name)
    for place, value in (values or {}).items():
        put(raw, place, value)
    for override in overrides:
        place, equals, text = override.partition("=")
        if not equals or not place.strip():
            raise InputError(f"--set {override!r} sets nothing; write it as training.steps=10.")
        put(raw, place.strip(), _value(text.strip()))
    recipe = parse(raw, where)
    for index in range(len(recipe.phases)):
        recipe.phase(index)
    return recipe


def parse(raw: Json, where: str) -> Recipe:
    """Check a recipe that is plain data. Raises InputError, one line for all faults; ``where`` names the recipe."""
    try:
        return Recipe.model_validate(raw)
    except ValidationError as error:
        found = error.errors(include_url=False)
        known = list(field_names(Recipe))
        if unknown := [_unknown_field(_place(e), known, where) for e in found if e["type"] in _UNKNOWN]:
            raise InputError("; ".join(unknown)) from error
        raise InputError(f"{where}: {'; '.join(map(_fault, found))}.") from error


def field_names(section: type) -> Iterator[str]:
    """The dotted names of all fields of a recipe's section."""
    for name, kind in _fields(section).items():
        inner = _inner(kind)
        if inner is None:
            yield name
        else:
            yield from (f"{name}.{rest}" for rest in field_names(inner))


def put(raw: Json, place: str, value: Any) -> None:
    """Set a field by its dotted name; a number stands for an entry of a list (``phases.0.reward``).

    Raises InputError where the place is inside something that has no fields.
    """
    *outer, last = place.split(".")
    here: Any = raw
    for part in outer:
        here = _entry(here, part, place) if isinstance(here, list | tuple) else here.setdefault(part, {})
        if not isinstance(here, dict | list | tuple):
            raise InputError(f"--set {place}: {part!r} has no fields of its own.")
    if isinstance(here, list):
        _entry(here, last, place)
        here[int(last)] = value
    else:
        here[last] = value


def _entry(entries: Sequence[Any], part: str, place: str) -> Any:
    if not part.isdigit() or int(part) >= len(entries):
        raise InputError(f"--set {place}: {part!r} is no number from 0 to {len(entries) - 1}.")
    return entries[int(part)]


def _read(name: str, above: tuple[Path, ...] = ()) -> tuple[Json, str]:
    """A recipe on top of its bases; ``above`` are the files that have led to it."""
    if name.endswith(".toml"):
        path = Path(name)
        if not path.is_file():
            raise InputError(f"There is no recipe file {name}; check the path.")
        if path.resolve() in above:
            raise InputError(f"The recipe file {name} is a base of itself; name another base.")
        above += (path.resolve(),)
        text, where, stem = path.read_text("utf-8", "replace"), name, path.stem
    else:
        if name not in recipe_names():
            near = difflib.get_close_matches(name, recipe_names(), 1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise InputError(f"There is no recipe {name!r}; {hint}see `python -m trainer list`, or name a .toml file.")
        text, where, stem = (files("clew.trainer.recipes") / f"{name}.toml").read_text("utf-8"), f"recipe {name}", name
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{where} is not valid TOML: {error}.") from error
    if base := raw.pop("base", None):
        raw = _merged(_read(str(base), above)[0] | {"name": stem}, raw)
    raw.setdefault("name", stem)
    return raw, where


def _merged(base: Json, changes: Json) -> Json:
    """Section by section; a list, such as the phases, is replaced as a whole."""
    merged = dict(base)
    for name, value in changes.items():
        old = merged.get(name)
        merged[name] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _fields(section: type) -> dict[str, Any]:
    if issubclass(section, BaseModel):
        return {name: field.annotation for name, field in section.model_fields.items()}
    return get_type_hints(section)


def _inner(kind: Any) -> type | None:
    """The section that a field is, None for a plain value."""
    if kind is Dialect or not isinstance(kind, type):
        return None
    return kind if issubclass(kind, BaseModel) or is_dataclass(kind) else None


def _place(error: Any) -> str:
    return ".".join(map(str, error["loc"]))


def _unknown_field(place: str, known: Sequence[str], where: str) -> str:
    last = place.rpartition(".")[2]
    names = known if "." in place else list(Recipe.model_fields)
    near = [k for k in known if k.endswith(f".{last}")][:1] or difflib.get_close_matches(place, names, 1, 0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"the sections are {', '.join(Recipe.model_fields)}."
    return f"{where} has no field {place!r}; {hint}"


def _fault(error: Any) -> str:
    place = _place(error)
    message = error["msg"].removeprefix("Value error, ").removesuffix(".")
    return f"{place}: {message}" if place else message


def dump_toml(recipe: Recipe) -> str:
    """The recipe as TOML, all defaults written out; ``load_recipe`` reads it back to the same."""
    import tomli_w

    return tomli_w.dumps(recipe.model_dump(mode="json"))
