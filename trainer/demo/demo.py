"""The proof that learning works: a tiny policy learns to walk a real Neo4j graph, on a CPU, in minutes.

Three synthetic worlds go through Clew's ingest: one to train on, one to choose the checkpoint on, one to test on, with
the same names and no fact in common. A tiny policy is taken to where it knows the protocol but stops too early, and
then trained by one of the papers' recipes with the real rewards, the real retrieval and the real trainer.
"""

from __future__ import annotations

import hashlib
import os
import random
import re
import socket
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from clew.agent.protocol import get_dialect
from clew.database.connection import Database
from clew.errors import check_choice
from clew.knowledge_base import KnowledgeBase, list_knowledge_bases
from clew.retrieval.registry import create_strategy
from clew.retrieval.strategy import Strategy
from clew.settings import Settings
from clew.trainer.algorithm import rewards
from clew.trainer.algorithm.advantages import AdvantageSettings
from clew.trainer.algorithm.rewards import RewardSettings
from clew.trainer.algorithm.rollout import Rollout, RolloutSettings, RolloutStats, rollouts
from clew.trainer.demo.start import STAGES, OnStart, StartSettings, begin, load_start
from clew.trainer.demo.tiny import tiny_model, tiny_tokenizer
from clew.trainer.demo.world import (
    MAX_HOPS,
    World,
    WorldEmbedder,
    make_question,
    make_questions,
    make_world,
    write_world,
)
from clew.trainer.evaluate import with_intervals
from clew.trainer.runs.folder import TOKENIZER, Run
from clew.trainer.sampling import sampler

if TYPE_CHECKING:
    from clew.trainer.algorithm.grpo import GraphTrainer
    from clew.trainer.algorithm.rewards import Reward

Scores = dict[str, float]
"""EM by number of hops."""

STRATEGY = "hyperedges"
EVERY = 5
"""Steps of the start from one point of its curves to the next."""
AT_ONCE = 512
"""Contexts that are sampled together; all of them, as the network is tiny."""


@dataclass(frozen=True, slots=True)
class Phase:
    """Some steps with one reward; ``mask_knowledge`` as in ``trainer.algorithm.grpo.Algorithm``."""

    name: str
    steps: int
    reward: Reward
    advantages: AdvantageSettings = field(default_factory=AdvantageSettings)
    mask_knowledge: bool = True


RECIPES: dict[str, tuple[Phase, ...]] = {
    "graph-r1": (Phase("outcome", 40, rewards.graph_r1),),
    "graphrag-r1": (
        Phase("format + PRA", 15, rewards.graphrag_r1_pra),
        Phase("format + CAF", 30, rewards.graphrag_r1_caf),
    ),
    "prograph-r1": (Phase("step-wise", 30, rewards.graph_r1, AdvantageSettings("step-wise")),),
}


@dataclass(frozen=True, slots=True)
class DemoSettings:
    """Sizes of the demo. ``hops`` are the shares of training questions with 1, 2, … hops.

    Without ``start`` the policy begins with weights that come with Clew, in place of random ones. ``steps`` caps each
    phase; ``dev`` and ``test`` are questions a hop. The development set is looked at every ``check`` steps.
    """

    start: StartSettings | None = field(default_factory=StartSettings)
    steps: int | None = None
    questions: int = 8
    group: int = 8
    rate: float = 3e-4
    hops: tuple[float, ...] = (0.10, 0.25, 0.35, 0.30)
    dev: int = 25
    test: int = 100
    check: int = 10
    rollout: RolloutSettings = field(
        default_factory=lambda: RolloutSettings(
            get_dialect("graph-r1"), max_turns=7, max_turn_tokens=14, max_tokens=256, k=4
        )
    )


