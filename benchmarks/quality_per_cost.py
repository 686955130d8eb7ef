"""What a model's facts add for what they cost: recall of no model, of hybrid at growing budgets, and of a model alone.

    python -m benchmarks.quality_per_cost DIR [--json FILE] [--svg FILE] [--markdown FILE]

DIR holds the files that benchmarks.openie takes. No model is asked: the test model server replies with the triples that
openie.jsonl has of the passage it is shown, so the facts are those of the model that wrote the file, and the tokens
those of Clew's prompts and of these replies, in the server's count. Prices are those of GPT-4o-mini.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import uuid
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.openie import evaluate
from benchmarks.plot import alone
from clew.extraction.triples import Triple, find_evidence, make_triple
from clew.knowledge_base import KnowledgeBase
from clew.reporting.svg import Mark, curve
from clew.reporting.table import Table, as_markdown
from clew.testing import ModelServer, Script
from clew.testing.extraction import read_prompt
from clew.text.names import key
from clew.types import Json

SHARES = (10, 25, 50, 100)
INPUT_PRICE, OUTPUT_PRICE = 0.15, 0.60
"""Dollars for a million tokens."""
STRATEGY = "clew"


def main() -> None:
    """Ingest, refine step by step, measure after each, and write what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--svg", type=Path, metavar="FILE")
    parser.add_argument("--markdown", type=Path, metavar="FILE")
    options = parser.parse_args()
    corpus, triples = options.directory / "corpus.jsonl", options.directory / "openie.jsonl"
    if missing := [path for path in (corpus, triples) if not path.is_file()]:
        sys.exit(f"There is no {missing[0]}: name a folder with corpus.jsonl, openie.jsonl and questions.jsonl.")
    rows: list[Json] = []
    with _server(triples) as server, _base() as base:
        _ingest(base.name, corpus, server)
        rows.append(_row("no model", base, options.directory, server))
        for share in SHARES:
            _ingest(base.name, corpus, server, "--extractor", "hybrid", "--budget", f"{share}%")
            rows.append(_row(f"hybrid, {share} %", base, options.directory, server))
    with _server(triples) as server, _base() as base:
        _ingest(base.name, corpus, server, "--extractor", "llm")
        rows.append(_row("the model alone", base, options.directory, server))
    table = _table(rows)
    print(table)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")
    if options.markdown:
        options.markdown.write_text(table)
    if options.svg:
        options.svg.write_text(plot(rows[:-1]))


def stand_in(openie: Path) -> Script:
    """Replies with the triples of the passage that the prompt shows, each with the sentence that shows it."""
    known: defaultdict[str, list[Triple]] = defaultdict(list)
    with openie.open() as lines:
        for line in lines:
            row = json.loads(line)
            made = (make_triple(*triple) for triple in row["triples"] if len(triple) == 3)
            known[" ".join(str(row["title"]).split())] += [triple for triple in made if triple]

    def reply(messages: list[Json], request: Json) -> str:
        shown = read_prompt(messages)
        if shown is None:
            return json.dumps({"entities": [], "facts": []})
        numbers, entities, facts = dict(shown.listed), [], []
        for triple in dict.fromkeys(known[" ".join(shown.title.split())]):
            span = find_evidence(triple, shown.title, shown.text)
            if span is None:
                continue
            for name in (triple.subject, triple.object):
                if key(name) not in numbers:
                    numbers[key(name)] = max([0, *numbers.values()]) + 1
                    entities.append({"number": numbers[key(name)], "name": name})
            parts = [
                {"entity": numbers[key(triple.subject)], "role": "subject"},
                {"entity": numbers[key(triple.object)], "role": "object"},
            ]
            evidence = shown.text[span.start : span.end]
            statement = " ".join(triple[:3])
            facts.append(
                {"statement": statement, "participants": parts, "time": "", "negated": False, "evidence": evidence}
            )
        return json.dumps({"entities": entities, "facts": facts}, ensure_ascii=False)

    return reply


def plot(rows: list[Json]) -> str:
    """Recall@5 over the tokens that a model was asked for, as an SVG that stands alone."""
    marks = [Mark(row["tokens"] / 1000, *(100 * row[name] for name in ("recall@5", "low", "high"))) for row in rows]
    above, below = "recall@5, %, with its 95 % interval", "thousands of tokens that the model was asked for"
    return alone(curve(marks, "recall@5 in per cent, over thousands of tokens", width=560, height=260), above, below)


def _server(openie: Path) -> ModelServer:
    return ModelServer(stand_in(openie), model=f"clew-test-{uuid.uuid4().hex[:8]}")  # a new name finds no reply kept


@contextmanager
def _base() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(f"bench-cost-{uuid.uuid4().hex[:8]}") as base:
        try:
            yield base
        finally:
            base.delete()


def _ingest(kb: str, corpus: Path, server: ModelServer, *more: str) -> None:
    command = [sys.executable, "-m", "clew.cli", "ingest", str(corpus), "--kb", kb, "--json", *more]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "CLEW_LLM_MODEL": server.model,
        "CLEW_LLM_BASE_URL": server.base_url,
    }
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode not in (0, 5):
        raise RuntimeError(f"The ingest failed: {done.stderr.strip()[-500:]}")
    if more:
        print(json.loads(done.stdout)["extraction"], flush=True)


def _row(name: str, base: KnowledgeBase, directory: Path, server: ModelServer) -> Json:
    [(_, found)] = evaluate(base.name, directory, STRATEGY)
    low, high = found["intervals"]["recall@5"]
    usage = server.usage
    dollars = (usage.prompt_tokens * INPUT_PRICE + usage.completion_tokens * OUTPUT_PRICE) / 1e6
    row = {
        "graph": name,
        **{f"recall@{k}": found[f"recall@{k}"] for k in (2, 5, 10)},
        "low": low,
        "high": high,
        "requests": usage.calls,
        "tokens": usage.prompt_tokens + usage.completion_tokens,
        "dollars": round(dollars, 4),
        "facts": base.stats()["nodes"]["Hyperedge"],
    }
    print(row, flush=True)
    return row


def _table(rows: list[Json]) -> str:
    heads = ["graph", "recall@2 / 5 / 10", "@5, 95 %", "requests", "tokens", "$", "facts"]
    cells = []
    for row in rows:
        recall = " / ".join(f"{100 * row[f'recall@{k}']:.1f}" for k in (2, 5, 10))
        spread = f"{100 * row['low']:.1f}–{100 * row['high']:.1f}"
        cost = f"{row['requests']:,}", f"{row['tokens']:,}", f"{row['dollars']:.2f}"
        cells.append([row["graph"], recall, spread, *cost, f"{row['facts']:,}"])
    return as_markdown(Table.of(heads, cells))


if __name__ == "__main__":
    main()
