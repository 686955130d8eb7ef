"""The table of the demo's runs."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.demo_seeds import main


def test_the_table_shows_every_seed_and_the_median(tmp_path: Path) -> None:
    results, page = tmp_path / "runs.jsonl", tmp_path / "demo.md"
    with results.open("w", encoding="utf-8") as out:
        for seed, em in enumerate((0.5, 1.0, 0.75)):
            scores = dict.fromkeys("1234", em)
            run = {"before": dict.fromkeys("1234", 0.0), "after": scores, "seconds": 90, "retrieval_share": 0.1}
            out.write(json.dumps({"recipe": "graph-r1", "seed": seed, "retrievals": 2.0} | run) + "\n")
    assert main(["--seeds", "0", "--results", str(results), "--table", str(page)]) == 0
    lines = [line for line in page.read_text(encoding="utf-8").splitlines() if "graph-r1 |" in line or "median" in line]
    assert len(lines) == 4
    assert "| graph-r1 | 1 | 0.00 / 0.00 / 0.00 / 0.00 | 1.00 / 1.00 / 1.00 / 1.00 | 2.0 | 1.5 | 10% |" in lines
    assert "0.75 / 0.75 / 0.75 / 0.75" in lines[-1]