@dataclass(frozen=True, slots=True)
class DemoReport:
    """What a demo brought: EM by hops on held-out questions, the curve on the development set, and one trajectory.

    ``interval`` is the 95 % interval of EM over all hops afterwards.
    """

    recipe: str
    seed: int
    before: Scores
    after: Scores
    interval: list[float]
    seconds: float
    retrieval_share: float
    curve: tuple[tuple[int, Scores], ...]
    rewards: tuple[float, ...]
    examples: tuple[Rollout, Rollout]
    retrievals: float

    def summary(self) -> dict[str, object]:
        """The part that ``--json`` writes."""
        return {
            "recipe": self.recipe,
            "seed": self.seed,
            "before": self.before,
            "after": self.after,
            "seconds": round(self.seconds, 1),
            "retrieval_share": round(self.retrieval_share, 4),
            "retrievals": round(self.retrievals, 2),
        }


OnProgress = Callable[[str, float, str], None]
"""Receives the stage, the share of it that is done, and its figures in words."""


def run_demo(
    recipe: str,
    seed: int,
    database: Database,
    clew: Settings,
    settings: DemoSettings | None = None,
    on_progress: OnProgress = lambda *_: None,
    kept: Run | None = None,
) -> DemoReport:
    """Train the tiny policy by a recipe; the worlds' knowledge bases are deleted at the end.

    Its curves and trajectories go into the run ``kept``, where there is one.

    Raises InputError for an unknown recipe, DatabaseError where Neo4j fails.
    """
    check_choice(recipe, RECIPES, "demo of")
    import torch

    settings = settings or DemoSettings()
    started = time.perf_counter()
    torch.manual_seed(seed)
    rng = random.Random(f"demo {seed}")
    with worlds(database, clew, rng, on_progress) as (training, development, held_out):
        tokenizer = tiny_tokenizer()
        model = tiny_model(tokenizer, seed)
        if kept:
            tokenizer.save_pretrained(kept.folder / TOKENIZER)
            kept.begins(phases=[*(STAGES if settings.start else ()), *(phase.name for phase in RECIPES[recipe])])
        if settings.start:
            begin(model, tokenizer, seed, settings.start, _start_logger(kept, on_progress))
        else:
            load_start(model)
        test = Check(tokenizer, held_out, settings.test, settings.rollout, rng)
        dev = Check(tokenizer, development, settings.dev, settings.rollout, rng)
        before, first = test(model)
        course = Course(RECIPES[recipe], seed, settings, tokenizer, training, dev, on_progress, kept)
        with tempfile.TemporaryDirectory() as folder:
            model = course.run(model, Path(folder))
        after, last = test(model)
    shown = next((i for i, (a, b) in enumerate(zip(first, last, strict=True)) if _tells(a, b)), -1)
    return DemoReport(
        recipe,
        seed,
        before,
        after,
        with_intervals(last)["em_interval"],
        time.perf_counter() - started,
        course.stats.retrieval_share,
        tuple(course.curve),
        tuple(logs["reward"] for logs in course.logs),
        (first[shown], last[shown]),
        sum(r.retrievals for r in last) / len(last),
    )


def _start_logger(kept: Run | None, on_progress: OnProgress) -> OnStart:
    """What follows the supervised stages: their progress, and every so many steps a point of their curves."""

    def on_step(stage: str, step: int, of: int, loss: float, accuracy: float) -> None:
        on_progress(stage, step / of, f"{accuracy:.0%} of tokens right")
        if kept and step % EVERY == 0:
            logged = {"loss": loss, "mean_token_accuracy": accuracy}
            kept.log({"phase": stage, "method": "sft", "step": step, "of": of, **logged})

    return on_step


class Check:
    """Greedy EM by hops on questions that stay the same, over one graph."""

    def __init__(
        self, tokenizer: Any, graph: tuple[World, Strategy], each: int, settings: RolloutSettings, rng: random.Random
    ) -> None:
        world, self._strategy = graph
        self._tokenizer = tokenizer
        self._settings = settings
        self._each = each
        self._questions = [
            question for hops in range(1, MAX_HOPS + 1) for question in make_questions(world, hops, each, rng)
        ]

    def __call__(self, model: Any) -> tuple[Scores, list[Rollout]]:
        """EM by hops, and the rollouts."""
        greedy = sampler(model, self._tokenizer, self._settings.dialect, 0.0, AT_ONCE)
        played = rollouts(greedy, self._tokenizer, self._questions, self._strategy, self._settings)
        scores = {}
        for hops in range(1, MAX_HOPS + 1):
            some = played[(hops - 1) * self._each : hops * self._each]
            scores[str(hops)] = sum(one.correct for one in some) / self._each
        return scores, played


