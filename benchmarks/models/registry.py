"""What lists of models are made of."""

import dataclasses
from collections.abc import Callable

import torch
from torch import nn

BF16, F32 = torch.bfloat16, torch.float32


@dataclasses.dataclass
class Sizes:
    """Sizes of a model and of its data on `device`: those of the benchmark, or small ones of a test."""

    device: str
    small: bool = False

    def __call__(self, large: int, small: int) -> int:
        return small if self.small else large

    def randn(self, *shape, dtype=F32) -> torch.Tensor:
        return torch.randn(shape, device=self.device).to(dtype)

    def ints(self, limit: int, *shape) -> torch.Tensor:
        return torch.randint(limit, shape, device=self.device)


@dataclasses.dataclass
class Model:
    """`make(sizes)` returns a module and its inputs; the module returns a loss. `dtype` is that of parameters and float
    inputs; `autocast` computes the forward pass of f32 parameters under autocast to bf16. `exact`: two runs give the
    same results, because nothing is drawn at random."""

    make: Callable[[Sizes], tuple[nn.Module, tuple]]
    dtype: torch.dtype = F32
    autocast: bool = False
    exact: bool = True


MODELS: dict[str, Model] = {}


def add(name: str, make: Callable, **options) -> None:
    assert name not in MODELS, name
    MODELS[name] = Model(make, **options)
