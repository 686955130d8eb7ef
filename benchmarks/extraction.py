"""Extraction by a model that fails as models do: is the graph whole, is nothing paid twice, does the bill agree?

    python -m benchmarks.extraction CORPUS [--limit N] [--json FILE] [--seed 0]

The test model server plays the model: 10 % of its replies are malformed JSON, 5 % status 429, 2 % status 500, 2 % slow,
1 % broken off, and 10 % of its facts have wrong evidence. `clew ingest --extractor llm` is killed by kill -9 in the
middle and run again; then another knowledge base is given a tenth of the tokens as its budget. The exit code is 1 where
something does not hold.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

from clew.ids import digest
from clew.knowledge_base import KnowledgeBase
from clew.testing import Fault, ModelServer, Script, at_rate, extractor
from clew.text.names import key
from clew.types import Json, Usage

FAULTS = (
    *[Fault("garbled")] * 10,
    *[Fault("status", status=429, retry_after=0.1)] * 5,
    *[Fault("status", status=500)] * 2,
    *[Fault("delay", seconds=0.5)] * 2,
    Fault("drop"),
)
WRONG = 0.1
LONGEST_CITED = 50
"""Words of the evidence that are compared; the test model cuts statements that are very long."""


def main() -> int:
    """Run the benchmark, print a line a figure, and a verdict."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path, help="a jsonl of title and text")
    parser.add_argument("--limit", type=int, help="passages of the corpus, at most")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if not options.corpus.is_file():
        sys.exit(f"There is no corpus at {options.corpus}: name one (a jsonl of title and text).")
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.jsonl"
        with options.corpus.open() as lines:
            corpus.write_text("".join(islice(lines, options.limit)))
        found = {**killed(corpus, options.seed), **limited(corpus)}
    for name, value in found.items():
        print(f"{name:>28}  {value}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")
    faults = [name for name, value in found.items() if value is False]
    print("everything holds" if not faults else f"DOES NOT HOLD: {', '.join(faults)}")
    return 1 if faults else 0


def killed(corpus: Path, seed: int) -> dict[str, Any]:
    """Ingest with faults, kill in the middle, go on; what was stored, asked and paid."""
    with corpus.open() as lines:
        total = sum(1 for _ in lines)
    asked: Counter[str] = Counter()
    faults = at_rate(0.2, *FAULTS, seed=seed)
    model = f"clew-test-{uuid.uuid4().hex[:8]}"  # a name of its own finds nothing in the journal
    with ModelServer(_counted(extractor(WRONG), asked), faults=faults, model=model) as server, _base() as base:
        try:
            first = _start(base.name, corpus, server)
            while server.usage.calls < total / 2 and first.poll() is None:
                time.sleep(0.05)
            first.send_signal(signal.SIGKILL)
            first.communicate()
            time.sleep(1)
            at_kill, broken = server.usage, server.undelivered
            began = time.perf_counter()
            report = _finish(_start(base.name, corpus, server))
            seconds = time.perf_counter() - began
            extraction = report["extraction"]
            true, false = evidence(base)
            answered = _minus(_minus(server.usage, at_kill), _minus(server.undelivered, broken))
            paid = [extraction["paid"][name] for name in ("calls", "prompt_tokens", "completion_tokens")]
            twice = sum(times - 1 for times in asked.values())
            again = _finish(_start(base.name, corpus, server))
            return {
                "passages": total,
                "documents": len(base.documents()),
                "model facts": true + false,
                "seconds after the kill": round(seconds, 1),
                "requests before the kill": at_kill.calls,
                "requests in all": server.usage.calls,
                "tokens in all": server.usage.prompt_tokens + server.usage.completion_tokens,
                "requests reused": extraction["reused"]["calls"],
                "requests answered twice": twice,
                "replies broken off": server.undelivered.calls,
                "retries": extraction["retries"],
                "mended facts": extraction["repaired"],
                "dropped facts": extraction["dropped"],
                "drop rate": round(sum(extraction["dropped"].values()) / max(1, true), 4),
                "complete": len(base.documents()) == total and not report["stopped"],
                "evidence is true": false == 0,
                "paid once": twice <= server.undelivered.calls + base.settings.extract_concurrency,
                "the bill agrees": paid == [answered.calls, answered.prompt_tokens, answered.completion_tokens],
                "a third run pays nothing": again["extraction"]["paid"]["calls"] == 0,
            }
        finally:
            base.delete()


def limited(corpus: Path) -> dict[str, Any]:
    """Ingest under a budget of about a tenth of what the whole takes; how far the spending was from it."""
    with corpus.open() as lines:
        budget = 90 * sum(1 for _ in lines)
    model = f"clew-test-{uuid.uuid4().hex[:8]}"
    with ModelServer(extractor(WRONG), model=model) as server, _base() as base:
        try:
            report = _finish(_start(base.name, corpus, server, "--budget", str(budget)))
            tokens = server.usage.prompt_tokens + server.usage.completion_tokens
            request = base.settings.extract_reply_tokens + base.settings.chunk_chars
            return {
                "budget": budget,
                "spent of it": tokens,
                "documents within it": report["documents"],
                "stops within one request": budget - request <= tokens <= budget,
            }
        finally:
            base.delete()


def evidence(base: KnowledgeBase) -> tuple[int, int]:
    """Of the facts that a model worded: how many have evidence that stands in their chunk, and how many have not.

    The test model states what it cites, a pronoun apart, so the words of the true evidence are those of the statement.
    """
    true = false = 0
    for document in base.documents():
        for row in base.database.read("benchmark/evidence", kb=base.name, document=document["id"], origin="llm"):
            shown = row["text"][row["start"] - row["from"] : row["end"] - row["from"]]
            inside = row["from"] <= row["start"] < row["end"] <= row["until"] and shown == row["evidence"]
            cited = key(shown).split()[1:LONGEST_CITED]
            holds = inside and set(cited) <= set(key(row["statement"]).split())
            true, false = true + holds, false + (not holds)
    return true, false


def _counted(script: Script, asked: Counter[str]) -> Script:
    """The script, which counts how often each request is answered."""

    def reply(messages: list[Json], request: Json) -> str:
        asked[digest(json.dumps(messages))] += 1
        return script(messages, request)

    return reply


def _base() -> KnowledgeBase:
    return KnowledgeBase.open(f"bench-extraction-{uuid.uuid4().hex[:8]}")


def _start(kb: str, corpus: Path, server: ModelServer, *more: str) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-m",
        "clew.cli",
        "ingest",
        str(corpus),
        "--kb",
        kb,
        "--json",
        "--extractor",
        "llm",
        *more,
    ]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "CLEW_LLM_MODEL": server.model,
        "CLEW_LLM_BASE_URL": server.base_url,
    }
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    """The report of an ingest that ended well, or at its budget."""
    out, err = process.communicate()
    if process.returncode not in (0, 5) or not out:
        raise RuntimeError(f"The ingest failed with {process.returncode}: {err.strip()[-500:]}")
    return dict(json.loads(out))


def _minus(one: Usage, other: Usage) -> Usage:
    return Usage(
        one.calls - other.calls,
        one.prompt_tokens - other.prompt_tokens,
        one.completion_tokens - other.completion_tokens,
    )


if __name__ == "__main__":
    sys.exit(main())
