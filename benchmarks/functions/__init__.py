"""Functions of PyTorch as people write them: what benchmarks/torch_functions.py times."""

from functions import (
    activations,
    attention,
    images,
    logits,
    losses,
    norms,
    optimizers,
    quantization,
    science,
    sound,
)
from functions.registry import FUNCTIONS, Maker

__all__ = [
    "FUNCTIONS",
    "Maker",
    "activations",
    "attention",
    "images",
    "logits",
    "losses",
    "norms",
    "optimizers",
    "quantization",
    "science",
    "sound",
]
