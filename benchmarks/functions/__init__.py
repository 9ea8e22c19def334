"""Functions of PyTorch as people write them: what benchmarks/torch_functions.py times."""

from functions import (
    activations,
    attention,
    images,
    logits,
    losses,
    models,
    norms,
    optimizers,
    quantization,
    science,
    sequences,
    shapes,
    sound,
    training,
    vision,
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
    "models",
    "norms",
    "optimizers",
    "quantization",
    "science",
    "sequences",
    "shapes",
    "sound",
    "training",
    "vision",
]
