"""The model card of a reader: what it is, what it learned from, how it was made, and how well it reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from statistics import mean
from typing import TYPE_CHECKING

from clew.embedding import BUILT_IN
from clew.reader.windows import MAX_TOKENS
from clew.trainer.reader.figures import KEPT, Figures
from clew.trainer.reader.items import Item
from clew.trainer.reader.settings import ReaderSettings

if TYPE_CHECKING:
    from clew.trainer.reader.calibration import Calibrated


def card(
    items: Sequence[Item], settings: ReaderSettings, minutes: float, size: int, figures: Figures | None,
    calibrated: Calibrated | None, command: str, machine: str, base: str,
) -> str:  # fmt: skip
    """The card in Markdown. ``items`` are those trained on, ``size`` is in bytes, ``machine`` is what trained it.

    ``base`` is the encoder it was trained over.
    """
    own = base != BUILT_IN
    over = base if own else f"{base} (Apache-2.0)"
    kept = "all weights" if own else "the layers that training changed"
    rest = "" if own else f"; the embeddings and the first {settings.frozen} layers are the encoder's own"
    parts = [
        "# Reader\n",
        f"A span reader over {over}: for a passage and a question it gives the best spans, the "
        f'margin of each over "not here", and yes or no. It reads English, windows of {MAX_TOKENS} tokens, and knows '
        "nothing that the passage does not say.\n",
        f"Made by `{command}` on {date.today():%-d %B %Y} in {minutes:.0f} minutes on {machine}. "
        f"Its files hold {size / 1e6:.1f} MB: {kept}, in int8{rest}.\n",
        "Settings: " + ", ".join(f"{name} {value}" for name, value in asdict(settings).items()) + ".\n",
        _data(items),
    ]
    if figures is not None:
        parts.append(figures_card(figures))
    if calibrated is not None:
        parts.append(calibration_card(calibrated, settings.unanswerable))
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


def figures_card(figures: Figures) -> str:
    """How well a reader reads on its own, as a part of the card."""
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


def calibration_card(calibrated: Calibrated, unanswerable: float) -> str:
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
            f"weights of other folds. Questions without an answer are weighted as {unanswerable:.0%} of all "
            f"(`--set unanswerable={unanswerable:g}`). A value is given from {calibrated.probable:.2f} on, and may be "
            f"*sure* from {calibrated.sure:.2f} on.\n",
            "| questions over | right value | wrong value | a value though there is none |",
            "| --- | ---: | ---: | ---: |",
            *given,
            "\nOne tenth of the questions a row:\n",
            "| probability | share right | questions |\n| ---: | ---: | ---: |",
            *rows,
            "",
        ]
    )
