"""The model card of a reader: what it is, what it learned from, how it was made, and how well it reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from statistics import mean

from clew.reader.windows import MAX_TOKENS
from clew.trainer.reader.calibration import Calibrated
from clew.trainer.reader.figures import KEPT, Figures
from clew.trainer.reader.items import Item
from clew.trainer.reader.settings import ReaderSettings


def card(
    items: Sequence[Item], settings: ReaderSettings, minutes: float, size: int, figures: Figures | None,
    calibrated: Calibrated | None, command: str, machine: str,
) -> str:  # fmt: skip
    """The card in Markdown. ``items`` are those trained on, ``size`` is in bytes, ``machine`` is what trained it."""
    parts = [
        "# Reader\n",
        "A span reader over all-MiniLM-L6-v2 (Apache-2.0): for a passage and a question it gives the best spans, the "
        f'margin of each over "not here", and yes or no. It reads English, windows of {MAX_TOKENS} tokens, and knows '
        "nothing that the passage does not say.\n",
        f"Made by `{command}` on {date.today():%-d %B %Y} in {minutes:.0f} minutes on {machine}. "
        f"The file holds {size / 1e6:.1f} MB: the layers that training changed, in int8; "
        f"the embeddings and the first {settings.frozen} layers are the encoder's own.\n",
        "Settings: " + ", ".join(f"{name} {value}" for name, value in asdict(settings).items()) + ".\n",
        _data(items),
    ]
    if figures is not None:
        parts.append(_figures(figures))
    if calibrated is not None:
        parts.append(calibration_card(calibrated))
    return "\n".join(parts)


def _data(items: Sequence[Item]) -> str:
    counts = Counter((item.source, item.licence, item.domain) for item in items)
    rows = [f"| {source} | {domain} | {licence} | {n:,} |" for (source, licence, domain), n in sorted(counts.items())]
    head = "## Data\n\n| source | domain | licence | examples |\n| --- | --- | --- | ---: |\n"
    made = (
        f"\n\nIn all {len(items):,} examples, of which training draws a part of the larger domains, and passages that "
        "do not answer, made of those that do (`trainer/reader/negatives.py`).\n"
    )
    return head + "\n".join(rows) + made


def _figures(figures: Figures) -> str:
    rows = [f"| {name} | {count:,} | {f1:.1f} | {em:.1f} |" for name, (count, f1, em) in figures.domains.items()]
    lines = [
        "## Figures on the test files\n",
        "| domain | questions | F1 | EM |\n| --- | ---: | ---: | ---: |",
        *rows,
        f"| mean of the domains | | {figures.mean_f1:.1f} | {mean(em for _, _, em in figures.domains.values()):.1f} |",
        f"\nAt the margin that keeps {KEPT:.0%} of the answerable questions, refused of those that are not: "
        + ", ".join(f"{name} {share:.0%}" for name, share in figures.refused().items())
        + f". Yes and no: {figures.yes_no:.0%} right; always the commoner one: {figures.yes_no_base:.0%}.\n",
    ]
    return "\n".join(lines)


def calibration_card(calibrated: Calibrated) -> str:
    """How likely what is called likely is, as a part of the card."""
    rows = [f"| {point.probability:.2f} | {point.right:.2f} | {point.count} |" for point in calibrated.curve]
    given = [
        f"| {name} | {right:.0%} | {wrong:.0%} | {without:.0%} |"
        for name, (right, wrong, without) in calibrated.given.items()
    ]
    return "\n".join(
        [
            "## Calibration\n",
            "On held-out passages, and on documents of many kinds with questions that they answer and near misses "
            "that they do not (`trainer/reader/near_misses`), both behind the strategy `clew`; probabilities by the "
            f"weights of other folds. A value is given from {calibrated.probable:.2f} on, and may be *sure* from "
            f"{calibrated.sure:.2f} on.\n",
            "| questions over | right value | wrong value | a value though there is none |",
            "| --- | ---: | ---: | ---: |",
            *given,
            "\nOne tenth of the questions a row:\n",
            "| probability | share right | questions |\n| ---: | ---: | ---: |",
            *rows,
            "",
        ]
    )
