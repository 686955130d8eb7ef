"""A BERT network for OpenVINO, built from safetensors without PyTorch: what the encoder and the reader run on.

A matrix is held as it is, or in int8. Then the weights of a row share one scale in groups of ``WEIGHT_GROUP``, in the
form that OpenVINO's integer kernels recognise.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

WEIGHT_GROUP = 64
"""Weights of a row that share one scale in int8: in groups they keep the neighbours that whole rows lose."""
ACTIVATION_GROUP = 32
"""Activations that share one scale in int8; the scale is taken anew from each token."""
SCALE = ".scale"
"""What stands behind a weight's name for the scales of its groups."""

FIRST_PLACES = {"bert": 0, "roberta": 2, "xlm-roberta": 2}
"""Kinds of network that differ in nothing but the position of the first token."""
_NUMBERS = {"F32", "F16"}


def openvino() -> Any:
    """OpenVINO without its telemetry: with this entry it finds no telemetry package and uses its own stub."""
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
    import openvino

    return openvino


def fastest_precision() -> str:
    """bf16 where the CPU has matrix units for it, int8 where it has integer dot products, else f32."""
    flags = _cpu_flags()
    if "amx_bf16" in flags:
        return "bf16"
    return "int8" if flags & {"avx512_vnni", "avx_vnni"} else "f32"


def multiplies_bfloat16() -> bool:
    """Whether the CPU multiplies bfloat16 several times as fast as float32."""
    return bool(_cpu_flags() & {"amx_bf16", "avx512_bf16"})


def _cpu_flags() -> set[str]:
    """What Linux says that the CPU can do; nothing elsewhere."""
    try:
        return set(Path("/proc/cpuinfo").read_text().split())
    except OSError:
        return set()


def buildable(folder: Path) -> bool:
    """Whether the model in a folder is a network that this file builds, with weights that it reads."""
    from safetensors import safe_open

    config = json.loads((folder / "config.json").read_text())
    path = folder / "model.safetensors"
    if not path.is_file() or config.get("model_type") not in FIRST_PLACES or config.get("hidden_act") != "gelu":
        return False
    with safe_open(str(path), "np") as file:
        return all(file.get_slice(name).get_dtype() in _NUMBERS for name in file.keys() if "weight" in name)  # noqa: SIM118


def load_weights(path: Path) -> dict[str, Array]:
    """The weights of a safetensors file by their names, without the model's own name before them."""
    from safetensors import safe_open

    with safe_open(str(path), "np") as file:
        weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    return {name.removeprefix("bert.").removeprefix("roberta."): weight for name, weight in weights.items()}