class Course:
    """Phases one after the other, and the best checkpoint of the last on the development set.

    ``curve`` holds EM on the development set by steps so far, ``logs`` what each step logged.
    """

    def __init__(
        self,
        phases: Sequence[Phase],
        seed: int,
        settings: DemoSettings,
        tokenizer: Any,
        graph: tuple[World, Strategy],
        dev: Check,
        on_progress: OnProgress,
        kept: Run | None,
    ) -> None:
        self.kept = kept
        self._phases = phases
        self._seed = seed
        self._settings = settings
        self._tokenizer = tokenizer
        self._world, self._strategy = graph
        self._dev = dev
        self._on_progress = on_progress
        self.stats = RolloutStats()
        self.curve: list[tuple[int, Scores]] = []
        self.logs: list[dict[str, float]] = []

    def run(self, model: Any, folder: Path) -> Any:
        """Train through all phases; each has the weights before it as its reference. Returns the best model."""
        self.check(model, self._phases[0], 0)
        for number, phase in enumerate(self._phases):
            path = folder / f"phase-{number}"
            model.save_pretrained(path)
            self._tokenizer.save_pretrained(path)
            model = self._train(phase, path, number)
        return model

    def _train(self, phase: Phase, path: Path, number: int) -> Any:
        from transformers import Qwen2ForCausalLM

        steps = min(phase.steps, self._settings.steps or phase.steps)
        model = Qwen2ForCausalLM.from_pretrained(path)
        trainer = self._trainer(model, phase, steps, path)
        watch = _Watch(self, phase, steps, model)
        trainer.add_callback(watch.callback())
        trainer.train()
        self.stats.add(trainer.stats)
        last = number == len(self._phases) - 1
        if last and watch.best is not None:
            model.load_state_dict(watch.best)
        return model

    def _trainer(self, model: Any, phase: Phase, steps: int, path: Path) -> GraphTrainer:
        from datasets import Dataset  # type: ignore[import-untyped]
        from transformers import PrinterCallback
        from trl import GRPOConfig

        from clew.trainer.algorithm.grpo import Algorithm, GraphTrainer

        settings, limits = self._settings, self._settings.rollout
        batch = settings.questions * settings.group
        rng = random.Random(f"questions {self._seed} {phase.name}")
        shares = rng.choices(range(1, MAX_HOPS + 1), weights=settings.hops, k=steps * settings.questions)
        asked = [make_question(self._world, hops, rng) for hops in shares]
        rows = [{"prompt": q.question, "id": q.id, "answers": list(q.answers)} for q in asked]
        os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
        arguments = GRPOConfig(
            output_dir=str(path / "run"),
            per_device_train_batch_size=batch,
            num_generations=settings.group,
            max_steps=steps,
            learning_rate=settings.rate,
            lr_scheduler_type="linear",
            warmup_steps=2,
            adam_beta2=0.99,
            max_grad_norm=1.0,
            loss_type="grpo",
            epsilon=0.2,
            beta=1e-3,
            use_bias_correction_kl=False,
            temperature=settings.rollout.temperature,
            max_completion_length=settings.rollout.max_tokens,
            logging_steps=1,
            save_strategy="no",
            report_to=[],
            use_cpu=True,
            bf16=False,
            disable_tqdm=True,
            activation_checkpointing=False,
            shuffle_dataset=False,
            seed=self._seed,
        )
        trainer = GraphTrainer(
            model,
            Algorithm(phase.reward, RewardSettings(), phase.advantages, settings.rollout, phase.mask_knowledge),
            self._strategy,
            args=arguments,
            generate=lambda policy: sampler(
                policy, self._tokenizer, limits.dialect, limits.temperature, AT_ONCE, seed=self._seed
            ),
            on_rollouts=lambda rollouts, rewards: self._keep(phase.name, trainer.state.global_step, rollouts, rewards),
            train_dataset=Dataset.from_list(rows),
            processing_class=self._tokenizer,
        )
        trainer.remove_callback(PrinterCallback)
        return trainer

    def _keep(self, phase: str, step: int, played: Sequence[Rollout], rewards: Mapping[str, Sequence[float]]) -> None:
        if self.kept:
            self.kept.keep(phase, step, played, rewards)

    def check(self, model: Any, phase: Phase, step: int) -> Scores:
        """Look at the development set after a step of a phase."""
        scores = self._dev(model)[0]
        self.curve.append((len(self.logs), scores))
        if self.kept:
            self.kept.log({"phase": phase.name, "step": step, "dev/em": fmean(scores.values())})
        return scores

    def tell(self, phase: Phase, step: int, steps: int, logs: dict[str, float]) -> None:
        """Keep what a step logged, and show its reward."""
        self.logs.append(logs)
        if self.kept:
            self.kept.log({"phase": phase.name, "method": "rl", "step": step, "of": steps, **logs})
        self._on_progress(
            phase.name,
            step / steps,
            f"reward {logs['reward']:+.2f}, right {logs['em']:.0%}, {logs['retrieval/queries']:.1f} queries, "
            f"retrieval {logs['retrieval/share']:.0%} of the time",
        )

    @property
    def every(self) -> int:
        """Steps between two looks at the development set."""
        return self._settings.check


