"""How a reader is trained."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReaderSettings:
    """What ``python -m trainer reader --set`` changes.

    ``batch_tokens`` counts tokens with padding. A domain gives ``whole`` examples of each kind, some of them twice
    where it has fewer, and the share ``rest`` of what it has beyond them, so that none drowns the others; ``aside`` is
    the share of windows of a long passage that show a part without the answer. ``dev`` is the share of passages that is
    held out. ``checkpoint`` is in seconds. ``frozen`` layers from the first stay the encoder's. A training of so many
    ``minutes`` ends then, with its rate at zero, wherever it is in its passes (0: it reads all of them). ``teacher`` is
    the share of another reader's probabilities in what is learned, where one is named. ``unanswerable`` is that of
    questions without an answer among those that the confidence is fitted to: the more, the more timid it is.
    """

    seed: int = 1
    frozen: int = 0
    batch_tokens: int = 16_384
    rate: float = 3e-4
    warm_up: float = 0.06
    decay: float = 0.01
    dropout: float = 0.1
    whole: int = 3_000
    rest: float = 1.0
    passes: int = 4
    aside: float = 0.12
    dev: float = 0.03
    checkpoint: float = 240.0
    minutes: float = 0.0
    teacher: float = 0.5
    unanswerable: float = 0.2
