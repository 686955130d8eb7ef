"""What sets the papers' recipes apart, measured on the trainer's demo: one start a seed, then each variant from it.

    python -m benchmarks.demo_recipes [--seeds N] [--steps N] [--results FILE] [--table FILE]

The variants are Graph-R1's outcome reward; the same with the loss on the graph's tokens too; ProGraph-R1's step-wise
advantages; and GraphRAG-R1's F1 with format alone, with PRA, and with CAF. All see questions of the same shares of
hops. EM is over the development world's questions of 2 to 4 hops, retrievals are a question's in the last five steps.
Results are kept seed by seed, so that a benchmark that is interrupted goes on where it stopped; ``--seeds 0`` only
writes the table, with Student's t intervals of 95 % over the seeds.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, stdev

import torch
from scipy.stats import t

from benchmarks.demo_seeds import read
from clew.knowledge_base import connect
from clew.reporting.table import Table, as_markdown
from clew.settings import load_settings
from clew.trainer.algorithm import rewards
from clew.trainer.algorithm.advantages import AdvantageSettings
from clew.trainer.algorithm.rewards import Parts, RewardSettings
from clew.trainer.algorithm.rollout import Rollout
from clew.trainer.demo.demo import Check, Course, DemoSettings, Phase, worlds
from clew.trainer.demo.start import begin
from clew.trainer.demo.tiny import tiny_model, tiny_tokenizer
from clew.types import Json

RESULTS = Path("benchmarks/demo_recipes.jsonl")
TABLE = Path("docs/demo_recipes.md")
LAST = 5
"""Steps at the end over which retrievals are averaged."""

_INTRODUCTION = """\
# What sets the recipes apart

`python -m benchmarks.demo_recipes`: on the demo's world, each seed's start is trained further by each variant, with the
same number of steps and the same shares of hops. EM over questions of 2 to 4 hops of a graph that is not trained on, by
steps of reinforcement learning; retrievals a question of the last {last} steps. Means over {seeds} seeds with 95 %
intervals (Student's t), 26 November 2026, two cores of an AMD EPYC. Where a second phase begins between two looks, the
look nearest to the step counts, which is one step later.

"""


def main(arguments: list[str] | None = None) -> None:
    """Train what is missing, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--table", type=Path, default=TABLE)
    options = parser.parse_args(arguments)
    done = {row["seed"] for row in read(options.results)}
    for seed in range(options.seeds):
        if seed not in done:
            rows = list(_train(seed, options.steps))
            with options.results.open("a", encoding="utf-8") as out:
                out.writelines(json.dumps(row) + "\n" for row in rows)
    options.table.write_text(_table(read(options.results)), encoding="utf-8")


def variants(steps: int) -> dict[str, tuple[Phase, ...]]:
    """The phases of each variant, by its name in the table."""
    step_wise = AdvantageSettings("step-wise")
    return {
        "Graph-R1: outcome": (Phase("outcome", steps, rewards.graph_r1),),
        "the same, loss on the graph's tokens too": (Phase("unmasked", steps, rewards.graph_r1, mask_knowledge=False),),
        "ProGraph-R1: step-wise": (Phase("step-wise", steps, rewards.graph_r1, step_wise),),
        "F1 and format alone": (Phase("F1", steps, _plain),),
        "PRA alone": (Phase("PRA", steps, rewards.graphrag_r1_pra),),
        "GraphRAG-R1: PRA, then CAF": (
            Phase("PRA", steps // 3, rewards.graphrag_r1_pra),
            Phase("CAF", steps - steps // 3, rewards.graphrag_r1_caf),
        ),
    }


def _plain(rollout: Rollout, settings: RewardSettings) -> Parts:
    """GraphRAG-R1's reward without what it says of retrievals."""
    return {"format": rewards.call_format(rollout, settings), "answer": rewards.answer_f1(rollout)}


def _train(seed: int, steps: int) -> Iterator[Json]:
    settings = DemoSettings(check=5)
    rng = random.Random(f"demo {seed}")
    torch.manual_seed(seed)
    clew = load_settings()
    with (
        connect(clew) as database,
        worlds(database, clew, rng, _tell) as (training, development, _),
        tempfile.TemporaryDirectory() as folder,
    ):
        tokenizer = tiny_tokenizer()
        model = tiny_model(tokenizer, seed)
        begin(model, tokenizer, seed, settings.start, lambda name, step, of, *_: _tell(name, step / of, ""))
        dev = Check(tokenizer, development, settings.dev, settings.rollout, rng)
        for number, (name, phases) in enumerate(variants(steps).items()):
            print(f"seed {seed}, {name}", flush=True)
            torch.manual_seed(seed)
            course = Course(phases, seed, settings, tokenizer, training, dev, _tell, None)
            place = Path(folder) / str(number)
            place.mkdir()
            course.run(model, place)
            curve = {step: fmean(scores[hops] for hops in ("2", "3", "4")) for step, scores in course.curve}
            retrievals = fmean(logs["retrieval/queries"] for logs in course.logs[-LAST:])
            yield {"seed": seed, "variant": name, "curve": curve, "retrievals": retrievals}


def _tell(stage: str, share: float, text: str) -> None:
    if round(share * 100) % 25 == 0:
        print(f"  {stage} {share:.0%} {text}", flush=True)


def _table(rows: list[Json]) -> str:
    seeds = len({row["seed"] for row in rows})
    steps = list(rows[0]["curve"])
    head = ["variant", *(f"EM, {step} steps" for step in steps), "retrievals"]
    lines = []
    for name in dict.fromkeys(row["variant"] for row in rows):
        some = [row for row in rows if row["variant"] == name]
        cells = [_mean([_nearest(row["curve"], int(step)) for row in some]) for step in steps]
        lines.append([name, *cells, _mean([row["retrievals"] for row in some])])
    return _INTRODUCTION.format(last=LAST, seeds=seeds) + as_markdown(Table.of(head, lines))


def _nearest(curve: dict[str, float], step: int) -> float:
    return curve[min(curve, key=lambda at: abs(int(at) - step))]


def _mean(values: list[float]) -> str:
    n = len(values)
    spread = float(t.ppf(0.975, n - 1)) * stdev(values) / n**0.5 if n > 1 else 0.0
    return f"{fmean(values):.2f} ± {spread:.2f}"


if __name__ == "__main__":
    main()