class _Watch:
    """Follows one phase: its log lines, and the best weights by EM on the development set."""

    def __init__(self, course: Course, phase: Phase, steps: int, model: Any) -> None:
        self._course, self._phase, self._steps, self._model = course, phase, steps, model
        self.best: dict[str, Any] | None = None
        self._highest = -1.0

    def callback(self) -> Any:
        """What the Hugging Face trainer calls."""
        from transformers import TrainerCallback

        watch = self

        class Callback(TrainerCallback):  # type: ignore[misc]
            def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, float], **_: Any) -> None:
                if "reward" in logs:
                    watch.logged(state.global_step, logs)

        return Callback()

    def logged(self, step: int, logs: dict[str, float]) -> None:
        """After a step: keep what it says, and from time to time look at the development set."""
        self._course.tell(self._phase, step, self._steps, logs)
        if step % self._course.every and step != self._steps:
            return
        score = sum(self._course.check(self._model, self._phase, step).values())
        if score >= self._highest:
            self._highest = score
            self.best = {name: weight.detach().clone() for name, weight in self._model.state_dict().items()}


def _tells(before: Rollout, after: Rollout) -> bool:
    """Whether a pair shows what was learnt: wrong before, right after, over three hops."""
    return len(before.question.split()) == 6 and after.correct and not before.correct


def sweep(database: Database, clew: Settings) -> None:
    """Delete what demos that were killed on this machine have left in the database."""
    import psutil

    for row in list_knowledge_bases(database):
        left = re.fullmatch(rf"demo-{_machine()}-(\d+)-\w+-\w+", row["name"])
        if left and not psutil.pid_exists(int(left[1])):
            KnowledgeBase(row["name"], database, clew).delete()


def _machine() -> str:
    """This machine in a few characters: others may run demos on the same database."""
    return hashlib.sha256(socket.gethostname().encode()).hexdigest()[:6]


@contextmanager
def worlds(
    database: Database, clew: Settings, rng: random.Random, on_progress: OnProgress
) -> Iterator[list[tuple[World, Strategy]]]:
    """Three worlds, each in a knowledge base of its own that is deleted afterwards."""
    sweep(database, clew)
    token = f"{_machine()}-{os.getpid()}-{uuid.uuid4().hex[:4]}"
    names = [f"demo-{token}-{part}" for part in ("train", "dev", "test")]
    graphs: list[tuple[World, Strategy]] = []
    try:
        for i, name in enumerate(names, 1):
            world = make_world(rng)
            report = write_world(world, name, database)
            graphs.append((world, create_strategy(STRATEGY, database, WorldEmbedder(), name)))
            on_progress("ingest", i / len(names), f"{report.hyperedges} hyperedges in {name}")
        yield graphs
    finally:
        for name in names:
            base = KnowledgeBase(name, database, clew)
            if base.exists():
                base.delete()
