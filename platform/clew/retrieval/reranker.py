"""An optional second look: a reranker reads each query together with what a strategy found, and puts it in order."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from clew.embedding import INSTALL_ENCODERS
from clew.errors import EmbedderError
from clew.retrieval.strategy import Strategy
from clew.settings import Settings
from clew.types import Retrieved

Scores = npt.NDArray[np.float32]


class Reranker(Protocol):
    """Scores texts against a query, for a batch of (query, texts): an array per query, a score per text.

    The higher a score, the better the text answers the query. Scores of different queries need not be comparable.
    """

    def score(self, batch: Sequence[tuple[str, Sequence[str]]]) -> list[Scores]: ...


@dataclass(frozen=True, slots=True)
class RerankSettings:
    """``candidates`` facts and as many passages of the strategy are read, or k where that is more."""

    candidates: int = 30


class CrossEncoderReranker:
    """A cross-encoder of sentence-transformers (Nogueira and Cho, arXiv 1901.04085), read from safetensors alone.

    ``model`` is a folder or a name on a model hub. Raises EmbedderError where it cannot be loaded, or gives more than
    one score. Safe to share between threads.
    """

    def __init__(self, model: str, device: str = "cpu") -> None:
        try:
            from sentence_transformers import CrossEncoder
        except ModuleNotFoundError as error:
            raise EmbedderError(
                f"The reranker {model!r} needs {error.name}: {INSTALL_ENCODERS}, or set CLEW_RERANKER to nothing."
            ) from error

        folder = Path(model).expanduser()
        try:
            self._model = CrossEncoder(
                str(folder) if folder.is_dir() else model,
                device=device,
                model_kwargs={"use_safetensors": True},
                trust_remote_code=False,
            )
        except Exception as error:
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
            raise EmbedderError(
                f"The reranker {model!r} cannot be loaded ({reason}). Set CLEW_RERANKER to a folder that holds a "
                "cross-encoder with safetensors, to a name your model hub knows, or to nothing."
            ) from error
        if self._model.config.num_labels != 1:
            raise EmbedderError(
                f"The reranker {model!r} gives {self._model.config.num_labels} scores a text: set CLEW_RERANKER to a "
                "cross-encoder that gives one."
            )
        self._lock = threading.Lock()

    def score(self, batch: Sequence[tuple[str, Sequence[str]]]) -> list[Scores]:
        """The scores of each query's texts, all pairs in one run of the model; what is no number counts as lowest."""
        pairs = [(query, text) for query, texts in batch for text in texts]
        flat = np.zeros(0, np.float32)
        if pairs:
            with self._lock:
                flat = np.asarray(self._model.predict(pairs, show_progress_bar=False), np.float32).reshape(-1)
            flat = np.nan_to_num(flat, nan=float(np.finfo(np.float32).min))
        return np.split(flat, np.cumsum([len(texts) for _, texts in batch], dtype=np.int64))[:-1]


def load_reranker(settings: Settings) -> Reranker | None:
    """The reranker that the settings name, or None. Raises EmbedderError where it cannot be loaded."""
    return CrossEncoderReranker(settings.reranker, settings.device) if settings.reranker else None


class Reranked:
    """A strategy whose facts and passages a reranker puts in order; their scores are then the reranker's.

    A passage is read with its title, a fact as its text; a fact's ranks tell both its old places and the new one.
    """

    def __init__(self, strategy: Strategy, reranker: Reranker, settings: RerankSettings | None = None) -> None:
        self.name = strategy.name
        self._strategy = strategy
        self._reranker = reranker
        self._settings = settings or RerankSettings()

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        """The ``k`` best of what the strategy finds; the round trips are those of the strategy."""
        found = self._strategy.retrieve(queries, max(k, self._settings.candidates))
        read = [one for one in found if one.facts or one.passages]
        scores = iter(self._reranker.score([(one.query, _texts(one)) for one in read]))
        return [_ordered(one, next(scores), k) if one.facts or one.passages else one for one in found]


def _texts(one: Retrieved) -> list[str]:
    return [*(fact.text for fact in one.facts), *(f"{passage.title}\n{passage.text}" for passage in one.passages)]


def _ordered(one: Retrieved, scores: Scores, k: int) -> Retrieved:
    of_facts, of_passages = scores[: len(one.facts)], scores[len(one.facts) :]
    facts = [
        replace(one.facts[at], score=float(of_facts[at]), ranks=one.facts[at].ranks | {"rerank": rank})
        for rank, at in enumerate(_best(of_facts, k), 1)
    ]
    passages = [replace(one.passages[at], score=float(of_passages[at])) for at in _best(of_passages, k)]
    return replace(one, facts=tuple(facts), passages=tuple(passages))


def _best(scores: Scores, k: int) -> list[int]:
    best: list[int] = np.argsort(-scores, kind="stable")[:k].tolist()
    return best
