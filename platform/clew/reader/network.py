"""The reader's network for OpenVINO, built from safetensors without PyTorch.

The shipped file holds the layers that training changed, in int8, and the heads; embeddings and first layers come from
the encoder that is installed anyway. Weights of a row share one scale in groups of ``GROUP``, as in
``clew.embedding``, in the form that OpenVINO's integer kernels recognise.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.embedding import WEIGHT_GROUP, openvino

Array = npt.NDArray[Any]
SCALE = ".scale"
"""What stands behind a weight's name for the scales of its groups."""


def quantise(weight: Array) -> tuple[Array, Array]:
    """(rows, columns) weights to (rows, groups, group) int8 and their (rows, groups, 1) float32 scales."""
    rows, columns = weight.shape
    group = WEIGHT_GROUP if columns % WEIGHT_GROUP == 0 else columns
    grouped = weight.astype(np.float32).reshape(rows, columns // group, group)
    scale = np.maximum(np.abs(grouped).max(2, keepdims=True), 1e-12) / 127
    return np.round(grouped / scale).astype(np.int8), scale.astype(np.float32)


def build(config: Path, weights: Mapping[str, Array]) -> Any:
    """The model: ids, mask and types (batch, tokens) to start and end (batch, tokens) and verdict (batch, 3).

    ``weights`` has the names of BERT in ``transformers``, and ``span`` and ``verdict``; a weight with a scale beside
    it is int8. Raises KeyError for one that is missing.
    """
    shape = json.loads(config.read_text())
    graph = _Graph(weights, shape["num_attention_heads"], shape["hidden_size"], shape["layer_norm_eps"])
    return graph.model(shape["num_hidden_layers"])


class _Graph:
    """Nodes of one model, over one set of weights."""

    def __init__(self, weights: Mapping[str, Array], heads: int, width: int, epsilon: float) -> None:
        self._ov = openvino()
        from openvino import opset13

        self._op: Any = opset13
        self._weights, self._heads, self._width, self._epsilon = weights, heads, width, epsilon

    def model(self, layers: int) -> Any:
        op = self._op
        ids, mask, types = (op.parameter([-1, -1], np.int64, name=name) for name in ("ids", "mask", "types"))
        hidden = self._embedded(ids, types)
        outside = op.multiply(op.subtract(np.float32(1), op.convert(mask, "f32")), np.float32(-1e9))
        bias = op.unsqueeze(outside, np.array([1, 2]))
        for number in range(layers):
            hidden = self._layer(hidden, bias, f"encoder.layer.{number}.")
        span = self._linear(hidden, "span")
        first = op.gather(hidden, np.int64(0), np.int64(1))
        outputs = [op.add(op.gather(span, np.int64(at), np.int64(2)), outside) for at in (0, 1)]
        return self._ov.Model([*outputs, self._linear(first, "verdict")], [ids, mask, types], "reader")

    def _embedded(self, ids: Any, types: Any) -> Any:
        op, name = self._op, "embeddings."
        length = op.gather(op.shape_of(ids), np.int64(1), np.int64(0))
        places = op.range(np.int64(0), length, np.int64(1), "i64")
        rows = [
            op.gather(self._weights[f"{name}{part}_embeddings.weight"].astype(np.float32), at, np.int64(0))
            for part, at in (("word", ids), ("token_type", types), ("position", places))
        ]
        return self._norm(op.add(op.add(rows[0], rows[1]), rows[2]), f"{name}LayerNorm")

    def _layer(self, hidden: Any, bias: Any, name: str) -> Any:
        op = self._op
        query, key, value = (self._split(self._linear(hidden, f"{name}attention.self.{part}"))
                             for part in ("query", "key", "value"))  # fmt: skip
        attended = op.scaled_dot_product_attention(query, key, value, bias)
        joined = op.reshape(op.transpose(attended, np.array([0, 2, 1, 3])), np.array([0, 0, self._width]), True)
        hidden = self._norm(
            op.add(self._linear(joined, f"{name}attention.output.dense"), hidden), f"{name}attention.output.LayerNorm"
        )
        inner = op.gelu(self._linear(hidden, f"{name}intermediate.dense"), "erf")
        return self._norm(op.add(self._linear(inner, f"{name}output.dense"), hidden), f"{name}output.LayerNorm")

    def _split(self, hidden: Any) -> Any:
        op = self._op
        parts = op.reshape(hidden, np.array([0, 0, self._heads, self._width // self._heads]), True)
        return op.transpose(parts, np.array([0, 2, 1, 3]))

    def _linear(self, hidden: Any, name: str) -> Any:
        op, weight = self._op, self._weights[f"{name}.weight"]
        matrix: Any = op.constant(weight)
        if f"{name}.weight{SCALE}" in self._weights:
            scale = op.constant(self._weights[f"{name}.weight{SCALE}"].astype(np.float32))
            rows, columns = weight.shape[0], weight.shape[1] * weight.shape[2]
            matrix = op.reshape(op.multiply(op.convert(matrix, "f32"), scale), np.array([rows, columns]), False)
        bias = op.constant(self._weights[f"{name}.bias"].astype(np.float32))
        return op.add(op.matmul(hidden, matrix, False, True), bias)

    def _norm(self, hidden: Any, name: str) -> Any:
        op = self._op
        even = op.mvn(hidden, np.array([-1]), True, self._epsilon, "inside_sqrt")
        scaled = op.multiply(even, self._weights[f"{name}.weight"].astype(np.float32))
        return op.add(scaled, self._weights[f"{name}.bias"].astype(np.float32))