def quantise(weight: Array) -> tuple[Array, Array]:
    """(rows, columns) weights to (rows, groups, group) int8 and their (rows, groups, 1) float32 scales."""
    rows, columns = weight.shape
    group = WEIGHT_GROUP if columns % WEIGHT_GROUP == 0 else columns
    grouped = weight.astype(np.float32).reshape(rows, columns // group, group)
    scale = np.maximum(np.abs(grouped).max(2, keepdims=True), 1e-12) / 127
    return np.round(grouped / scale).astype(np.int8), scale.astype(np.float32)


def quantised(weights: Mapping[str, Array]) -> dict[str, Array]:
    """Weights with the matrices of the layers in int8; embeddings and vectors stay as they are."""
    result = dict(weights)
    for name, weight in weights.items():
        if name.startswith("encoder.layer.") and weight.ndim == 2:
            result[name], result[name + SCALE] = quantise(weight)
    return result


def build_encoder(config: Path, weights: Mapping[str, Array], pooling: str) -> Any:
    """The model of an encoder: input_ids and attention_mask (batch, tokens) to unit rows (batch, width).

    ``pooling`` is ``mean`` or ``cls``. Raises KeyError for weights that are missing.
    """
    graph = _Graph(json.loads(config.read_text()), weights)
    op = graph.op
    ids, mask = graph.inputs("input_ids", "attention_mask")
    hidden = graph.hidden(ids, mask)
    if pooling == "cls":
        pooled = op.gather(hidden, np.int64(0), np.int64(1))
    else:
        kept = op.unsqueeze(op.convert(mask, "f32"), np.int64(2))
        axis = np.int64(1)
        pooled = op.divide(op.reduce_sum(op.multiply(hidden, kept), axis), op.reduce_sum(kept, axis))
    return graph.model([op.normalize_l2(pooled, np.array([1]), 1e-24, "max")], [ids, mask], "encoder")


def build_reader(config: Mapping[str, Any], weights: Mapping[str, Array]) -> Any:
    """The model of a reader: ids, mask and types (batch, tokens) to start and end (batch, tokens), verdict (batch, 3).

    ``config`` is that of BERT in ``transformers``. ``weights`` has ``span`` and ``verdict`` besides those of BERT.
    Raises KeyError for one that is missing.
    """
    graph = _Graph(config, weights)
    op = graph.op
    ids, mask, types = graph.inputs("ids", "mask", "types")
    hidden = graph.hidden(ids, mask, types)
    span, outside = graph.linear(hidden, "span"), graph.outside(mask)
    first = op.gather(hidden, np.int64(0), np.int64(1))
    places = [op.add(op.gather(span, np.int64(at), np.int64(2)), outside) for at in (0, 1)]
    return graph.model([*places, graph.linear(first, "verdict")], [ids, mask, types], "reader")


class _Graph:
    """Nodes of one model, over one set of weights with the names of BERT in ``transformers``."""

    def __init__(self, shape: Mapping[str, Any], weights: Mapping[str, Array]) -> None:
        self._ov = openvino()
        from openvino import opset13

        self.op: Any = opset13
        self._weights, self._layers = weights, shape["num_hidden_layers"]
        self._heads, self._width = shape["num_attention_heads"], shape["hidden_size"]
        self._epsilon, self._first = shape["layer_norm_eps"], FIRST_PLACES[shape["model_type"]]

    def inputs(self, *names: str) -> list[Any]:
        return [self.op.parameter([-1, -1], np.int64, name=name) for name in names]

    def model(self, outputs: list[Any], inputs: list[Any], name: str) -> Any:
        model = self._ov.Model(outputs, inputs, name)
        for port, node in zip(model.inputs, inputs, strict=True):
            port.get_tensor().set_names({node.get_friendly_name()})
        return model

    def outside(self, mask: Any) -> Any:
        """What takes padding out of a softmax, to be added to its scores."""
        op = self.op
        return op.multiply(op.subtract(np.float32(1), op.convert(mask, "f32")), np.float32(-1e9))

    def hidden(self, ids: Any, mask: Any, types: Any = None) -> Any:
        """The last layer: (batch, tokens, width). Without ``types`` every token is of the first segment."""
        bias = self.op.unsqueeze(self.outside(mask), np.array([1, 2]))
        hidden = self._embedded(ids, np.zeros((1, 1), np.int64) if types is None else types)
        for number in range(self._layers):
            hidden = self._layer(hidden, bias, f"encoder.layer.{number}.")
        return hidden

    def linear(self, hidden: Any, name: str) -> Any:
        op, weight = self.op, self._weights[f"{name}.weight"]
        if f"{name}.weight{SCALE}" in self._weights:
            scale = op.constant(self._weights[f"{name}.weight{SCALE}"].astype(np.float32))
            shape = np.array([weight.shape[0], weight.shape[1] * weight.shape[2]])
            matrix = op.reshape(op.multiply(op.convert(op.constant(weight), "f32"), scale), shape, False)
        else:
            matrix = self._constant(f"{name}.weight")
        return op.add(op.matmul(hidden, matrix, False, True), self._constant(f"{name}.bias"))

    def _embedded(self, ids: Any, types: Any) -> Any:
        op, name = self.op, "embeddings."
        length = op.gather(op.shape_of(ids), np.int64(1), np.int64(0))
        places = op.range(np.int64(self._first), op.add(length, np.int64(self._first)), np.int64(1), "i64")
        places = op.unsqueeze(places, np.int64(0))
        words, segments, positions = (
            self._rows(f"{name}{part}_embeddings.weight", at)
            for part, at in (("word", ids), ("token_type", types), ("position", places))
        )
        return self._norm(op.add(op.add(words, segments), positions), f"{name}LayerNorm")

    def _rows(self, name: str, at: Any) -> Any:
        """The rows ``at`` (batch, tokens) of a matrix: those of int8 become numbers once they are taken out."""
        op, zero = self.op, np.int64(0)
        if name + SCALE not in self._weights:
            return op.gather(self._constant(name), at, zero)
        rows = op.convert(op.gather(op.constant(self._weights[name]), at, zero), "f32")
        scale = op.convert(op.gather(op.constant(self._weights[name + SCALE]), at, zero), "f32")
        return op.reshape(op.multiply(rows, scale), np.array([0, 0, self._width]), True)

    def _layer(self, hidden: Any, bias: Any, name: str) -> Any:
        op = self.op
        query, key, value = (self._split(self.linear(hidden, f"{name}attention.self.{part}"))
                             for part in ("query", "key", "value"))  # fmt: skip
        attended = op.scaled_dot_product_attention(query, key, value, bias)
        joined = op.reshape(op.transpose(attended, np.array([0, 2, 1, 3])), np.array([0, 0, self._width]), True)
        hidden = self._norm(
            op.add(self.linear(joined, f"{name}attention.output.dense"), hidden), f"{name}attention.output.LayerNorm"
        )
        inner = op.gelu(self.linear(hidden, f"{name}intermediate.dense"), "erf")
        return self._norm(op.add(self.linear(inner, f"{name}output.dense"), hidden), f"{name}output.LayerNorm")

    def _split(self, hidden: Any) -> Any:
        op = self.op
        parts = op.reshape(hidden, np.array([0, 0, self._heads, self._width // self._heads]), True)
        return op.transpose(parts, np.array([0, 2, 1, 3]))

    def _norm(self, hidden: Any, name: str) -> Any:
        op = self.op
        even = op.mvn(hidden, np.array([-1]), True, self._epsilon, "inside_sqrt")
        scaled = op.multiply(even, self._constant(f"{name}.weight"))
        return op.add(scaled, self._constant(f"{name}.bias"))

    def _constant(self, name: str) -> Any:
        """A weight as it is. Given as an array, OpenVINO would make a list of Python's numbers of it first."""
        return self.op.constant(self._weights[name].astype(np.float32))
