"""What a change of the encoder costs, and whether who asks meanwhile notices.

    python -m benchmarks.reindex KB QUESTIONS [--embedder NAME] [--askers 20] [--limit 200] [--json FILE]

People ask all the time while the knowledge base is encoded anew and switched, and a little longer. Recall is the share
of questions whose answer stands in the first passages, before, afterwards, and after the way back to the first encoder.
Without ``--embedder`` the other encoder is the first ``LAYERS`` layers of the built-in one: other vectors, and worse.
The exit code is 1 where a question failed.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from benchmarks.askers import Heard, crowd
from clew.embedding import BUILT_IN, load_embedder, local_folder
from clew.evaluation.metrics import answer_recall_at_k
from clew.knowledge_base import KnowledgeBase
from clew.operations.reindex import drop, reindex
from clew.types import Json

DEPTHS = (2, 5, 10)
LAYERS = 3
_ALL_DAY = 86_400.0


def main() -> int:
    """Run the benchmark, and print a line a figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kb")
    parser.add_argument("questions", type=Path, help="a jsonl with question and answers a line")
    parser.add_argument("--embedder", help="the other encoder: a folder, or a name on a model hub")
    parser.add_argument("--askers", type=int, default=20)
    parser.add_argument("--limit", type=int, default=200, help="questions for recall")
    parser.add_argument("--strategy", default="clew")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.questions.read_text().splitlines()]
    found: Json = {}
    with tempfile.TemporaryDirectory() as folder, KnowledgeBase.open(options.kb) as base:
        first, _ = base.encoder()
        name = options.embedder or shallow(Path(folder, "encoder"))
        other = load_embedder(base.settings.model_copy(update={"embedder": str(name)}))
        found["encoders"] = [first.name, other.name]
        found["before"] = recall(base, rows[: options.limit], options.strategy)
        heard, questions = Heard(), [row["question"] for row in rows]

        def ask() -> None:
            found.update(crowd(base, questions, options.askers, _ALL_DAY, strategy=options.strategy, heard=heard))

        asking = threading.Thread(target=ask)
        asking.start()
        try:
            while len(heard.served) < options.askers:
                time.sleep(0.1)
            began = time.monotonic()
            done = reindex(base, other, lambda count: print(f"{count:,} encoded", file=sys.stderr))
            found["seconds"], found["encoded"] = round(time.monotonic() - began, 1), done.encoded
            switched = len(heard.seconds)
            while len(heard.seconds) < 2 * options.askers + switched:
                time.sleep(0.1)
        finally:
            heard.over.set()
            asking.join()
        found["afterwards"] = recall(base, rows[: options.limit], options.strategy)
        began = time.monotonic()
        reindex(base, first)
        found["seconds_back"] = round(time.monotonic() - began, 1)
        found["back"] = recall(base, rows[: options.limit], options.strategy)
        drop(base)
    for name, value in found.items():
        print(f"{name:>24}  {value}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")
    return 1 if found["errors"] else 0


def shallow(folder: Path) -> Path:
    """The built-in encoder without its upper layers, in a new ``folder``."""
    built_in = local_folder(BUILT_IN)
    assert built_in is not None
    shutil.copytree(built_in, folder)
    weights = load_file(built_in / "model.safetensors")
    layer = re.compile(r"encoder\.layer\.(\d+)\.")
    kept = {name: rows for name, rows in weights.items() if not (at := layer.search(name)) or int(at[1]) < LAYERS}
    save_file(kept, folder / "model.safetensors")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"num_hidden_layers": LAYERS}))
    return folder


def recall(base: KnowledgeBase, rows: list[Json], strategy: str) -> dict[int, float]:
    """Per cent of questions with an answer in their first k passages, for each k; yes and no do not count."""
    found = base.retrieve([row["question"] for row in rows], max(DEPTHS), strategy)
    shares = {}
    for depth in DEPTHS:
        hits = [
            answer_recall_at_k([passage.text for passage in one.passages], row["answers"], depth)
            for row, one in zip(rows, found, strict=True)
        ]
        shares[depth] = round(100 * float(np.mean([hit for hit in hits if hit is not None])), 1)
    return shares


if __name__ == "__main__":
    sys.exit(main())
