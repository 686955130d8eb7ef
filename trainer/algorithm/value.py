"""The value head of PPO: what a state is worth, read off the policy's last hidden layer.

A linear head on the policy's own trunk. Its loss does not reach the trunk, so it takes no second model's memory and
cannot disturb the policy; that is a departure from PPO implementations with a critic of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

_EPOCHS = 4
_RATE = 1e-2
_FILE = "value_head.safetensors"


class ValueHead:
    """V(s) of the state before each token of a completion."""

    def __init__(self, model: Any) -> None:
        width = model.get_input_embeddings().weight.shape[1]
        device = next(model.parameters()).device
        self.linear = torch.nn.Linear(width, 1, device=device, dtype=torch.float32)
        torch.nn.init.zeros_(self.linear.weight)
        torch.nn.init.zeros_(self.linear.bias)
        self._optimizer = torch.optim.AdamW(self.linear.parameters(), lr=_RATE)

    @torch.no_grad()
    def hidden(self, model: Any, output: dict[str, Any]) -> torch.Tensor:
        """The last hidden layer before each token of the completions, (batch, tokens, width), without gradient."""
        base = model.get_base_model() if hasattr(model, "get_base_model") else model
        ids = torch.cat([output["prompt_ids"], output["completion_ids"]], 1)
        mask = torch.cat([output["prompt_mask"], output["completion_mask"]], 1)
        states = base.get_decoder()(input_ids=ids, attention_mask=mask).last_hidden_state
        tokens = output["completion_ids"].shape[1]
        kept: torch.Tensor = states[:, -tokens - 1 : -1].float()
        return torch.nn.functional.layer_norm(kept, kept.shape[-1:])

    @torch.no_grad()
    def predict(self, hidden: torch.Tensor) -> torch.Tensor:
        """V, (batch, tokens)."""
        values: torch.Tensor = self.linear(hidden)[..., 0]
        return values

    def fit(self, hidden: torch.Tensor, returns: npt.NDArray[Any], mask: npt.NDArray[Any], accelerator: Any) -> float:
        """A few steps towards the returns of the policy's tokens; the mean squared error before them."""
        acting = torch.tensor(mask > 0, device=hidden.device)
        inputs = hidden[acting]
        targets = torch.tensor(np.asarray(returns)[mask > 0], dtype=torch.float32, device=hidden.device)
        first = 0.0
        for epoch in range(_EPOCHS):
            self._optimizer.zero_grad()
            with torch.enable_grad():
                loss = torch.nn.functional.mse_loss(self.linear(inputs)[:, 0], targets)
                loss.backward()  # type: ignore[no-untyped-call]
            for parameter in self.linear.parameters():
                parameter.grad = accelerator.reduce(parameter.grad, reduction="mean")
            self._optimizer.step()
            first = first if epoch else loss.item()
        return first

    def save(self, folder: Path) -> None:
        """Write the head with its optimiser's moments beside a checkpoint's weights."""
        from safetensors.torch import save_file

        tensors = dict(self.linear.state_dict())
        for name, weight in self.linear.named_parameters():
            tensors |= {f"{name}.{moment}": value for moment, value in self._optimizer.state[weight].items()}
        save_file(tensors, str(folder / _FILE))

    def load(self, folder: Path) -> None:
        """Read what ``save`` wrote."""
        from safetensors.torch import load_file

        tensors = load_file(str(folder / _FILE))
        weights = {name: tensors.pop(name) for name in self.linear.state_dict()}
        self.linear.load_state_dict(weights)
        for name, weight in self.linear.named_parameters():
            moments = {key.rpartition(".")[2]: value for key, value in tensors.items() if key.startswith(f"{name}.")}
            # AdamW counts its steps on the CPU.
            self._optimizer.state[weight] = {
                key: value if key == "step" else value.to(weight.device) for key, value in moments.items()
            }
